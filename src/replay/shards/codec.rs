//! Encoding with bincode, in one place.

use bincode::config::{self, Config};
use serde::{Serialize, de::DeserializeOwned};

/// The most that a decoder reads, even if a damaged length claims more. A number counts at its full width, which is up to eight
/// times as much as it takes.
const MOST_BYTES: usize = 8 << 28;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_much_is_read_as_a_shard_holds() {
        // 280 MB at full width, 35 MB as they are written.
        let small = vec![1u64; 35 << 20];
        let bytes = encode(&small).unwrap();
        assert!(decode::<Vec<u64>>(&bytes).unwrap() == small);
    }

    #[test]
    fn lengths_that_nothing_follows_are_refused() {
        let long = encode(&u64::MAX).unwrap();
        assert!(decode::<Vec<u64>>(&long).is_err());
        assert!(decode::<String>(&long).is_err());
        assert!(decode::<String>(&encode(&(1u64 << 30)).unwrap()).is_err());
    }
}
