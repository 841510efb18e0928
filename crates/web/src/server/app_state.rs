//! State shared by all connections, the games of the server with their models, and what the server asks of the system:
//! to open the page in a browser, and to take back freed memory.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{Semaphore, watch};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use crate::WebError;
use hexzero_engine::model::LoadedModel;
use hexzero_engine::worker_pool::WorkerPool;
use hexzero_engine::{Effort, Engine};
use hexzero_games::{Game, all_games};
use hexzero_models::largest_learnt;
use hexzero_nn::Backend;
use hexzero_protocol::about::OfferedGame;
use hexzero_protocol::answer::no_game;
use hexzero_protocol::session_engine::SessionEngine;
use hexzero_search::Exact;
use hexzero_system::threads;
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
    /// Loads all games with the shipped models. `first` comes first, with `model` if given, and so do games that share
    /// its network. Searches use exact values as `exact` says.
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
        let (game, model) = (served.game, served.model.lock().fork());
        let engine = Engine::new(game, game.boards.default, model).expect("the default size is the game's own");
        // Searches by visits keep to one thread, so that they repeat.
        Ok(SessionEngine::new(engine.on_threads(None), rand::random()))
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
}

/// The variable that names the browser, with arguments if need be.
const BROWSER: &str = "BROWSER";

/// Opens an address in the browser that `BROWSER` names, or in that of the system. Does not wait for it. Fails if it
/// cannot be started.
pub(super) fn open(address: &str) -> io::Result<()> {
    let mut words = std::env::var(BROWSER).ok().and_then(|browser| shlex::split(&browser)).unwrap_or_default();
    if words.is_empty() {
        words = of_system().iter().map(ToString::to_string).collect();
    }
    let (program, arguments) = words.split_first().ok_or(io::ErrorKind::NotFound)?;
    let mut command = Command::new(program);
    command.args(arguments).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut browser = command.spawn()?;
    // Waited for, if the system has a thread for it, so that no zombie process is left.
    let _ = threads::spawn(move || browser.wait());
    Ok(())
}

/// Returns the system's command that opens an address.
fn of_system() -> &'static [&'static str] {
    if cfg!(target_os = "macos") {
        &["open"]
    } else if cfg!(windows) {
        &["rundll32", "url.dll,FileProtocolHandler"]
    } else {
        &["xdg-open"]
    }
}

/// The interval at which small blocks are given back.
const PAUSE: Duration = Duration::from_secs(5);

/// Makes the allocator return large blocks to the system when they are freed. glibc's threshold for
/// that rises with each large block that is freed, up to 32 MiB, and smaller blocks are returned
/// only from the end of the heap, so the search trees of clients who have left would stay
/// allocated. A threshold that is set explicitly does not rise. Other C libraries have no such
/// setting.
///
/// Call it before there are other threads.
pub(super) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it takes two numbers and keeps no reference; no other thread is there to allocate meanwhile.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 128 << 10);
    }
}

/// Returns freed small blocks to the system, a few seconds after connections have closed. By itself
/// the allocator keeps those that lie between blocks in use.
pub(super) async fn give_back_after_clients(sessions: Arc<Sessions>) {
    let mut count = sessions.limiter.count();
    let mut before = *count.borrow_and_update();
    while count.changed().await.is_ok() {
        let now = *count.borrow_and_update();
        if now < before {
            sleep(PAUSE).await;
            // Best effort.
            let _ = spawn_blocking(give_back_small_blocks).await;
        }
        before = now;
    }
}

fn give_back_small_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it takes a number and keeps no reference; it locks what other threads allocate from.
    unsafe {
        libc::malloc_trim(0);
    }
}
