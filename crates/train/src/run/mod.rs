//! A run: plays games and learns from them in turn, with every finished iteration on disk.

mod coordinator;
mod errors;
mod games_under_way;
mod iteration;
mod iteration_games;
mod resumption;

use std::time::{Duration, Instant};

use crate::folder::Counters;
use crate::loss::Losses;
use crate::metrics::IterationReport;
use hexzero_graph::CandleDevice;
use hexzero_nn::Backend;
use hexzero_selfplay::shards::GameRecord;
use hexzero_system::stop::StopSignal;

pub use coordinator::Run;
pub use errors::RunError;
pub use resumption::Changes;

/// The limit at which training stops.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// Seconds from now.
    Seconds(f64),
    /// Games of self-play of the whole run.
    Games(u64),
    /// Training steps of the whole run.
    Steps(u64),
    /// Evaluations of positions in the self-play of the whole run.
    Evaluations(u64),
}

impl Limit {
    /// Returns true if another iteration, which takes `last` seconds, would exceed the limit after
    /// `elapsed` seconds.
    fn reached(&self, counters: &Counters, elapsed: f64, last: f64) -> bool {
        match *self {
            Self::Seconds(seconds) => elapsed + last >= seconds,
            Self::Games(games) => counters.games >= games,
            Self::Steps(steps) => counters.step >= steps,
            Self::Evaluations(evaluations) => counters.evaluations >= evaluations,
        }
    }

    /// Returns when to cut off an iteration that takes longer than expected, in a run that began at `began`.
    fn deadline(&self, began: Instant) -> Option<Instant> {
        match *self {
            // A time too long to represent is no limit.
            Self::Seconds(seconds) => began.checked_add(Duration::try_from_secs_f64(seconds.max(0.0)).ok()?),
            _ => None,
        }
    }

    /// Describes what is left of the limit.
    fn left(&self, counters: &Counters, elapsed: f64) -> String {
        match *self {
            Self::Seconds(seconds) => {
                let left = (seconds - elapsed).max(0.0) as u64;
                format!("{}:{:02} left", left / 60, left % 60)
            }
            Self::Games(games) => format!("{} games left", games.saturating_sub(counters.games)),
            Self::Steps(steps) => format!("{} steps left", steps.saturating_sub(counters.step)),
            Self::Evaluations(evaluations) => {
                format!("{} evaluations left", evaluations.saturating_sub(counters.evaluations))
            }
        }
    }
}

/// The result of one call of [`Run::train`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trained {
    /// The number of iterations finished.
    pub iterations: u64,
    /// True if the last iteration was cut off, by the limit or a stop. Its finished games are kept.
    pub cut_off: bool,
}

impl Run {
    /// Trains until the limit is reached or `stop` is requested. `on_iteration` is called after each finished iteration, with
    /// its report and a text about what is left of the limit.
    ///
    /// # Errors
    /// If games cannot be played, or files cannot be written.
    pub fn train(
        &mut self,
        limit: Limit,
        stop: &StopSignal,
        progress: &impl Progress,
        mut on_iteration: impl FnMut(&Self, &IterationReport, &str),
    ) -> Result<Trained, RunError> {
        let began = Instant::now();
        let stop = stop.child_until(limit.deadline(began));
        let (mut last, mut iterations) = (0.0, 0);
        while !limit.reached(self.counters(), began.elapsed().as_secs_f64(), last) {
            let iteration = Instant::now();
            let Some(report) = self.iterate(&stop, progress)? else { return Ok(Trained { iterations, cut_off: true }) };
            last = iteration.elapsed().as_secs_f64();
            iterations += 1;
            let left = limit.left(self.counters(), began.elapsed().as_secs_f64());
            on_iteration(self, &report, &left);
        }
        Ok(Trained { iterations, cut_off: false })
    }
}

/// The threads and the device of a run.
#[derive(Debug, Clone, Default)]
pub struct Machine {
    /// Threads that play and learn; 0 for all cores.
    pub workers: usize,
    /// The device that evaluates and trains in place of the CPU, if any.
    pub device: Option<CandleDevice>,
}

impl Machine {
    /// Returns the backend of self-play.
    pub fn backend(&self) -> Backend {
        self.device.as_ref().map_or_else(Backend::default, CandleDevice::backend)
    }
}

impl From<usize> for Machine {
    fn from(workers: usize) -> Self {
        Self { workers, device: None }
    }
}

/// Progress callbacks of a training run, called from any thread.
pub trait Progress: Sync {
    /// Called when self-play of `games` games begins.
    fn selfplay_begins(&self, _games: u64) {}
    /// Called for each finished game.
    fn game_finished(&self, _record: &GameRecord) {}
    /// Called when training of `steps` steps begins.
    fn training_begins(&self, _steps: u64) {}
    /// Called after each training step.
    fn step_finished(&self, _losses: &Losses) {}
    /// Reports a problem that does not end the run.
    fn warn(&self, _message: &str) {}
}
