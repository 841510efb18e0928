//! A run: self-play and training in turn, every finished iteration on disk.

use std::fs;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::files::write_whole;
use crate::games::Game;
use crate::network::kernels::Kernel;
use crate::network::{Checkpoint, FORMAT_VERSION, Metadata, NetworkEvaluator, Precision};
use crate::replay::{JournalOwner, Shard, Window};
use crate::selfplay::{Pool, game_seed};

use super::game_statistics::GameStatistics;
use super::iteration_games::{FinishedGames, IterationGames, remove_journal};
use super::iteration_report::IterationReport;
use super::judgement::Judgement;
use super::progress::Progress;
use super::recipe::Recipe;
use super::recorded_games::{games_of_iteration, latest_games};
use super::run_error::RunError;
use super::run_folder::{RunFolder, RunFolderError, RunLock};
use super::run_log::{self, RunLog};
use super::state::{Counters, TrainingState};
use super::trainer::Trainer;
use super::training_round::TrainingRound;

/// A run that is under way.
#[derive(Debug)]
pub struct Run<G> {
    folder: RunFolder,
    recipe: Recipe,
    trainer: Trainer,
    window: Window,
    counters: Counters,
    pool: Pool,
    parent: Option<String>,
    last_checkpoint: Option<PathBuf>,
    /// The run whose games take the place of self-play as long as there are any.
    games_of: Option<RunFolder>,
    log: RunLog,
    game: PhantomData<G>,
    _lock: RunLock,
}

impl<G: Game> Run<G> {
    /// Begins a run in a new folder, with a random network or with a checkpoint's.
    ///
    /// # Errors
    /// If there is a run in the folder already, or the checkpoint does not fit the recipe.
    pub fn create(path: &Path, recipe: Recipe, workers: usize, parent: Option<&Path>) -> Result<Self, RunError> {
        let trainer = match parent {
            None => Trainer::new::<G>(&recipe)?,
            Some(file) => {
                let checkpoint = Checkpoint::read(file)?;
                checkpoint.check_game::<G>(&file.display().to_string())?;
                let (found, wanted) = (&checkpoint.metadata.architecture, &recipe.network);
                if found != wanted {
                    return Err(RunError::OtherArchitecture {
                        path: file.to_owned(),
                        found: found.clone(),
                        wanted: wanted.clone(),
                    });
                }
                Trainer::from_parameters::<G>(&recipe, &checkpoint.tensors)?
            }
        };
        let pool = Pool::new(workers)?;
        let folder = RunFolder::create(path)?;
        let lock = folder.lock()?;
        let parent_name = parent.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        let run = Self {
            window: Window::new(recipe.training.window_least),
            pool,
            folder,
            recipe,
            trainer,
            counters: Counters::default(),
            parent: parent_name,
            last_checkpoint: None,
            games_of: None,
            log: RunLog::default(),
            game: PhantomData,
            _lock: lock,
        };
        run.write_state(None)?;
        // The recipe last: a folder with a recipe is a run that can be resumed.
        let path = run.folder.recipe();
        write_whole(&path, run.recipe.to_toml().as_bytes()).map_err(|error| file_error(&path, error))?;
        Ok(run)
    }

    /// Goes on with the run in a folder, after its last finished iteration.
    ///
    /// Damaged shards are set aside and reported.
    ///
    /// # Errors
    /// If there is no run, or its recipe or state cannot be read.
    pub fn resume(path: &Path, workers: usize, progress: &impl Progress) -> Result<Self, RunError> {
        let folder = RunFolder::open(path)?;
        let lock = folder.lock()?;
        let recipe = Recipe::read::<G>(&folder.recipe())?;
        let unusable = |problem: String| {
            let advice = "its checkpoints can begin a new run in another folder, with --from";
            file_error(&folder.state(), format!("the run cannot go on from it: {problem}; {advice}"))
        };
        let state = TrainingState::read(&folder.state()).map_err(unusable)?;
        let trainer = Trainer::from_state::<G>(&recipe, &state.tensors, state.counters.step)
            .map_err(|error| unusable(format!("it does not fit the recipe, {error}")))?;
        let mut run = Self {
            window: Window::new(recipe.training.window_least),
            pool: Pool::new(workers)?,
            trainer,
            counters: state.counters,
            parent: state.parent,
            last_checkpoint: None,
            games_of: None,
            log: RunLog::default(),
            folder,
            recipe,
            game: PhantomData,
            _lock: lock,
        };
        if let Some(line) = state.metrics {
            run.log.restore(&run.folder, &line, run.counters.iteration)?;
        }
        if run.counters.iteration > 0 && !run.keeps_checkpoint() {
            run.last_checkpoint = Some(run.folder.checkpoint(run.counters.step));
        }
        // What is found is what was there: the capacity never grew by more than there were new positions.
        let capacity = run.recipe.training.window_capacity(run.counters.positions);
        run.window.set_capacity(capacity);
        for record in latest_games::<G>(&run.folder, run.counters.iteration, capacity, progress)? {
            run.window.add(record);
        }
        Ok(run)
    }

    /// Learns from the games of another run, iteration by iteration, before it plays games of its own: so a larger
    /// network begins with what a smaller one has played much faster.
    pub fn learn_from(&mut self, run: RunFolder) {
        self.games_of = Some(run);
    }

    /// The folder.
    pub fn folder(&self) -> &RunFolder {
        &self.folder
    }

    /// The recipe.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// How far it has come.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// The number of the network's parameters.
    pub fn parameters(&self) -> usize {
        self.trainer.parameters()
    }

    /// The number of worker threads.
    pub fn workers(&self) -> usize {
        self.pool.workers()
    }

    /// The averaged network as a checkpoint.
    pub fn checkpoint(&self) -> Checkpoint {
        let metadata = Metadata {
            format_version: FORMAT_VERSION,
            game: G::NETWORK.to_owned(),
            architecture: self.recipe.network.clone(),
            view: G::VIEW,
            step: self.counters.step,
            games: self.counters.games,
            positions: self.counters.positions,
            parent: self.parent.clone(),
            recipe_hash: Some(self.recipe.hash()),
            rating: None,
        };
        Checkpoint { metadata, tensors: self.trainer.averaged() }
    }

    /// Writes the state; `metrics` is the line of the last iteration for `metrics.jsonl`.
    fn write_state(&self, metrics: Option<String>) -> Result<(), RunError> {
        let (counters, parent) = (self.counters, self.parent.clone());
        let state = TrainingState { counters, parent, metrics, tensors: self.trainer.state()? };
        let path = self.folder.state();
        Ok(state.write(&path).map_err(|problem| file_error(&path, problem))?)
    }

    /// Plays, trains and saves once, or trains with the games of another run (see [`Run::learn_from`]). None if `stop`
    /// was set before it was done: what it did is then forgotten, and a resumed run does the iteration again in the
    /// same way.
    ///
    /// # Errors
    /// If something cannot be saved, or the network fails.
    pub fn iterate(
        &mut self,
        stop: &AtomicBool,
        progress: &impl Progress,
    ) -> Result<Option<IterationReport>, RunError> {
        let began = Instant::now();
        let mut recipe = self.recipe.at(self.counters.step);
        let resignation = &mut recipe.selfplay.resignation;
        let check = (resignation.chance > 0.0).then(|| resignation.check::<G>(self.window.games().rev()));
        resignation.chance = check.map_or(0.0, |check| check.threshold);
        self.trainer.set(&recipe.training);
        let mut evaluator = NetworkEvaluator::new::<G>(&self.checkpoint(), "of this run", Precision::best())?
            .with_cache(recipe.selfplay.evaluation_cache);
        let Some(played) = self.games(&recipe, &evaluator, stop, progress)? else { return Ok(None) };
        let FinishedGames { records, seconds_before } = played;
        // None for games of another run, which took it no time that says how fast it plays.
        let selfplay_seconds = seconds_before.map_or(0.0, |before| before + began.elapsed().as_secs_f64());

        let shard = Shard { game: G::NAME.to_owned(), records };
        shard.write(&self.folder.shard(self.counters.iteration))?;
        let games = GameStatistics::of::<G>(&shard.records);
        let by_size = GameStatistics::by_size::<G>(&shard.records);
        let cache_hits = evaluator.cache_use().map(|usage| usage.hit_rate());
        let judgement = Judgement::of::<G>(&shard.records, &mut evaluator);
        let mut counters = self.counters;
        counters.count(&shard.records);
        let mut window = self.window.clone();
        window.set_capacity(recipe.training.window_capacity(counters.positions));
        window.set_surprise_weight(recipe.training.surprise_weight);
        shard.records.into_iter().for_each(|record| {
            window.add(record);
        });

        let began_training = Instant::now();
        let round = TrainingRound {
            recipe: &recipe,
            window: &window,
            new_positions: counters.positions - self.counters.positions,
            seed: game_seed(!recipe.seed, counters.iteration),
        };
        let saved = self.trainer.state()?;
        let Some(learnt) = round.train::<G>(&mut self.trainer, &self.pool, stop, progress)? else {
            // Back to the end of the last iteration, which is also what the disk holds.
            self.trainer = Trainer::from_state::<G>(&self.recipe, &saved, self.counters.step)?;
            return Ok(None);
        };

        counters.iteration += 1;
        counters.step = self.trainer.step();
        counters.seconds += seconds_before.unwrap_or(0.0) + began.elapsed().as_secs_f64();
        (self.counters, self.window) = (counters, window);
        let checkpoint = self.save_checkpoint()?;
        let report = IterationReport {
            counters,
            games,
            by_size,
            resignation: check,
            judgement,
            evaluation: format!("{} {}", Kernel::best().name(), Precision::best().name()),
            cache_hits,
            selfplay_seconds,
            training_seconds: began_training.elapsed().as_secs_f64(),
            window: self.window.len(),
            losses: learnt.losses,
            learning_rate: self.trainer.learning_rate(),
            gradient_length: learnt.gradient_length,
            checkpoint: checkpoint.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
        };
        // With the state, so that no kill between the two loses it.
        let line = run_log::line(&self.folder, &report)?;
        self.write_state(Some(line.clone()))?;
        remove_journal(&self.folder)?;
        self.log.write(&self.folder, &report, &line)?;
        Ok(Some(report))
    }

    /// The games of the present iteration: those of the other run, or else such as are played now. None if `stop` was
    /// set before they were.
    fn games(
        &self,
        recipe: &Recipe,
        evaluator: &NetworkEvaluator,
        stop: &AtomicBool,
        progress: &impl Progress,
    ) -> Result<Option<FinishedGames>, RunError> {
        let iteration = self.counters.iteration;
        let recorded = self.games_of.as_ref().and_then(|run| games_of_iteration::<G>(run, iteration, progress));
        if let Some(records) = recorded {
            return Ok(Some(FinishedGames { records, seconds_before: None }));
        }
        let games = IterationGames {
            folder: &self.folder,
            owner: JournalOwner { iteration, recipe_hash: self.recipe.hash() },
            run_seed: recipe.seed,
            numbers: self.counters.games..self.counters.games + recipe.training.games_per_iteration,
        };
        Ok(games.play::<G>(&self.pool, evaluator, &recipe.selfplay, stop, progress)?)
    }

    /// Whether the checkpoint of the present iteration outlives the next.
    pub fn keeps_checkpoint(&self) -> bool {
        let recipe = self.recipe.at(self.counters.step);
        self.counters.iteration.is_multiple_of(recipe.training.keep_every)
    }

    /// Writes the checkpoint of the present step and removes the one before, unless it is to be kept.
    fn save_checkpoint(&mut self) -> Result<PathBuf, RunError> {
        let path = self.folder.checkpoint(self.counters.step);
        self.checkpoint().write(&path)?;
        let superseded = self.last_checkpoint.take().filter(|last| *last != path);
        if let Some(last) = superseded {
            // A checkpoint that cannot be removed only takes room.
            let _ = fs::remove_file(last);
        }
        self.last_checkpoint = (!self.keeps_checkpoint()).then(|| path.clone());
        Ok(path)
    }
}

fn file_error(path: &Path, problem: impl ToString) -> RunFolderError {
    RunFolderError::File { path: path.to_owned(), problem: problem.to_string() }
}
