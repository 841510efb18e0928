//! The rules of the games, and how a position is shown to a network. Knows no network, no search.

mod cachex;
mod errors;
mod evaluation;
mod game;
mod ground;
mod hex;
mod registry;

pub use cachex::{Cachex, REPETITION_LIMIT, TURN_LIMIT};
pub use errors::{InvalidMove, PositionError, SizeError};
pub use evaluation::{CellForecast, Evaluation, Evaluator, WinDrawLoss};
pub use game::{Action, EndReason, Game, NetworkView, Outcome, Player, play_named};
pub use ground::{Ground, Step};
pub use hex::{Hex, HexRules, HexWithoutSwap};
pub use registry::{ForGame, GAME_NAMES, UnknownGame, with_game};
