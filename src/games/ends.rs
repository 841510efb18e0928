//! Exact results of positions near the end of a game.

use std::fmt::Debug;

use super::game::GameBoard;
use super::position::Position;
use super::seat::Seat;
use super::solution::Verdict;

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

/// Answers from the results of all positions of a board.
#[derive(Debug, Clone, Copy)]
pub struct SolvedBoard {
    on: &'static GameBoard,
}

impl SolvedBoard {
    /// Returns that of a position's board, which is solved at the first call; none if the game's solver does not take it.
    pub fn of(position: &Position) -> Option<Self> {
        let on = position.on();
        on.solution().map(|_| Self { on })
    }
}

impl EndSolver for SolvedBoard {
    fn solve(&mut self, position: &Position) -> Option<End> {
        let Verdict { winner, plies } = self.on.solution()?.verdict(position)?;
        // Results leave out the history, which may turn a win into a draw by repetition.
        if winner.is_some() && position.history_counts() {
            return None;
        }
        let left = position.turn_limit().saturating_sub(position.turns());
        let plies = plies.filter(|_| winner.is_some()).map_or(left, usize::from);
        // With fewer turns left the game is drawn.
        (plies <= left).then_some(End { winner, plies: plies as u16 })
    }

    fn boxed(&self) -> Box<dyn EndSolver> {
        Box::new(*self)
    }
}
