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
use std::path::PathBuf;

use hexzero_nn::CheckpointError;
use hexzero_train::model_files::ModelError;

pub use server::{ClusterView, PageFiles, ServeOptions, serve};
pub use site::{SiteOptions, WrittenSite, serve_site, write_site};
pub use tab_files::ModuleError;

/// An error of the server or the site.
#[derive(Debug, thiserror::Error)]
pub enum WebError {
    /// A model cannot be loaded.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// Standard input or output failed.
    #[error("standard input or output failed: {0}")]
    Stdio(#[from] io::Error),
    /// The server cannot be started.
    #[error("the server cannot be started: {0}")]
    Start(io::Error),
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A request is invalid.
    #[error("{0}")]
    Request(String),
    /// Another part of the library failed.
    #[error("{0}")]
    Failed(Box<dyn std::error::Error + Send + Sync>),
}

impl WebError {
    /// Wraps an error of another part of the library.
    pub fn failed(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Failed(Box::new(error))
    }
}
