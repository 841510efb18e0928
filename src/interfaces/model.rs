//! What the engine judges positions with, and who plays in a match.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::arena::{EnginePlayer, GtpPlayer, Player, PlayerOptions, PlayerSpec};
use crate::games::{Evaluator, Game};
use crate::models::{SHIPPED, shipped};
use crate::network::{CacheUse, Checkpoint, NetworkEvaluator, Precision};
use crate::search::Limits;
use crate::training::{Recipe, RunFolder, RunFolderError};

use super::error::CliError;

/// An evaluator of which each thread can have one.
pub trait SharedEvaluator<G: Game>: Evaluator<G> + Send {
    /// Another one that judges alike.
    fn another(&self) -> BoxedEvaluator<G>;
}

impl<G: Game, E: Evaluator<G> + Clone + Send + 'static> SharedEvaluator<G> for E {
    fn another(&self) -> BoxedEvaluator<G> {
        Box::new(self.clone())
    }
}

/// An evaluator that can be handed to an engine.
pub type BoxedEvaluator<G> = Box<dyn SharedEvaluator<G>>;

/// An evaluator and what to call it.
pub struct LoadedModel<G> {
    /// What it is, in a few words, to be shown to the user.
    pub description: String,
    /// What judges.
    pub evaluator: BoxedEvaluator<G>,
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

/// The network in a checkpoint file or of a run, or without one the network that ships with the program,
/// and what to call it.
fn load_network<G: Game>(
    model: Option<&Path>,
    precision: Option<Precision>,
) -> Result<(String, NetworkEvaluator), CliError> {
    let (name, checkpoint) = match model {
        Some(path) => (path.display().to_string(), Checkpoint::read(&checkpoint_file(path)?)?),
        None => (SHIPPED.to_owned(), shipped::<G>()?),
    };
    let evaluator = NetworkEvaluator::new::<G>(&checkpoint, &name, precision.unwrap_or_else(Precision::best))?;
    Ok((name, evaluator))
}

/// The model in a checkpoint file or of a run, or without one the model that ships with the program.
///
/// # Errors
/// If the file cannot be read or is no checkpoint for this game.
pub fn load_evaluator<G: Game>(model: Option<&Path>) -> Result<LoadedModel<G>, CliError> {
    let (name, evaluator) = load_network::<G>(model, None)?;
    Ok(LoadedModel {
        description: format!("the network '{name}'"),
        evaluator: Box::new(evaluator.with_cache(PLAY_CACHE)),
    })
}

/// Mebibytes for the answers of a network that plays one game: other orders of the same moves meet.
const PLAY_CACHE: u32 = 16;

/// Mebibytes for those of one that plays a match, whose games also have openings in common.
const MATCH_CACHE: u32 = 64;

/// Someone who can be made to play in as many games at once as there are threads.
#[expect(clippy::large_enum_variant, reason = "a match has two of them")]
pub enum Contestant {
    /// A player that needs nothing.
    BuiltIn(PlayerSpec),
    /// Another program, of which each thread starts one.
    Program {
        /// What it is called in results.
        name: String,
        /// The program's file and its arguments.
        words: Vec<String>,
        /// How long it may think about a move, if that is limited.
        time: Option<Duration>,
    },
    /// The engine with a network, which all its games share.
    Network {
        /// What it is called in results.
        name: String,
        /// The network.
        evaluator: NetworkEvaluator,
        /// How it searches.
        options: PlayerOptions,
        /// How long it thinks.
        limits: Limits,
    },
}

impl Contestant {
    /// Reads the network, if the player needs one. The limits are for those that have none of their own.
    ///
    /// # Errors
    /// If its checkpoint cannot be used for this game.
    pub fn load<G: Game>(spec: PlayerSpec, limits: Limits) -> Result<Self, CliError> {
        let name = spec.to_string();
        let (model, options) = match &spec {
            PlayerSpec::Checkpoint(path, options) => (Some(path.as_path()), *options),
            PlayerSpec::Shipped(options) => (None, *options),
            PlayerSpec::Program { words, .. } => {
                return Ok(Self::Program { name, words: words.clone(), time: limits.time });
            }
            _ => return Ok(Self::BuiltIn(spec)),
        };
        let (_, evaluator) = load_network::<G>(model, options.precision)?;
        Ok(Self::network(name, evaluator, options, limits))
    }

    /// The engine with this network and a cache of its answers.
    pub fn network(name: String, evaluator: NetworkEvaluator, options: PlayerOptions, limits: Limits) -> Self {
        let limits = options.limits(limits);
        Self::Network { name, evaluator: evaluator.with_cache(MATCH_CACHE), options, limits }
    }

    /// How the cache of its network's answers has been used, if it has one.
    pub fn cache_use(&self) -> Option<CacheUse> {
        match self {
            Self::BuiltIn(_) | Self::Program { .. } => None,
            Self::Network { evaluator, .. } => evaluator.cache_use(),
        }
    }

    /// A player for one thread.
    pub fn player<G: Game>(&self) -> Box<dyn Player<G>> {
        match self {
            Self::BuiltIn(spec) => match spec.built_in() {
                Some(player) => player,
                None => unreachable!("'{spec}' is not built in; see Contestant::load"),
            },
            Self::Program { name, words, time } => Box::new(GtpPlayer::new(name.clone(), words.clone(), *time)),
            Self::Network { name, evaluator, options, limits } => {
                let player = EnginePlayer::new(name.clone(), evaluator.clone(), options.search, *limits);
                Box::new(player.on_threads(options.threads.unwrap_or(1) as usize).on_level(options.level))
            }
        }
    }
}
