//! The web server: a page for playing and analysing, and the WebSocket behind it. docs/web.md is its protocol.
//!
//! Every request carries its whole position, so the only state of a connection is a search tree to reuse, and the
//! shared board that it follows. Connections are tasks of an asynchronous runtime and never search: searches are jobs
//! of a [`hexzero_engine::worker_pool`], whose threads work on each for some milliseconds in turn. Requests and answers
//! are in [`hexzero_protocol`], the files of the page in the crate `hexzero-page`.
//!
//! | module | contents |
//! |---|---|
//! | `server` | listening, paths, access control, and what is served by path |
//! | `connection`, `sessions`, `connection_limiter` | one client; all of them, their searches and the memory that they share |
//! | `shared_boards` | the boards that people share, by their tokens |
//! | `site`, `tab_files` | the page without a server, and the files with which the engine runs in a browser |

mod connection;
mod connection_limiter;
mod server;
mod sessions;
mod shared_boards;
mod site;
mod tab_files;

use std::io;

pub use server::{ClusterView, PageFiles, ServeOptions, serve};
pub use site::{SiteOptions, WrittenSite, serve_site, write_site};

/// An error of the server or the site. An [`io::Error`] means that standard output failed.
pub type WebError = Box<dyn std::error::Error + Send + Sync>;

/// Says that the server cannot be started.
fn not_started(error: io::Error) -> String {
    format!("the server cannot be started: {error}")
}
