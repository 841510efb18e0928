//! Errors of commands.

use std::io;
use std::path::PathBuf;

use hexzero_games::{InvalidMoveInList, SizeError, UnknownGame};
use hexzero_nn::CheckpointError;
use hexzero_train::model_files::ModelError;
use hexzero_web::WebError;

/// An error of a command. Its message is printed after `error: ` and names what would be accepted.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// No game is played on a board of this size.
    #[error("{0}")]
    Size(#[from] SizeError),
    /// No game has this name.
    #[error("{0}")]
    Game(#[from] UnknownGame),
    /// A list contains a move that cannot be played.
    #[error("{0}")]
    MoveInList(#[from] InvalidMoveInList),
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// Standard input or output failed.
    #[error("standard input or output failed: {0}")]
    Stdio(#[from] io::Error),
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A checkpoint cannot be used.
    #[error("{0}")]
    Checkpoint(#[from] CheckpointError),
    /// A model cannot be loaded.
    #[error("{0}")]
    Model(#[from] ModelError),
    /// A request is invalid.
    #[error("{0}")]
    Request(String),
    /// Options contradict each other.
    #[error("{0}")]
    Usage(String),
    /// A training run cannot go on before a person decides how: a service must not restart it.
    #[error("{0}")]
    Undecided(String),
    /// Another part of the library failed.
    #[error("{0}")]
    Failed(Box<dyn std::error::Error + Send + Sync>),
}

impl From<WebError> for CliError {
    fn from(error: WebError) -> Self {
        match error {
            WebError::Stdio(error) => Self::Stdio(error),
            error => Self::failed(error),
        }
    }
}

impl CliError {
    /// Wraps an error of another part of the library.
    pub fn failed(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Failed(Box::new(error))
    }

    /// Returns the exit code of a command that failed with this error: 2 for a contradictory command line, 3 for a
    /// training run that needs a decision, else 1.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Undecided(_) => 3,
            _ => 1,
        }
    }

    /// Returns true if the reader of the output has gone, as in `hexzero replay games.jsonl | head`.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Stdio(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}
