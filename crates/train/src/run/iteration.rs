//! An iteration of a run: games, learning, and everything on disk.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::folder::{GameNumbers, games_of_iteration};
use crate::metrics::{GameStatistics, IterationReport, PredictionQuality, RestartReport, metrics_line};
use crate::recipe::Recipe;
use hexzero_nn::{Checkpoint, NetworkEvaluator, Precision};
use hexzero_selfplay::shards::{GameRecord, JournalOwner, Shard};
use hexzero_selfplay::{ResignationCheck, StreamOrder};
use hexzero_system::stop::{StopAtEnd, StopSignal};
use hexzero_system::threads;

use super::Progress;
use super::coordinator::Run;
use super::errors::RunError;
use super::games_under_way::{GamesUnderWay, Gathering};
use super::iteration_games::{IterationPlayed, remove_journal, rewrite_journal};

/// An iteration that has begun.
struct IterationContext<'a> {
    began: Instant,
    /// The recipe in this iteration.
    recipe: &'a Recipe,
    resignation: Option<ResignationCheck>,
    checkpoint: &'a Checkpoint,
}

impl Run {
    /// Plays, trains and saves once, or trains with the games of another run (see
    /// [`Run::learn_from`]). Returns none if `stop` was requested before the end: the iteration is
    /// then discarded, and a resumed run repeats it in the same way.
    ///
    /// # Errors
    /// If something cannot be saved, the network fails, or training has diverged.
    pub fn iterate(
        &mut self,
        stop: &StopSignal,
        progress: &impl Progress,
    ) -> Result<Option<IterationReport>, RunError> {
        self.lock.check()?;
        self.iterate_once(stop, progress).map_err(|error| self.explained(error))
    }

    fn iterate_once(
        &mut self,
        stop: &StopSignal,
        progress: &impl Progress,
    ) -> Result<Option<IterationReport>, RunError> {
        let began = Instant::now();
        let mut recipe = self.recipe.at(&self.counters);
        let resignation = self.learner.check_resignation(&recipe);
        recipe.selfplay.resignation.chance = resignation.map_or(0.0, |check| check.threshold);
        recipe.selfplay.starts = Arc::new(self.starts.clone());
        let checkpoint = self.checkpoint()?;
        let begun = IterationContext { began, recipe: &recipe, resignation, checkpoint: &checkpoint };
        // Games of its own that wait come first.
        let recorded = self.games_of.as_ref().filter(|_| self.waiting_games() == 0).and_then(|run| {
            let iteration = self.counters.iteration;
            games_of_iteration(self.game, run, iteration, progress)
        });
        // The speed of self-play is not known from another run's games.
        let recorded = recorded.map(|records| IterationPlayed { records, ..IterationPlayed::default() });
        let played = match recorded {
            Some(played) => Some(played),
            None if self.asynchronous => return self.iterate_while_playing(&begun, stop, progress),
            None => self.play_games(&recipe, &checkpoint, stop, progress)?,
        };
        let Some(played) = played else { return Ok(None) };
        self.learn(&begun, played, stop, progress)
    }

    /// Takes the first games that come, and learns from them while others are played.
    fn iterate_while_playing(
        &mut self,
        begun: &IterationContext<'_>,
        stop: &StopSignal,
        progress: &impl Progress,
    ) -> Result<Option<IterationReport>, RunError> {
        let training = &begun.recipe.training;
        let count = training.games_per_iteration as usize;
        let under_way = match self.under_way.take() {
            Some(under_way) => under_way,
            None => {
                Arc::new(GamesUnderWay::open(&self.folder, &self.journal_owner(), self.present_numbers(), progress)?)
            }
        };
        self.under_way = Some(under_way.clone());
        let (stop_playing, stop_waiting, awaited) = (stop.child(), stop.child(), AtomicBool::new(true));
        let source = self.games.clone();
        let order = StreamOrder {
            job: self.job(begun.recipe, begun.checkpoint),
            checkpoint_age: training.checkpoint_age,
            games: training.games_per_iteration,
        };
        let sink = Gathering { games: &under_way, count, progress, awaited: &awaited };
        progress.selfplay_begins(count as u64);
        under_way.begin(|record| progress.game_finished(record), count);
        std::thread::scope(|scope| {
            let playing = threads::spawn_scoped(scope, || {
                // Ends the waiting for games even if playing them panics.
                let _ends = StopAtEnd(&stop_waiting);
                source.stream(&order, &stop_playing, &sink)
            });
            let playing = playing.map_err(RunError::Thread)?;
            let came = under_way.next(count, &stop_waiting);
            awaited.store(false, Ordering::Relaxed);
            let report = match came {
                Some(played) => self.learn(begun, played, stop, progress),
                None => Ok(None),
            };
            stop_playing.request();
            match (playing.join(), report) {
                // The training is kept; if the source has failed, the next iteration reports it.
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
        begun: &IterationContext<'_>,
        played: IterationPlayed,
        stop: &StopSignal,
        progress: &impl Progress,
    ) -> Result<Option<IterationReport>, RunError> {
        let &IterationContext { began, recipe, resignation, checkpoint } = begun;
        let IterationPlayed { records, numbers: used, later, cache_hits, seconds_before, seconds: selfplay_seconds } =
            played;

        self.lock.check()?;
        let shard = Shard { game: self.game.name().to_owned(), records };
        shard.write(&self.folder.shard(self.counters.iteration))?;
        let games = GameStatistics::of(self.game, &shard.records);
        let by_size = GameStatistics::by_size(self.game, &shard.records);
        let mut network = NetworkEvaluator::new(self.game, checkpoint, "of this run", Precision::best())?;
        let predictions = PredictionQuality::of(self.game, &shard.records, &mut network);
        drop(network);
        let mut counters = self.counters;
        counters.count(&shard.records);
        let mut restarts = self.starts.restarts.clone();
        restarts.learn(self.game, &recipe.selfplay, &shard.records);

        let began_training = Instant::now();
        let learnt = self.learner.learn(recipe, &self.counters, &counters, shard.records, stop, progress)?;
        let Some(learnt) = learnt else { return Ok(None) };
        // Checked before any file of the previous iteration is replaced.
        self.learner.trainer.check_finite()?;
        self.check_losses(&learnt.losses)?;
        if learnt.clipped > 0.5 {
            progress.warn(&format!(
                "{:.0}% of the training steps of this iteration were clipped: the gradients grow; consider a lower \
                 training.optimiser.learning_rate or a higher training.optimiser.clip",
                100.0 * learnt.clipped
            ));
        }
        self.lock.check()?;

        counters.iteration += 1;
        counters.step = self.learner.trainer.step();
        counters.seconds += seconds_before + began.elapsed().as_secs_f64();
        let under_way = self.under_way.clone();
        let numbers = self.numbers_after(under_way.as_deref(), used, games.new_games);
        (self.counters, self.starts.restarts) = (counters, restarts);
        let checkpoint = self.save_checkpoint()?;
        // Games that arrived in order have the numbers below their count, which need not be stored.
        let in_order = under_way.is_none() && self.numbers.is_none() && numbers == GameNumbers::from(counters.games);
        self.numbers = (!in_order).then_some(numbers);
        let report = IterationReport {
            counters,
            games,
            by_size,
            resignation,
            restarts: RestartReport::of(&self.starts.restarts),
            predictions,
            evaluation: self.backend.to_string(),
            cache_hits,
            selfplay_seconds,
            training_seconds: began_training.elapsed().as_secs_f64(),
            window: self.learner.window.len(),
            losses: learnt.losses,
            learning_rate: self.learner.trainer.learning_rate(),
            gradient_norm: learnt.gradient_norm,
            clipped: learnt.clipped,
            checkpoint: checkpoint.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
        };
        // Saved with the state, so that a kill between the two writes does not lose it.
        let line = metrics_line(&self.folder, &report)?;
        self.write_state(Some(line.clone()))?;
        self.finish_journal(under_way.as_deref(), &later)?;
        self.log.write(&self.folder, &line)?;
        Ok(Some(report))
    }

    /// Begins the journal of the next iteration with the games that have come for it: those of `under_way` if there is one,
    /// otherwise `later`.
    fn finish_journal(&self, under_way: Option<&GamesUnderWay>, later: &[(u64, GameRecord)]) -> Result<(), RunError> {
        match under_way {
            Some(games) => games.finish(&self.journal_owner())?,
            None if later.is_empty() => remove_journal(&self.folder)?,
            None => _ = rewrite_journal(&self.folder, &self.journal_owner(), later, 0.0)?,
        }
        Ok(())
    }

    /// Returns the owner of this iteration's journal.
    pub(super) fn journal_owner(&self) -> JournalOwner {
        JournalOwner { iteration: self.counters.iteration, recipe_hash: self.recipe.hash() }
    }

    /// Returns the numbers of the games before the present iteration.
    pub(super) fn present_numbers(&self) -> GameNumbers {
        self.numbers.clone().unwrap_or_else(|| GameNumbers::from(self.counters.games))
    }

    /// Returns the game numbers after the present iteration: those of `under_way` if there is one; otherwise the games
    /// `used` have arrived, or, if there are none, `new_games` games of another run took the place of the next ones.
    fn numbers_after(&self, under_way: Option<&GamesUnderWay>, used: Vec<u64>, new_games: u64) -> GameNumbers {
        if let Some(games) = under_way {
            return games.numbers();
        }
        let mut numbers = self.present_numbers();
        if used.is_empty() {
            numbers.complete_below(numbers.next() + new_games);
        }
        for number in used {
            numbers.assign_below(number + 1);
            numbers.take(number);
        }
        numbers
    }
}
