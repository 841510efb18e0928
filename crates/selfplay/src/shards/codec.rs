//! Encoding with bincode, compression by zstd and checksums, in one place.

use std::io;

use bincode::config::{self, Config};
use serde::{Serialize, de::DeserializeOwned};

/// The limit on what a decoder reads of a value, even if a damaged length claims more. A number
/// counts at full width, up to eight times its encoded size. In memory, a value of a game takes up
/// to twenty times what it counts.
const MAX_BYTES: usize = 8 << 24;

/// The limit for an item of a list, far above any game.
const MAX_ITEM_BYTES: usize = 1 << 24;

/// Encodes a value.
pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, String> {
    bincode::serde::encode_to_vec(value, config::standard()).map_err(|error| error.to_string())
}

/// Decodes a value, which must use all bytes.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    let (value, rest) = first(bytes, config::standard().with_limit::<MAX_BYTES>())?;
    all_used(rest).map(|()| value)
}

/// Decodes a list item by item; it must use all bytes. `memory` returns how many bytes an item
/// takes; all together may take at most `most`.
pub(super) fn decode_list<T: DeserializeOwned>(
    bytes: &[u8],
    most: usize,
    memory: impl Fn(&T) -> usize,
) -> Result<Vec<T>, String> {
    let (length, mut rest) = first::<u64>(bytes, config::standard())?;
    let (mut items, mut taken) = (Vec::new(), 0);
    for _ in 0..length {
        let (item, after) = first(rest, config::standard().with_limit::<MAX_ITEM_BYTES>())?;
        taken += memory(&item);
        if taken > most {
            return Err(format!("they take more than {most} bytes of memory, too much for so small a file"));
        }
        items.push(item);
        rest = after;
    }
    all_used(rest).map(|()| items)
}

/// Compresses `bytes` by zstd: by its library in C, or in WebAssembly by one in Rust, which compresses less. Both read
/// the files of both. The same bytes give the same result, with one of the two libraries.
pub fn compress(bytes: &[u8]) -> io::Result<Vec<u8>> {
    #[cfg(not(target_family = "wasm"))]
    {
        const LEVEL: i32 = 3;
        zstd::bulk::compress(bytes, LEVEL)
    }
    #[cfg(target_family = "wasm")]
    {
        use ruzstd::encoding::{CompressionLevel, compress_to_vec};
        Ok(compress_to_vec(bytes, CompressionLevel::Fastest))
    }
}

/// Decompresses at most `length` bytes.
pub fn decompress(bytes: &[u8], length: usize) -> io::Result<Vec<u8>> {
    #[cfg(not(target_family = "wasm"))]
    {
        zstd::bulk::decompress(bytes, length)
    }
    #[cfg(target_family = "wasm")]
    {
        use io::Read;
        let mut decoder = ruzstd::decoding::StreamingDecoder::new(bytes).map_err(io::Error::other)?;
        let mut raw = Vec::with_capacity(length);
        // A damaged file may hold more than it says.
        decoder.by_ref().take(length as u64 + 1).read_to_end(&mut raw)?;
        if raw.len() > length { Err(io::Error::other("it holds more than it says")) } else { Ok(raw) }
    }
}

/// Returns the CRC-32 of the header and the payload of a file or message.
pub fn checksum(header: &[u8], payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(header);
    hasher.update(payload);
    hasher.finalize()
}

/// Decodes the value at the beginning, and returns it with the rest.
fn first<T: DeserializeOwned>(bytes: &[u8], configuration: impl Config) -> Result<(T, &[u8]), String> {
    let decoded = bincode::serde::decode_from_slice(bytes, configuration);
    decoded.map(|(value, used)| (value, &bytes[used..])).map_err(|error| error.to_string())
}

fn all_used(rest: &[u8]) -> Result<(), String> {
    if rest.is_empty() { Ok(()) } else { Err(format!("{} bytes follow the end", rest.len())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_limit_is_in_encoded_bytes() {
        // 120 MB at full width, 15 MB as they are written.
        let small = vec![1u64; 15 << 20];
        let bytes = encode(&small).unwrap();
        assert!(decode::<Vec<u64>>(&bytes).unwrap() == small);
    }

    #[test]
    fn list_is_read_within_its_memory_limit() {
        let list = vec!["a".to_owned(), "list".to_owned(), "of".to_owned(), "words".to_owned()];
        let bytes = encode(&list).unwrap();
        assert_eq!(decode_list(&bytes, 12, String::len), Ok(list));
        assert!(decode_list(&bytes, 11, String::len).unwrap_err().contains("more than 11 bytes"));
        assert!(decode_list(&bytes[..bytes.len() - 1], 100, String::len).is_err(), "cut off");
        assert!(decode_list(&[&bytes[..], &[0]].concat(), 100, String::len).is_err(), "too long");
        let endless = encode(&(u64::MAX, "a")).unwrap();
        assert!(decode_list(&endless, 100, String::len).is_err());
    }

    #[test]
    fn unbacked_lengths_are_refused() {
        let long = encode(&u64::MAX).unwrap();
        assert!(decode::<Vec<u64>>(&long).is_err());
        assert!(decode::<String>(&long).is_err());
        assert!(decode::<String>(&encode(&(1u64 << 30)).unwrap()).is_err());
    }
}
