//! Exact results of endgame positions.

use std::fmt::Debug;

use crate::{GameBoard, Position, Seat, Verdict};

/// The result of a position if both sides play perfectly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndgameResult {
    /// The winner, or `None` for a draw.
    pub winner: Option<Seat>,
    /// An upper bound on the plies to the end of the game.
    pub plies: u16,
}

/// Solves endgame positions of one game, so that a search need not look further. A solver may
/// remember what it has solved. Its work is bounded by counts, never by time: the same positions in
/// the same order give the same answers.
pub trait EndgameSolver: Debug + Send + Sync {
    /// Returns the result of an unfinished position that follows from the one the solver was made
    /// for, or `None` if solving it is too much work.
    fn solve(&mut self, position: &Position) -> Option<EndgameResult>;

    /// Copies the solver.
    fn boxed(&self) -> Box<dyn EndgameSolver>;
}

impl Clone for Box<dyn EndgameSolver> {
    fn clone(&self) -> Self {
        self.as_ref().boxed()
    }
}

/// Answers from the solved values of all positions of a board.
#[derive(Debug, Clone, Copy)]
pub struct SolvedBoard {
    on: &'static GameBoard,
}

impl SolvedBoard {
    /// Returns the solver of a position's board, which is solved at the first call, or `None` if
    /// the game's solver does not accept the board.
    pub fn of(position: &Position) -> Option<Self> {
        let on = position.on();
        on.solution().map(|_| Self { on })
    }
}

impl EndgameSolver for SolvedBoard {
    fn solve(&mut self, position: &Position) -> Option<EndgameResult> {
        let Verdict { winner, plies } = self.on.solution()?.verdict(position)?;
        // The values ignore the history, which may turn a win into a draw by repetition.
        if winner.is_some() && position.history_counts() {
            return None;
        }
        let left = position.turn_limit().saturating_sub(position.turns());
        let plies = plies.filter(|_| winner.is_some()).map_or(left, usize::from);
        // With fewer turns left the game is drawn.
        (plies <= left).then_some(EndgameResult { winner, plies: plies as u16 })
    }

    fn boxed(&self) -> Box<dyn EndgameSolver> {
        Box::new(*self)
    }
}
