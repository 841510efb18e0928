//! The `[training]` table of a recipe.

use serde::{Deserialize, Serialize};

use crate::training::examples::SearchValue;
use crate::training::learning::AdamWSettings;
use crate::training::loss::LossWeights;

/// The most games of an iteration.
pub(in crate::training) const MOST_GAMES: u64 = 10_000_000;

/// Training settings. Every field is a key of the recipe's `[training]` table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrainingSettings {
    /// Games of self-play between two rounds of training.
    pub games_per_iteration: u64,
    /// Positions of a training step.
    pub batch: usize,
    /// The mean number of times that a position is trained on.
    pub reuse: f64,
    /// The window holds this many of the latest positions at first, then more by a power law (KataGo).
    pub window_least: usize,
    /// The exponent of its growth with all positions so far, above 0 and up to 1.
    pub window_exponent: f64,
    /// The positions by which it grows for each new one at first, 0 to 1.
    pub window_scale: f64,
    /// The most positions that it holds.
    pub window_most: usize,
    /// The share of drawing weights that goes by surprise, 0 to 1: see
    /// [`crate::replay::Window::set_surprise_weight`].
    pub surprise_weight: f64,
    /// The weight of the search's value, against the game's result, in the outcome's target.
    pub search_value_share: f32,
    /// True if a proven value is the outcome's target, regardless of that weight.
    pub proven_targets: bool,
    /// Boards up to this size, as far as the game's solver solves them, take their targets from it: the exact value, and
    /// the moves that keep it. 0 for none.
    pub exact_size: usize,
    /// True if positions are trained on under random symmetries of the board.
    pub symmetries: bool,
    /// The half-life, in steps, of old weights in the averaged network, which plays.
    pub average_half_life: f64,
    /// Iterations between two kept checkpoints; the latest is always kept.
    pub keep_every: u64,
    /// The greatest age of a game's network, in checkpoints, where other machines play while this one learns.
    pub checkpoint_age: usize,
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
            window_exponent: 0.65,
            window_scale: 0.4,
            window_most: 500_000,
            surprise_weight: 0.0,
            search_value_share: 0.25,
            proven_targets: true,
            exact_size: 0,
            symmetries: true,
            average_half_life: 150.0,
            keep_every: 10,
            checkpoint_age: 1,
            optimiser: AdamWSettings::default(),
            losses: LossWeights::default(),
        }
    }
}

impl TrainingSettings {
    /// Returns how the outcome's target combines the search with the result.
    pub(in crate::training) fn search_value(&self) -> SearchValue {
        SearchValue { share: self.search_value_share, proven: self.proven_targets }
    }

    /// Returns the size of the window after `positions` positions: `least · (1 + scale · ((positions /
    /// least)^exponent − 1) / exponent)`, at least `least` and at most `most` (Wu, *Accelerating self-play learning
    /// in Go*, 2019). Beyond `least` it grows by `scale` positions for each new one at first, and by fewer and fewer.
    pub(in crate::training) fn window_capacity(&self, positions: u64) -> usize {
        let (least, exponent) = (self.window_least as f64, self.window_exponent);
        let growth = ((positions as f64 / least.max(1.0)).powf(exponent) - 1.0) / exponent;
        let capacity = least * (1.0 + self.window_scale * growth);
        (capacity as usize).clamp(self.window_least, self.window_most)
    }

    /// Returns the first invalid setting, if any: its key, its value and what is accepted.
    pub(in crate::training) fn problem(&self) -> Option<String> {
        let positive = |value: f64| value > 0.0 && value.is_finite();
        let share = |value: f64| (0.0..=1.0).contains(&value);
        let checks = [
            (
                !(1..=MOST_GAMES).contains(&self.games_per_iteration),
                format!("games_per_iteration = {}; accepted: 1 to {MOST_GAMES}", self.games_per_iteration),
            ),
            (!(1..=65_536).contains(&self.batch), format!("batch = {}; accepted: 1 to 65536", self.batch)),
            (
                !positive(self.reuse) || self.reuse > 1000.0,
                format!("reuse = {}; accepted: above 0 and up to 1000", self.reuse),
            ),
            (
                !share(self.window_scale) || !share(self.window_exponent) || self.window_exponent == 0.0,
                "window: accepted: window_scale 0 to 1, window_exponent above 0 and up to 1".to_owned(),
            ),
            (self.window_most < self.window_least, "window: accepted: window_most at least window_least".to_owned()),
            (!share(self.surprise_weight), format!("surprise_weight = {}; accepted: 0 to 1", self.surprise_weight)),
            (
                !(0.0..=1.0).contains(&self.search_value_share),
                format!("search_value_share = {}; accepted: 0 to 1", self.search_value_share),
            ),
            (
                !positive(self.average_half_life),
                format!("average_half_life = {}; accepted: above 0", self.average_half_life),
            ),
            (self.checkpoint_age > 100, format!("checkpoint_age = {}; accepted: 0 to 100", self.checkpoint_age)),
            (self.keep_every == 0, "keep_every = 0; accepted: 1 or more".to_owned()),
        ];
        let found = checks.into_iter().find(|check| check.0).map(|check| check.1);
        found.or_else(|| self.losses.problem()).or_else(|| self.optimiser.problem())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_grows_ever_more_slowly() {
        let settings = TrainingSettings { window_least: 1000, window_most: 4000, ..TrainingSettings::default() };
        assert_eq!([0, 999, 1000].map(|positions| settings.window_capacity(positions)), [1000; 3]);
        // 16^0.65 = 6.0629; 1000 · (1 + 0.4 · 5.0629 / 0.65) = 4115.6, and at 9: 9^0.65 = 4.1712, 2951.5.
        assert_eq!(settings.window_capacity(9000), 2951);
        assert_eq!(settings.window_capacity(16_000), 4000);
        let linear = TrainingSettings { window_exponent: 1.0, ..settings };
        assert_eq!(linear.window_capacity(2000), 1400);
    }
}
