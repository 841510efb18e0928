//! Models from files, runs and the program itself, and players that have one.

use std::path::{Path, PathBuf};

use crate::{Recipe, RecipeError, RunFolder, RunFolderError};
use hexzero_arena::players::{PlayerSource, PlayerSpec};
use hexzero_games::{Game, default_game};
use hexzero_models::{SHIPPED, digest, shipped, shipped_digest};
use hexzero_nn::{Backend, Checkpoint, CheckpointError, MAX_CHECKPOINT_BYTES};
use hexzero_search::Limits;
use hexzero_system::files::read_at_most;

use hexzero_engine::model::LoadedModel;

/// Error loading a model.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The folder is not that of a run, or has no checkpoint yet.
    #[error(transparent)]
    Run(#[from] RunFolderError),
    /// The run's recipe cannot be read.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// The checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The name of the shipped player in a match was given in place of a path.
    #[error("'shipped' is not a file; leave the model out to use the one that ships with the program")]
    Shipped,
}

/// Returns the checkpoint at a path: the file itself, or the latest of a run's folder.
///
/// # Errors
/// If it is a folder, but not of a run, or of a run without checkpoints.
pub fn checkpoint_file(path: &Path) -> Result<PathBuf, ModelError> {
    if path == Path::new(SHIPPED) && !path.exists() {
        return Err(ModelError::Shipped);
    }
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let run = RunFolder::open(path)?;
    let problem = || RunFolderError::File { path: run.checkpoints(), problem: "there is no checkpoint yet".to_owned() };
    Ok(run.latest_checkpoint().ok_or_else(problem)?)
}

/// Returns the game that a run plays, or that a checkpoint's network was trained for.
///
/// # Errors
/// If the file cannot be read, or there is no such game.
pub fn game_of(model: &Path) -> Result<Game, ModelError> {
    // A run names the variant of the game that it plays; checkpoints name only the game whose network they share.
    if model.is_dir()
        && let Some(game) = Recipe::game_in(&RunFolder::open(model)?.recipe())?
    {
        return Ok(game);
    }
    let checkpoint = Checkpoint::read(&checkpoint_file(model)?)?;
    Ok(checkpoint.game(&model.display().to_string())?)
}

/// Returns the game that a run plays.
///
/// # Errors
/// If its recipe cannot be read, or there is no such game.
pub fn game_of_run(folder: &RunFolder) -> Result<Game, RecipeError> {
    Ok(Recipe::game_in(&folder.recipe())?.unwrap_or_else(default_game))
}

/// Reads the checkpoint of a file or of a run, or without a path the shipped one; returns it with its name.
///
/// # Errors
/// If the file cannot be read, or no checkpoint ships for this game.
pub fn load_checkpoint(game: Game, model: Option<&Path>) -> Result<(String, Checkpoint), ModelError> {
    Ok(match model {
        Some(path) => (path.display().to_string(), Checkpoint::read(&checkpoint_file(path)?)?),
        None => (SHIPPED.to_owned(), shipped(game)?),
    })
}

/// Prepares a player for matches: reads its network, if it has one. `limits` are for players without limits of
/// their own.
///
/// # Errors
/// If its checkpoint cannot be used for this game.
pub fn player_source(
    game: Game,
    spec: PlayerSpec,
    limits: Limits,
    backend: &Backend,
) -> Result<PlayerSource, ModelError> {
    let name = spec.to_string();
    let (model, options) = match spec {
        PlayerSpec::Checkpoint(path, options) => (Some(path), options),
        PlayerSpec::Shipped(options) => (None, options),
        PlayerSpec::Program { words, options, .. } => {
            return Ok(PlayerSource::program(name, words, options, limits.time));
        }
        PlayerSpec::Random | PlayerSpec::AlphaBeta { .. } | PlayerSpec::Mcts { .. } => {
            return Ok(PlayerSource::built_in(spec));
        }
    };
    let (_, checkpoint) = load_checkpoint(game, model.as_deref())?;
    Ok(PlayerSource::network(game, name, &checkpoint, backend, options, limits, PlayerSource::CACHE)?)
}

/// Returns the digest of the checkpoint in a file or of a run, or without a path, of the one that
/// ships for the game, if there is one.
///
/// # Errors
/// If the file cannot be read.
pub fn digest_of(game: Game, model: Option<&Path>) -> Result<Option<String>, ModelError> {
    let Some(path) = model else { return Ok(shipped_digest(game)) };
    let path = checkpoint_file(path)?;
    let read = read_at_most(&path, MAX_CHECKPOINT_BYTES);
    let bytes = read.map_err(|source| CheckpointError::File { path: path.clone(), source })?;
    Ok(Some(digest(&bytes)))
}

/// Loads the model of a checkpoint file or of a run, or without a path the shipped one. A game without a model is
/// evaluated by random playouts, so that it can be played before training.
///
/// # Errors
/// If the file cannot be read or is no checkpoint for this game.
pub fn load_evaluator(game: Game, model: Option<&Path>, backend: &Backend) -> Result<LoadedModel, ModelError> {
    let (name, checkpoint) = match load_checkpoint(game, model) {
        Err(ModelError::Checkpoint(CheckpointError::NoneShipped { .. })) => return Ok(LoadedModel::playouts()),
        loaded => loaded?,
    };
    Ok(LoadedModel::of_checkpoint(game, &checkpoint, &name, backend)?)
}
