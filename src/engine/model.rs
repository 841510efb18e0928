//! What the engine judges positions with, and who plays in a match.

use std::path::{Path, PathBuf};

use crate::arena::{Contestant, PlayerSpec};
use crate::games::{Evaluator, Game, Position};
use crate::models::{SHIPPED, shipped};
use crate::network::{Checkpoint, NetworkEvaluator, Precision};
use crate::search::Limits;
use crate::training::{Recipe, RunFolder, RunFolderError};

use super::error::CliError;

/// An evaluator of which each thread can have one.
pub trait SharedEvaluator: Evaluator + Send {
    /// Another one that judges alike.
    fn another(&self) -> BoxedEvaluator;
}

impl<E: Evaluator + Clone + Send + 'static> SharedEvaluator<G> for E {
    fn another(&self) -> BoxedEvaluator {
        Box::new(self.clone())
    }
}

/// An evaluator that can be handed to an engine.
pub type BoxedEvaluator = Box<dyn SharedEvaluator<G>>;

/// An evaluator and what to call it.
pub struct LoadedModel {
    /// What it is, in a few words, to be shown to the user.
    pub description: String,
    /// What judges.
    pub evaluator: BoxedEvaluator,
}

/// The checkpoint that a path means: the file itself, or the latest of a run's folder.
///
/// # Errors
/// If it is a folder, but not of a run or of one without checkpoints.
pub fn checkpoint_file(path: &Path) -> Result<PathBuf, CliError> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let run = RunFolder::open(path).map_err(CliError::failed)?;
    let problem = || RunFolderError::File { path: run.checkpoints(), problem: "there is no checkpoint yet".to_owned() };
    run.latest_checkpoint().ok_or_else(problem).map_err(CliError::failed)
}

/// The game that a run plays, or that a checkpoint's network was trained for.
///
/// # Errors
/// If the file cannot be read, or there is no such game.
pub fn game_of(model: &Path) -> Result<String, CliError> {
    // A run knows which variant of a game it plays, its checkpoints only the network they share.
    if model.is_dir()
        && let Some(game) =
            Recipe::game_in(&RunFolder::open(model).map_err(CliError::failed)?.recipe()).map_err(CliError::failed)?
    {
        return Ok(game);
    }
    let checkpoint = Checkpoint::read(&checkpoint_file(model)?)?;
    Ok(checkpoint.game(&model.display().to_string())?.to_owned())
}

/// The checkpoint of a file or of a run, or without one the one that ships with the program, and what to call it.
///
/// # Errors
/// If the file cannot be read, or no checkpoint ships for this game.
pub fn load_checkpoint(model: Option<&Path>) -> Result<(String, Checkpoint), CliError> {
    Ok(match model {
        Some(path) => (path.display().to_string(), Checkpoint::read(&checkpoint_file(path)?)?),
        None => (SHIPPED.to_owned(), shipped()?),
    })
}

/// The model in a checkpoint file or of a run, or without one the model that ships with the program.
///
/// # Errors
/// If the file cannot be read or is no checkpoint for this game.
pub fn load_evaluator(model: Option<&Path>) -> Result<LoadedModel, CliError> {
    let (name, checkpoint) = load_checkpoint(model)?;
    let evaluator = NetworkEvaluator::new(&checkpoint, &name, Precision::best())?;
    Ok(LoadedModel {
        description: format!("the network '{name}'"),
        evaluator: Box::new(evaluator.with_cache(PLAY_CACHE)),
    })
}

/// Mebibytes for the answers of a network that plays one game: other orders of the same moves meet.
const PLAY_CACHE: u32 = 16;

/// Makes a player ready to take part in matches: reads the network, if it needs one. The limits are for players that
/// have none of their own.
///
/// # Errors
/// If its checkpoint cannot be used for this game.
pub fn load_contestant(spec: PlayerSpec, limits: Limits) -> Result<Contestant, CliError> {
    let name = spec.to_string();
    let (model, options) = match spec {
        PlayerSpec::Checkpoint(path, options) => (Some(path), options),
        PlayerSpec::Shipped(options) => (None, options),
        PlayerSpec::Program { words, .. } => return Ok(Contestant::program(name, words, limits.time)),
        PlayerSpec::Random | PlayerSpec::AlphaBeta { .. } | PlayerSpec::Mcts { .. } => {
            return Ok(Contestant::built_in(spec));
        }
    };
    let (_, checkpoint) = load_checkpoint(model.as_deref())?;
    Ok(Contestant::network(name, &checkpoint, options, limits, Contestant::CACHE)?)
}
