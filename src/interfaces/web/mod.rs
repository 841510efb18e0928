//! The web server: a page for playing and analysing, and the WebSocket behind it. docs/web.md is its protocol.
//!
//! Every request carries its whole position, so the only state of a connection is a search tree to reuse.
//! Connections are tasks of an asynchronous runtime and never search: searches are jobs of a
//! [`crate::engine::worker_pool`], whose threads work on each for some milliseconds in turn.
//!
//! | module | contents |
//! |---|---|
//! | `server` | listening, paths, access control, and what is served by path |
//! | `protocol` | requests and answers of the WebSocket |
//! | `connection`, `sessions`, `connection_limiter` | one client; all of them, and the memory that they share |
//! | `connection_engine`, `search_job`, `review_run` | the searches of a client |
//! | `page/` | the page itself; it draws boards with `board_ui` |

mod connection;
mod connection_engine;
mod connection_limiter;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzz_entry;
mod protocol;
mod review_run;
mod search_job;
mod server;
mod sessions;

use protocol::{answer, position_view, request};

pub use server::{ClusterView, ServeOptions, serve};
