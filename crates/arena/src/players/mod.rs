//! Players, which choose the moves of a game. Independent of training.
//!
//! | file | subject |
//! |---|---|
//! | `player` | [`Player`]: what every player implements; the random player |
//! | `spec`, `options` | players as named on the command line, and the options after an `@` |
//! | `source` | [`PlayerSource`]: makes the players of a match, one for each thread |
//! | `engine_player` | the search with a network, with random playouts, or with any other evaluator |
//! | `alphabeta`, `connection` | alpha-beta search with a game's own evaluation |
//! | `gtp/` | other programs over the Go Text Protocol |
//!
//! A built-in player is one file that implements [`Player`], and a variant of [`PlayerSpec`] with
//! its name, its numbers and how it is made.

mod alphabeta;
mod connection;
mod engine_player;
mod gtp;
mod options;
mod player;
mod source;
mod spec;

pub use alphabeta::AlphaBeta;
pub use connection::connection_score;
pub use engine_player::EnginePlayer;
pub use gtp::{GtpPlayer, ProgramError, ProgramOptions, SwapStyle, end_programs};
pub use options::PlayerOptions;
pub use player::{Player, PlayerError, RandomPlayer};
pub use source::{PlayerSource, SourceNetwork};
pub use spec::{PlayerSpec, SpecError};
