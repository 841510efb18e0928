//! Job, run state and work at the broker.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use hexzero_selfplay::SelfPlayJob;

use super::super::broker::Broker;
use super::super::error::ClusterError;
use super::super::wire::{CURRENT_KEY, Job, RunState, STATE, WORK_SUBJECT, Work, decode, digest, encode};

/// Names of the files of a stored job.
#[derive(Debug, Clone)]
pub struct StoredJob {
    /// Digest of the job.
    pub digest: String,
    /// Digest of its checkpoint.
    pub checkpoint: String,
}

/// Publishes job, run state and work of a run.
#[derive(Debug)]
pub struct Publisher {
    pub broker: Arc<Broker>,
    /// Name of the run.
    pub run: String,
    /// See [`Job::evaluation`].
    pub evaluation: Option<String>,
    /// Time after which work goes to another worker if its worker has sent no signal.
    pub patience: Duration,
}

impl Publisher {
    /// Stores checkpoint and job.
    pub fn store(&self, parts: SelfPlayJob<'_>) -> Result<StoredJob, ClusterError> {
        let bytes = parts.checkpoint.to_bytes()?;
        let job = Job {
            game: parts.game.name().to_owned(),
            checkpoint: digest(&bytes),
            settings: parts.settings.clone(),
            run_seed: parts.run_seed,
            evaluation: self.evaluation.clone(),
        };
        self.broker.store(&job.checkpoint, &bytes)?;
        let bytes = encode(&job)?;
        let digest = digest(&bytes);
        self.broker.store(&digest, &bytes)?;
        Ok(StoredJob { digest, checkpoint: job.checkpoint })
    }

    /// Returns the published state.
    pub fn state(&self) -> Result<Option<RunState>, ClusterError> {
        Ok(self.broker.get(STATE, CURRENT_KEY)?.and_then(|(bytes, _)| decode(&bytes).ok()))
    }

    /// Publishes the state: the present job, earlier jobs whose games are accepted, and the number
    /// below which all games are assigned, if the run is continuous.
    pub fn publish_state(
        &self,
        job: Option<&str>,
        earlier_jobs: Vec<String>,
        dealt: Option<u64>,
    ) -> Result<(), ClusterError> {
        let state = RunState {
            run: self.run.clone(),
            evaluation: job.and_then(|_| self.evaluation.clone()),
            job: job.map(str::to_owned),
            earlier_jobs,
            continuous: dealt.is_some(),
            dealt: dealt.unwrap_or_default(),
        };
        self.broker.put(STATE, CURRENT_KEY, &encode(&state)?)
    }

    /// Assigns ranges of games. Repeating a call with the same `deal` does not assign them twice.
    pub fn deal(&self, deal: u64, job: &str, ranges: &[(u64, u32)]) -> Result<(), ClusterError> {
        let messages = ranges.iter().map(|&(first, games)| {
            let work = Work { job: job.to_owned(), deal, first, games };
            Ok((WORK_SUBJECT.to_owned(), format!("{deal}.{first}"), encode(&work)?))
        });
        self.broker.publish(&messages.collect::<Result<Vec<_>, ClusterError>>()?)
    }

    /// Creates the streams and buckets that do not exist.
    pub fn set_up(&self) -> Result<(), ClusterError> {
        self.broker.set_up_run(self.patience)
    }

    /// Passes on the result of a request. If the broker failed, it may have lost its store, and is set up again.
    pub fn repaired<T>(&self, result: Result<T, ClusterError>) -> Result<T, ClusterError> {
        if result.as_ref().is_err_and(ClusterError::is_temporary) {
            let _ = self.set_up();
        }
        result
    }
}

/// Returns an id that no earlier deal of the run has.
pub fn new_deal() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos() as u64
}
