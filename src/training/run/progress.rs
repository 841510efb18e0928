//! Progress callbacks of a training run.

use crate::replay::GameRecord;
use crate::training::loss::Losses;

/// Progress callbacks of a training run, called from any thread.
pub trait Progress: Sync {
    /// Called when self-play of `games` games begins.
    fn selfplay_begins(&self, _games: u64) {}
    /// Called for each finished game.
    fn game_finished(&self, _record: &GameRecord) {}
    /// Called when training of `steps` steps begins.
    fn training_begins(&self, _steps: u64) {}
    /// Called after each training step.
    fn step_finished(&self, _losses: &Losses) {}
    /// Reports a problem that does not end the run.
    fn warn(&self, _message: &str) {}
}
