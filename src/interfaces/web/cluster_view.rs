//! The state of a cluster that plays for the run shown.

use std::fmt::{self, Debug};
use std::sync::Arc;

/// Asks for the state of a cluster. It waits for others: not for a thread that must not wait.
#[derive(Clone)]
pub struct ClusterView(Arc<dyn Fn() -> Result<String, String> + Send + Sync>);

impl ClusterView {
    /// `ask` returns the state as JSON, or why there is none.
    pub fn new(ask: impl Fn() -> Result<String, String> + Send + Sync + 'static) -> Self {
        Self(Arc::new(ask))
    }

    /// The state as JSON.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) fn status(&self) -> Result<String, String> {
        (self.0)()
    }
}

impl Debug for ClusterView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterView").finish_non_exhaustive()
    }
}
