//! The web server: a page for playing and analysing, and the WebSocket behind it. docs/web.md is its protocol.
//!
//! Every request carries its whole position, so a connection has nothing to remember but a search tree that may
//! be of use again. Connections are tasks of an asynchronous runtime and never think: searches are jobs for the
//! threads of `thinkers`, which do each of them for some milliseconds in turn.

mod about;
mod answer;
mod board_engine;
mod connection;
mod gate;
mod models;
mod page;
mod request;
mod run_view;
mod search_job;
mod server;
mod sessions;
mod state;
mod thinkers;

pub use server::{ServeOptions, serve};
