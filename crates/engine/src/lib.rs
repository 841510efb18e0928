//! A game in progress with an engine, shared by all interfaces.
//!
//! | file | subject |
//! |---|---|
//! | `game_in_progress` | [`Engine`]: the moves so far, and a search that follows them |
//! | `idle_game` | [`IdleGame`]: a game set aside with its search |
//! | `move_run` | [`MoveRun`]: which move, by when |
//! | [`balanced`] | openings that give both sides about even chances |
//! | `picking` | [`Picking`]: a move as picks, one after another |
//! | [`openings`] | the value of every first move and reply |
//! | [`puzzles`] | positions in which one move wins |
//! | [`review`] | review of a whole game: losses, faults, better moves |
//! | `strength` | [`Strength`]: the level, and the limits of a move |
//! | `words` | names and endings in words; [`Played`]: a move and what it changed; reading of moves |
//! | [`analysis`] | analysis of a position, in slices of search |
//! | [`model`] | what the engine evaluates positions with; forecast of the board at the end |
//! | [`worker_pool`] | long jobs in turns, tasks in parallel, work in the background |

pub mod analysis;
pub mod balanced;
mod game_in_progress;
mod idle_game;
pub mod model;
mod move_run;
pub mod openings;
mod picking;
pub mod puzzles;
pub mod review;
mod strength;
mod words;
pub mod worker_pool;

pub use game_in_progress::{Engine, SearchSummary};
pub use idle_game::IdleGame;
pub use move_run::MoveRun;
pub use picking::{Picking, end_of_path};
pub use strength::{DEFAULT_SECONDS, Effort, Strength};
pub use words::{Played, ending_in_words, legal_action};
