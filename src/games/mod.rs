//! The rules of the games, what each says of itself, and positions of any of them. Knows no network, no search.
//!
//! | file | subject |
//! |---|---|
//! | `rules` | [`Rules`]: what a game implements |
//! | `info` | [`GameInfo`]: what a game says of itself |
//! | `position` | [`Position`]: a position of any game, which the rest of the program works with |
//! | `game`, `registry` | [`Game`]s by name, and on one of their boards |
//! | `rhombus` | what the games on a rhombus have in common |
//! | `rhombus_stones` | stones that stay where they are, of a few kinds, and the sides that they join |
//! | `two_colours` | what Chameleon and Imnyss have in common |
//! | `exhaustive` | exact values of small boards of any game |
//! | `cachex/`, `hex/`, … | the games, a folder each |

mod action;
mod any_rules;
mod batch;
pub mod cachex;
mod chameleon;
mod change;
mod errors;
mod evaluation;
mod exhaustive;
mod game;
mod ground;
mod hex;
mod hexifence;
mod imnyss;
mod infexion;
mod info;
mod piece;
mod position;
mod registry;
pub mod rhombus;
mod rhombus_stones;
mod rules;
mod seat;
mod solution;
mod transform;
mod two_colours;
mod vex;

pub use action::{Action, Pick};
pub use batch::{BatchEvaluator, OneByOne, Query, Ticket};
pub use cachex::{Cachex, REPETITION_LIMIT, TURN_LIMIT};
pub use chameleon::Chameleon;
pub use change::{Change, ChangeLog};
pub use errors::{InvalidMove, PositionError, SizeError};
pub use evaluation::{CellForecast, Evaluation, Evaluator, WinDrawLoss};
pub use game::{Game, GameBoard};
pub use ground::{Ground, Step};
pub use hex::{Hex, HexRules, HexWithoutSwap};
pub use hexifence::HexiFence;
pub use imnyss::Imnyss;
pub use infexion::{Infexion, InfexionBySpecification, InfexionRules};
pub use info::{
    ActionKind, Boards, Choice, Count, Counted, Ending, GameInfo, GlobalAction, LessonPart, NetworkView, Picture,
    SeatInfo,
};
pub use piece::Piece;
pub use position::{Position, play_all};
pub use registry::{UnknownGame, all_games, default_game, game_named, game_names, register};
pub use rules::{GameRng, Rules, parse_placement};
pub use seat::{EndReason, Outcome, Seat};
pub use solution::{Solution, Solver, Value};
pub use transform::Transform;
pub use vex::Vex;
