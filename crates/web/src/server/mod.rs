//! The HTTP server: listening, its paths, its connections and their end.

mod access;
mod app_state;
mod game_files;
mod opinion;
pub(super) mod page;
mod run_view;

use std::io::{self, IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener as StdListener};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{DefaultBodyLimit, Path as UrlPath, RawQuery, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{Request, StatusCode, Uri};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout};

use crate::{WebError, not_started};
use hexzero_engine::Effort;
use hexzero_engine::worker_pool::WorkerPool;
use hexzero_games::{Game, game_named};
use hexzero_models::shipped_puzzles;
use hexzero_nn::Backend;
use hexzero_protocol::about::{About, LayoutError, layout, openings};
use hexzero_search::Exact;
use hexzero_system::stop::StopSignal;
use hexzero_system::texts::without_error_numbers;
use hexzero_system::{notice, threads, warning};

use super::connection::{MAX_FRAME_BYTES, serve_client};
use super::connection_limiter::ConnectionLimiter;
use super::sessions::Sessions;
use super::shared_boards::SharedBoards;
use super::tab_files::{ModuleError, TabFiles};

use access::guard;
use app_state::Models;
use game_files::{GameFiles, games};
pub use page::PageFiles;
use page::{ICON, INDEX, LEARN, Page};
use run_view::RunView;

pub use run_view::ClusterView;

pub(super) use access::AllowedHosts;
pub(super) use app_state::AppState;

/// The number of connections at a time that are not WebSockets. Beyond that the oldest are closed.
const HTTP_CONNECTIONS: usize = 256;

/// The number of threads that talk to clients.
const WORKERS: usize = 2;

/// The port that is listened on if none is asked for and no other program has it.
const PORT: u16 = 8765;

/// The time after which a connection that is not a WebSocket accepts no more requests, and the time limit of the request
/// then in progress; browsers open a new connection when needed.
const HTTP_TIMEOUT: Duration = Duration::from_secs(60);

/// The time limit for the head of a request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);

/// The time between two checks whether the server is to end.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The time that clients have to leave when the server ends.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(800);

/// The answer to questions about a run where none is watched.
const NO_RUN: &str = "no run is shown here; 'hexzero serve --run DIR' shows one\n";

/// Settings of the server.
pub struct ServeOptions {
    /// The name or address to listen on.
    pub host: String,
    /// The port, 0 for any that is free; by default 8765, or any if that is taken.
    pub port: Option<u16>,
    /// The game that the page begins with.
    pub game: Game,
    /// Whether the user named that game: then the page begins it, even if the browser has kept one of another game.
    pub is_game_asked_for: bool,
    /// The checkpoint, or the folder of a run, for that game; by default the shipped model.
    pub model: Option<PathBuf>,
    /// Where searches at full strength use exact values.
    pub exact: Exact,
    /// The folder of a training run to show.
    pub run: Option<PathBuf>,
    /// The cluster that plays for that run.
    pub cluster: Option<ClusterView>,
    /// Host names that requests may use, beside addresses and `host`.
    pub names: Vec<String>,
    /// The limit on connections at a time.
    pub sessions: usize,
    /// The limit on boards that are shared at a time.
    pub shared: usize,
    /// The limit on bytes for the search trees and unread answers of all connections together.
    pub memory: usize,
    /// The default limits at full strength.
    pub effort: Effort,
    /// Whether to open the page in a browser.
    pub open: bool,
    /// The engine's WebAssembly module, for the engine in a tab; by default that beside the program, if there is one.
    pub module: Option<PathBuf>,
    /// The page compiled in.
    pub files: PageFiles,
    /// The backend that evaluates networks.
    pub backend: Backend,
    /// A folder with the files of the page, in place of those compiled in.
    pub page: Option<PathBuf>,
    /// The time after which a silent client is disconnected; it gets three pings meanwhile.
    pub silence: Duration,
}

/// A request's client.
#[derive(Debug, Clone)]
struct Client {
    address: IpAddr,
    /// Ends the connection at once when notified.
    cut: Arc<Notify>,
}

/// Serves the page until `stop` is requested.
///
/// # Errors
/// If a model or a run cannot be read, or the address cannot be listened on.
pub fn serve(options: ServeOptions, stop: &StopSignal) -> Result<(), WebError> {
    app_state::give_back();
    let host = options.host;
    let listener = listen(&host, options.port)?;
    listener.set_nonblocking(true).map_err(not_started)?;
    let address = listener.local_addr().map_err(not_started)?;
    // Without threads tokio would panic. One more for the first blocking task.
    threads::try_some(WORKERS + 1).map_err(|error| error.to_string())?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(WORKERS).enable_all().build();
    let runtime = runtime.map_err(not_started)?;
    let tab = tab_files(options.module.as_deref(), options.game, options.model.as_deref())?;
    let state = AppState {
        models: Models::load(options.game, options.model.as_deref(), options.exact, &options.backend)?,
        tab,
        pool: WorkerPool::new(available_parallelism().unwrap_or(NonZeroUsize::MIN))
            .map_err(|error| error.to_string())?,
        effort: options.effort,
        is_game_asked_for: options.is_game_asked_for,
        run: options.run.as_deref().map(RunView::open).transpose()?,
        cluster: options.cluster,
        allowed_hosts: AllowedHosts::new(address.ip(), &host, options.names),
        sessions: Sessions::new(options.sessions, options.memory),
        boards: SharedBoards::new(options.shared),
        page: options.page.map_or(Page::Embedded(options.files), Page::Folder),
        silence: options.silence,
        game_files: GameFiles::default(),
        views: tokio::sync::Semaphore::new(WORKERS),
        closing: watch::Sender::new(false),
    };
    // Programs that read the output get the address alone.
    if io::stdout().is_terminal() {
        writeln!(
            io::stdout(),
            "Serving the page of hexzero. Open this address in a browser; Ctrl-C stops the server."
        )?;
    }
    writeln!(io::stdout(), "http://{address}")?;
    if options.open {
        let near = if address.ip().is_unspecified() { here(address) } else { address };
        // The server runs even if no browser can be opened.
        if let Err(error) = app_state::open(&format!("http://{near}")) {
            notice(format_args!("cannot open a browser: {error}; open the address above in one"));
        }
    }

    runtime.block_on(accept(listener, Arc::new(state), stop)).map_err(not_started)?;
    // Does not wait for what is being made of a run.
    runtime.shutdown_background();
    Ok(())
}

/// Listens on the port that is asked for, or on [`PORT`], or on any if that is taken.
fn listen(host: &str, port: Option<u16>) -> Result<StdListener, WebError> {
    let bind = |port: u16| StdListener::bind((host, port)).map_err(|error| (port, error));
    let bound = match (port, bind(port.unwrap_or(PORT))) {
        (None, Err((_, error))) if error.kind() == io::ErrorKind::AddrInUse => bind(0),
        (_, bound) => bound,
    };
    bound.map_err(|(port, error)| {
        format!("cannot listen on {host}:{port}: {error}; choose others with --host and --port").into()
    })
}

/// Reads the files with which the engine runs in a tab; none if no module was named and there is none with all games.
fn tab_files(module: Option<&Path>, game: Game, model: Option<&Path>) -> Result<Option<TabFiles>, WebError> {
    match TabFiles::read(module) {
        Ok(mut tab) => {
            if let Some(model) = model {
                tab.set_model_of(game, model)?;
            }
            Ok(Some(tab))
        }
        Err(ModuleError::Missing) if module.is_none() => Ok(None),
        Err(error @ ModuleError::Without { .. }) if module.is_none() => {
            warning(format_args!("{error}; until then the page has no engine of its own"));
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns the loopback address with the port of an address that stands for all addresses of this machine.
fn here(address: SocketAddr) -> SocketAddr {
    let ip = if address.is_ipv4() { IpAddr::from(Ipv4Addr::LOCALHOST) } else { IpAddr::from(Ipv6Addr::LOCALHOST) };
    SocketAddr::new(ip, address.port())
}

/// Accepts connections until it is time to stop, and then lets them end.
async fn accept(listener: StdListener, state: Arc<AppState>, stop: &StopSignal) -> io::Result<()> {
    let listener = TcpListener::from_std(listener)?;
    let service = TowerToHyperService::new(router(Arc::clone(&state)));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT);
    let limiter = ConnectionLimiter::new(HTTP_CONNECTIONS, Duration::ZERO);
    tokio::spawn(app_state::give_back_after_clients(Arc::clone(&state.sessions)));
    while !stop.is_requested() {
        let Ok((stream, address)) = timeout(POLL_INTERVAL, next(&listener)).await else { continue };
        let Some(permit) = limiter.acquire(address) else { continue };
        let service = service.clone();
        let client = Client { address, cut: Arc::default() };
        let cut = Arc::clone(&client.cut);
        let from = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(client.clone());
            service.call(request)
        });
        let exchange = http.serve_connection(TokioIo::new(stream), from).with_upgrades();
        let mut closing = state.closing.subscribe();
        tokio::spawn(async move {
            let mut exchange = pin!(exchange);
            // Failures concern only the client.
            let served = async {
                tokio::select! {
                    _ = &mut exchange => return,
                    () = sleep(HTTP_TIMEOUT) => {}
                    () = async { drop(closing.wait_for(|&closing| closing).await) } => {}
                }
                exchange.as_mut().graceful_shutdown();
                let _ = timeout(HTTP_TIMEOUT, exchange).await;
            };
            tokio::select! {
                () = served => {}
                () = permit.revoked() => {}
                () = cut.notified() => {}
            }
        });
    }
    drop(listener);
    state.closing.send_replace(true);
    let ended = async { tokio::join!(state.sessions.limiter.all_released(), limiter.all_released()) };
    let _ = timeout(SHUTDOWN_TIMEOUT, ended).await;
    Ok(())
}

/// Waits for the next connection.
async fn next(listener: &TcpListener) -> (TcpStream, IpAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, client)) => {
                // Frames are small, and clients wait for each.
                let _ = stream.set_nodelay(true);
                return (stream, client.ip());
            }
            // Errors such as too many open files are temporary.
            Err(_) => sleep(POLL_INTERVAL).await,
        }
    }
}

fn router(state: Arc<AppState>) -> Router {
    Router::new()
        .route("/", get(|State(state): State<Arc<AppState>>| async move { state.page.respond(INDEX) }))
        .route("/learn.html", get(|State(state): State<Arc<AppState>>| async move { state.page.respond(LEARN) }))
        .route("/assets/{*name}", get(asset))
        .route("/engine/{name}", get(tab_file))
        .route("/models/{name}", get(tab_file))
        .route("/puzzles/{name}", get(puzzles))
        .route("/api/about", get(|State(state): State<Arc<AppState>>| async move { json(about(&state)) }))
        .route("/api/layout", get(board_layout))
        .route("/api/openings", get(opening_map))
        .route("/api/play", get(play))
        .route("/api/games", post(games).layer(DefaultBodyLimit::disable()))
        .route("/run", get(run))
        .route("/api/run", get(run_status))
        .route("/api/run/history", get(run_history))
        .route("/api/run/opinion", get(run_opinion))
        .route("/api/run/games", get(run_games))
        .route("/api/run/cluster", get(run_cluster))
        .route("/favicon.ico", get(|State(state): State<Arc<AppState>>| async move { state.page.respond(ICON) }))
        .fallback(|| async { (StatusCode::NOT_FOUND, "there is nothing here; the page is at /\n") })
        .layer(from_fn_with_state(Arc::clone(&state), guard))
        .with_state(state)
}

/// Describes the server and its games.
fn about(state: &AppState) -> String {
    let about = About {
        games: state.models.offered(),
        is_game_asked_for: state.is_game_asked_for,
        effort: state.effort,
        run: state.run.as_ref().map(|run| run.name()),
        has_tab_files: state.tab.is_some(),
        can_learn: state.tab.as_ref().is_some_and(|tab| tab.can_learn()),
        shares_boards: state.boards.are_offered(),
    };
    about.json()
}

fn json(text: String) -> Response {
    ([(CONTENT_TYPE, "application/json")], text).into_response()
}

async fn asset(State(state): State<Arc<AppState>>, UrlPath(name): UrlPath<String>) -> Response {
    state.page.respond(&name)
}

/// Serves a file with which the engine runs in a tab.
async fn tab_file(State(state): State<Arc<AppState>>, uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    let found = state.tab.as_ref().and_then(|tab| tab.all().iter().find(|file| file.path == path));
    match found {
        Some(file) => ([(CONTENT_TYPE, "application/gzip")], file.compressed().clone()).into_response(),
        None => (StatusCode::NOT_FOUND, "there is no such file\n").into_response(),
    }
}

/// Serves the puzzles of a game, `GAME.json`.
async fn puzzles(UrlPath(name): UrlPath<String>) -> Response {
    let found = name.strip_suffix(".json").and_then(|game| shipped_puzzles(game_named(game).ok()?));
    match found {
        Some(bytes) => ([(CONTENT_TYPE, "application/json")], bytes).into_response(),
        None => (StatusCode::NOT_FOUND, "there are no such puzzles\n").into_response(),
    }
}

async fn board_layout(RawQuery(query): RawQuery) -> Response {
    of_board(layout(&query.unwrap_or_default()))
}

async fn opening_map(RawQuery(query): RawQuery) -> Response {
    of_board(openings(&query.unwrap_or_default()))
}

/// Returns the response with what was made of a board.
fn of_board(made: Result<String, LayoutError>) -> Response {
    match made {
        Ok(text) => json(text),
        Err(LayoutError::Game(message)) => (StatusCode::NOT_FOUND, message + "\n").into_response(),
        Err(LayoutError::Board(message)) => (StatusCode::BAD_REQUEST, message + "\n").into_response(),
    }
}

async fn play(
    State(state): State<Arc<AppState>>,
    Extension(Client { address, .. }): Extension<Client>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Some(permit) = state.sessions.limiter.acquire(address) else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many connections; try again later\n").into_response();
    };
    let upgrade = upgrade.max_message_size(MAX_FRAME_BYTES).max_frame_size(MAX_FRAME_BYTES);
    upgrade.on_upgrade(move |socket| serve_client(socket, state, permit, address))
}

async fn run(State(state): State<Arc<AppState>>) -> Response {
    match state.run {
        Some(_) => state.page.respond(LEARN),
        None => (StatusCode::NOT_FOUND, NO_RUN).into_response(),
    }
}

async fn run_history(State(state): State<Arc<AppState>>) -> Response {
    of_run(state, RunView::history).await.map_or_else(Response::from, json)
}

async fn run_opinion(State(state): State<Arc<AppState>>, RawQuery(query): RawQuery) -> Response {
    let query = query.unwrap_or_default();
    let opinion = of_run(state, move |run| run.opinion(&query)).await;
    let refused = |error: String| (StatusCode::BAD_REQUEST, error + "\n").into_response();
    opinion.map_or_else(Response::from, |opinion| opinion.map_or_else(refused, json))
}

async fn run_status(State(state): State<Arc<AppState>>) -> Response {
    of_run(state, RunView::status).await.map_or_else(Response::from, json)
}

async fn run_games(State(state): State<Arc<AppState>>) -> Response {
    let games = of_run(state, RunView::games).await;
    games.map_or_else(Response::from, |lines| ([(CONTENT_TYPE, "application/jsonl")], lines).into_response())
}

async fn run_cluster(State(state): State<Arc<AppState>>) -> Response {
    let ask = move || match &state.cluster {
        None => Ok("null".to_owned()),
        Some(cluster) => cluster.status().map_err(|problem| (StatusCode::BAD_GATEWAY, problem)),
    };
    let failed = |_| Err((StatusCode::INTERNAL_SERVER_ERROR, "the cluster cannot be shown".to_owned()));
    match spawn_blocking(ask).await.unwrap_or_else(failed) {
        Ok(status) => json(status),
        Err((code, problem)) => (code, problem + "\n").into_response(),
    }
}

/// Asks for something about the run on a thread of its own.
async fn of_run<T: Send + 'static>(
    state: Arc<AppState>,
    make: impl FnOnce(&RunView) -> Result<T, WebError> + Send + 'static,
) -> Result<T, Response> {
    let work = move || match &state.run {
        None => Err((StatusCode::NOT_FOUND, NO_RUN.to_owned())),
        Some(run) => make(run).map_err(|error| {
            // The run's path on this machine is private.
            let problem = run.without_path(&without_error_numbers(&error.to_string()));
            (StatusCode::INTERNAL_SERVER_ERROR, problem + "\n")
        }),
    };
    let failed = |_| Err((StatusCode::INTERNAL_SERVER_ERROR, "this could not be made of the run\n".to_owned()));
    spawn_blocking(work).await.unwrap_or_else(failed).map_err(IntoResponse::into_response)
}
