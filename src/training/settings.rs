//! How the network learns: the `[training]` table of a recipe.

use serde::{Deserialize, Serialize};

use super::loss_values::LossWeights;
use super::optimiser::AdamWSettings;

/// How the network learns. Every field is a key of the recipe's `[training]` table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrainingSettings {
    /// Games of self-play between two rounds of training.
    pub games_per_iteration: u64,
    /// Positions of a training step.
    pub batch: usize,
    /// How often a position is trained on, on average.
    pub reuse: f64,
    /// The window holds at least this many of the latest positions, if there are as many …
    pub window_least: usize,
    /// … and otherwise this share of all positions so far …
    pub window_share: f64,
    /// … but never more than this many.
    pub window_most: usize,
    /// The weight of the search's value, against the game's result, in the target of the outcome.
    pub search_value_share: f32,
    /// Whether a position is trained on under a symmetry of the board that is drawn at random.
    pub symmetries: bool,
    /// Steps after which half of an old weight is forgotten in the averaged network, which plays.
    pub average_half_life: f64,
    /// Every how many iterations a checkpoint is kept; the latest always is.
    pub keep_every: u64,
    /// The optimiser.
    pub optimiser: AdamWSettings,
    /// The weights of the losses.
    pub losses: LossWeights,
}

impl Default for TrainingSettings {
    fn default() -> Self {
        Self {
            games_per_iteration: 400,
            batch: 256,
            reuse: 6.0,
            window_least: 20_000,
            window_share: 0.4,
            window_most: 500_000,
            search_value_share: 0.25,
            symmetries: true,
            average_half_life: 150.0,
            keep_every: 10,
            optimiser: AdamWSettings::default(),
            losses: LossWeights::default(),
        }
    }
}

impl TrainingSettings {
    /// What is wrong with the settings, if anything: the key, its value and what is accepted.
    pub(super) fn problem(&self) -> Option<String> {
        let positive = |value: f64| value > 0.0 && value.is_finite();
        let not_negative = |value: f64| value >= 0.0 && value.is_finite();
        let checks = [
            (
                !(1..=10_000_000).contains(&self.games_per_iteration),
                format!("games_per_iteration = {}; accepted: 1 to 10000000", self.games_per_iteration),
            ),
            (!(1..=65_536).contains(&self.batch), format!("batch = {}; accepted: 1 to 65536", self.batch)),
            (
                !positive(self.reuse) || self.reuse > 1000.0,
                format!("reuse = {}; accepted: above 0 and up to 1000", self.reuse),
            ),
            (
                !not_negative(self.window_share) || self.window_most < self.window_least,
                "window: accepted: window_share of 0 or more, window_most at least window_least".to_owned(),
            ),
            (
                !(0.0..=1.0).contains(&self.search_value_share),
                format!("search_value_share = {}; accepted: 0 to 1", self.search_value_share),
            ),
            (
                !positive(self.average_half_life),
                format!("average_half_life = {}; accepted: above 0", self.average_half_life),
            ),
            (self.keep_every == 0, "keep_every = 0; accepted: 1 or more".to_owned()),
            (!self.losses.all().into_iter().all(not_negative), "losses: accepted: weights of 0 or more".to_owned()),
        ];
        let found = checks.into_iter().find(|check| check.0).map(|check| check.1);
        found.or_else(|| self.optimiser.problem())
    }
}
