//! Lease of the coordinator: a key that one process holds and has to renew.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use hexzero_system::stop::StopSignal;
use hexzero_system::threads;

use super::super::broker::{Broker, LEASE_TTL};
use super::super::error::ClusterError;
use super::super::wire::{COORDINATOR_KEY, LEASE, host_name};

/// Interval of renewals.
const RENEW_INTERVAL: Duration = Duration::from_secs(2);

/// Holder of a lease.
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
    end: Option<Sender<()>>,
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
        let lost = Arc::new(Mutex::new(None));
        let (end, ended) = channel();
        let renewal = Renewal { broker: broker.clone(), own: bytes, revision, lost: lost.clone() };
        let renewing = threads::spawn(move || renewal.run(&ended)).inspect_err(|_| {
            // If this fails, the lease expires later.
            let _ = broker.remove(LEASE, COORDINATOR_KEY);
        })?;
        Ok(Some(Self { lost, end: Some(end), renewing: Some(renewing) }))
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
        drop(self.end.take());
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
        let seen = match broker.compare_and_set(LEASE, COORDINATOR_KEY, own, None) {
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
}

impl Renewal {
    /// Renews the lease until its owner drops it or another holder has it.
    fn run(mut self, ended: &Receiver<()>) {
        while ended.recv_timeout(RENEW_INTERVAL) == Err(RecvTimeoutError::Timeout) {
            if !self.renew() {
                return;
            }
        }
        // If this fails, the lease expires.
        let _ = self.broker.remove(LEASE, COORDINATOR_KEY);
    }

    fn set(&self, revision: Option<u64>) -> Result<Option<u64>, ClusterError> {
        self.broker.compare_and_set(LEASE, COORDINATOR_KEY, &self.own, revision)
    }

    /// Renews the lease if the broker answers. Returns false if another holder has it.
    fn renew(&mut self) -> bool {
        // The broker may answer the next attempt.
        let Ok(renewed) = self.set(Some(self.revision)) else { return true };
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
            (None, Ok(None)) => self.set(None).ok().flatten(),
            (None, Err(_)) => None,
        };
        self.revision = revision.unwrap_or(self.revision);
        true
    }
}
