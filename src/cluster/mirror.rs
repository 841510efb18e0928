//! A bucket of the broker as it is followed here.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::broker::locked;

/// What a bucket holds, as far as its changes have come here.
#[derive(Debug)]
pub(super) struct Mirror {
    pub(super) entries: Arc<Mutex<HashMap<String, Vec<u8>>>>,
    pub(super) task: tokio::task::AbortHandle,
}

impl Mirror {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<Vec<u8>> {
        locked(&self.entries).get(key).cloned()
    }
}

impl Drop for Mirror {
    fn drop(&mut self) {
        self.task.abort();
    }
}
