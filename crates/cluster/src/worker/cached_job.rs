//! Job with its network, ready to be played.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::ClusterError;
use crate::broker::Broker;
use crate::wire::{FrameError, Job, RunState, decode, digest};
use hexzero_games::{Game, game_named};
use hexzero_nn::{Backend, Checkpoint, NetworkEvaluator};
use hexzero_system::stop::StopSignal;

/// Time after which a job that the run's state does not name is stopped. The state may arrive later
/// than the work.
const STATE_DELAY: Duration = Duration::from_secs(5);

/// Job with its network, ready to be played.
pub struct CachedJob {
    pub digest: String,
    pub job: Job,
    pub game: Game,
    pub evaluator: NetworkEvaluator,
    /// Requested once games of the job are not accepted any more, or the worker is to stop.
    pub stop: StopSignal,
    /// When the run's state was first seen not to name the job; `None` while it does.
    unnamed_since: Mutex<Option<Instant>>,
    /// True once the run's state has named the job.
    was_named: AtomicBool,
}

impl CachedJob {
    /// Fetches the job with digest `name`, which is also stopped by `stop`. Returns `None` if the broker does not have it any
    /// more, or has something else under its name.
    pub fn fetch(
        broker: &Broker,
        name: &str,
        backend: &Backend,
        stop: &StopSignal,
    ) -> Result<Option<Self>, ClusterError> {
        let fetch = |name: &str| Ok::<_, ClusterError>(broker.fetch(name)?.filter(|bytes| digest(bytes) == name));
        let Some(bytes) = fetch(name)? else { return Ok(None) };
        let job = match decode::<Job>(&bytes) {
            Ok(job) => job.unpacked(),
            Err(FrameError::OtherProgram(theirs)) => return Err(ClusterError::OtherVersion(theirs)),
            Err(error) => return Err(error.into()),
        };
        let Some(checkpoint) = fetch(&job.checkpoint)? else { return Ok(None) };
        let game = game_named(&job.game)?;
        let checkpoint = Checkpoint::from_bytes(&checkpoint, "of the run")?;
        // Settings from elsewhere may be invalid.
        job.settings
            .validate(game.boards.sizes.clone())
            .map_err(|error| ClusterError::File { path: "the run's recipe".to_owned(), problem: error.to_string() })?;
        let evaluator = NetworkEvaluator::new(game, &checkpoint, "of the run", backend.repeatable())?
            .with_cache(job.settings.evaluation_cache);
        Ok(Some(Self {
            digest: name.to_owned(),
            job,
            game,
            evaluator,
            stop: stop.child(),
            unnamed_since: Mutex::new(None),
            was_named: AtomicBool::new(false),
        }))
    }

    /// Stops the job if `state` does not accept its games: at once if an earlier state did,
    /// otherwise after a delay.
    pub fn compare(&self, state: Option<&RunState>) {
        let mut since = self.unnamed_since.lock();
        if state.is_some_and(|state| state.accepts(&self.digest)) {
            self.was_named.store(true, Ordering::Relaxed);
            *since = None;
            return;
        }
        let since = since.get_or_insert_with(Instant::now);
        if self.was_named.load(Ordering::Relaxed) || since.elapsed() > STATE_DELAY {
            self.stop.request();
        }
    }
}
