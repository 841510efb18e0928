//! The list of refused workers, in the bucket of the run's state.

use super::super::error::ClusterError;
use super::super::wire::{REFUSED_KEYS, RefusedWorker, STATE, refused_key};
use super::connection::Broker;

impl Broker {
    /// Returns the entries of all workers that were refused, the pardoned ones included, with their names.
    pub(in crate::cluster) fn refused_workers(&self) -> Result<Vec<(String, RefusedWorker)>, ClusterError> {
        let entry = |(key, bytes): (String, Vec<u8>)| {
            Some((key.strip_prefix(REFUSED_KEYS)?.to_owned(), RefusedWorker::from_bytes(&bytes)?))
        };
        Ok(self.entries(STATE)?.into_iter().filter_map(entry).collect())
    }

    /// Returns the entry of `worker`.
    pub(in crate::cluster) fn refused_worker(&self, worker: &str) -> Result<Option<RefusedWorker>, ClusterError> {
        Ok(self.get(STATE, &refused_key(worker))?.and_then(|(bytes, _)| RefusedWorker::from_bytes(&bytes)))
    }

    /// Sets the entry of `worker`.
    pub(in crate::cluster) fn put_refused_worker(
        &self,
        worker: &str,
        entry: &RefusedWorker,
    ) -> Result<(), ClusterError> {
        self.put(STATE, &refused_key(worker), &serde_json::to_vec(entry).expect("texts are JSON"))
    }
}

/// Lets a refused worker play again. Returns false if it was not refused.
///
/// # Errors
/// If the broker does not allow it.
pub fn pardon(broker: &Broker, worker: &str) -> Result<bool, ClusterError> {
    let entry = broker.refused_worker(worker)?.filter(|entry| !entry.pardoned);
    let Some(entry) = entry else { return Ok(false) };
    // Marked, not removed: a coordinator restores a missing entry, as a broker that lost its store has none.
    broker.put_refused_worker(worker, &RefusedWorker { pardoned: true, ..entry })?;
    Ok(true)
}
