//! Who coordinates: one process at a time, by a key that has to be renewed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, Instant, SystemTime};

use serde::{Deserialize, Serialize};

use crate::threads;

use super::broker::{Broker, LEASE_LASTS};
use super::error::ClusterError;
use super::host::host_name;
use super::names::{COORDINATOR, LEASE};

/// How often it is renewed.
const RENEW: Duration = Duration::from_secs(2);

/// Who holds a lease.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Holder {
    run: String,
    host: String,
    process: u32,
    /// Nanoseconds since 1970 when it asked for the lease.
    since: u128,
}

impl Holder {
    fn taken(self) -> ClusterError {
        ClusterError::Taken { run: self.run, host: self.host, process: self.process }
    }
}

/// The right to coordinate, until it is dropped.
#[derive(Debug)]
pub(super) struct Lease {
    /// Who else has it, once that has shown.
    lost: Arc<Mutex<Option<Holder>>>,
    ends: Option<Sender<()>>,
    renewing: Option<JoinHandle<()>>,
}

impl Lease {
    /// Takes the lease for a run. One that is not renewed is waited for, as its holder has died. None if `stop` was set
    /// before.
    ///
    /// # Errors
    /// If another coordinator renews it, the broker does not answer, or the system has no thread to renew it on.
    pub fn take(broker: &Arc<Broker>, run: &str, stop: &AtomicBool) -> Result<Option<Self>, ClusterError> {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
        let own = Holder { run: run.to_owned(), host: host_name(), process: std::process::id(), since };
        let bytes = serde_json::to_vec(&own).expect("texts and numbers are JSON");
        let (began, mut first_seen) = (Instant::now(), None);
        let revision = loop {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let seen = match broker.exchange(LEASE, COORDINATOR, &bytes, None) {
                Ok(Some(revision)) => break revision,
                Ok(None) => broker.get(LEASE, COORDINATOR),
                Err(error) => Err(error),
            };
            match seen {
                // The answer to an earlier attempt was lost.
                Ok(Some((value, revision))) if value == bytes => break revision,
                Ok(Some((value, revision))) => {
                    let renewed = *first_seen.get_or_insert(revision) != revision;
                    if renewed || began.elapsed() > 2 * LEASE_LASTS {
                        let holder = serde_json::from_slice::<Holder>(&value);
                        return Err(
                            holder.map_or_else(|error| ClusterError::broker("to read the lease", error), Holder::taken)
                        );
                    }
                }
                Ok(None) => {}
                // A broker that does not answer now may do so next time.
                Err(ClusterError::Broker { .. }) if began.elapsed() < 2 * LEASE_LASTS => {}
                Err(error) => return Err(error),
            }
            sleep(Duration::from_millis(250));
        };
        let lost = Arc::new(Mutex::new(None));
        let (ends, ended) = channel();
        let (renewer, noted) = (broker.clone(), lost.clone());
        let renewing = threads::spawn(move || {
            let mut revision = revision;
            while ended.recv_timeout(RENEW) == Err(RecvTimeoutError::Timeout) {
                // A broker that does not answer now may do so next time.
                let Ok(renewed) = renewer.exchange(LEASE, COORDINATOR, &bytes, Some(revision)) else { continue };
                revision = match (renewed, renewer.get(LEASE, COORDINATOR)) {
                    (Some(revision), _) => revision,
                    // The answer to an earlier attempt was lost.
                    (None, Ok(Some((value, revision)))) if value == bytes => revision,
                    (None, Ok(Some((value, _)))) => {
                        let holder = serde_json::from_slice(&value).ok();
                        *noted.lock().unwrap_or_else(PoisonError::into_inner) = holder;
                        return;
                    }
                    // It has ended while the broker was out of reach.
                    (None, Ok(None)) => match renewer.exchange(LEASE, COORDINATOR, &bytes, None) {
                        Ok(Some(revision)) => revision,
                        _ => continue,
                    },
                    (None, Err(_)) => continue,
                };
            }
            // Otherwise it ends by itself.
            let _ = renewer.remove(LEASE, COORDINATOR);
        });
        let renewing = renewing.inspect_err(|_| {
            // Otherwise it ends by itself, later.
            let _ = broker.remove(LEASE, COORDINATOR);
        })?;
        Ok(Some(Self { lost, ends: Some(ends), renewing: Some(renewing) }))
    }

    /// Whether it is still ours.
    ///
    /// # Errors
    /// If another coordinator has it.
    pub fn held(&self) -> Result<(), ClusterError> {
        let lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        lost.clone().map_or(Ok(()), |holder| Err(holder.taken()))
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        drop(self.ends.take());
        if let Some(thread) = self.renewing.take() {
            // It does not panic.
            let _ = thread.join();
        }
    }
}
