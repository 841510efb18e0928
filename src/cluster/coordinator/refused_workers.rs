//! Workers whose games a coordinator does not accept any more.
//!
//! A message is a worker's if it has signed it, and a worker is known by its key: without rights by name at the broker, everybody
//! can send in everybody's name. So a bad game shuts out the key that signed it, and games that another key signs in the same name
//! are all played again: those of a worker whose name another one has used, or of a refused worker that has started again.
//!
//! The coordinator keeps the list and publishes it at the broker: for the workers, for the next coordinator of the run, and for
//! people, who may pardon a worker. If a broker loses its store, the list is published again.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::super::broker::Broker;
use super::super::error::ClusterError;
use super::super::wire::{RefusedWorker, STATE, refused_key};

/// Limit of the list. Games of further workers are still checked and refused message by message.
const MAX_WORKERS: usize = 1000;
/// Limit of the keys of a worker that are refused. Games of further keys are all played again.
const MAX_KEYS: usize = 100;
/// Interval of looking whether a worker has been pardoned.
const PARDON_INTERVAL: Duration = Duration::from_millis(500);

/// What a coordinator makes of a worker's games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Nothing is known against it.
    Good,
    /// Bad games were sent in its name, with another key.
    Suspect,
    /// It has sent bad games.
    Refused,
}

/// Workers that a run refuses, with reasons.
pub struct RefusedWorkers {
    broker: Arc<Broker>,
    run: String,
    /// Entries by name, with the time of the latest look at the broker.
    entries: Mutex<BTreeMap<String, (RefusedWorker, Instant)>>,
}

impl RefusedWorkers {
    /// Starts an empty list of the run `run`.
    pub fn new(broker: Arc<Broker>, run: String) -> Self {
        Self { broker, run, entries: Mutex::default() }
    }

    /// Goes on refusing the workers that this run refused before, and lets those play that another run refused.
    pub fn restore(&self) -> Result<(), ClusterError> {
        for (worker, entry) in self.broker.refused_workers()? {
            if entry.run == self.run && !entry.pardoned {
                self.entries.lock().insert(worker, (entry, Instant::now()));
            } else {
                self.broker.remove(STATE, &refused_key(&worker))?;
            }
        }
        Ok(())
    }

    /// Refuses `worker` from now on, as far as this key signs its games, and tells it.
    pub fn refuse(&self, worker: &str, key: &str, reason: String) {
        let mut entries = self.entries.lock();
        if entries.len() >= MAX_WORKERS && !entries.contains_key(worker) {
            return;
        }
        let new = || RefusedWorker { run: self.run.clone(), reason: String::new(), pardoned: false, keys: Vec::new() };
        let (entry, _) = entries.entry(worker.to_owned()).or_insert_with(|| (new(), Instant::now()));
        entry.reason = reason;
        if entry.keys.len() < MAX_KEYS && !entry.keys.iter().any(|known| known == key) {
            entry.keys.push(key.to_owned());
        }
        self.publish(worker, entry);
    }

    /// Returns what is known of `worker` with this key, unless it has been pardoned since.
    pub fn standing(&self, worker: &str, key: &str) -> Standing {
        let mut entries = self.entries.lock();
        let Some((entry, looked)) = entries.get_mut(worker) else { return Standing::Good };
        let standing =
            if entry.keys.iter().any(|refused| refused == key) { Standing::Refused } else { Standing::Suspect };
        if looked.elapsed() < PARDON_INTERVAL {
            return standing;
        }
        *looked = Instant::now();
        match self.broker.refused_worker(worker) {
            Ok(Some(entry)) if entry.pardoned => {
                entries.remove(worker);
                // A pardoned entry that stays does no harm.
                let _ = self.broker.remove(STATE, &refused_key(worker));
                return Standing::Good;
            }
            // It was not published, or has been lost.
            Ok(None) => self.publish(worker, entry),
            _ => {}
        }
        standing
    }

    /// Publishes an entry. The run does not depend on its success.
    fn publish(&self, worker: &str, entry: &RefusedWorker) {
        let _ = self.broker.put_refused_worker(worker, entry);
    }
}
