//! Local copy of a bucket that follows its changes.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::kv;
use futures_util::StreamExt;
use parking_lot::Mutex;

use super::connection::{Broker, RETRY_PAUSE};

/// Time without changes after which a watch is started again.
const WATCH_TIMEOUT: Duration = Duration::from_secs(15);

/// Local copy of a bucket, as far as its changes have arrived.
#[derive(Debug)]
pub(in crate::cluster) struct FollowedBucket {
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
    pub(in crate::cluster) fn follow(&self, bucket: &'static str) -> FollowedBucket {
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
