//! The coordinator of a run: gets games from a source and trains on them in turn, with every finished iteration on disk.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::folder::{Counters, GameNumbers, RunFolder, RunLock, TrainingState, file_error};
use crate::learning::{Learner, Trainer};
use crate::metrics::RunLog;
use crate::recipe::{Recipe, StartFile};
use hexzero_games::Game;
use hexzero_graph::grown;
use hexzero_nn::{Backend, Checkpoint, Metadata, NamedTensors};
use hexzero_selfplay::shards::Journal;
use hexzero_selfplay::{GameSource, LocalGames, Pool, Starts};
use hexzero_system::files::write_whole;

use super::Machine;
use super::errors::RunError;
use super::games_under_way::GamesUnderWay;

/// A run under way. It coordinates a [`GameSource`], which plays, a `Learner`, and the folder that keeps the results.
#[derive(Debug)]
pub struct Run {
    pub(super) game: Game,
    pub(super) folder: RunFolder,
    pub(super) recipe: Recipe,
    pub(super) learner: Learner,
    pub(super) games: Arc<dyn GameSource>,
    /// The game numbers, if games arrive in any order.
    pub(super) numbers: Option<GameNumbers>,
    /// True if games are played while the network learns.
    pub(super) asynchronous: bool,
    pub(super) under_way: Option<Arc<GamesUnderWay>>,
    pub(super) counters: Counters,
    /// The positions that games may begin from.
    pub(super) starts: Starts,
    pub(super) workers: usize,
    /// The backend of self-play on this machine.
    pub(super) backend: Backend,
    pub(super) parent: Option<String>,
    /// A line about the checkpoint that this process began the run with, if any.
    pub(super) beginning: Option<String>,
    pub(super) last_checkpoint: Option<PathBuf>,
    /// The run whose games replace self-play while there are any left.
    pub(super) games_of: Option<RunFolder>,
    pub(super) log: RunLog,
    pub(super) lock: RunLock,
}

impl Run {
    /// Begins a run in a new folder, with a random network or that of a checkpoint. If the checkpoint is the last one of a
    /// run, the moments of that run are kept.
    ///
    /// # Errors
    /// If there is a run in the folder already, or the checkpoint does not fit the recipe.
    pub fn create(
        game: Game,
        path: &Path,
        mut recipe: Recipe,
        machine: impl Into<Machine>,
        parent: Option<&Path>,
    ) -> Result<Self, RunError> {
        let starts = StartFile::take(&mut recipe, game, Path::new(""))?;
        let (trainer, beginning) = match parent {
            None => (Trainer::new(game, &recipe)?, None),
            Some(file) => {
                let (trainer, beginning) = trainer_after(game, &recipe, file)?;
                (trainer, Some(beginning))
            }
        };
        let machine: Machine = machine.into();
        let trainer = trainer.moved_to(machine.device.clone(), game, &recipe)?;
        let pool = Arc::new(Pool::new(machine.workers)?);
        let folder = RunFolder::create(path)?;
        let lock = folder.lock()?;
        folder.sweep();
        let parent = parent.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        let mut run = Self { parent, beginning, ..Self::new(game, recipe, trainer, pool, &machine, folder, lock) };
        run.begin_from(starts)?;
        run.write_state(None)?;
        // The recipe last: a folder with a recipe is a run that can be resumed.
        run.write_recipe()?;
        Ok(run)
    }

    /// Returns a run that has learnt nothing yet and plays on this machine.
    pub(super) fn new(
        game: Game,
        recipe: Recipe,
        trainer: Trainer,
        pool: Arc<Pool>,
        machine: &Machine,
        folder: RunFolder,
        lock: RunLock,
    ) -> Self {
        Self {
            game,
            learner: Learner::new(game, trainer, &recipe, pool.clone()),
            workers: pool.workers(),
            backend: machine.backend(),
            games: Arc::new(LocalGames::new(pool, machine.backend())),
            numbers: None,
            asynchronous: false,
            under_way: None,
            folder,
            recipe,
            counters: Counters::default(),
            starts: Starts::default(),
            parent: None,
            beginning: None,
            last_checkpoint: None,
            games_of: None,
            log: RunLog::default(),
            lock,
        }
    }

    /// Learns from the games of another run, iteration by iteration, before it plays games of its
    /// own. A larger network can thus begin with the games of a smaller one, which plays much faster.
    pub fn learn_from(&mut self, run: RunFolder) {
        self.games_of = Some(run);
    }

    /// Sets the source that plays its games; without it they are played here.
    pub fn play_with(&mut self, games: Arc<dyn GameSource>) {
        self.games = games;
    }

    /// Describes in a line which checkpoint the run was created with, and whether its moments were kept. None for a run
    /// without one and for a resumed run.
    pub fn beginning(&self) -> Option<&str> {
        self.beginning.as_deref()
    }

    /// Describes in a line which games came from elsewhere, if any did.
    pub fn traffic(&self) -> Option<String> {
        self.games.traffic()
    }

    /// Plays games while the network learns: an iteration takes the first games that come, in any order, played
    /// with the newest checkpoint or one shortly before. Such a run cannot be repeated exactly.
    pub fn learn_while_playing(&mut self) {
        self.asynchronous = true;
    }

    /// Returns the backend of self-play on this machine.
    pub fn backend(&self) -> &Backend {
        &self.backend
    }

    /// Returns the run's folder.
    pub fn folder(&self) -> &RunFolder {
        &self.folder
    }

    /// Returns the run's game.
    pub fn game(&self) -> Game {
        self.game
    }

    /// Returns the run's recipe.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Returns the iterations, steps, games and positions so far.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Returns the number of the network's parameters.
    pub fn parameters(&self) -> usize {
        self.learner.trainer.parameters()
    }

    /// Returns the number of worker threads.
    pub fn workers(&self) -> usize {
        self.workers
    }

    /// Counts the finished games that no finished iteration has learnt from. They are kept for the next one.
    pub fn waiting_games(&self) -> usize {
        match &self.under_way {
            Some(games) => games.count(),
            // Opening the journal would create it.
            None if !self.folder.journal().exists() => 0,
            None => Journal::open(&self.folder.journal(), &self.journal_owner()).map_or(0, |opened| opened.games.len()),
        }
    }

    /// Returns the averaged network as a checkpoint.
    ///
    /// # Errors
    /// If the device that trains it fails.
    pub fn checkpoint(&self) -> Result<Checkpoint, RunError> {
        let metadata = Metadata {
            step: self.counters.step,
            games: self.counters.games,
            positions: self.counters.positions,
            parent: self.parent.clone(),
            recipe_hash: Some(self.recipe.hash()),
            ..Metadata::untrained(self.game, self.recipe.network.clone())
        };
        Ok(Checkpoint { metadata, tensors: self.learner.trainer.averaged()? })
    }

    /// Keeps a copy of the file of start positions and lets games begin from these.
    pub(super) fn begin_from(&mut self, file: Option<StartFile>) -> Result<(), RunError> {
        let Some(StartFile { name, bytes, starts }) = file else { return Ok(()) };
        let path = self.folder.path().join(name);
        if !path.exists() {
            write_whole(&path, &bytes).map_err(|error| file_error(&path, error))?;
        }
        self.starts.file = starts;
        Ok(())
    }

    /// Writes the recipe.
    pub(super) fn write_recipe(&self) -> Result<(), RunError> {
        let path = self.folder.recipe();
        Ok(write_whole(&path, self.recipe.to_toml().as_bytes()).map_err(|error| file_error(&path, error))?)
    }

    /// Writes the state; `metrics` is the line of the last iteration for `metrics.jsonl`.
    pub(super) fn write_state(&self, metrics: Option<String>) -> Result<(), RunError> {
        let (counters, parent, numbers) = (self.counters, self.parent.clone(), self.numbers.clone());
        let (recipe, tensors) = (self.recipe.to_toml(), self.learner.trainer.state()?);
        let optimiser_start = self.learner.trainer.optimiser_start();
        let restarts = self.starts.restarts.clone();
        let state = TrainingState { counters, parent, metrics, numbers, recipe, optimiser_start, restarts, tensors };
        let path = self.folder.state();
        Ok(state.write(&path).map_err(|problem| file_error(&path, problem))?)
    }

    /// Returns true if the checkpoint of the present iteration is kept after the next one.
    pub fn keeps_checkpoint(&self) -> bool {
        let recipe = self.recipe.at(&self.counters);
        self.counters.iteration.is_multiple_of(recipe.training.keep_every)
    }

    /// Writes the checkpoint of the present step and removes the one before, unless it is to be kept.
    pub(super) fn save_checkpoint(&mut self) -> Result<PathBuf, RunError> {
        let path = self.folder.checkpoint(self.counters.step);
        self.checkpoint()?.write(&path)?;
        let superseded = self.last_checkpoint.take().filter(|last| *last != path);
        if let Some(last) = superseded {
            // Best effort: an old checkpoint only takes space.
            let _ = fs::remove_file(last);
        }
        self.last_checkpoint = (!self.keeps_checkpoint()).then(|| path.clone());
        Ok(path)
    }
}

/// Begins training with the network of a checkpoint, and with the moments in the state of its run if that has the same
/// network. Also returns a line that says which.
fn trainer_after(game: Game, recipe: &Recipe, file: &Path) -> Result<(Trainer, String), RunError> {
    let (network, growth) = network_of(game, recipe, file)?;
    let run = fs::canonicalize(file).ok().and_then(|file| RunFolder::open(file.parent()?.parent()?).ok());
    let state = run.and_then(|run| TrainingState::read(&run.state()).ok());
    let kept = state.and_then(|state| Trainer::continuing(game, recipe, &state, &network));
    let file = file.display();
    Ok(match kept {
        Some(trainer) => (trainer, format!("begins with {file}, and with the moments of its run")),
        None => {
            let trainer = Trainer::from_parameters(game, recipe, &network)?;
            (trainer, format!("begins with {file}{growth}, and with new moments"))
        }
    })
}

/// Returns the parameters of a checkpoint, grown to the recipe's architecture if that is larger, and words that tell
/// of growth.
pub(super) fn network_of(game: Game, recipe: &Recipe, file: &Path) -> Result<(NamedTensors, String), RunError> {
    let checkpoint = Checkpoint::read(file)?;
    checkpoint.check_game(game, &file.display().to_string())?;
    let (found, wanted) = (&checkpoint.metadata.architecture, &recipe.network);
    if found == wanted {
        return Ok((checkpoint.tensors, String::new()));
    }
    if !found.can_grow_to(wanted) {
        let (path, found, wanted) = (file.to_owned(), found.clone(), wanted.clone());
        return Err(RunError::OtherArchitecture { path, found, wanted });
    }
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(recipe.seed);
    let tensors = grown(&checkpoint.tensors, wanted, &game.view, &mut rng)?;
    Ok((tensors, format!(", grown from {found} to {wanted}")))
}
