//! A job as a worker has it ready.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::games::{Game, game_named};
use crate::network::{Checkpoint, Computing, NetworkEvaluator};

use super::broker::Broker;
use super::error::ClusterError;
use super::frame::{FrameProblem, decode};
use super::messages::{Job, RunState, digest};

/// A job that is not the run's is given up after this time: the news of it may be slower than the work.
const NEWS_LAST: Duration = Duration::from_secs(5);

/// A job that is ready to be played.
pub(super) struct Loaded {
    pub(super) digest: String,
    pub(super) job: Job,
    pub(super) game: Game,
    pub(super) evaluator: NetworkEvaluator,
    /// Raised when the run wants other games.
    pub(super) past: AtomicBool,
    /// When it was found not to be the run's job.
    foreign_since: Mutex<Option<Instant>>,
    /// Whether it was found to be the run's job.
    was_current: AtomicBool,
}

impl Loaded {
    /// Fetches a job; none if the broker does not know it any more.
    pub fn fetch(broker: &Broker, name: &str) -> Result<Option<Self>, ClusterError> {
        let Some(bytes) = broker.fetch(name)? else { return Ok(None) };
        let job: Job = decode(&bytes).map_err(misread)?;
        let Some(checkpoint) = broker.fetch(&job.checkpoint)? else { return Ok(None) };
        if digest(&bytes) != name || digest(&checkpoint) != job.checkpoint {
            return Err(ClusterError::broker("to fetch a file", "it is not the one that was asked for"));
        }
        let game = game_named(&job.game)?;
        let checkpoint = Checkpoint::from_bytes(&checkpoint, "of the run")?;
        // What comes from elsewhere is not trusted to be sound.
        if let Some(problem) = job.settings.problem(game.boards.sizes.clone()) {
            return Err(ClusterError::File { path: "the run's recipe".to_owned(), problem });
        }
        let evaluator = NetworkEvaluator::new(game, &checkpoint, "of the run", Computing::best().repeatable())?
            .with_cache(job.settings.evaluation_cache);
        Ok(Some(Self {
            digest: name.to_owned(),
            job,
            game,
            evaluator,
            past: AtomicBool::new(false),
            foreign_since: Mutex::new(None),
            was_current: AtomicBool::new(false),
        }))
    }

    /// Notes which jobs' games the run takes.
    pub fn compare(&self, state: Option<&RunState>) {
        let mut since = self.foreign_since.lock().unwrap_or_else(PoisonError::into_inner);
        if state.is_some_and(|state| state.takes(&self.digest)) {
            self.was_current.store(true, Ordering::Relaxed);
            *since = None;
            return;
        }
        let since = since.get_or_insert_with(Instant::now);
        if self.was_current.load(Ordering::Relaxed) || since.elapsed() > NEWS_LAST {
            self.past.store(true, Ordering::Relaxed);
        }
    }
}

/// What is wrong with a message of the coordinator.
pub(super) fn misread(problem: FrameProblem) -> ClusterError {
    match problem {
        FrameProblem::OtherProgram { theirs } => ClusterError::OtherVersion { theirs },
        problem => problem.into(),
    }
}
