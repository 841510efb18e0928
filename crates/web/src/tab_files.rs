//! The files with which the engine runs in a browser's tab: its WebAssembly modules and the shipped models, compressed.

use std::borrow::Cow;
use std::env::current_exe;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use axum::body::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::WebError;
use hexzero_games::{Game, all_games, is_built_in};
use hexzero_models::shipped_files;
use hexzero_nn::Checkpoint;
use hexzero_train::model_files::checkpoint_file;

/// The folder of the modules below that of the page.
pub(super) const ENGINE: &str = "engine";

/// The folder of the models below that of the page.
const MODELS: &str = "models";

/// The places of the module, relative to the folder of the program: beside it, in an archive, where `install.sh` puts
/// it, and where `cargo wasm` writes it for a release build.
const BESIDE: [&str; 4] =
    ["hexzero.wasm", "wasm/hexzero.wasm", "../share/hexzero/hexzero.wasm", "../wasm/hexzero.wasm"];

/// The place of the module in the project's folder, for an installed program that is started there.
const IN_PROJECT: &str = "target/wasm/hexzero.wasm";

/// The other modules, looked for beside that one: with relaxed SIMD, with threads, with both; and the one that trains.
const VARIANTS: [&str; 4] = ["relaxed", "threads", "threads-relaxed", LEARN];
const LEARN: &str = "learn";

/// The first bytes of every WebAssembly module.
const MAGIC: &[u8] = b"\0asm";

/// Why there is no module.
#[derive(Debug, thiserror::Error)]
pub(super) enum ModuleError {
    /// The module is not where it is looked for.
    #[error(
        "there is no hexzero.wasm beside this program, nor in target/wasm; build it in the project's folder with 'rustup target \
         add wasm32-unknown-unknown wasm32-wasip1-threads' and 'cargo wasm', or name it with --wasm FILE"
    )]
    Missing,
    /// The module was built without a game.
    #[error(
        "{path}: the engine in this module lacks '{game}', or has an older one; build it with 'cargo wasm' {place}"
    )]
    Without { path: PathBuf, game: &'static str, place: &'static str },
    /// The file cannot be read, or is not a module.
    #[error("{0}")]
    Unusable(String),
}

/// The files with which the engine runs in a tab.
#[derive(Debug)]
pub(super) struct TabFiles(Vec<TabFile>);

/// A file that is compressed when it is first asked for.
#[derive(Debug)]
pub(super) struct TabFile {
    /// The file's path below that of the page.
    pub path: String,
    bytes: Cow<'static, [u8]>,
    compressed: OnceLock<Bytes>,
}

impl TabFile {
    fn new(path: String, bytes: impl Into<Cow<'static, [u8]>>) -> Self {
        Self { path, bytes: bytes.into(), compressed: OnceLock::new() }
    }

    /// Returns the file's bytes, compressed by gzip.
    pub fn compressed(&self) -> &Bytes {
        self.compressed.get_or_init(|| {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            let written = encoder.write_all(&self.bytes).and_then(|()| encoder.finish());
            Bytes::from(written.expect("memory takes all that is written"))
        })
    }
}

impl TabFiles {
    /// Reads the module at `path`, or without one from beside the program. Fails if there is none, or one that lacks a
    /// game of this program.
    pub fn read(path: Option<&Path>) -> Result<Self, ModuleError> {
        let path = path.map(Path::to_owned).or_else(beside).ok_or(ModuleError::Missing)?;
        let module = read_module(&path)?;
        let mut files = vec![TabFile::new(format!("{ENGINE}/hexzero.wasm.gz"), module)];
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        for variant in VARIANTS {
            let path = path.with_file_name(format!("{stem}-{variant}.wasm"));
            if path.is_file() {
                files.push(TabFile::new(variant_path(variant), read_module(&path)?));
            }
        }
        let models = shipped_files().map(|(network, bytes)| TabFile::new(model_path(network), bytes));
        files.extend(models);
        Ok(Self(files))
    }

    /// Sets the checkpoint that plays a game: this one, or the latest of this run's folder. Fails if it cannot be read,
    /// or is not one for the game.
    pub fn set_model_of(&mut self, game: Game, model: &Path) -> Result<(), WebError> {
        let file = checkpoint_file(model)?;
        let bytes = fs::read(&file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        let name = file.display().to_string();
        Checkpoint::from_bytes(&bytes, &name)?.check_game(game, &name)?;
        let path = model_path(game.network);
        self.0.retain(|known| known.path != path);
        self.0.push(TabFile::new(path, bytes));
        Ok(())
    }

    /// Returns whether there is the module that trains.
    pub fn can_learn(&self) -> bool {
        self.0.iter().any(|file| Self::is_to_learn(&file.path))
    }

    /// Returns whether a path is that of the module that trains.
    pub fn is_to_learn(path: &str) -> bool {
        path == variant_path(LEARN)
    }

    /// Returns the paths of the modules that only some builds have.
    pub fn variants() -> impl Iterator<Item = String> {
        VARIANTS.into_iter().map(variant_path)
    }

    /// Returns all files.
    pub fn all(&self) -> &[TabFile] {
        &self.0
    }
}

/// Reads a module with all games of this program.
fn read_module(path: &Path) -> Result<Vec<u8>, ModuleError> {
    let mut module = Vec::new();
    let read = hexzero_system::files::open(path).and_then(|mut file| file.read_to_end(&mut module));
    read.map_err(|error| ModuleError::Unusable(format!("{}: {error}", path.display())))?;
    if !module.starts_with(MAGIC) {
        let problem = format!("{}: not a WebAssembly module; 'cargo wasm' builds one", path.display());
        return Err(ModuleError::Unusable(problem));
    }
    match all_games().into_iter().find(|game| !contains(&module, game.summary)) {
        None => Ok(module),
        Some(game) => Err(ModuleError::Without {
            path: path.to_owned(),
            game: game.name(),
            place: if is_built_in(game) { "in the project's folder" } else { "in the folder of the game's crate" },
        }),
    }
}

/// Returns whether a module contains a text, as it contains the summary of each of its games. This
/// detects a module that lacks a game or has an older one, but not rules that have changed since.
fn contains(module: &[u8], text: &str) -> bool {
    let Some(&first) = text.as_bytes().first() else { return true };
    (0..module.len()).any(|at| module[at] == first && module[at..].starts_with(text.as_bytes()))
}

/// Returns the module's file beside the program or in the project's folder, if there is one.
fn beside() -> Option<PathBuf> {
    let program = current_exe().ok()?;
    let beside = BESIDE.iter().map(|name| program.with_file_name(name));
    beside.chain([PathBuf::from(IN_PROJECT)]).find(|path| path.is_file())
}

fn variant_path(variant: &str) -> String {
    format!("{ENGINE}/hexzero-{variant}.wasm.gz")
}

fn model_path(network: &str) -> String {
    format!("{MODELS}/{network}.safetensors.gz")
}
