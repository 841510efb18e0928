//! The rules of the games, what each says of itself, and positions of any of them. Knows no network, no search.
//!
//! | file | subject |
//! |---|---|
//! | `rules` | [`Rules`]: what a game implements |
//! | `info` | [`GameInfo`]: what a game says of itself |
//! | `position` | [`Position`]: a position of any game, which the rest of the program works with |
//! | `game`, `registry` | [`Game`]s by name, and on one of their boards |
//! | `rhombus` | what the games on a rhombus have in common |
//! | `stones/` | what those have in common in which stones move or change hands |
//! | `exhaustive` | exact values of small boards of any game |
//! | `cachex/`, `hex/`, `link/`, `tack/`, `fan/`, `dozer/`, `twelve_star/` | the games |

mod action;
mod any_rules;
mod batch;
pub mod cachex;
mod change;
mod dozer;
mod errors;
mod evaluation;
mod exhaustive;
mod fan;
mod game;
mod ground;
mod hex;
mod info;
mod link;
mod piece;
mod position;
mod registry;
pub mod rhombus;
mod rules;
mod seat;
mod solution;
pub mod stones;
mod tack;
mod transform;
mod twelve_star;

pub use action::{Action, Pick};
pub use batch::{BatchEvaluator, OneByOne, Query, Ticket};
pub use cachex::{Cachex, REPETITION_LIMIT, TURN_LIMIT};
pub use change::{Change, ChangeLog};
pub use dozer::{Dozer, DozerRules, DozerWithoutSwap};
pub use errors::{InvalidMove, PositionError, SizeError};
pub use evaluation::{CellForecast, Evaluation, Evaluator, WinDrawLoss};
pub use fan::{Fan, FanRules, FanWithSwap};
pub use game::{Game, GameBoard};
pub use ground::{Ground, Step};
pub use hex::{Hex, HexRules, HexWithoutSwap};
pub use info::{
    ActionKind, Boards, Choice, Count, Counted, Ending, GameInfo, GlobalAction, LessonPart, NetworkView, Picture,
    SeatInfo,
};
pub use link::{Link, LinkRules, LinkWithSwap};
pub use piece::Piece;
pub use position::{Position, play_all};
pub use registry::{UnknownGame, all_games, default_game, game_named, game_names, register};
pub use rules::{GameRng, Rules, parse_placement};
pub use seat::{EndReason, Outcome, Seat};
pub use solution::{Solution, Solver, Value};
pub use tack::{Tack, TackRules, TackWithSwap};
pub use transform::Transform;
pub use twelve_star::TwelveStar;
