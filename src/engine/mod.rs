//! A game in progress with an engine that thinks about it: what every interface works with.
//!
//! | file | subject |
//! |---|---|
//! | `game_in_progress` | [`Engine`]: the moves so far, and a search that follows them |
//! | `played` | [`Played`]: a move and what it changed; reading of moves |
//! | `picking` | [`Picking`]: a move as picks, one after another |
//! | [`openings`] | how good every first move is, and every reply |
//! | [`review`] | a whole game looked over: losses, faults, better moves |
//! | `strength` | [`Strength`]: the level, and how long to think about a move |
//! | `words` | names and endings in words |
//! | `forecast` | how the board will look at the end |
//! | [`analysis`] | what the engine thinks of a position, in slices of thinking |
//! | [`model`] | loading of what it judges with |
//! | `pondering` | work that goes on while somebody else is waited for |
//! | `share_out` | many pieces of work on several threads |
//! | [`worker_pool`] | threads that share many jobs out among themselves |

pub mod analysis;
mod forecast;
mod game_in_progress;
pub mod model;
pub mod openings;
mod picking;
mod played;
mod pondering;
pub mod review;
mod share_out;
mod strength;
mod words;
pub mod worker_pool;

pub use game_in_progress::{Engine, Opinion, SetUpError};
pub use picking::{Picking, end_of_path};
pub use played::{Played, legal_action};
pub use strength::{DEFAULT_SECONDS, Effort, Strength};
pub use words::{ending_in_words, has_swap};
