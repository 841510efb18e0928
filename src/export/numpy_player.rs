//! Writes a player as a Python package: rules, network and search in Python, and the weights.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::files::write_whole;
use crate::network::Checkpoint;

use super::arrays::{Array, write_arrays};
use super::error::ExportError;

/// The games that the player knows, by [`crate::games::GameInfo::network`], each with a Python file: its rules, the inputs of
/// its networks, and the referee's notation of its actions. A package holds one of them, under the name [`RULES`].
const GAMES: [(&str, &str); 1] = [("cachex", include_str!("../../python/hexzero_numpy/cachex.py"))];

const RULES: &str = "rules.py";

/// The files that all games share. They lie in the Python folder, where Python's tests can import them.
const SOURCES: [(&str, &str); 5] = [
    ("__init__.py", include_str!("../../python/hexzero_numpy/__init__.py")),
    ("clock.py", include_str!("../../python/hexzero_numpy/clock.py")),
    ("network.py", include_str!("../../python/hexzero_numpy/network.py")),
    ("player.py", include_str!("../../python/hexzero_numpy/player.py")),
    ("search.py", include_str!("../../python/hexzero_numpy/search.py")),
];

const WEIGHTS: &str = "weights.npz";

/// Writes a player as the Python package `folder`, replacing an older one.
///
/// # Errors
/// If there is no player for the network's game, the folder's name is not a package name, the folder holds other files, or it
/// cannot be written.
pub fn write_numpy_player(checkpoint: &Checkpoint, folder: &Path) -> Result<(), ExportError> {
    let metadata = &checkpoint.metadata;
    let Some(&(_, rules)) = GAMES.iter().find(|(game, _)| *game == metadata.game) else {
        let known = GAMES.iter().map(|(game, _)| *game).collect();
        return Err(ExportError::OtherGame { game: metadata.game.clone(), known });
    };
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let is_word = name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if !is_word || name.starts_with(|letter: char| letter.is_ascii_digit()) || name.is_empty() {
        return Err(ExportError::NoModuleName { name });
    }
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| ExportError::Write { path, source }
    };
    fs::create_dir_all(folder).map_err(failed(folder))?;
    let mut present = fs::read_dir(folder).map_err(failed(folder))?;
    if present.next().is_some() && !folder.join(WEIGHTS).exists() {
        return Err(ExportError::Occupied { path: folder.to_owned() });
    }

    let mut arrays: BTreeMap<&str, Array> =
        checkpoint.tensors.iter().map(|(name, t)| (name.as_str(), Array::floats(&t.shape, &t.data))).collect();
    let metadata = serde_json::to_string(metadata).unwrap_or_default();
    arrays.insert("metadata", Array::text(&metadata));
    let weights = write_arrays(arrays.iter().map(|(name, array)| (*name, array)))?;
    let sources = SOURCES.iter().map(|&(name, text)| (name, text.as_bytes()));
    for (name, bytes) in sources.chain([(RULES, rules.as_bytes()), (WEIGHTS, weights.as_slice())]) {
        let path = folder.join(name);
        write_whole(&path, bytes).map_err(failed(&path))?;
    }
    Ok(())
}
