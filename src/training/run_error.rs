//! Errors of a training run.

use std::path::PathBuf;

use crate::network::{Architecture, CheckpointError};
use crate::replay::ShardError;
use crate::selfplay::GameSourceError;

use super::recipe::RecipeError;
use super::run_folder::RunFolderError;

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
    /// Those who play the games.
    #[error(transparent)]
    Games(#[from] GameSourceError),
    /// The network or the optimiser.
    #[error("training: {0}")]
    Network(#[from] candle_core::Error),
    /// A thread to hear from those who play.
    #[error("{0}")]
    Thread(std::io::Error),
    /// The worker threads.
    #[error("cannot start the workers: {0}")]
    Workers(#[from] rayon::ThreadPoolBuildError),
}
