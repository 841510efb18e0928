//! The games: their rules, descriptions and positions. Independent of network and search.
//!
//! | file | subject |
//! |---|---|
//! | `rules` | [`Rules`]: what a game implements |
//! | `info` | [`GameInfo`]: the description of a game |
//! | `position` | [`Position`]: a position of any game, which the rest of the program works with |
//! | `arrangement` | [`Arrangement`]: positions that are put together stone by stone |
//! | `transform` | [`Transform`]: symmetries of positions and moves |
//! | `game`, `registry` | [`Game`]s by name, and on one of their boards |
//! | `state` | [`State`]: positions without their history, up to symmetry |
//! | `solution` | [`Solver`]: exact values of boards, and [`EndgameSolver`]: exact results near the end of a game |
//! | `exhaustive` | exact values of small boards of any game |
//! | `winners` | only the winners, on slightly larger boards |
//! | `cachex/`, `hex/`, `y`, … | the games, a folder or a file each |
//! | `shared/` | code for several games |

mod action;
mod arrangement;
pub mod cachex;
pub mod chameleon;
pub mod dozer;
mod evaluation;
mod exhaustive;
pub mod fan;
pub mod gale;
mod game;
pub mod hex;
pub mod hexifence;
pub mod imnyss;
pub mod infexion;
mod info;
pub mod link;
mod path_costs;
mod position;
pub mod quickwin;
mod registry;
mod rules;
mod seat;
pub mod shared;
mod solution;
mod state;
pub mod tack;
pub mod three_connection;
mod transform;
pub mod twelve_star;
pub mod vex;
mod winners;
pub mod y;

pub use action::{Action, Change, ChangeLog, InvalidMove, InvalidMoveInList, Pick, SizeError};
pub use arrangement::{Arrangement, ArrangementError};
pub use cachex::{Cachex, REPETITION_LIMIT, TURN_LIMIT};
pub use evaluation::{BatchEvaluator, CellForecast, Evaluation, Evaluator, OneByOne, Query, WinDrawLoss};
pub use game::{Game, GameBoard};
pub use hex::{Hex, HexRules, HexWithoutSwap};
pub use info::{
    ActionKind, Boards, Choice, Count, Counted, Ending, GameInfo, GlobalAction, LessonPart, MoveSign, NetworkView,
    Picture, SeatInfo,
};
pub use path_costs::{CellCost, FARTHEST, Frontier, PathCosts, Way, distance_and_width};
pub use position::{Position, play_all};
pub use registry::{UnknownGame, all_games, default_game, game_named, game_names, is_built_in, register};
pub use rules::{GameRng, Rules, parse_placement};
pub(crate) use rules::{draw_until_legal, flag, rules_by_fields};
pub use seat::{EndReason, Outcome, Piece, Score, Seat};
pub use solution::{EndgameResult, EndgameSolver, Solution, SolvedBoard, Solver, Value, Verdict};
pub use state::State;
pub use transform::Transform;
