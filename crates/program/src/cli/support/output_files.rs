//! Files that a command writes.

use std::path::{Path, PathBuf};

use crate::error::CliError;
use hexzero_arena::GameStore;
use hexzero_system::files::write_whole;
use hexzero_system::warning;

/// Checks that `path`, if there is one, can be created, before work that takes long.
pub fn check_creatable(path: Option<&Path>) -> Result<(), CliError> {
    let Some(path) = path else { return Ok(()) };
    if path.is_dir() {
        return Err(CliError::cannot_write(path, "it is a folder"));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match folder.metadata() {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => Err(CliError::cannot_write(path, format!("{} is not a folder", folder.display()))),
        Err(error) => Err(CliError::cannot_write(path, format!("folder {}: {error}", folder.display()))),
    }
}

/// Writes a file as [`write_whole`] does.
pub fn write_file(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), CliError> {
    write_whole(path, bytes.as_ref()).map_err(|error| CliError::cannot_write(path, error))
}

/// Opens the file in which games are kept: `path`, or `games.jsonl` in it if it is a folder; without a path they are
/// not kept. Warns if a partial game was cut off.
///
/// # Errors
/// If it cannot be opened, another process adds to it, or it holds something else.
pub fn open_games(path: Option<&Path>) -> Result<GameStore, CliError> {
    let Some(path) = path else { return Ok(GameStore::default()) };
    let path = if path.is_dir() { path.join("games.jsonl") } else { path.to_owned() };
    let store = GameStore::open(&path)?;
    if store.torn() > 0 {
        warning(format_args!("{}: cut off {} bytes at the end, a part of a game", path.display(), store.torn()));
    }
    Ok(store)
}

/// Parses the path of an SVG file.
pub fn svg_file(name: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(name);
    let is_svg = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
    // A device or a pipe, such as /dev/stdout, needs no extension.
    let is_special = path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir());
    if is_svg || is_special { Ok(path) } else { Err("the picture is an SVG; give a file that ends in .svg".to_owned()) }
}
