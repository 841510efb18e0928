//! Errors of a training run.

use std::path::PathBuf;

use crate::network::{Architecture, CheckpointError};
use crate::replay::ShardError;
use crate::selfplay::GameSourceError;
use crate::training::folder::RunFolderError;
use crate::training::recipe::RecipeError;

/// Why a run cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Its folder.
    #[error(transparent)]
    Folder(#[from] RunFolderError),
    /// Its recipe.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// A checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The initial checkpoint's network is not the recipe's.
    #[error(
        "checkpoint {}: its network is {}, but the recipe's is {}; give the recipe the same [network]",
        path.display(), found.in_full(), wanted.in_full()
    )]
    OtherArchitecture {
        /// Which file.
        path: PathBuf,
        /// Its network.
        found: Architecture,
        /// The recipe's.
        wanted: Architecture,
    },
    /// A shard that cannot be written.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// The source of the games failed.
    #[error(transparent)]
    Games(#[from] GameSourceError),
    /// The network or the optimiser.
    #[error("training: {0}")]
    Network(#[from] candle_core::Error),
    /// The thread of the source of games cannot be started.
    #[error("{0}")]
    Thread(std::io::Error),
    /// The worker threads.
    #[error("cannot start the workers: {0}")]
    Workers(#[from] rayon::ThreadPoolBuildError),
}
