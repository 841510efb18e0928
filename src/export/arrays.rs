//! Arrays by name in a file of NumPy's, `.npz`: a zip archive of `.npy` files.

use std::io::{Cursor, Write};

use zip::CompressionMethod;
use zip::write::{SimpleFileOptions, ZipWriter};

use super::error::ExportError;

/// An array, row-major.
#[derive(Debug, Clone, PartialEq)]
pub struct Array {
    shape: Vec<usize>,
    /// The type of a value as NumPy writes it, such as `<f4`.
    kind: &'static str,
    bytes: Vec<u8>,
}

impl Array {
    /// An array of 32-bit floats.
    pub fn floats(shape: &[usize], values: &[f32]) -> Self {
        assert_eq!(shape.iter().product::<usize>(), values.len(), "a value for each place");
        let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        Self { shape: shape.to_vec(), kind: "<f4", bytes }
    }

    /// An array of 16-bit integers.
    pub fn integers(shape: &[usize], values: &[i16]) -> Self {
        assert_eq!(shape.iter().product::<usize>(), values.len(), "a value for each place");
        let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        Self { shape: shape.to_vec(), kind: "<i2", bytes }
    }

    /// A text, as the array of its bytes.
    pub fn text(text: &str) -> Self {
        Self { shape: vec![text.len()], kind: "|u1", bytes: text.as_bytes().to_vec() }
    }

    /// The file: a magic, a version, the length of a Python dictionary, that dictionary, the values.
    fn to_npy(&self) -> Vec<u8> {
        let shape: String = self.shape.iter().map(|length| format!("{length},")).collect();
        let mut header = format!("{{'descr': '{}', 'fortran_order': False, 'shape': ({shape}), }}", self.kind);
        // What follows begins at a multiple of 64 bytes.
        let padding = 63 - (10 + header.len()) % 64;
        header += &" ".repeat(padding);
        header.push('\n');
        let length = (header.len() as u16).to_le_bytes();
        [b"\x93NUMPY\x01\x00", length.as_slice(), header.as_bytes(), &self.bytes].concat()
    }
}

/// The bytes of an `.npz` file, without compression. The same arrays give the same bytes.
///
/// # Errors
/// If there is more than such a file can hold.
pub fn write_arrays<'a>(arrays: impl IntoIterator<Item = (&'a str, &'a Array)>) -> Result<Vec<u8>, ExportError> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, array) in arrays {
        archive.start_file(format!("{name}.npy"), stored)?;
        archive.write_all(&array.to_npy()).map_err(zip::result::ZipError::from)?;
    }
    Ok(archive.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_as_numpy_writes_it() {
        let npy = Array::floats(&[2, 1], &[1.0, -2.0]).to_npy();
        assert_eq!(npy.len(), 128 + 8);
        assert_eq!(&npy[..10], b"\x93NUMPY\x01\x00\x76\x00");
        let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,1,), }";
        assert_eq!(&npy[10..10 + header.len()], header.as_bytes());
        assert_eq!(&npy[127..132], b"\n\x00\x00\x80\x3f");
    }
}
