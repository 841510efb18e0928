//! Banned workers, whose games a coordinator no longer accepts.
//!
//! Workers are identified by the key that signs their messages: without rights by name at the
//! broker, anybody can send in anybody's name. So a bad game bans the key that signed it, and games
//! that other keys sign in the same name are all played again: they may be those of a worker whose
//! name another one has used, or of a banned worker that has restarted.
//!
//! The coordinator keeps the list and publishes it at the broker: for the workers, for the next
//! coordinator of the run, and for people, who may unban a worker. If a broker loses its store, the
//! list is published again.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::super::broker::Broker;
use super::super::error::ClusterError;
use super::super::wire::{BannedWorker, STATE, ban_key};

/// Limit of the list. Games of further workers are still checked and refused message by message.
const MAX_WORKERS: usize = 1000;
/// Limit of the banned keys of a worker. Games of further keys are all played again.
const MAX_KEYS: usize = 100;
/// Interval of checks whether a worker has been unbanned.
const UNBAN_INTERVAL: Duration = Duration::from_millis(500);

/// Standing of a worker with a coordinator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Nothing is known against the worker.
    Good,
    /// Bad games were sent in the worker's name, with another key.
    Suspect,
    /// The worker has sent bad games and is banned.
    Banned,
}

/// Workers banned from a run, with reasons.
pub struct BannedWorkers {
    broker: Arc<Broker>,
    run: String,
    /// Entries by name, with the time of the latest check at the broker.
    entries: Mutex<BTreeMap<String, (BannedWorker, Instant)>>,
}

impl BannedWorkers {
    /// Starts an empty list of the run `run`.
    pub fn new(broker: Arc<Broker>, run: String) -> Self {
        Self { broker, run, entries: Mutex::default() }
    }

    /// Restores the bans of this run, and lifts those of other runs.
    pub fn restore(&self) -> Result<(), ClusterError> {
        for (worker, entry) in self.broker.banned_workers()? {
            if entry.run == self.run && !entry.unbanned {
                self.entries.lock().insert(worker, (entry, Instant::now()));
            } else {
                self.broker.remove(STATE, &ban_key(&worker))?;
            }
        }
        Ok(())
    }

    /// Bans `worker` from now on, as far as this key signs its games, and tells it.
    pub fn ban(&self, worker: &str, key: &str, reason: String) {
        let mut entries = self.entries.lock();
        if entries.len() >= MAX_WORKERS && !entries.contains_key(worker) {
            return;
        }
        let new = || BannedWorker { run: self.run.clone(), reason: String::new(), unbanned: false, keys: Vec::new() };
        let (entry, _) = entries.entry(worker.to_owned()).or_insert_with(|| (new(), Instant::now()));
        entry.reason = reason;
        if entry.keys.len() < MAX_KEYS && !entry.keys.iter().any(|known| known == key) {
            entry.keys.push(key.to_owned());
        }
        self.publish(worker, entry);
    }

    /// Returns what is known of `worker` with this key, unless it has been unbanned since.
    pub fn standing(&self, worker: &str, key: &str) -> Standing {
        let mut entries = self.entries.lock();
        let Some((entry, looked)) = entries.get_mut(worker) else { return Standing::Good };
        let standing =
            if entry.keys.iter().any(|refused| refused == key) { Standing::Banned } else { Standing::Suspect };
        if looked.elapsed() < UNBAN_INTERVAL {
            return standing;
        }
        *looked = Instant::now();
        match self.broker.banned_worker(worker) {
            Ok(Some(entry)) if entry.unbanned => {
                entries.remove(worker);
                // An unbanned entry that stays does no harm.
                let _ = self.broker.remove(STATE, &ban_key(worker));
                return Standing::Good;
            }
            // The entry was not published, or has been lost.
            Ok(None) => self.publish(worker, entry),
            _ => {}
        }
        standing
    }

    /// Publishes an entry. The run does not depend on its success.
    fn publish(&self, worker: &str, entry: &BannedWorker) {
        let _ = self.broker.put_banned_worker(worker, entry);
    }
}
