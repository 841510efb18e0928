//! How people and other programs reach the engine: thin, with no logic of its own beyond the talk.
//!
//! [`cli`] is the command line, [`terminal`] a board to play on, [`gtp`] the protocol for other
//! programs, `web` the page and the server behind it. The command line starts the others, which do not know each
//! other; what they share stands beside them: an [`engine`] with a game in progress, the [`model`] it judges with,
//! the [`analysis`] of a position, the page about a run, the reading of [`lines`], and the [`error`]s.

pub mod analysis;
pub mod cli;
pub mod engine;
pub mod error;
pub mod gtp;
pub mod lines;
mod meanwhile;
pub mod model;
mod run_page;
pub mod terminal;
#[cfg(feature = "web")]
pub mod web;
