//! Buckets: keys with their values, a local copy that follows changes, and the list of banned workers.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::kv::{self, Store};
use futures_util::StreamExt;
use parking_lot::Mutex;

use super::connection::{Broker, RETRY_PAUSE, answered, messages_by_subject};
use crate::ClusterError;
use crate::wire::{BAN_KEYS, BannedWorker, COORDINATOR_KEY, LEASE, STATE, ban_key};

impl Broker {
    async fn bucket(&self, name: &'static str) -> Result<Store, ClusterError> {
        if let Some(store) = self.buckets.lock().get(name) {
            return Ok(store.clone());
        }
        let store = answered("to find a bucket", self.jetstream.get_key_value(name)).await?;
        self.buckets.lock().insert(name, store.clone());
        Ok(store)
    }

    /// Sets `key` to `value`.
    ///
    /// # Errors
    /// If the broker does not accept it.
    pub fn put(&self, bucket: &'static str, key: &str, value: &[u8]) -> Result<(), ClusterError> {
        let value = value.to_vec().into();
        self.wait(async { answered("to set a key", self.bucket(bucket).await?.put(key, value)).await.map(|_| ()) })
    }

    /// Returns the value of `key` and its revision.
    ///
    /// # Errors
    /// If the broker does not answer.
    pub fn get(&self, bucket: &'static str, key: &str) -> Result<Option<(Vec<u8>, u64)>, ClusterError> {
        self.wait(async {
            let entry = answered("to read a key", self.bucket(bucket).await?.entry(key)).await?;
            let entry = entry.filter(|entry| entry.operation == kv::Operation::Put);
            Ok(entry.map(|entry| (entry.value.to_vec(), entry.revision)))
        })
    }

    /// Sets the lease if its revision is `revision`, or if it is not set where that is `None`. Returns the new revision, or
    /// `None` if the lease has another revision.
    ///
    /// # Errors
    /// If the broker does not answer.
    pub(crate) fn set_lease(&self, value: &[u8], revision: Option<u64>) -> Result<Option<u64>, ClusterError> {
        let value = value.to_vec().into();
        self.wait(async {
            let store = self.bucket(LEASE).await?;
            let set = async {
                match revision {
                    None => match store.create(COORDINATOR_KEY, value).await {
                        Err(error) if error.kind() == kv::CreateErrorKind::AlreadyExists => Ok(None),
                        result => result.map(Some).map_err(|error| error.to_string()),
                    },
                    Some(revision) => match store.update(COORDINATOR_KEY, value, revision).await {
                        Err(error) if error.kind() == kv::UpdateErrorKind::WrongLastRevision => Ok(None),
                        result => result.map(Some).map_err(|error| error.to_string()),
                    },
                }
            };
            answered("to set a key", set).await
        })
    }

    /// Removes `key`.
    ///
    /// # Errors
    /// If the broker does not answer.
    pub fn remove(&self, bucket: &'static str, key: &str) -> Result<(), ClusterError> {
        self.wait(async { answered("to remove a key", self.bucket(bucket).await?.delete(key)).await })
    }

    /// Returns all keys of `bucket` with their values.
    ///
    /// # Errors
    /// If the broker does not answer, or has no such bucket.
    pub fn entries(&self, bucket: &'static str) -> Result<Vec<(String, Vec<u8>)>, ClusterError> {
        const DOING: &str = "to read a bucket";
        self.wait(async {
            let store = self.bucket(bucket).await?;
            // The client's list of keys does not end if a key changes meanwhile.
            let prefix = format!("$KV.{bucket}.");
            let keys = messages_by_subject(&self.jetstream, &format!("KV_{bucket}"), &format!("{prefix}>")).await?;
            let keys: BTreeSet<&str> = keys.iter().filter_map(|(subject, _)| subject.strip_prefix(&prefix)).collect();
            let mut entries = Vec::new();
            for key in keys {
                // Worker accounts can write keys that the client cannot read.
                if !key.chars().all(|c| c.is_ascii_alphanumeric() || "-/_=.".contains(c)) {
                    continue;
                }
                if let Some(value) = answered(DOING, store.get(key)).await? {
                    entries.push((key.to_owned(), value.to_vec()));
                }
            }
            Ok(entries)
        })
    }
}

/// Time without changes after which a watch is started again.
const WATCH_TIMEOUT: Duration = Duration::from_secs(15);

/// Local copy of a bucket, as far as its changes have arrived.
#[derive(Debug)]
pub(crate) struct FollowedBucket {
    entries: Arc<Mutex<HashMap<String, Vec<u8>>>>,
    task: tokio::task::AbortHandle,
}

impl FollowedBucket {
    /// Returns the value of `key`.
    pub fn get(&self, key: &str) -> Option<Vec<u8>> {
        self.entries.lock().get(key).cloned()
    }
}

impl Drop for FollowedBucket {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Broker {
    /// Follows `bucket` from now on.
    pub(crate) fn follow(&self, bucket: &'static str) -> FollowedBucket {
        let entries = Arc::new(Mutex::new(HashMap::new()));
        let (jetstream, copy) = (self.jetstream.clone(), entries.clone());
        let mut connections = self.connections.clone();
        let follow = async move {
            loop {
                connections.mark_unchanged();
                if let Ok(store) = jetstream.get_key_value(bucket).await
                    && let Ok(mut changes) = store.watch_with_history(">").await
                {
                    loop {
                        let change = tokio::select! {
                            change = tokio::time::timeout(WATCH_TIMEOUT, changes.next()) => change,
                            // Changes made while the connection was lost do not arrive.
                            _ = connections.changed() => break,
                        };
                        let Ok(Some(Ok(entry))) = change else { break };
                        let mut copy = copy.lock();
                        match entry.operation {
                            kv::Operation::Put => copy.insert(entry.key, entry.value.to_vec()),
                            kv::Operation::Delete | kv::Operation::Purge => copy.remove(&entry.key),
                        };
                    }
                }
                tokio::time::sleep(RETRY_PAUSE).await;
            }
        };
        FollowedBucket { entries, task: self.runtime.spawn(follow).abort_handle() }
    }
}

impl Broker {
    /// Returns the entries of all workers that were banned, the unbanned ones included, with their
    /// names.
    pub(crate) fn banned_workers(&self) -> Result<Vec<(String, BannedWorker)>, ClusterError> {
        let entry = |(key, bytes): (String, Vec<u8>)| {
            Some((key.strip_prefix(BAN_KEYS)?.to_owned(), BannedWorker::from_bytes(&bytes)?))
        };
        Ok(self.entries(STATE)?.into_iter().filter_map(entry).collect())
    }

    pub(crate) fn banned_worker(&self, worker: &str) -> Result<Option<BannedWorker>, ClusterError> {
        Ok(self.get(STATE, &ban_key(worker))?.and_then(|(bytes, _)| BannedWorker::from_bytes(&bytes)))
    }

    pub(crate) fn put_banned_worker(&self, worker: &str, entry: &BannedWorker) -> Result<(), ClusterError> {
        self.put(STATE, &ban_key(worker), &serde_json::to_vec(entry).expect("texts are JSON"))
    }
}

/// Unbans a worker. Returns false if it was not banned.
///
/// # Errors
/// If the broker does not allow it.
pub fn unban(broker: &Broker, worker: &str) -> Result<bool, ClusterError> {
    let entry = broker.banned_worker(worker)?.filter(|entry| !entry.unbanned);
    let Some(entry) = entry else { return Ok(false) };
    // Marked instead of removed: a coordinator restores a missing entry, since a broker that lost
    // its store has none.
    broker.put_banned_worker(worker, &BannedWorker { unbanned: true, ..entry })?;
    Ok(true)
}
