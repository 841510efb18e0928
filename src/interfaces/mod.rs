//! How people and other programs reach the [`crate::engine`]: thin, with no logic of its own beyond the talk.
//!
//! | module | what it is |
//! |---|---|
//! | [`cli`] | the command line; starts the others, which do not know each other |
//! | [`terminal`] | a board to play on in a terminal |
//! | [`gtp`] | the protocol for other programs |
//! | `web` | the page, and the server behind it |
//! | [`lines`], [`error`], `run_page` | what they share: reading of lines, errors, the page about a run |

pub mod cli;
pub mod error;
pub mod gtp;
pub mod lines;
mod run_page;
pub mod terminal;
#[cfg(feature = "web")]
pub mod web;
