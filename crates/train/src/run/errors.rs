//! Errors of a training run, and the detection of divergence.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::folder::RunFolderError;
use crate::loss::Losses;
use crate::metrics::Metrics;
use crate::recipe::{RecipeDifference, RecipeError};
use hexzero_nn::{Architecture, CheckpointError};
use hexzero_selfplay::GameSourceError;
use hexzero_selfplay::shards::ShardError;

use super::coordinator::Run;

/// Why a run cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The run's folder cannot be used.
    #[error(transparent)]
    Folder(#[from] RunFolderError),
    /// The run's recipe cannot be used.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// A checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The initial checkpoint's network is not the recipe's.
    #[error(
        "checkpoint {}: its network is {}, but the recipe's is {}; \
         give the recipe the same [network], or a larger one with the same pool_every",
        path.display(), found.in_full(), wanted.in_full()
    )]
    OtherArchitecture {
        /// Which file.
        path: PathBuf,
        /// The checkpoint's network.
        found: Architecture,
        /// The recipe's network.
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
    /// A weight or a gradient is infinite or NaN.
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
    /// The network or the optimiser failed.
    #[error("training: {0}")]
    Network(#[from] candle_core::Error),
    /// The thread of the source of games cannot be started.
    #[error("{0}")]
    Thread(std::io::Error),
    /// The worker threads cannot be started.
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

/// An upper bound on the policy loss of an untrained network on any board; it is the logarithm of
/// the number of moves.
const MAX_POLICY_LOSS: f64 = 10.0;
/// An upper bound on the outcome loss of an untrained network, which is ln 3.
const MAX_OUTCOME_LOSS: f64 = 4.0;
/// No network that learns has a mean loss above this in an iteration, whatever its recipe.
const MAX_LOSS: f64 = 1000.0;
/// An iteration is sound if its loss is at most this many times the lowest one.
const MAX_RISE: f64 = 2.0;

impl Run {
    /// Reports divergence where that is the cause of an error; returns other errors as they are.
    pub(super) fn explained(&self, error: RunError) -> RunError {
        match error {
            RunError::Network(error) if self.learner.trainer.has_diverged() => self.diverged(error.to_string()),
            RunError::Checkpoint(CheckpointError::NotFinite { .. })
            | RunError::Games(GameSourceError::Checkpoint(CheckpointError::NotFinite { .. })) => {
                self.diverged("the answers of the network are not finite".to_owned())
            }
            other => other,
        }
    }

    /// Checks the mean losses of an iteration: training can have diverged though all weights are finite.
    pub(super) fn check_losses(&self, losses: &Losses) -> Result<(), RunError> {
        let mut checked =
            ["policy", "outcome"].into_iter().filter_map(|name| Some((name, f64::from(losses.get(name)?))));
        match checked.find(|(_, loss)| !(loss.is_finite() && *loss <= MAX_LOSS)) {
            Some((name, loss)) => Err(self.diverged(format!("the {name} loss of the iteration is {loss:.0}"))),
            None => Ok(()),
        }
    }

    fn diverged(&self, problem: String) -> RunError {
        RunError::Diverged {
            problem,
            learning_rate: self.recipe.at(&self.counters).training.optimiser.learning_rate,
            is_first: self.counters.iteration == 0,
            checkpoint: self.last_sound_checkpoint(),
        }
    }

    /// Returns the latest checkpoint of an iteration whose losses were sound, if one is left.
    fn last_sound_checkpoint(&self) -> Option<PathBuf> {
        let iterations = Metrics::read(&self.folder).iterations;
        let sound: Vec<(&Map<String, Value>, f64)> =
            iterations.iter().filter_map(|figures| Some((figures, sound_loss(figures)?))).collect();
        let lowest = sound.iter().map(|(_, loss)| *loss).reduce(f64::min)?;
        let checkpoints = sound.into_iter().rev().filter(|(_, loss)| *loss <= MAX_RISE * lowest);
        let named = |figures: &Map<String, Value>| {
            let step = figures.get("step")?.as_u64()?;
            Some(self.folder.checkpoint(step)).filter(|path| path.exists())
        };
        checkpoints.filter_map(|(figures, _)| named(figures)).next()
    }
}

/// Returns the loss of an iteration; none if a part of it is above that of an untrained network.
fn sound_loss(figures: &Map<String, Value>) -> Option<f64> {
    let loss = |name: &str| Metrics::figure(figures, name).and_then(Value::as_f64);
    let is_sound = loss("losses/policy")? <= MAX_POLICY_LOSS && loss("losses/outcome")? <= MAX_OUTCOME_LOSS;
    loss("losses/total").filter(|_| is_sound)
}
