//! Workers whose games a coordinator does not accept any more.
//!
//! The coordinator keeps the list and publishes it at the broker: for the workers, for the next coordinator of the run, and for
//! people, who may pardon a worker. If a broker loses its store, the list is published again.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::super::broker::Broker;
use super::super::error::ClusterError;
use super::super::wire::{RefusedWorker, STATE, refused_key};

/// Limit of the list. Games of further workers are still checked and refused message by message.
const MAX_WORKERS: usize = 1000;

/// Workers that a run refuses, with reasons.
pub struct RefusedWorkers {
    broker: Arc<Broker>,
    run: String,
    reasons: Mutex<BTreeMap<String, String>>,
}

impl RefusedWorkers {
    /// Starts an empty list of the run `run`.
    pub fn new(broker: Arc<Broker>, run: String) -> Self {
        Self { broker, run, reasons: Mutex::default() }
    }

    /// Goes on refusing the workers that this run refused before, and lets those play that another run refused.
    pub fn restore(&self) -> Result<(), ClusterError> {
        for (worker, entry) in self.broker.refused_workers()? {
            if entry.run == self.run && !entry.pardoned {
                self.reasons.lock().insert(worker, entry.reason);
            } else {
                self.broker.remove(STATE, &refused_key(&worker))?;
            }
        }
        Ok(())
    }

    /// Refuses `worker` from now on, and tells it.
    pub fn refuse(&self, worker: &str, reason: String) {
        let mut reasons = self.reasons.lock();
        if reasons.len() < MAX_WORKERS {
            self.publish(worker, &reason);
            reasons.insert(worker.to_owned(), reason);
        }
    }

    /// Returns true if `worker` is refused and has not been pardoned since.
    pub fn contains(&self, worker: &str) -> bool {
        let mut reasons = self.reasons.lock();
        let Some(reason) = reasons.get(worker) else { return false };
        match self.broker.refused_worker(worker) {
            Ok(Some(entry)) if entry.pardoned => {
                reasons.remove(worker);
                // A pardoned entry that stays does no harm.
                let _ = self.broker.remove(STATE, &refused_key(worker));
                false
            }
            // It was not published, or has been lost.
            Ok(None) => {
                self.publish(worker, reason);
                true
            }
            _ => true,
        }
    }

    /// Publishes an entry. The run does not depend on its success.
    fn publish(&self, worker: &str, reason: &str) {
        let entry = RefusedWorker { run: self.run.clone(), reason: reason.to_owned(), pardoned: false };
        let _ = self.broker.put_refused_worker(worker, &entry);
    }
}
