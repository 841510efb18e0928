//! Encoding with bincode, in one place.

use bincode::config::{self, Config};
use serde::{Serialize, de::DeserializeOwned};

/// The most that a decoder reads, even if a damaged length claims more.
const MOST_BYTES: usize = 1 << 28;

fn configuration() -> impl Config {
    config::standard().with_limit::<MOST_BYTES>()
}

/// Encodes a value.
pub(crate) fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, String> {
    bincode::serde::encode_to_vec(value, configuration()).map_err(|error| error.to_string())
}

/// Decodes a value, which must use all bytes.
pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    match bincode::serde::decode_from_slice(bytes, configuration()) {
        Ok((value, used)) if used == bytes.len() => Ok(value),
        Ok((_, used)) => Err(format!("{} bytes follow the end", bytes.len() - used)),
        Err(error) => Err(error.to_string()),
    }
}
