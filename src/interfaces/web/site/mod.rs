//! The page as a site of plain files, whose engine runs in the browser (`hexzero site`).

mod serving;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::engine::Effort;
use crate::engine::model::PLAYOUTS;
use crate::files::write_whole;
use crate::games::{Game, all_games};
use crate::interfaces::error::CliError;
use crate::interfaces::protocol::about::{About, OfferedGame};
use crate::models::{SHIPPED, digest, largest_learnt, shipped_puzzle_files};

use super::isolation::ISOLATION;
use super::server::page::{INDEX, Page};
use super::tab_files::{ENGINE, TabFile, TabFiles};

/// The file by which a folder is known to be a site: it may be written again.
const MANIFEST: &str = "manifest.webmanifest";

const MANIFEST_TEXT: &str = include_str!("manifest.webmanifest");

/// Headers for hosts that read such a file (Netlify, Cloudflare Pages): [`ISOLATION`] for all files.
const HEADERS: &str = "_headers";

const SERVICE_WORKER: &str = "service_worker.js";

const SERVICE_WORKER_TEXT: &str = include_str!("service_worker.js");

pub use serving::serve_site;

/// Settings of the site.
#[derive(Debug, Clone)]
pub struct SiteOptions {
    /// The folder to write.
    pub folder: PathBuf,
    /// The engine's WebAssembly module; by default that beside the program.
    pub module: Option<PathBuf>,
    /// The game that the page begins with.
    pub game: Game,
    /// The checkpoint, or the folder of a run, for that game; by default the shipped model, or random games where none ships.
    pub model: Option<PathBuf>,
}

/// The written site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenSite {
    /// The number of files.
    pub files: usize,
    /// Their bytes.
    pub bytes: usize,
    /// The bytes that a browser loads for one game: all files but the models of others.
    pub bytes_for_a_game: usize,
}

/// Writes the site. A folder that holds anything but an older site is refused.
///
/// # Errors
/// If the module is missing or lacks a game, the folder is refused, or a file cannot be written.
pub fn write_site(options: &SiteOptions) -> Result<WrittenSite, CliError> {
    let folder = &options.folder;
    let mut tab = TabFiles::read(options.module.as_deref()).map_err(CliError::failed)?;
    if let Some(model) = &options.model {
        tab.set_model_of(options.game, model)?;
    }
    let is_empty = || fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    if !folder.join(MANIFEST).is_file() && !is_empty() {
        let problem = format!("{} is not empty; name a new folder, or one with an older site", folder.display());
        return Err(CliError::Request(problem));
    }
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for (path, bytes) in Page::embedded() {
        files.insert(if path == INDEX { path } else { format!("assets/{path}") }, bytes);
    }
    let index = String::from_utf8_lossy(&files[INDEX]).into_owned();
    files.insert(INDEX.to_owned(), index_of_site(&index).into_bytes());
    files.insert("about.json".to_owned(), about(options).into_bytes());
    files.insert(MANIFEST.to_owned(), MANIFEST_TEXT.into());
    // A browser keeps of these what it has loaded: one of the modules, and the models and puzzles of the games that were played.
    let puzzles = shipped_puzzle_files().map(|(game, bytes)| (format!("puzzles/{game}.json"), bytes.to_vec()));
    let puzzles: BTreeMap<String, Vec<u8>> = puzzles.collect();
    let worker = service_worker(&files, &tab, &puzzles);
    files.insert(SERVICE_WORKER.to_owned(), worker.into_bytes());
    let entry = |file: &TabFile| (file.path.clone(), file.compressed().to_vec());
    let (modules, models): (Vec<_>, Vec<_>) =
        tab.all().iter().map(entry).partition(|(path, _)| path.starts_with(ENGINE));
    let largest = |files: &[(String, Vec<u8>)]| files.iter().map(|(_, bytes)| bytes.len()).max().unwrap_or_default();
    let common: usize = files.values().map(Vec::len).sum();
    let bytes_for_a_game = common + largest(&modules) + largest(&models);
    files.extend(modules.into_iter().chain(models).chain(puzzles));
    let headers = ISOLATION.map(|(name, value)| format!("  {name}: {value}\n"));
    files.insert(HEADERS.to_owned(), format!("/*\n{}", headers.concat()).into_bytes());
    for (path, bytes) in &files {
        let path = folder.join(path);
        let parent = path.parent().unwrap_or(Path::new(""));
        let written = fs::create_dir_all(parent).and_then(|()| write_whole(&path, bytes));
        written.map_err(|source| CliError::Write { path: path.clone(), source })?;
    }
    let bytes = files.values().map(Vec::len).sum();
    Ok(WrittenSite { files: files.len(), bytes, bytes_for_a_game })
}

/// Returns the page with what tells it that there is no server.
fn index_of_site(index: &str) -> String {
    index.replacen("<html ", "<html data-site ", 1).replacen(
        "</head>",
        &format!("  <link rel=\"manifest\" href=\"{MANIFEST}\">\n</head>"),
        1,
    )
}

/// Describes the games.
fn about(options: &SiteOptions) -> String {
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
        shares_boards: false,
    };
    about.json()
}

/// Returns the service worker that keeps these files. Its version changes with any of them, so that a browser takes the new ones.
fn service_worker(files: &BTreeMap<String, Vec<u8>>, tab: &TabFiles, puzzles: &BTreeMap<String, Vec<u8>>) -> String {
    let of_tab = tab.all().iter().map(|file| (&file.path, &file.compressed()[..]));
    let kept_later = of_tab.chain(puzzles.iter().map(|(path, bytes)| (path, &bytes[..])));
    let all = files.iter().map(|(path, bytes)| (path, &bytes[..])).chain(kept_later);
    let all: Vec<u8> = all.flat_map(|(path, bytes)| [path.as_bytes(), bytes].concat()).collect();
    let paths: Vec<&str> =
        std::iter::once("./").chain(files.keys().map(String::as_str).filter(|&path| path != INDEX)).collect();
    format!("const VERSION = {}, FILES = {};\n{SERVICE_WORKER_TEXT}", json!(digest(&all)), json!(paths))
}
