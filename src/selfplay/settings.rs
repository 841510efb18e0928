//! Settings of self-play.

use serde::{Deserialize, Serialize};

use crate::search::{Puct, RootNoise, RootPolicy};

use super::opening::OpeningSettings;
use super::resignation::Resignation;

/// Visits of a search.
const VISITS: std::ops::RangeInclusive<u32> = 2..=1_000_000;

/// Mebibytes of an evaluation cache.
const LARGEST_CACHE: u32 = 1 << 20;

/// Nothing sensible is larger.
const LARGEST: f64 = 1e9;

/// Settings of self-play. Every field is a key of the recipe's `[selfplay]` table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SelfPlaySettings {
    /// The board sizes, each with its share of the games.
    pub sizes: Vec<SizeWeight>,
    /// Visits of a full search, whose findings train the policy ([`crate::search::Search::policy_target`]).
    pub full_visits: u32,
    /// Visits of a cheap search, which only moves the game on.
    pub cheap_visits: u32,
    /// The share of moves that get a full search (playout cap randomisation, Wu 2019).
    pub full_share: f64,
    /// Noise at the root of full searches.
    pub noise: RootNoise,
    /// The temperature by which moves are drawn from the visit counts.
    pub temperature: Temperature,
    /// The openings.
    pub opening: OpeningSettings,
    /// Resignation.
    pub resignation: Resignation,
    /// Mebibytes for the network's answers to positions that come again, shared by all workers; 0 for no
    /// such cache. The games do not depend on it.
    pub evaluation_cache: u32,
    /// The constants of the tree search.
    pub search: Puct,
    /// The method that distributes the visits of the root.
    pub root: RootPolicy,
}

/// A board size and its share of the games, relative to the other sizes'.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SizeWeight {
    /// The board's size.
    pub size: usize,
    /// Its share.
    pub weight: f64,
    /// The probability of a further random move in its openings, in place of [`OpeningSettings::random`].
    pub random: Option<f64>,
}

impl SizeWeight {
    /// Creates an entry for a size with weight 1 and the openings of the other sizes.
    pub fn of(size: usize) -> Self {
        Self { size, weight: 1.0, random: None }
    }
}

/// Moves are drawn with probability proportional to `visits^(1/τ)`, where `τ` falls from `start` to
/// `end`, halving its distance every `half_life` × the board's side plies.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Temperature {
    /// At the first ply.
    pub start: f64,
    /// After many.
    pub end: f64,
    /// In board sides.
    pub half_life: f64,
}

impl Default for Temperature {
    fn default() -> Self {
        Self { start: 1.0, end: 0.2, half_life: 0.5 }
    }
}

impl Temperature {
    /// Returns the temperature at a turn, from 0, on a board of this size.
    pub fn at(&self, turn: usize, size: usize) -> f64 {
        self.end + (self.start - self.end) * 0.5f64.powf(turn as f64 / (self.half_life * size as f64))
    }
}

impl Default for SelfPlaySettings {
    fn default() -> Self {
        Self {
            sizes: vec![SizeWeight::of(5)],
            full_visits: 128,
            cheap_visits: 24,
            full_share: 0.25,
            noise: RootNoise::default(),
            temperature: Temperature::default(),
            opening: OpeningSettings::default(),
            resignation: Resignation::default(),
            evaluation_cache: 64,
            search: Puct::default(),
            root: RootPolicy::default(),
        }
    }
}

impl SelfPlaySettings {
    /// Returns the first invalid setting, if any: the key, its value and what is accepted.
    pub fn problem(&self, sizes: std::ops::RangeInclusive<usize>) -> Option<String> {
        let probability = |value: f64| (0.0..=1.0).contains(&value);
        let positive = |value: f64| value > 0.0 && value <= LARGEST;
        let visits = |name: &str, value: u32| {
            (!VISITS.contains(&value), format!("{name} = {value}; accepted: {} to {}", VISITS.start(), VISITS.end()))
        };
        let Temperature { start, end, half_life } = self.temperature;
        let checks = [
            (self.sizes.is_empty(), "sizes is empty; give at least one size".to_owned()),
            visits("full_visits", self.full_visits),
            visits("cheap_visits", self.cheap_visits),
            (
                !(probability(self.full_share) && self.full_share > 0.0),
                format!("full_share = {}; accepted: above 0 and up to 1", self.full_share),
            ),
            (
                self.evaluation_cache > LARGEST_CACHE,
                format!("evaluation_cache = {}; accepted: 0 to {LARGEST_CACHE}", self.evaluation_cache),
            ),
            (
                !probability(f64::from(self.noise.fraction)) || !positive(f64::from(self.noise.concentration)),
                "noise: accepted: concentration above 0, fraction 0 to 1".to_owned(),
            ),
            (
                ![start, end, half_life].into_iter().all(positive),
                format!("temperature: accepted: start, end and half_life above 0 and up to {LARGEST}"),
            ),
            (self.opening.problem().is_some(), format!("opening: {}", self.opening.problem().unwrap_or_default())),
            (
                self.resignation.problem().is_some(),
                format!("resignation: {}", self.resignation.problem().unwrap_or_default()),
            ),
            (self.search.problem().is_some(), format!("search: {}", self.search.problem().unwrap_or_default())),
            (self.root.problem().is_some(), format!("root: {}", self.root.problem().unwrap_or_default())),
        ];
        let wrong_size = self.sizes.iter().find(|entry| !sizes.contains(&entry.size) || !positive(entry.weight));
        let wrong_size = wrong_size.map(|entry| {
            let (low, high) = (sizes.start(), sizes.end());
            format!(
                "sizes: size {} with weight {}; accepted: size {low} to {high}, weight above 0 and up to {LARGEST}",
                entry.size, entry.weight
            )
        });
        let openings = self
            .sizes
            .iter()
            .filter_map(|entry| Some((entry.size, OpeningSettings { random: entry.random?, ..self.opening })));
        let mut wrong_opening =
            openings.filter_map(|(size, opening)| Some(format!("sizes: size {size}: {}", opening.problem()?)));
        checks.into_iter().find(|check| check.0).map(|check| check.1).or(wrong_size).or_else(|| wrong_opening.next())
    }
}
