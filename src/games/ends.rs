//! Exact results of positions near the end of a game.

use std::fmt::Debug;

use super::position::Position;
use super::seat::Seat;

/// The result of a position if both play as well as possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// The winner; none for a draw.
    pub winner: Option<Seat>,
    /// The most plies to the end of the game.
    pub plies: u16,
}

/// Solves the positions near the end of one game, so that a search need not look further. It may remember what it has
/// solved. Its work is bounded by counts, never by time: the same positions in the same order have the same answers.
pub trait EndSolver: Debug + Send + Sync {
    /// Returns the result of an unfinished position that follows from the one that the solver was made for; none if that is
    /// too much work.
    fn solve(&mut self, position: &Position) -> Option<End>;

    /// Copies the solver.
    fn boxed(&self) -> Box<dyn EndSolver>;
}

impl Clone for Box<dyn EndSolver> {
    fn clone(&self) -> Self {
        self.as_ref().boxed()
    }
}
