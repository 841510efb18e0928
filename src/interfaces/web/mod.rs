//! The web server: a page for playing and analysing, and the WebSocket behind it. docs/web.md is its protocol.
//!
//! Every request carries its whole position, so the only state of a connection is a search tree to reuse.
//! Connections are tasks of an asynchronous runtime and never search: searches are jobs of a
//! [`crate::engine::worker_pool`], whose threads work on each for some milliseconds in turn.

mod about;
mod answer;
mod app_state;
mod browser;
mod cluster_view;
mod connection;
mod connection_engine;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod doors;
mod freed_memory;
mod game_files;
mod gate;
mod guests;
mod models;
mod page;
mod position_view;
mod request;
mod review_run;
mod run_view;
mod search_job;
mod server;
mod sessions;

pub use cluster_view::ClusterView;
pub use server::{ServeOptions, serve};
