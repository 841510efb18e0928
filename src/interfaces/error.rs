//! Errors of commands.

use std::io;
use std::path::PathBuf;

use crate::engine::model::ModelError;
use crate::games::{InvalidMoveInList, SizeError, UnknownGame};
use crate::network::CheckpointError;

/// Why a command failed. The message is shown after `error: ` and names what would be accepted.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// No game is played on a board of this size.
    #[error("{0}")]
    Size(#[from] SizeError),
    /// No game has this name.
    #[error("{0}")]
    Game(#[from] UnknownGame),
    /// A move of a list that cannot be played.
    #[error("{0}")]
    MoveInList(#[from] InvalidMoveInList),
    /// A file that cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Standard input or output failed.
    #[error("standard input or output failed: {0}")]
    Talk(#[from] io::Error),
    /// A file that cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file of a kind that cannot be inspected.
    #[error(
        "{} cannot be inspected, or is damaged; give a checkpoint (.safetensors), a shard of games (.games), a run's \
         state or its folder; as a checkpoint: {reason}",
        path.display()
    )]
    Unknown {
        /// The file.
        path: PathBuf,
        /// Why it is not a checkpoint.
        reason: String,
    },
    /// A checkpoint that cannot be used.
    #[error("{0}")]
    Checkpoint(#[from] CheckpointError),
    /// A model that cannot be loaded.
    #[error("{0}")]
    Model(#[from] ModelError),
    /// An invalid request.
    #[error("{0}")]
    Request(String),
    /// Options that do not go together.
    #[error("{0}")]
    Usage(String),
    /// An error of a part of the library.
    #[error("{0}")]
    Failed(Box<dyn std::error::Error + Send + Sync>),
}

impl CliError {
    /// Wraps an error of a part of the library.
    pub fn failed(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Failed(Box::new(error))
    }

    /// Returns the exit code of a command that failed so.
    pub fn exit_code(&self) -> u8 {
        if matches!(self, Self::Usage(_)) { 2 } else { 1 }
    }

    /// Whether the only error is that the reader of the output has gone.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Talk(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}
