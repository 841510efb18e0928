//! The workers from which a coordinator takes nothing any more.
//!
//! The coordinator remembers them and tells the broker, where they are listed for workers, for the next coordinator of the
//! run, and for people, who may pardon them. A broker that lost its store is told again.

use std::collections::BTreeMap;
use std::sync::{MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use super::acceptance::Refusal;
use super::broker::Broker;
use super::coordinator::BrokerGames;
use super::error::ClusterError;
use super::names::{REFUSED, STATE, refused_key};

/// The most names to remember. Games under further names are still checked and refused one by one.
const MOST_NAMES: usize = 1000;

/// What the broker keeps of a worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    /// The run that refuses it.
    run: String,
    /// Why.
    reason: String,
    /// Whether it may play again.
    pardoned: bool,
}

impl Entry {
    /// Anything else under such a key is a reason as well.
    fn read(bytes: &[u8]) -> Self {
        serde_json::from_slice(bytes).unwrap_or_else(|_| {
            let reason = String::from_utf8_lossy(bytes).into_owned();
            Self { run: String::new(), reason, pardoned: false }
        })
    }

    fn store(&self, broker: &Broker, worker: &str) -> Result<(), ClusterError> {
        broker.put(STATE, &refused_key(worker), &serde_json::to_vec(self).expect("texts are JSON"))
    }
}

/// The entries of all workers that are refused or pardoned.
fn entries(broker: &Broker) -> Result<impl Iterator<Item = (String, Entry)>, ClusterError> {
    let entries = broker.entries(STATE)?.into_iter();
    Ok(entries.filter_map(|(key, bytes)| Some((key.strip_prefix(REFUSED)?.to_owned(), Entry::read(&bytes)))))
}

/// Why a worker is refused, by what the broker keeps under its key; none if it may play.
pub(super) fn refusal(bytes: &[u8]) -> Option<String> {
    let entry = Entry::read(bytes);
    (!entry.pardoned).then_some(entry.reason)
}

/// The workers that are refused, and why.
pub(super) fn refused_workers(broker: &Broker) -> Result<BTreeMap<String, String>, ClusterError> {
    let refused = entries(broker)?.filter(|(_, entry)| !entry.pardoned);
    Ok(refused.map(|(worker, entry)| (worker, entry.reason)).collect())
}

/// Lets a worker that was refused play again; false if it was not refused.
///
/// # Errors
/// If the broker does not allow it.
pub fn pardon(broker: &Broker, worker: &str) -> Result<bool, ClusterError> {
    let entry = broker.get(STATE, &refused_key(worker))?.map(|(bytes, _)| Entry::read(&bytes));
    let Some(entry) = entry.filter(|entry| !entry.pardoned) else { return Ok(false) };
    // Not removed: that happens to all entries when a broker loses its store.
    Entry { pardoned: true, ..entry }.store(broker, worker)?;
    Ok(true)
}

impl BrokerGames {
    /// Goes on refusing the workers that this run has refused before. Those that another one has refused may play.
    pub(super) fn recall_refusals(&self) -> Result<(), ClusterError> {
        for (worker, entry) in entries(&self.broker)? {
            if entry.run == self.settings.run && !entry.pardoned {
                self.refused().insert(worker, entry.reason);
            } else {
                self.broker.remove(STATE, &refused_key(&worker))?;
            }
        }
        Ok(())
    }

    /// Takes nothing from a worker any more, and tells it.
    pub(super) fn refuse(&self, worker: &str, refusal: &Refusal) {
        let mut refused = self.refused();
        if refused.len() < MOST_NAMES {
            let reason = refusal.to_string();
            self.tell_broker(worker, &reason);
            refused.insert(worker.to_owned(), reason);
        }
    }

    /// Whether nothing is taken from a worker.
    pub(super) fn is_refused(&self, worker: &str) -> bool {
        let mut refused = self.refused();
        let Some(reason) = refused.get(worker) else { return false };
        match self.broker.get(STATE, &refused_key(worker)) {
            Ok(Some((bytes, _))) if Entry::read(&bytes).pardoned => {
                refused.remove(worker);
                // If it stays, it says nothing but that the worker may play.
                let _ = self.broker.remove(STATE, &refused_key(worker));
                false
            }
            // It was not heard, or has been lost.
            Ok(None) => {
                self.tell_broker(worker, reason);
                true
            }
            _ => true,
        }
    }

    /// Whether the broker hears of it makes no difference to the run.
    fn tell_broker(&self, worker: &str, reason: &str) {
        let entry = Entry { run: self.settings.run.clone(), reason: reason.to_owned(), pardoned: false };
        let _ = entry.store(&self.broker, worker);
    }

    fn refused(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
