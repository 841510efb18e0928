//! Buckets of keys with their values.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_nats::jetstream::kv::{self, Store};
use futures_util::StreamExt;

use super::super::error::ClusterError;
use super::super::mirror::Mirror;
use super::{Broker, PAUSE, answered, locked, messages_by_subject};

/// A watch that hears nothing for so long is begun anew, whatever the reason.
const WATCH_ANEW: Duration = Duration::from_secs(15);

impl Broker {
    async fn bucket(&self, name: &'static str) -> Result<Store, ClusterError> {
        if let Some(store) = locked(&self.buckets).get(name) {
            return Ok(store.clone());
        }
        let store = answered("to find a bucket", self.jetstream.get_key_value(name)).await?;
        locked(&self.buckets).insert(name, store.clone());
        Ok(store)
    }

    /// Sets a key.
    ///
    /// # Errors
    /// If the broker does not take it.
    pub fn put(&self, bucket: &'static str, key: &str, value: &[u8]) -> Result<(), ClusterError> {
        let value = value.to_vec().into();
        self.wait(async { answered("to set a key", self.bucket(bucket).await?.put(key, value)).await.map(|_| ()) })
    }

    /// The value of a key and its revision.
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

    /// Sets a key that is not set, or one that has this revision; the new revision. None if another has been faster.
    ///
    /// # Errors
    /// If the broker does not answer.
    pub(in crate::cluster) fn exchange(
        &self,
        bucket: &'static str,
        key: &str,
        value: &[u8],
        revision: Option<u64>,
    ) -> Result<Option<u64>, ClusterError> {
        const DOING: &str = "to set a key";
        let value = value.to_vec().into();
        self.wait(async {
            let store = self.bucket(bucket).await?;
            let exchange = async {
                match revision {
                    None => match store.create(key, value).await {
                        Err(error) if error.kind() == kv::CreateErrorKind::AlreadyExists => Ok(None),
                        result => result.map(Some).map_err(|error| error.to_string()),
                    },
                    Some(revision) => match store.update(key, value, revision).await {
                        Err(error) if error.kind() == kv::UpdateErrorKind::WrongLastRevision => Ok(None),
                        result => result.map(Some).map_err(|error| error.to_string()),
                    },
                }
            };
            answered(DOING, exchange).await
        })
    }

    /// Removes a key.
    ///
    /// # Errors
    /// If the broker does not answer.
    pub fn remove(&self, bucket: &'static str, key: &str) -> Result<(), ClusterError> {
        self.wait(async { answered("to remove a key", self.bucket(bucket).await?.delete(key)).await })
    }

    /// All keys of a bucket with their values.
    ///
    /// # Errors
    /// If the broker does not answer, or has no such bucket.
    pub fn entries(&self, bucket: &'static str) -> Result<Vec<(String, Vec<u8>)>, ClusterError> {
        const DOING: &str = "to read a bucket";
        self.wait(async {
            let store = self.bucket(bucket).await?;
            // The client's own list of keys has no end where one changes meanwhile.
            let prefix = format!("$KV.{bucket}.");
            let keys = messages_by_subject(&self.jetstream, &format!("KV_{bucket}"), &format!("{prefix}>")).await?;
            let keys: BTreeSet<&str> = keys.iter().filter_map(|(subject, _)| subject.strip_prefix(&prefix)).collect();
            let mut entries = Vec::new();
            for key in keys {
                // A worker's account may write other names, which cannot be read.
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

    /// Follows a bucket from now on.
    pub(in crate::cluster) fn mirror(&self, bucket: &'static str) -> Mirror {
        let entries = Arc::new(Mutex::new(HashMap::new()));
        let (jetstream, seen) = (self.jetstream.clone(), entries.clone());
        let mut connections = self.connections.clone();
        let follow = async move {
            loop {
                connections.mark_unchanged();
                if let Ok(store) = jetstream.get_key_value(bucket).await
                    && let Ok(mut changes) = store.watch_with_history(">").await
                {
                    loop {
                        let change = tokio::select! {
                            change = tokio::time::timeout(WATCH_ANEW, changes.next()) => change,
                            // What was said meanwhile is lost.
                            _ = connections.changed() => break,
                        };
                        let Ok(Some(Ok(entry))) = change else { break };
                        let mut seen = locked(&seen);
                        match entry.operation {
                            kv::Operation::Put => seen.insert(entry.key, entry.value.to_vec()),
                            kv::Operation::Delete | kv::Operation::Purge => seen.remove(&entry.key),
                        };
                    }
                }
                tokio::time::sleep(PAUSE).await;
            }
        };
        Mirror { entries, task: self.runtime.spawn(follow).abort_handle() }
    }
}
