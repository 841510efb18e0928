//! Progress callbacks of a training run.

use crate::replay::GameRecord;

use super::loss_values::Losses;

/// Progress callbacks of a training run, called from any thread.
pub trait Progress: Sync {
    /// Self-play begins, of this many games.
    fn selfplay_begins(&self, _games: u64) {}
    /// A game is finished.
    fn game_finished(&self, _record: &GameRecord) {}
    /// Training begins, of this many steps.
    fn training_begins(&self, _steps: u64) {}
    /// A step is done.
    fn step_finished(&self, _losses: &Losses) {}
    /// Reports a problem that does not end the run.
    fn warn(&self, _message: &str) {}
}
