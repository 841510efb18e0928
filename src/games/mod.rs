//! The rules of the games, and how a position is shown to a network. Knows no network, no search.

mod cachex;
mod evaluation;
mod game;

pub use cachex::{Cachex, REPETITION_LIMIT, TURN_LIMIT};
pub use evaluation::{Evaluation, Evaluator, WinDrawLoss};
pub use game::{
    Action, EndReason, Game, InvalidMove, NetworkView, Outcome, Player, PositionError, SizeError, play_named,
};
