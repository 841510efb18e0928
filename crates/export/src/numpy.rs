//! NumPy: archives of arrays (`.npz`: zip archives of named `.npy` files), and a player as a Python package.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;

use zip::CompressionMethod;
use zip::write::{SimpleFileOptions, ZipWriter};

use hexzero_nn::Checkpoint;
use hexzero_system::files::write_whole;

use super::error::ExportError;

/// A row-major array.
#[derive(Debug, Clone, PartialEq)]
pub struct Array {
    shape: Vec<usize>,
    /// NumPy's name of the element type, such as `<f4`.
    kind: &'static str,
    bytes: Vec<u8>,
}

impl Array {
    /// Creates an array of 32-bit floats.
    ///
    /// # Panics
    /// If `shape` and the number of values disagree.
    pub fn floats(shape: &[usize], values: &[f32]) -> Self {
        assert_eq!(shape.iter().product::<usize>(), values.len(), "one value per element");
        let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        Self { shape: shape.to_vec(), kind: "<f4", bytes }
    }

    /// Creates an array of 16-bit integers.
    ///
    /// # Panics
    /// If `shape` and the number of values disagree.
    pub fn integers(shape: &[usize], values: &[i16]) -> Self {
        assert_eq!(shape.iter().product::<usize>(), values.len(), "one value per element");
        let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        Self { shape: shape.to_vec(), kind: "<i2", bytes }
    }

    /// Creates an array of the bytes of a text.
    pub fn text(text: &str) -> Self {
        Self { shape: vec![text.len()], kind: "|u1", bytes: text.as_bytes().to_vec() }
    }

    /// Encodes the array as `.npy`: magic, version, length of the header, the header (a Python dictionary), values.
    fn to_npy(&self) -> Vec<u8> {
        let shape: String = self.shape.iter().map(|length| format!("{length},")).collect();
        let mut header = format!("{{'descr': '{}', 'fortran_order': False, 'shape': ({shape}), }}", self.kind);
        // The values begin at a multiple of 64 bytes.
        let padding = 63 - (10 + header.len()) % 64;
        header += &" ".repeat(padding);
        header.push('\n');
        let length = (header.len() as u16).to_le_bytes();
        [b"\x93NUMPY\x01\x00", length.as_slice(), header.as_bytes(), &self.bytes].concat()
    }
}

/// Encodes arrays as `.npz`, without compression. The same arrays give the same bytes.
///
/// # Errors
/// If the arrays are too large for a zip archive.
pub fn write_arrays(arrays: &BTreeMap<impl Display, Array>) -> Result<Vec<u8>, ExportError> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, array) in arrays {
        archive.start_file(format!("{name}.npy"), stored)?;
        archive.write_all(&array.to_npy()).map_err(zip::result::ZipError::from)?;
    }
    Ok(archive.finish()?.into_inner())
}

/// The files of the player, which plays only Cachex. They are in the Python folder, where Python's tests can import them.
const SOURCES: [(&str, &str); 5] = [
    ("__init__.py", include_str!("../../../python/hexzero_numpy/__init__.py")),
    ("network.py", include_str!("../../../python/hexzero_numpy/network.py")),
    ("player.py", include_str!("../../../python/hexzero_numpy/player.py")),
    ("rules.py", include_str!("../../../python/hexzero_numpy/rules.py")),
    ("search.py", include_str!("../../../python/hexzero_numpy/search.py")),
];

const WEIGHTS: &str = "weights.npz";

/// Writes a player as the Python package `folder`, replacing an older one.
///
/// # Errors
/// If there is no player for the network's game, the folder's name is not a package name, the folder holds other files, or it
/// cannot be written.
pub fn write_numpy_player(checkpoint: &Checkpoint, folder: &Path) -> Result<(), ExportError> {
    let metadata = &checkpoint.metadata;
    if metadata.game != "cachex" {
        return Err(ExportError::OtherGame { game: metadata.game.clone() });
    }
    let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned();
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
    let weights = write_arrays(&arrays)?;
    let sources = SOURCES.iter().map(|&(name, text)| (name, text.as_bytes()));
    // The weights come first: they mark the folder as a player's if the rest cannot be written.
    for (name, bytes) in [(WEIGHTS, weights.as_slice())].into_iter().chain(sources) {
        let path = folder.join(name);
        write_whole(&path, bytes).map_err(failed(&path))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_matches_numpy() {
        let npy = Array::floats(&[2, 1], &[1.0, -2.0]).to_npy();
        assert_eq!(npy.len(), 128 + 8);
        assert_eq!(&npy[..10], b"\x93NUMPY\x01\x00\x76\x00");
        let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,1,), }";
        assert_eq!(&npy[10..10 + header.len()], header.as_bytes());
        assert_eq!(&npy[127..132], b"\n\x00\x00\x80\x3f");
    }
}
