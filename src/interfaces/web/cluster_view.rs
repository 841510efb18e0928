//! The state of a cluster that plays for the run shown.

use std::fmt::{self, Debug};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// An answer is good for so long.
const FRESH: Duration = Duration::from_secs(5);

/// Asks for the state of a cluster.
type Ask = dyn Fn() -> Answer + Send + Sync;

/// The state as JSON, or why there is none.
type Answer = Result<String, String>;

/// The state of a cluster, asked for now and then. It waits for others: not for a thread that must not wait.
#[derive(Clone)]
pub struct ClusterView {
    ask: Arc<Ask>,
    latest: Arc<Mutex<Option<(Instant, Answer)>>>,
}

impl ClusterView {
    /// `ask` returns the state as JSON, or why there is none.
    pub fn new(ask: impl Fn() -> Result<String, String> + Send + Sync + 'static) -> Self {
        Self { ask: Arc::new(ask), latest: Arc::default() }
    }

    /// The state as JSON.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) fn status(&self) -> Result<String, String> {
        // Who comes meanwhile waits for the same answer.
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        match &*latest {
            Some((when, status)) if when.elapsed() < FRESH => status.clone(),
            _ => latest.insert((Instant::now(), (self.ask)())).1.clone(),
        }
    }
}

impl Debug for ClusterView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterView").finish_non_exhaustive()
    }
}
