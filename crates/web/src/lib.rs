//! The web server: a page for playing and analysing, and the WebSocket behind it. docs/web.md is its protocol.
//!
//! Every request carries its whole position, so the only state of a connection is a search tree to reuse, and the shared board that
//! it follows.
//! Connections are tasks of an asynchronous runtime and never search: searches are jobs of a
//! [`hexzero_engine::worker_pool`], whose threads work on each for some milliseconds in turn. What is asked and answered is in
//! [`hexzero_protocol`].
//!
//! | module | contents |
//! |---|---|
//! | `server` | listening, paths, access control, and what is served by path |
//! | `connection`, `sessions`, `connection_limiter` | one client; all of them, and the memory that they share |
//! | `search_job` | the search of a client, as a job of the worker pool |
//! | `shared_boards` | the boards that people share, by their tokens |
//! | `site`, `tab_files` | the page without a server, and the files with which the engine runs in a browser |
//! | `page/` | the page itself; it draws boards with `board_ui` |

mod connection;
mod connection_limiter;
mod error;
#[doc(hidden)]
pub mod fuzz_entry;
mod search_job;
mod server;
mod sessions;
mod shared_boards;
mod site;
mod tab_files;

pub use error::WebError;
pub use server::{ClusterView, PageFiles, ServeOptions, serve};
pub use site::{SiteOptions, WrittenSite, serve_site, write_site};
pub use tab_files::ModuleError;
