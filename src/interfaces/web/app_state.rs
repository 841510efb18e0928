//! State shared by all connections.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::engine::Effort;
use crate::engine::worker_pool::WorkerPool;

use super::cluster_view::ClusterView;
use super::gate::Callers;
use super::models::Models;
use super::page::Page;
use super::run_view::RunView;
use super::sessions::Sessions;

/// State shared by all connections.
pub(super) struct AppState {
    pub models: Models,
    /// Runs the searches.
    pub pool: WorkerPool,
    /// The default limits at full strength.
    pub effort: Effort,
    /// Whether the page is to begin the first of the games.
    pub is_game_asked_for: bool,
    pub run: Option<RunView>,
    /// The cluster that plays for the run.
    pub cluster: Option<ClusterView>,
    /// The names by which the server may be called.
    pub callers: Callers,
    pub sessions: Arc<Sessions>,
    pub page: Page,
    /// A client from which nothing comes for so long is gone.
    pub silence: Duration,
    /// Becomes true when the server is to end.
    pub closing: watch::Sender<bool>,
}

impl AppState {
    /// Receives when the server is to end.
    pub fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }
}
