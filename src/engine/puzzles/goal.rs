//! What makes a position a puzzle: by how much one move is better than all others.

use serde::{Deserialize, Serialize};

/// What the solution of a puzzle does. Scores are shares of the points, from 0 for a loss to 1 for a win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Goal {
    /// It wins, and no other move does.
    #[default]
    Win,
    /// It is the best move, and every other one is clearly worse: it may win, gain much, or alone save the game.
    Best,
}

/// How strictly a goal is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strictness {
    /// By a few visits, to leave out what is no puzzle.
    Look,
    /// When puzzles are checked.
    Check,
    /// When they are made: with a margin to what a check asks for.
    Make,
}

impl Goal {
    /// The least score of the solution.
    pub(super) fn least(self, strictness: Strictness) -> f32 {
        match (self, strictness) {
            (Self::Win, Strictness::Look) => 0.6,
            (Self::Win, Strictness::Check) => 0.8,
            (Self::Win, Strictness::Make) => 0.87,
            (Self::Best, Strictness::Look | Strictness::Check) => 0.4,
            (Self::Best, Strictness::Make) => 0.45,
        }
    }

    /// The most that any other move may score, if the solution has this score.
    pub(super) fn most_of_others(self, solution: f32, strictness: Strictness) -> f32 {
        match (self, strictness) {
            (Self::Win, Strictness::Look) => 0.6,
            (Self::Win, Strictness::Check) => 0.35,
            (Self::Win, Strictness::Make) => 0.28,
            (Self::Best, Strictness::Look) => solution - 0.15,
            (Self::Best, Strictness::Check) => solution - 0.2,
            (Self::Best, Strictness::Make) => solution - 0.3,
        }
    }
}
