//! A run: has games played and learns from them in turn, every finished iteration on disk.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::files::write_whole;
use crate::games::Game;
use crate::network::{Checkpoint, Computing, FORMAT_VERSION, Metadata, NetworkEvaluator, Precision};
use crate::replay::{JournalOwner, Shard};
use crate::selfplay::{GameSource, LocalGames, Pool, ResignationCheck, StreamOrder};

use super::game_statistics::GameStatistics;
use super::games_under_way::{GamesUnderWay, Gathering};
use super::iteration_games::{IterationGames, IterationPlayed, remove_journal};
use super::iteration_report::IterationReport;
use super::judgement::Judgement;
use super::learner::Learner;
use super::numbers::Numbers;
use super::progress::Progress;
use super::recipe::Recipe;
use super::recorded_games::{games_of_iteration, latest_games};
use super::run_error::RunError;
use super::run_folder::{RunFolder, RunFolderError, RunLock};
use super::run_log::{self, RunLog};
use super::state::{Counters, TrainingState};
use super::trainer::Trainer;

/// A run that is under way. It coordinates: a [`GameSource`] plays, a [`Learner`] learns, the folder keeps.
#[derive(Debug)]
pub struct Run {
    game: Game,
    folder: RunFolder,
    recipe: Recipe,
    learner: Learner,
    games: Arc<dyn GameSource>,
    /// The numbers of the games, where they come in any order.
    numbers: Option<Numbers>,
    /// Whether games are played while the network learns.
    asynchronous: bool,
    under_way: Option<Arc<GamesUnderWay>>,
    counters: Counters,
    workers: usize,
    parent: Option<String>,
    last_checkpoint: Option<PathBuf>,
    /// The run whose games take the place of self-play as long as there are any.
    games_of: Option<RunFolder>,
    log: RunLog,
    _lock: RunLock,
}

/// An iteration that has begun.
struct Begun<'a> {
    began: Instant,
    /// The recipe in this iteration.
    recipe: &'a Recipe,
    resignation: Option<ResignationCheck>,
    checkpoint: &'a Checkpoint,
}

impl Run {
    /// Begins a run in a new folder, with a random network or with a checkpoint's.
    ///
    /// # Errors
    /// If there is a run in the folder already, or the checkpoint does not fit the recipe.
    pub fn create(
        game: Game,
        path: &Path,
        recipe: Recipe,
        workers: usize,
        parent: Option<&Path>,
    ) -> Result<Self, RunError> {
        let trainer = match parent {
            None => Trainer::new(game, &recipe)?,
            Some(file) => {
                let checkpoint = Checkpoint::read(file)?;
                checkpoint.check_game(game, &file.display().to_string())?;
                let (found, wanted) = (&checkpoint.metadata.architecture, &recipe.network);
                if found != wanted {
                    return Err(RunError::OtherArchitecture {
                        path: file.to_owned(),
                        found: found.clone(),
                        wanted: wanted.clone(),
                    });
                }
                Trainer::from_parameters(game, &recipe, &checkpoint.tensors)?
            }
        };
        let pool = Arc::new(Pool::new(workers)?);
        let folder = RunFolder::create(path)?;
        let lock = folder.lock()?;
        let parent_name = parent.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        let run = Self {
            game,
            learner: Learner::new(game, trainer, &recipe, pool.clone()),
            workers: pool.workers(),
            games: Arc::new(LocalGames::new(pool)),
            numbers: None,
            asynchronous: false,
            under_way: None,
            folder,
            recipe,
            counters: Counters::default(),
            parent: parent_name,
            last_checkpoint: None,
            games_of: None,
            log: RunLog::default(),
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
    pub fn resume(game: Game, path: &Path, workers: usize, progress: &impl Progress) -> Result<Self, RunError> {
        let folder = RunFolder::open(path)?;
        let lock = folder.lock()?;
        let recipe = Recipe::read(game, &folder.recipe())?;
        let unusable = |problem: String| {
            let advice = "its checkpoints can begin a new run in another folder, with --from";
            file_error(&folder.state(), format!("the run cannot go on from it: {problem}; {advice}"))
        };
        let state = TrainingState::read(&folder.state()).map_err(unusable)?;
        state.check(&folder).map_err(unusable)?;
        let trainer = Trainer::from_state(game, &recipe, &state.tensors, state.counters.step)
            .map_err(|error| unusable(format!("it does not fit the recipe, {error}")))?;
        let pool = Arc::new(Pool::new(workers)?);
        let mut run = Self {
            game,
            learner: Learner::new(game, trainer, &recipe, pool.clone()),
            workers: pool.workers(),
            games: Arc::new(LocalGames::new(pool)),
            numbers: state.numbers,
            asynchronous: false,
            under_way: None,
            counters: state.counters,
            parent: state.parent,
            last_checkpoint: None,
            games_of: None,
            log: RunLog::default(),
            folder,
            recipe,
            _lock: lock,
        };
        if let Some(line) = state.metrics {
            run.log.restore(&run.folder, &line, run.counters.iteration)?;
        }
        if run.counters.iteration > 0 && !run.keeps_checkpoint() {
            run.last_checkpoint = Some(run.folder.checkpoint(run.counters.step));
        }
        let capacity = run.recipe.training.window_capacity(run.counters.positions);
        let games = latest_games(game, &run.folder, run.counters.iteration, capacity, progress)?;
        run.learner.fill_window(capacity, games);
        Ok(run)
    }

    /// Learns from the games of another run, iteration by iteration, before it plays games of its own: so a larger
    /// network begins with what a smaller one has played much faster.
    pub fn learn_from(&mut self, run: RunFolder) {
        self.games_of = Some(run);
    }

    /// Has its games played elsewhere.
    pub fn play_with(&mut self, games: Arc<dyn GameSource>) {
        self.games = games;
    }

    /// Has games played while the network learns: an iteration takes the first games that come, in whatever order, played
    /// with the newest checkpoint or one shortly before. Such a run cannot be repeated exactly.
    pub fn learn_while_playing(&mut self) {
        self.asynchronous = true;
    }

    /// The folder.
    pub fn folder(&self) -> &RunFolder {
        &self.folder
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.game
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
        self.learner.trainer().parameters()
    }

    /// The number of worker threads.
    pub fn workers(&self) -> usize {
        self.workers
    }

    /// The averaged network as a checkpoint.
    ///
    /// # Errors
    /// If the card that trains it fails.
    pub fn checkpoint(&self) -> Result<Checkpoint, RunError> {
        let metadata = Metadata {
            format_version: FORMAT_VERSION,
            game: self.game.network.to_owned(),
            architecture: self.recipe.network.clone(),
            view: self.game.view.clone(),
            step: self.counters.step,
            games: self.counters.games,
            positions: self.counters.positions,
            parent: self.parent.clone(),
            recipe_hash: Some(self.recipe.hash()),
            rating: None,
        };
        Ok(Checkpoint { metadata, tensors: self.learner.averaged()? })
    }

    /// Writes the state; `metrics` is the line of the last iteration for `metrics.jsonl`.
    fn write_state(&self, metrics: Option<String>) -> Result<(), RunError> {
        let (counters, parent, numbers) = (self.counters, self.parent.clone(), self.numbers.clone());
        let state = TrainingState { counters, parent, metrics, numbers, tensors: self.learner.trainer().state()? };
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
        let resignation = self.learner.check_resignation(&recipe);
        recipe.selfplay.resignation.chance = resignation.map_or(0.0, |check| check.threshold);
        let checkpoint = self.checkpoint()?;
        let begun = Begun { began, recipe: &recipe, resignation, checkpoint: &checkpoint };
        let recorded = self.games_of.as_ref().and_then(|run| {
            let iteration = self.counters.iteration;
            games_of_iteration(self.game, run, iteration, progress)
        });
        // Games of another run took no time that says how fast this one plays.
        let recorded =
            recorded.map(|records| IterationPlayed { records, cache_hits: None, seconds_before: 0.0, seconds: 0.0 });
        let played = match recorded {
            Some(played) => Some(played),
            None if self.asynchronous => return self.iterate_while_playing(&begun, stop, progress),
            None => self.played(&recipe, &checkpoint, stop, progress)?,
        };
        match played {
            Some(played) => self.learn(&begun, played, stop, progress),
            None => Ok(None),
        }
    }

    /// Takes the first games that come, and learns from them while others are played.
    fn iterate_while_playing(
        &mut self,
        begun: &Begun<'_>,
        stop: &AtomicBool,
        progress: &impl Progress,
    ) -> Result<Option<IterationReport>, RunError> {
        let training = &begun.recipe.training;
        let count = training.games_per_iteration as usize;
        let under_way = match self.under_way.take() {
            Some(under_way) => under_way,
            None => {
                let numbers = self.numbers.clone().unwrap_or_else(|| Numbers::from(self.counters.games));
                Arc::new(GamesUnderWay::open(&self.folder, &self.journal_owner(), numbers, progress)?)
            }
        };
        self.under_way = Some(under_way.clone());
        let (done, awaited) = (AtomicBool::new(false), AtomicBool::new(true));
        let source = self.games.clone();
        let order = StreamOrder {
            game: self.game,
            checkpoint: begun.checkpoint,
            settings: &begun.recipe.selfplay,
            run_seed: begun.recipe.seed,
            checkpoint_age: training.checkpoint_age,
            games: training.games_per_iteration,
        };
        let sink = Gathering { games: &under_way, count, progress, awaited: &awaited };
        progress.selfplay_begins(count as u64);
        under_way.begin(|record| progress.game_finished(record), count);
        std::thread::scope(|scope| {
            let playing = scope.spawn(|| {
                let ended = source.stream(&order, &done, &sink);
                under_way.end();
                ended
            });
            let came = under_way.next(count, stop);
            awaited.store(false, Ordering::Relaxed);
            let report = match came {
                Some(played) => self.learn(begun, played, stop, progress),
                None => Ok(None),
            };
            done.store(true, Ordering::Relaxed);
            match (playing.join(), report) {
                // What was learnt is kept; if nobody plays any more, the next iteration says why.
                (_, Ok(Some(report))) => Ok(Some(report)),
                (_, Err(error)) => Err(error),
                (Ok(Err(error)), Ok(None)) => Err(error.into()),
                (Err(panic), _) => std::panic::resume_unwind(panic),
                (Ok(Ok(())), Ok(None)) => Ok(None),
            }
        })
    }

    /// Learns from the games of an iteration, and saves everything.
    fn learn(
        &mut self,
        begun: &Begun<'_>,
        played: IterationPlayed,
        stop: &AtomicBool,
        progress: &impl Progress,
    ) -> Result<Option<IterationReport>, RunError> {
        let &Begun { began, recipe, resignation, checkpoint } = begun;
        let IterationPlayed { records, cache_hits, seconds_before, seconds: selfplay_seconds } = played;

        let shard = Shard { game: self.game.name().to_owned(), records };
        shard.write(&self.folder.shard(self.counters.iteration))?;
        let games = GameStatistics::of(self.game, &shard.records);
        let by_size = GameStatistics::by_size(self.game, &shard.records);
        let mut evaluator = NetworkEvaluator::new(self.game, checkpoint, "of this run", Precision::best())?;
        let judgement = Judgement::of(self.game, &shard.records, &mut evaluator);
        let mut counters = self.counters;
        counters.count(&shard.records);

        let began_training = Instant::now();
        let learnt = self.learner.learn(recipe, (&self.counters, &counters), shard.records, stop, progress)?;
        let Some(learnt) = learnt else { return Ok(None) };

        counters.iteration += 1;
        counters.step = self.learner.trainer().step();
        counters.seconds += seconds_before + began.elapsed().as_secs_f64();
        self.counters = counters;
        let checkpoint = self.save_checkpoint()?;
        let under_way = self.under_way.clone();
        self.numbers = match (&under_way, self.numbers.take()) {
            (Some(games), _) => Some(games.numbers()),
            (None, Some(mut numbers)) => {
                // Games in lock step have the numbers that follow.
                let next = numbers.next() + games.new_games;
                numbers.came_below(next);
                Some(numbers)
            }
            (None, None) => None,
        };
        let report = IterationReport {
            counters,
            games,
            by_size,
            resignation,
            judgement,
            evaluation: Computing::best().to_string(),
            cache_hits,
            selfplay_seconds,
            training_seconds: began_training.elapsed().as_secs_f64(),
            window: self.learner.window_positions(),
            losses: learnt.losses,
            learning_rate: self.learner.trainer().learning_rate(),
            gradient_length: learnt.gradient_length,
            checkpoint: checkpoint.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
        };
        // With the state, so that no kill between the two loses it.
        let line = run_log::line(&self.folder, &report)?;
        self.write_state(Some(line.clone()))?;
        match under_way {
            Some(games) => games.finish(&self.journal_owner())?,
            None => remove_journal(&self.folder)?,
        }
        self.log.write(&self.folder, &report, &line)?;
        Ok(Some(report))
    }

    /// What says whose games a journal has.
    fn journal_owner(&self) -> JournalOwner {
        JournalOwner { iteration: self.counters.iteration, recipe_hash: self.recipe.hash() }
    }

    /// The games of the present iteration. None if `stop` was set before they were played.
    fn played(
        &self,
        recipe: &Recipe,
        checkpoint: &Checkpoint,
        stop: &AtomicBool,
        progress: &impl Progress,
    ) -> Result<Option<IterationPlayed>, RunError> {
        let first = self.numbers.as_ref().map_or(self.counters.games, Numbers::next);
        let games = IterationGames {
            game: self.game,
            folder: &self.folder,
            owner: self.journal_owner(),
            run_seed: recipe.seed,
            numbers: first..first + recipe.training.games_per_iteration,
        };
        games.play(&*self.games, checkpoint, &recipe.selfplay, stop, progress)
    }

    /// Whether the checkpoint of the present iteration outlives the next.
    pub fn keeps_checkpoint(&self) -> bool {
        let recipe = self.recipe.at(self.counters.step);
        self.counters.iteration.is_multiple_of(recipe.training.keep_every)
    }

    /// Writes the checkpoint of the present step and removes the one before, unless it is to be kept.
    fn save_checkpoint(&mut self) -> Result<PathBuf, RunError> {
        let path = self.folder.checkpoint(self.counters.step);
        self.checkpoint()?.write(&path)?;
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
