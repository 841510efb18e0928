//! What a run tells.

use crate::replay::GameRecord;

use super::loss_values::Losses;

/// What a run tells while it works. Called from any thread.
pub trait Progress: Sync {
    /// Self-play begins, of this many games.
    fn selfplay_begins(&self, _games: u64) {}
    /// A game is finished.
    fn game_finished(&self, _record: &GameRecord) {}
    /// Training begins, of this many steps.
    fn training_begins(&self, _steps: u64) {}
    /// A step is done.
    fn step_finished(&self, _losses: &Losses) {}
    /// Something was not as it should be, but the run goes on.
    fn warn(&self, _message: &str) {}
}
