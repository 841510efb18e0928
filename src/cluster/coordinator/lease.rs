//! Lease of the coordinator: a key that one process holds and has to renew.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use crate::stop::StopSignal;
use crate::threads;

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
        let (mut began, mut first_seen) = (Instant::now(), None);
        let revision = loop {
            if stop.is_requested() {
                return Ok(None);
            }
            let seen = match broker.compare_and_set(LEASE, COORDINATOR_KEY, &bytes, None) {
                Ok(Some(revision)) => break revision,
                Ok(None) => broker.get(LEASE, COORDINATOR_KEY),
                Err(error) => Err(error),
            };
            match seen {
                // An earlier attempt succeeded, but its answer was lost.
                Ok(Some((value, revision))) if value == bytes => break revision,
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
        };
        let lost = Arc::new(Mutex::new(None));
        let (end, ended) = channel();
        let (renewer, noted) = (broker.clone(), lost.clone());
        let renewing = threads::spawn(move || {
            let mut revision = revision;
            while ended.recv_timeout(RENEW_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                // The broker may answer the next attempt.
                let Ok(renewed) = renewer.compare_and_set(LEASE, COORDINATOR_KEY, &bytes, Some(revision)) else {
                    continue;
                };
                revision = match (renewed, renewer.get(LEASE, COORDINATOR_KEY)) {
                    (Some(revision), _) => revision,
                    // An earlier attempt succeeded, but its answer was lost.
                    (None, Ok(Some((value, revision)))) if value == bytes => revision,
                    (None, Ok(Some((value, revision)))) => match serde_json::from_slice(&value) {
                        Ok(holder) => {
                            *noted.lock() = Some(holder);
                            return;
                        }
                        // Junk is replaced.
                        Err(_) => revision,
                    },
                    // It expired while the broker was out of reach.
                    (None, Ok(None)) => match renewer.compare_and_set(LEASE, COORDINATOR_KEY, &bytes, None) {
                        Ok(Some(revision)) => revision,
                        _ => continue,
                    },
                    (None, Err(_)) => continue,
                };
            }
            // If this fails, it expires.
            let _ = renewer.remove(LEASE, COORDINATOR_KEY);
        });
        let renewing = renewing.inspect_err(|_| {
            // If this fails, it expires later.
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
