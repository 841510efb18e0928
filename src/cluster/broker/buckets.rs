//! Buckets: keys with their values.

use std::collections::BTreeSet;

use async_nats::jetstream::kv::{self, Store};

use super::super::error::ClusterError;
use super::connection::{Broker, answered, messages_by_subject};

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

    /// Sets `key` if its revision is `revision`, or if it is not set where that is `None`. Returns the new revision, or
    /// `None` if the key has another revision.
    ///
    /// # Errors
    /// If the broker does not answer.
    pub(in crate::cluster) fn compare_and_set(
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
            let set = async {
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
            answered(DOING, set).await
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
