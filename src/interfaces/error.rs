//! What ends a command before its task is done.

use std::io;
use std::path::PathBuf;

use crate::engine::model::ModelError;
use crate::games::{InvalidMoveInList, SizeError, UnknownGame};
use crate::network::CheckpointError;

/// Why a command failed. The message goes to the user after `error: ` and says what would do.
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
    #[error("cannot go on talking: {0}")]
    Talk(#[from] io::Error),
    /// A file that cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file that is none of those that can be inspected.
    #[error(
        "{} is none of what can be inspected, or damaged: a checkpoint (.safetensors), a shard of games (.games), \
         a run's state or its folder; as a checkpoint: {reason}",
        path.display()
    )]
    Unknown {
        /// The file.
        path: PathBuf,
        /// Why it is no checkpoint.
        reason: String,
    },
    /// A checkpoint that cannot be used.
    #[error("{0}")]
    Checkpoint(#[from] CheckpointError),
    /// A model that cannot be loaded.
    #[error("{0}")]
    Model(#[from] ModelError),
    /// Something was asked for that makes no sense.
    #[error("{0}")]
    Request(String),
    /// What a part of the library has to say of its failure.
    #[error("{0}")]
    Failed(Box<dyn std::error::Error + Send + Sync>),
}

impl CliError {
    /// The failure of a part of the library.
    pub fn failed(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Failed(Box::new(error))
    }

    /// Whether all that happened is that the reader of our output has gone.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Talk(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}
