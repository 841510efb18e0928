//! Errors of the server and the site.

use std::io;
use std::path::PathBuf;

use hexzero_nn::CheckpointError;
use hexzero_train::model_files::ModelError;

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
