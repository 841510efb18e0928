//! Named arrays of floats, and the safetensors files that store them.

use std::collections::{BTreeMap, HashMap};

use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};

use super::checksum;

/// An array of floats with its shape, row-major.
#[derive(Debug, Clone, PartialEq)]
pub struct TensorData {
    /// The length of each dimension.
    pub shape: Vec<usize>,
    /// The values.
    pub data: Vec<f32>,
}

/// Arrays by name, sorted by name.
pub type NamedTensors = BTreeMap<String, TensorData>;

/// Returns the bytes of a safetensors file with these tensors and one text in its header. If the
/// text is a JSON object, a checksum of the file is added to it as a field.
///
/// # Errors
/// If a tensor's shape and its number of values disagree.
pub fn write_safetensors(tensors: &NamedTensors, key: &str, text: String) -> Result<Vec<u8>, String> {
    let mut bytes = safetensors_without_checksum(tensors, key, checksum::with_field(text))?;
    checksum::enter(&mut bytes);
    Ok(bytes)
}

/// Writes a safetensors file as [`write_safetensors`] does, without a checksum.
pub(super) fn safetensors_without_checksum(tensors: &NamedTensors, key: &str, text: String) -> Result<Vec<u8>, String> {
    let bytes: Vec<Vec<u8>> =
        tensors.values().map(|tensor| tensor.data.iter().flat_map(|value| value.to_le_bytes()).collect()).collect();
    let views = tensors.iter().zip(&bytes).map(|((name, tensor), bytes)| {
        let view = TensorView::new(Dtype::F32, tensor.shape.clone(), bytes);
        view.map(|view| (name.as_str(), view)).map_err(|error| error.to_string())
    });
    let views = views.collect::<Result<Vec<_>, String>>()?;
    serialize(views, Some(HashMap::from([(key.to_owned(), text)]))).map_err(|error| error.to_string())
}

/// Reads the text under a key in the header of a safetensors file.
///
/// # Errors
/// If the header is damaged or has no such key.
pub fn read_safetensors_text(bytes: &[u8], key: &str) -> Result<String, String> {
    let (_, header) = SafeTensors::read_metadata(bytes).map_err(|error| error.to_string())?;
    let text = header.metadata().as_ref().and_then(|texts| texts.get(key));
    text.cloned().ok_or_else(|| format!("its header has no entry '{key}'"))
}

/// Compares a safetensors file with its checksum, if the text under a key of its header has one.
///
/// # Errors
/// If they differ, or the header is damaged.
pub fn check_safetensors(bytes: &[u8], key: &str) -> Result<(), String> {
    checksum::check(bytes, &read_safetensors_text(bytes, key)?)
}

/// Reads the tensors of a safetensors file.
///
/// # Errors
/// If the file is damaged, or contains anything but finite 32-bit floats.
pub fn read_safetensors(bytes: &[u8]) -> Result<NamedTensors, String> {
    let file = SafeTensors::deserialize(bytes).map_err(|error| error.to_string())?;
    let tensor = |(name, view): (&str, TensorView<'_>)| {
        if view.dtype() != Dtype::F32 {
            return Err(format!("tensor '{name}' is {:?}, expected F32", view.dtype()));
        }
        let values = view.data().chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        let data: Vec<f32> = values.collect();
        if !data.iter().all(|value| value.is_finite()) {
            return Err(format!("tensor '{name}' has values that are no finite numbers"));
        }
        Ok((name.to_owned(), TensorData { shape: view.shape().to_vec(), data }))
    };
    file.iter().map(tensor).collect()
}
