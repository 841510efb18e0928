//! Settings of self-play.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use hexzero_search::{Puct, RootNoise, SettingsError};

use super::opening::OpeningSettings;
use super::resignation::Resignation;
use super::starts::Starts;

/// Visits of a search.
const VISITS: std::ops::RangeInclusive<u32> = 2..=1_000_000;

/// Mebibytes of an evaluation cache.
const MAX_CACHE: u32 = 1 << 20;

/// Upper bound accepted.
const MAX_WEIGHT: f64 = 1e9;

/// Settings of self-play. Every field is a key of the recipe's `[selfplay]` table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SelfPlaySettings {
    /// The board sizes, each with its share of the games.
    pub sizes: Vec<SizeWeight>,
    /// Visits that a full search adds; its findings train the policy ([`hexzero_search::Search::policy_target`]).
    pub full_visits: u32,
    /// Visits that a cheap search adds; it only moves the game on.
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
    /// Mebibytes of the evaluation cache, which answers repeated positions and is shared by all
    /// workers; 0 for no cache. The games do not depend on it.
    pub evaluation_cache: u32,
    /// True to search with the game's endgame solver. Games then end as they should, and the positions before the end get the
    /// right result as their target. Positions that the solver decides are no policy targets.
    pub endgame_solver: bool,
    /// The constants of the tree search.
    pub search: Puct,
    /// The positions that games may begin from. They change during a run and are not part of its recipe.
    #[serde(skip)]
    pub starts: Arc<Starts>,
}

/// A board size and its share of the games, relative to the other sizes'.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SizeWeight {
    /// The board's size.
    pub size: usize,
    /// The size's share.
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
    /// The temperature at the first ply.
    pub start: f64,
    /// The temperature after many plies.
    pub end: f64,
    /// The half-life, in board sides of plies.
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
            cheap_visits: 6,
            full_share: 1.0,
            noise: RootNoise::default(),
            temperature: Temperature::default(),
            opening: OpeningSettings::default(),
            resignation: Resignation::default(),
            evaluation_cache: 64,
            endgame_solver: false,
            search: Puct::default(),
            starts: Arc::default(),
        }
    }
}

impl SelfPlaySettings {
    /// Checks the settings.
    ///
    /// # Errors
    /// If one is invalid: its key, its value and what is accepted.
    pub fn validate(&self, sizes: std::ops::RangeInclusive<usize>) -> Result<(), SettingsError> {
        let positive = |value: f64| value > 0.0 && value <= MAX_WEIGHT;
        SettingsError::unless(!self.sizes.is_empty(), || "sizes is empty; give at least one size")?;
        for (name, value) in [("full_visits", self.full_visits), ("cheap_visits", self.cheap_visits)] {
            let accepted = format!("{} to {}", VISITS.start(), VISITS.end());
            SettingsError::check(name, value, VISITS.contains(&value), accepted)?;
        }
        let Self { full_share: share, evaluation_cache: cache, .. } = *self;
        SettingsError::check("full_share", share, share > 0.0 && share <= 1.0, "above 0 and up to 1")?;
        SettingsError::check("evaluation_cache", cache, cache <= MAX_CACHE, format!("0 to {MAX_CACHE}"))?;
        self.noise.validate().map_err(|error| error.within("noise"))?;
        let Temperature { start, end, half_life } = self.temperature;
        for (name, value) in [("start", start), ("end", end), ("half_life", half_life)] {
            SettingsError::check(name, value, positive(value), format!("above 0 and up to {MAX_WEIGHT}"))
                .map_err(|error| error.within("temperature"))?;
        }
        self.opening.validate().map_err(|error| error.within("opening"))?;
        self.resignation.validate().map_err(|error| error.within("resignation"))?;
        self.search.validate().map_err(|error| error.within("search"))?;
        for SizeWeight { size, weight, random } in &self.sizes {
            SettingsError::unless(sizes.contains(size) && positive(*weight), || {
                let (low, high) = (sizes.start(), sizes.end());
                format!(
                    "sizes: size {size} with weight {weight}; accepted: size {low} to {high}, weight above 0 and up to {MAX_WEIGHT}"
                )
            })?;
            let opening = OpeningSettings { random: random.unwrap_or(self.opening.random), ..self.opening.clone() };
            opening.validate().map_err(|error| error.within(&format!("sizes: size {size}")))?;
        }
        Ok(())
    }
}
