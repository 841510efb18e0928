//! State shared by all connections, and the games of the server with their models.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{Semaphore, watch};

use crate::error::WebError;
use hexzero_engine::model::LoadedModel;
use hexzero_engine::worker_pool::WorkerPool;
use hexzero_engine::{Effort, Engine};
use hexzero_games::{Game, all_games};
use hexzero_models::largest_learnt;
use hexzero_nn::Backend;
use hexzero_protocol::about::OfferedGame;
use hexzero_protocol::position_view::no_game;
use hexzero_protocol::session_engine::SessionEngine;
use hexzero_search::Exact;
use hexzero_train::model_files::load_evaluator;

use super::super::sessions::Sessions;
use super::super::shared_boards::SharedBoards;
use super::super::tab_files::TabFiles;
use super::access::AllowedHosts;
use super::game_files::GameFiles;
use super::page::Page;
use super::run_view::{ClusterView, RunView};

/// State shared by all connections.
pub(crate) struct AppState {
    pub models: Models,
    /// The files with which the engine runs in a tab, if there are any.
    pub tab: Option<TabFiles>,
    /// The threads that run the searches.
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

/// All games, the one to begin with first.
pub(crate) struct Models {
    games: Vec<ServedGame>,
}

/// A game and its model.
struct ServedGame {
    game: Game,
    /// Whether the model is a network.
    has_network: bool,
    /// The largest board size that the model was trained on, if known.
    learnt: Option<usize>,
    /// The model. Connections have evaluators of their own, which share its weights and cache.
    model: Mutex<LoadedModel>,
}

impl Models {
    /// Loads all games with the shipped models. `first` comes first, with `model` if given, and so do games that share its
    /// network. Searches use exact values as `exact` says.
    pub fn load(first: Game, model: Option<&Path>, exact: Exact, backend: &Backend) -> Result<Self, WebError> {
        let others = all_games().into_iter().filter(|&game| game != first);
        let load = |game: Game| ServedGame::load(game, model.filter(|_| game.network == first.network), exact, backend);
        let games = std::iter::once(first).chain(others).map(load);
        Ok(Self { games: games.collect::<Result<_, _>>()? })
    }

    /// Describes all games, the one to begin with first.
    pub fn offered(&self) -> Vec<OfferedGame> {
        let offered = |served: &ServedGame| OfferedGame {
            game: served.game,
            model: served.model.lock().description.clone(),
            has_network: served.has_network,
            learnt: served.learnt,
        };
        self.games.iter().map(offered).collect()
    }

    /// Creates an engine for the game of this name.
    pub fn engine(&self, name: &str) -> Result<SessionEngine, String> {
        let served = self.games.iter().find(|served| served.game.name() == name).ok_or_else(|| no_game(name))?;
        Ok(served.engine())
    }
}

impl ServedGame {
    fn load(game: Game, model: Option<&Path>, exact: Exact, backend: &Backend) -> Result<Self, WebError> {
        let shipped = largest_learnt(game);
        let (has_network, learnt) = (model.is_some() || shipped.is_some(), shipped.filter(|_| model.is_none()));
        let mut model = load_evaluator(game, model, backend)?;
        model.search.exact = exact;
        Ok(Self { game, has_network, learnt, model: Mutex::new(model) })
    }

    fn engine(&self) -> SessionEngine {
        let model = self.model.lock().fork();
        let engine =
            Engine::new(self.game, self.game.boards.default, model).expect("the default size is the game's own");
        // Searches by visits keep to one thread, so that they repeat.
        SessionEngine::new(engine.on_threads(None), rand::random())
    }
}
