//! State shared by all connections.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, watch};

use crate::engine::Effort;
use crate::engine::worker_pool::WorkerPool;

use super::super::sessions::Sessions;
use super::super::shared_boards::SharedBoards;
use super::super::tab_files::TabFiles;
use super::access::AllowedHosts;
use super::cluster_view::ClusterView;
use super::game_files::GameFiles;
use super::models::Models;
use super::page::Page;
use super::run_view::RunView;

/// State shared by all connections.
pub(crate) struct AppState {
    pub models: Models,
    /// The files with which the engine runs in a tab, if there are any.
    pub tab: Option<TabFiles>,
    /// Runs the searches.
    pub pool: WorkerPool,
    /// The default limits at full strength.
    pub effort: Effort,
    /// Whether the page begins the first of the games, even if the browser has kept one of another game.
    pub is_game_asked_for: bool,
    pub run: Option<RunView>,
    /// The cluster that plays for the run.
    pub cluster: Option<ClusterView>,
    /// The hosts that requests may name.
    pub allowed_hosts: AllowedHosts,
    pub sessions: Arc<Sessions>,
    /// The boards that people share.
    pub boards: SharedBoards,
    pub page: Page,
    /// The time after which a silent client is disconnected.
    pub silence: Duration,
    pub game_files: GameFiles,
    /// Permits to compute the states of a game; more at a time would keep the searches from their cores.
    pub views: Semaphore,
    /// Becomes true when the server is to end.
    pub closing: watch::Sender<bool>,
}

impl AppState {
    /// Returns a receiver of `closing`.
    pub fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }
}
