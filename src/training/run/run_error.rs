//! Errors of a training run.

use std::path::{Path, PathBuf};

use crate::network::{Architecture, CheckpointError};
use crate::replay::ShardError;
use crate::selfplay::GameSourceError;
use crate::training::folder::RunFolderError;
use crate::training::recipe::{RecipeDifference, RecipeError};

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
    /// The recipe is not that of the run so far.
    #[error("{}", other_recipe(path, differences, *is_other_network))]
    OtherRecipe {
        /// Which file.
        path: PathBuf,
        /// The keys that differ.
        differences: Vec<RecipeDifference>,
        /// True if the run's network does not fit the recipe.
        is_other_network: bool,
    },
    /// Weights or gradients have become infinite, or no numbers.
    #[error("training has diverged at a learning rate of {learning_rate}: {problem}; a lower one is needed")]
    Diverged {
        /// What is not finite.
        problem: String,
        /// The learning rate of the recipe, in the present stage.
        learning_rate: f64,
        /// True if no iteration has been finished yet, so that nothing is lost by a lower learning rate.
        is_first: bool,
        /// The latest checkpoint whose figures were sound, if there is one.
        checkpoint: Option<PathBuf>,
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

fn other_recipe(path: &Path, differences: &[RecipeDifference], is_other_network: bool) -> String {
    let found: Vec<String> = differences.iter().map(ToString::to_string).collect();
    let advice = if is_other_network {
        "the run cannot go on with another network; undo the change, or begin a new run in another folder"
    } else {
        "undo the change, or accept it with --accept-recipe"
    };
    format!("{} is not the recipe by which the run was trained so far: {}; {advice}", path.display(), found.join("; "))
}
