//! A game in progress with an engine, shared by all interfaces.
//!
//! | file | subject |
//! |---|---|
//! | `game_in_progress` | [`Engine`]: the moves so far, and a search that follows them |
//! | `move_run` | [`MoveRun`]: which move, by when |
//! | `played` | [`Played`]: a move and what it changed; reading of moves |
//! | `picking` | [`Picking`]: a move as picks, one after another |
//! | [`openings`] | the value of every first move and reply |
//! | [`puzzles`] | positions in which one move wins |
//! | [`review`] | review of a whole game: losses, faults, better moves |
//! | `strength` | [`Strength`]: the level, and the limits of a move |
//! | `words` | names and endings in words |
//! | `forecast` | forecast of the board at the end |
//! | [`analysis`] | analysis of a position, in slices of search |
//! | [`model`] | what the engine evaluates positions with |
//! | `model_files` | loading of models from files and runs (feature `learn`) |
//! | `pondering` | work done while the program waits for others |
//! | `share_out` | tasks shared out among threads |
//! | [`worker_pool`] | threads that share many jobs |

pub mod analysis;
mod forecast;
mod game_in_progress;
pub mod model;
#[cfg(feature = "learn")]
pub mod model_files;
mod move_run;
pub mod openings;
mod picking;
mod played;
mod pondering;
pub mod puzzles;
pub mod review;
mod share_out;
mod strength;
mod words;
pub mod worker_pool;

pub use game_in_progress::{Engine, Opinion, SetUpError};
pub use move_run::MoveRun;
pub use picking::{Picking, end_of_path};
pub use played::{Played, legal_action};
pub use strength::{DEFAULT_SECONDS, Effort, Strength};
pub use words::{ending_in_words, has_swap};
