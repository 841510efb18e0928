//! The page as a site of plain files, whose engine runs in the browser (`hexzero serve site`), and a server that offers
//! it on this machine as any web host does.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener as StdListener};
use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::Router;
use axum::http::Uri;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::time::sleep;

use crate::{WebError, not_started};
use hexzero_engine::Effort;
use hexzero_engine::model::PLAYOUTS;
use hexzero_games::{Game, all_games};
use hexzero_models::{SHIPPED, digest, largest_learnt, shipped_puzzle_files};
use hexzero_protocol::about::{About, OfferedGame};
use hexzero_system::files::write_whole;
use hexzero_system::stop::StopSignal;

use super::server::page::{INDEX, ISOLATION, LEARN, Page, PageFiles, isolate};
use super::tab_files::{ENGINE, TabFile, TabFiles};

/// The file that identifies a folder as a site, so that it may be written again.
const MANIFEST: &str = "manifest.webmanifest";

/// Headers for hosts that read such a file (Netlify, Cloudflare Pages): [`ISOLATION`] for all files.
const HEADERS: &str = "_headers";

const SERVICE_WORKER: &str = "service_worker.js";

/// Settings of the site.
#[derive(Debug, Clone)]
pub struct SiteOptions {
    /// The folder to write.
    pub folder: PathBuf,
    /// The engine's WebAssembly module; by default that beside the program.
    pub module: Option<PathBuf>,
    /// The game that the page begins with.
    pub game: Game,
    /// The checkpoint, or the folder of a run, for that game; by default the shipped model, or random games where none
    /// ships.
    pub model: Option<PathBuf>,
    /// The page compiled in.
    pub files: PageFiles,
}

/// The written site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenSite {
    /// The number of files.
    pub files: usize,
    /// The total size of the files, in bytes.
    pub bytes: usize,
    /// The bytes that a browser loads for one game: all files but the models of others.
    pub bytes_for_a_game: usize,
}

/// Writes the site. A folder that holds anything but an older site is refused.
///
/// # Errors
/// If the module is missing or lacks a game, the folder is refused, or a file cannot be written.
pub fn write_site(options: &SiteOptions) -> Result<WrittenSite, WebError> {
    let folder = &options.folder;
    let mut tab = TabFiles::read(options.module.as_deref())?;
    if let Some(model) = &options.model {
        tab.set_model_of(options.game, model)?;
    }
    let is_empty = || fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    if !folder.join(MANIFEST).is_file() && !is_empty() {
        let problem = format!("{} is not empty; name a new folder, or one with an older site", folder.display());
        return Err(problem.into());
    }
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for (path, bytes) in Page::embedded(options.files) {
        files.insert(if [INDEX, LEARN].contains(&&*path) { path } else { format!("assets/{path}") }, bytes);
    }
    for page in [INDEX, LEARN] {
        let text = String::from_utf8_lossy(&files[page]).into_owned();
        files.insert(page.to_owned(), page_of_site(&text).into_bytes());
    }
    files.insert("about.json".to_owned(), about(options, tab.can_learn()).into_bytes());
    files.insert(MANIFEST.to_owned(), options.files.manifest.into());
    // A browser keeps only those of these files that it has loaded: one of the modules, and the
    // models and puzzles of the games that were played.
    let puzzles = shipped_puzzle_files().map(|(game, bytes)| (format!("puzzles/{game}.json"), bytes.to_vec()));
    let puzzles: BTreeMap<String, Vec<u8>> = puzzles.collect();
    let worker = service_worker(&files, &tab, &puzzles, options.files.service_worker);
    files.insert(SERVICE_WORKER.to_owned(), worker.into_bytes());
    let entry = |file: &TabFile| (file.path.clone(), file.compressed().to_vec());
    let (modules, models): (Vec<_>, Vec<_>) =
        tab.all().iter().map(entry).partition(|(path, _)| path.starts_with(ENGINE));
    let largest = |files: &[(String, Vec<u8>)]| {
        let to_play = files.iter().filter(|(path, _)| !TabFiles::is_to_learn(path));
        to_play.map(|(_, bytes)| bytes.len()).max().unwrap_or_default()
    };
    let common: usize = files.values().map(Vec::len).sum();
    let bytes_for_a_game = common + largest(&modules) + largest(&models);
    files.extend(modules.into_iter().chain(models).chain(puzzles));
    let headers = ISOLATION.map(|(name, value)| format!("  {name}: {value}\n"));
    files.insert(HEADERS.to_owned(), format!("/*\n{}", headers.concat()).into_bytes());
    for (path, bytes) in &files {
        let path = folder.join(path);
        let parent = path.parent().unwrap_or(Path::new(""));
        let written = fs::create_dir_all(parent).and_then(|()| write_whole(&path, bytes));
        written.map_err(|error| cannot_write(&path, error))?;
    }
    remove_old_modules(folder, &files)?;
    let bytes = files.values().map(Vec::len).sum();
    Ok(WrittenSite { files: files.len(), bytes, bytes_for_a_game })
}

fn cannot_write(path: &Path, error: io::Error) -> String {
    format!("cannot write {}: {error}", path.display())
}

/// Removes the modules of an older site that this one lacks: the page would start an engine of another version. It asks
/// for no other old file.
fn remove_old_modules(folder: &Path, files: &BTreeMap<String, Vec<u8>>) -> Result<(), WebError> {
    for path in TabFiles::variants().filter(|path| !files.contains_key(path)) {
        let path = folder.join(path);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(cannot_write(&path, error).into()),
            _ => {}
        }
    }
    Ok(())
}

/// Returns a page, marked as one without a server.
fn page_of_site(page: &str) -> String {
    page.replacen("<html ", "<html data-site ", 1).replacen(
        "</head>",
        &format!("  <link rel=\"manifest\" href=\"{MANIFEST}\">\n</head>"),
        1,
    )
}

/// Describes the games.
fn about(options: &SiteOptions, can_learn: bool) -> String {
    let first = options.game;
    let others = all_games().into_iter().filter(|&game| game != first);
    let is_own = |game: Game| options.model.is_some() && game.network == options.game.network;
    let offered = std::iter::once(first).chain(others).map(|game| {
        let learnt = largest_learnt(game);
        let model = match (is_own(game), learnt) {
            (true, _) => "the network 'own'".to_owned(),
            (false, Some(_)) => format!("the network '{SHIPPED}'"),
            (false, None) => PLAYOUTS.to_owned(),
        };
        let has_network = is_own(game) || learnt.is_some();
        OfferedGame { game, model, has_network, learnt: learnt.filter(|_| !is_own(game)) }
    });
    let about = About {
        games: offered.collect(),
        is_game_asked_for: false,
        effort: Effort::default(),
        run: None,
        has_tab_files: false,
        can_learn,
        shares_boards: false,
    };
    about.json()
}

/// Returns the service worker that keeps these files. Its version changes with any of them, so that a browser takes the
/// new ones.
fn service_worker(
    files: &BTreeMap<String, Vec<u8>>,
    tab: &TabFiles,
    puzzles: &BTreeMap<String, Vec<u8>>,
    text: &str,
) -> String {
    let of_tab = tab.all().iter().map(|file| (&file.path, &file.compressed()[..]));
    let kept_later = of_tab.chain(puzzles.iter().map(|(path, bytes)| (path, &bytes[..])));
    let all = files.iter().map(|(path, bytes)| (path, &bytes[..])).chain(kept_later);
    let all: Vec<u8> = all.flat_map(|(path, bytes)| [path.as_bytes(), bytes].concat()).collect();
    let paths: Vec<&str> =
        std::iter::once("./").chain(files.keys().map(String::as_str).filter(|&path| path != INDEX)).collect();
    format!("const VERSION = {}, FILES = {};\n{text}", json!(digest(&all)), json!(paths))
}

/// The time between two checks whether the server is to end.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Serves the files of `folder` at this port of this machine, 0 for any free one, until `stop` is requested. Prints the
/// address.
///
/// # Errors
/// If the port cannot be listened on.
pub fn serve_site(folder: &Path, port: u16, stop: &StopSignal) -> Result<(), WebError> {
    let cannot = |error: io::Error| -> WebError {
        format!("cannot listen on port {port}: {error}; choose another with --port").into()
    };
    let listener = StdListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(cannot)?;
    listener.set_nonblocking(true).map_err(cannot)?;
    writeln!(io::stdout(), "http://{}", listener.local_addr().map_err(cannot)?)?;
    let folder = folder.to_owned();
    let answer = move |uri: Uri| {
        let path = uri.path().trim_start_matches('/');
        let path = if path.is_empty() || path.ends_with('/') { format!("{path}{INDEX}") } else { path.to_owned() };
        let mut answer = Page::Folder(folder.clone()).respond(&path);
        isolate(answer.headers_mut());
        async { answer }
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(not_started)?;
    runtime.block_on(async {
        let server = axum::serve(TcpListener::from_std(listener).map_err(cannot)?, Router::new().fallback(answer));
        let stopped = async {
            while !stop.is_requested() {
                sleep(POLL_INTERVAL).await;
            }
        };
        tokio::select! {
            served = async { server.await } => served.map_err(cannot),
            () = stopped => Ok(()),
        }
    })
}
