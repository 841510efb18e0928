//! Job, run state and work at the broker; the lease: a key that one process holds and has to renew.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use crate::broker::{Broker, LEASE_TTL};
use crate::wire::{
    COORDINATOR_KEY, CURRENT_KEY, Job, LEASE, RunState, STATE, WORK_SUBJECT, Work, decode, digest, encode, host_name,
};
use hexzero_selfplay::SelfPlayJob;
use hexzero_system::stop::StopSignal;
use hexzero_system::threads;

use crate::ClusterError;

/// Publishes job, run state and work of a run.
#[derive(Debug)]
pub struct Publisher {
    pub broker: Arc<Broker>,
    pub run: String,
    /// See [`Job::evaluation`].
    pub evaluation: Option<String>,
    /// Time after which work goes to another worker if its worker has sent no signal.
    pub patience: Duration,
}

impl Publisher {
    /// Stores job and checkpoint, and returns their digests, which are the names of their files.
    pub fn store(&self, parts: SelfPlayJob<'_>) -> Result<[String; 2], ClusterError> {
        let bytes = parts.checkpoint.to_bytes()?;
        let job = Job {
            game: parts.game.name().to_owned(),
            checkpoint: digest(&bytes),
            settings: parts.settings.clone(),
            starts: (*parts.settings.starts).clone(),
            run_seed: parts.run_seed,
            evaluation: self.evaluation.clone(),
        };
        self.broker.store(&job.checkpoint, &bytes)?;
        let bytes = encode(&job)?;
        let digest = digest(&bytes);
        self.broker.store(&digest, &bytes)?;
        Ok([digest, job.checkpoint])
    }

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

const RENEW_INTERVAL: Duration = Duration::from_secs(2);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Holder {
    run: String,
    host: String,
    process: u32,
    /// Time of its request, in nanoseconds since 1970.
    since: u128,
}

impl Holder {
    fn into_error(self) -> ClusterError {
        ClusterError::Taken { run: self.run, host: self.host, process: self.process }
    }
}

/// Right to coordinate, until it is dropped.
#[derive(Debug)]
pub struct Lease {
    /// Another holder, once one is found.
    lost: Arc<Mutex<Option<Holder>>>,
    end: StopSignal,
    renewing: Option<JoinHandle<()>>,
}

impl Lease {
    /// Takes the lease for a run; waits for the lease of a dead holder to expire. Returns `None` if `stop` is requested
    /// meanwhile.
    ///
    /// # Errors
    /// If another coordinator renews it, the broker does not allow it, or the system has no thread for the renewals.
    pub fn take(broker: &Arc<Broker>, run: &str, stop: &StopSignal) -> Result<Option<Self>, ClusterError> {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
        let own = Holder { run: run.to_owned(), host: host_name(), process: std::process::id(), since };
        let bytes = serde_json::to_vec(&own).expect("texts and numbers are JSON");
        let Some(revision) = acquire(broker, &bytes, stop)? else { return Ok(None) };
        let (lost, end) = (Arc::new(Mutex::new(None)), StopSignal::new());
        let renewal = Renewal { broker: broker.clone(), own: bytes, revision, lost: lost.clone(), end: end.clone() };
        let renewing = threads::spawn(move || renewal.run()).inspect_err(|_| {
            // If this fails, the lease expires later.
            let _ = broker.remove(LEASE, COORDINATOR_KEY);
        })?;
        Ok(Some(Self { lost, end, renewing: Some(renewing) }))
    }

    /// Checks that no other coordinator has the lease.
    ///
    /// # Errors
    /// If one has.
    pub fn check(&self) -> Result<(), ClusterError> {
        self.lost.lock().clone().map_or(Ok(()), |holder| Err(holder.into_error()))
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.end.request();
        if let Some(thread) = self.renewing.take() {
            // The thread does not panic.
            let _ = thread.join();
        }
    }
}

/// Waits for the lease and takes it; returns its revision, or `None` if `stop` is requested meanwhile.
fn acquire(broker: &Broker, own: &[u8], stop: &StopSignal) -> Result<Option<u64>, ClusterError> {
    let (mut began, mut first_seen) = (Instant::now(), None);
    loop {
        if stop.is_requested() {
            return Ok(None);
        }
        let seen = match broker.set_lease(own, None) {
            Ok(Some(revision)) => return Ok(Some(revision)),
            Ok(None) => broker.get(LEASE, COORDINATOR_KEY),
            Err(error) => Err(error),
        };
        match seen {
            // An earlier attempt succeeded, but its answer was lost.
            Ok(Some((value, revision))) if value == own => return Ok(Some(revision)),
            Ok(Some((value, revision))) => {
                let renewed = *first_seen.get_or_insert(revision) != revision;
                // Junk in the lease expires.
                if let Ok(holder) = serde_json::from_slice::<Holder>(&value)
                    && (renewed || began.elapsed() > 2 * LEASE_TTL)
                {
                    return Err(holder.into_error());
                }
            }
            Ok(None) => {}
            // The broker may answer the next attempt. Meanwhile no lease is renewed, nor expires.
            Err(ClusterError::Broker { .. }) => (began, first_seen) = (Instant::now(), None),
            Err(error) => return Err(error),
        }
        stop.sleep(Duration::from_millis(250));
    }
}

/// Renewals of a lease, on a thread of their own.
struct Renewal {
    broker: Arc<Broker>,
    /// This holder, as it is written.
    own: Vec<u8>,
    revision: u64,
    lost: Arc<Mutex<Option<Holder>>>,
    end: StopSignal,
}

impl Renewal {
    /// Renews the lease until its owner drops it or another holder has it.
    fn run(mut self) {
        while !self.end.sleep(RENEW_INTERVAL) {
            if !self.renew() {
                return;
            }
        }
        // If this fails, the lease expires.
        let _ = self.broker.remove(LEASE, COORDINATOR_KEY);
    }

    /// Renews the lease if the broker answers. Returns false if another holder has it.
    fn renew(&mut self) -> bool {
        // The broker may answer the next attempt.
        let Ok(renewed) = self.broker.set_lease(&self.own, Some(self.revision)) else { return true };
        let revision = match (renewed, self.broker.get(LEASE, COORDINATOR_KEY)) {
            (Some(revision), _) => Some(revision),
            // An earlier attempt succeeded, but its answer was lost.
            (None, Ok(Some((value, revision)))) if value == self.own => Some(revision),
            (None, Ok(Some((value, revision)))) => match serde_json::from_slice(&value) {
                Ok(holder) => {
                    *self.lost.lock() = Some(holder);
                    return false;
                }
                // Junk is replaced.
                Err(_) => Some(revision),
            },
            // The lease expired while the broker was out of reach.
            (None, Ok(None)) => self.broker.set_lease(&self.own, None).ok().flatten(),
            (None, Err(_)) => None,
        };
        self.revision = revision.unwrap_or(self.revision);
        true
    }
}
