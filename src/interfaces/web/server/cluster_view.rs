//! The state of a cluster that plays for the run shown.

use std::fmt::{self, Debug};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// The time for which an answer is kept.
const KEPT: Duration = Duration::from_secs(5);

/// Asks for the state of a cluster.
type Ask = dyn Fn() -> Answer + Send + Sync;

/// The state as JSON, or the reason why there is none.
type Answer = Result<String, String>;

/// The state of a cluster, asked for at most every five seconds. Asking blocks the thread.
#[derive(Clone)]
pub struct ClusterView {
    ask: Arc<Ask>,
    latest: Arc<Mutex<Option<(Instant, Answer)>>>,
}

impl ClusterView {
    /// Creates a view of the state that `ask` returns, as JSON, or the reason why there is none.
    pub fn new(ask: impl Fn() -> Result<String, String> + Send + Sync + 'static) -> Self {
        Self { ask: Arc::new(ask), latest: Arc::default() }
    }

    /// Returns the state as JSON.
    ///
    /// # Errors
    /// If the cluster cannot be asked.
    pub(super) fn status(&self) -> Result<String, String> {
        // Requests that come meanwhile wait for the same answer.
        let mut latest = self.latest.lock();
        match &*latest {
            Some((when, status)) if when.elapsed() < KEPT => status.clone(),
            _ => latest.insert((Instant::now(), (self.ask)())).1.clone(),
        }
    }
}

impl Debug for ClusterView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterView").finish_non_exhaustive()
    }
}
