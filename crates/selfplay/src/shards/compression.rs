//! Compression by zstd: by its library in C, or in WebAssembly by one in Rust, which compresses less. Both read the files of both.

use std::io;

/// Compresses `bytes`. The same bytes give the same result, with one of the two libraries.
#[cfg(not(target_family = "wasm"))]
pub(super) fn compress(bytes: &[u8]) -> io::Result<Vec<u8>> {
    const LEVEL: i32 = 3;
    zstd::bulk::compress(bytes, LEVEL)
}

/// Decompresses `length` bytes.
#[cfg(not(target_family = "wasm"))]
pub(super) fn decompress(bytes: &[u8], length: usize) -> io::Result<Vec<u8>> {
    zstd::bulk::decompress(bytes, length)
}

#[cfg(target_family = "wasm")]
pub(super) fn compress(bytes: &[u8]) -> io::Result<Vec<u8>> {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    Ok(compress_to_vec(bytes, CompressionLevel::Fastest))
}

#[cfg(target_family = "wasm")]
pub(super) fn decompress(bytes: &[u8], length: usize) -> io::Result<Vec<u8>> {
    use io::Read;
    let mut decoder = ruzstd::decoding::StreamingDecoder::new(bytes).map_err(io::Error::other)?;
    let mut raw = Vec::with_capacity(length);
    // A damaged file may hold more than it says.
    decoder.by_ref().take(length as u64 + 1).read_to_end(&mut raw)?;
    if raw.len() > length { Err(io::Error::other("it holds more than it says")) } else { Ok(raw) }
}
