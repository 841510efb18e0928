//! The `[training]` table of a recipe, and its stages: changes from a training step or a time on.

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use crate::examples::SearchValue;
use crate::folder::Counters;
use crate::learning::OptimiserSettings;
use crate::loss::LossWeights;
use hexzero_search::SettingsError;

/// The maximum number of games of an iteration.
pub(crate) const MAX_GAMES: u64 = 10_000_000;

/// Training settings. Every field is a key of the recipe's `[training]` table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrainingSettings {
    /// Games of self-play between two rounds of training.
    pub games_per_iteration: u64,
    /// Positions of a training step.
    pub batch: usize,
    /// The mean number of times that each position is trained on.
    pub reuse: f64,
    /// The initial size of the replay window, in positions; it then grows by a power law (KataGo).
    pub window_least: usize,
    /// The exponent of the window's growth with all positions so far, above 0 and up to 1.
    pub window_exponent: f64,
    /// The number of positions by which the window grows at first for each new one, 0 to 1.
    pub window_scale: f64,
    /// The maximum size of the window, in positions.
    pub window_most: usize,
    /// The share of the sampling weights that follows surprise, 0 to 1: see
    /// [`hexzero_selfplay::shards::Window::set_surprise_weight`].
    pub surprise_weight: f64,
    /// The weight of the search's value, against the game's result, in the outcome's target.
    pub search_value_share: f32,
    /// True if a proven value is the outcome's target, regardless of that weight.
    pub proven_targets: bool,
    /// The maximum size of boards whose targets come from the game's solver, where it can solve
    /// them: the exact value, and the moves that keep it. 0 for none.
    pub exact_size: usize,
    /// True if positions are trained on under random symmetries of the board.
    pub symmetries: bool,
    /// The half-life, in steps, of old weights in the averaged network, with which games are
    /// played.
    pub average_half_life: f64,
    /// Iterations between two kept checkpoints; the latest is always kept.
    pub keep_every: u64,
    /// The maximum age of a game's network, in checkpoints, where other machines play while this
    /// one learns.
    pub checkpoint_age: usize,
    /// The optimiser.
    pub optimiser: OptimiserSettings,
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
            surprise_weight: 0.5,
            search_value_share: 0.25,
            proven_targets: true,
            exact_size: 0,
            symmetries: true,
            average_half_life: 150.0,
            keep_every: 10,
            checkpoint_age: 1,
            optimiser: OptimiserSettings::default(),
            losses: LossWeights::default(),
        }
    }
}

impl TrainingSettings {
    /// Returns how the outcome's target combines the search with the result.
    pub(crate) fn search_value(&self) -> SearchValue {
        SearchValue { share: self.search_value_share, proven: self.proven_targets }
    }

    /// Returns the size of the window after `positions` positions: `least · (1 + scale · ((positions /
    /// least)^exponent − 1) / exponent)`, at least `least` and at most `most` (Wu, *Accelerating self-play learning
    /// in Go*, 2019). Beyond `least` it grows by `scale` positions for each new one at first, and by fewer and fewer.
    pub(crate) fn window_capacity(&self, positions: u64) -> usize {
        let (least, exponent) = (self.window_least as f64, self.window_exponent);
        let growth = ((positions as f64 / least.max(1.0)).powf(exponent) - 1.0) / exponent;
        let capacity = least * (1.0 + self.window_scale * growth);
        (capacity as usize).clamp(self.window_least, self.window_most)
    }

    /// Checks the settings.
    pub(crate) fn validate(&self) -> Result<(), SettingsError> {
        let share = |value: f64| (0.0..=1.0).contains(&value);
        let &Self { games_per_iteration: games, batch, reuse, checkpoint_age, keep_every, .. } = self;
        let &Self { window_scale, window_exponent, window_least, window_most, surprise_weight, .. } = self;
        let &Self { search_value_share, average_half_life: half_life, .. } = self;
        let games_fit = (1..=MAX_GAMES).contains(&games);
        SettingsError::check("games_per_iteration", games, games_fit, format_args!("1 to {MAX_GAMES}"))?;
        SettingsError::check("batch", batch, (1..=65_536).contains(&batch), "1 to 65536")?;
        SettingsError::check("reuse", reuse, reuse > 0.0 && reuse <= 1000.0, "above 0 and up to 1000")?;
        SettingsError::check("window_scale", window_scale, share(window_scale), "0 to 1")?;
        let is_exponent = window_exponent > 0.0 && window_exponent <= 1.0;
        SettingsError::check("window_exponent", window_exponent, is_exponent, "above 0 and up to 1")?;
        SettingsError::unless(window_most >= window_least, || {
            format!("window_most = {window_most}; accepted: window_least = {window_least} or more")
        })?;
        SettingsError::check("surprise_weight", surprise_weight, share(surprise_weight), "0 to 1")?;
        SettingsError::check("search_value_share", search_value_share, share(search_value_share.into()), "0 to 1")?;
        SettingsError::check("average_half_life", half_life, half_life > 0.0 && half_life.is_finite(), "above 0")?;
        SettingsError::check("checkpoint_age", checkpoint_age, checkpoint_age <= 100, "0 to 100")?;
        SettingsError::check("keep_every", keep_every, keep_every > 0, "1 or more")?;
        self.losses.validate()?;
        self.optimiser.validate().map_err(|error| error.within("optimiser"))
    }
}

/// Changes from a training step or a time on: a `[[stage]]` of a recipe. All schedules are written this way: of
/// visits, board sizes, the learning rate or weights of losses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// Begins with the first iteration after this many training steps. Every stage has this or `after_minutes`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_steps: Option<u64>,
    /// Begins with the first iteration after this many minutes of work, over all resumptions. How many steps that is
    /// depends on the machine: two runs with the same seed then differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_minutes: Option<f64>,
    /// Keys of `[selfplay]` with their new values.
    #[serde(default, skip_serializing_if = "Table::is_empty")]
    pub selfplay: Table,
    /// Keys of `[training]` with their new values.
    #[serde(default, skip_serializing_if = "Table::is_empty")]
    pub training: Table,
}

/// Overwrites the values in `table` with those of `changes`, key by key within tables.
pub fn overlay(table: &mut Table, changes: &Table) {
    for (key, value) in changes {
        match (table.get_mut(key), value) {
            (Some(Value::Table(within)), Value::Table(changes)) => overlay(within, changes),
            _ => drop(table.insert(key.clone(), value.clone())),
        }
    }
}

impl Stage {
    /// Returns the stage's name for error messages; `number` is its place among the stages, from one.
    pub(super) fn name(&self, number: usize) -> String {
        match (self.after_steps, self.after_minutes) {
            (Some(steps), None) => format!("the stage after {steps} steps"),
            (None, Some(minutes)) => format!("the stage after {minutes} minutes"),
            _ => format!("stage {number}"),
        }
    }

    /// Returns true if a run with these counters has reached the stage.
    pub(super) fn has_begun(&self, counters: &Counters) -> bool {
        self.after_steps.is_none_or(|steps| steps <= counters.step)
            && self.after_minutes.is_none_or(|minutes| minutes * 60.0 <= counters.seconds)
    }

    /// Checks that the stage's beginning is given and in order; `before` are the stages before it.
    pub(super) fn validate_beginning(&self, before: &[Self]) -> Result<(), SettingsError> {
        let accepted = "accepted: above 0, and above that of the stages before";
        match (self.after_steps, self.after_minutes) {
            (Some(steps), None) => {
                let least = before.iter().filter_map(|stage| stage.after_steps).next_back().unwrap_or(0);
                SettingsError::unless(steps > least, || format!("after_steps = {steps}; {accepted}"))
            }
            (None, Some(minutes)) => {
                let least = before.iter().filter_map(|stage| stage.after_minutes).next_back().unwrap_or(0.0);
                SettingsError::unless(minutes > least && minutes.is_finite(), || {
                    format!("after_minutes = {minutes}; {accepted}")
                })
            }
            _ => SettingsError::unless(false, || "give each stage either after_steps or after_minutes"),
        }
    }

    /// Applies the changes to a recipe.
    pub(super) fn change(&self, recipe: &mut Table) {
        for (name, changes) in [("selfplay", &self.selfplay), ("training", &self.training)] {
            if let Some(Value::Table(table)) = recipe.get_mut(name) {
                overlay(table, changes);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn window_grows_ever_more_slowly() {
        let settings = TrainingSettings { window_least: 1000, window_most: 4000, ..TrainingSettings::default() };
        assert_eq!([0, 999, 1000].map(|positions| settings.window_capacity(positions)), [1000; 3]);
        // 16^0.65 = 6.0629; 1000 · (1 + 0.4 · 5.0629 / 0.65) = 4115.6, and at 9: 9^0.65 = 4.1712, 2951.5.
        assert_eq!(settings.window_capacity(9000), 2951);
        assert_eq!(settings.window_capacity(16_000), 4000);
        let linear = TrainingSettings { window_exponent: 1.0, ..settings };
        assert_eq!(linear.window_capacity(2000), 1400);
    }
}
