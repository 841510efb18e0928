//! Frame of a message, and the signatures of workers.
//!
//! | bytes | content |
//! |---|---|
//! | 6 | `HXZMSG` |
//! | 2 | format version, little-endian like all numbers |
//! | 1 + n | length and text of the program version |
//! | 1 | kind of message |
//! | 4 | length of the payload before compression |
//! | 4 | CRC-32 of everything above and of the payload |
//! | … | the payload: a value in bincode, compressed with zstd |
//!
//! The program version precedes the payload, so that a message of another version is told apart from a damaged one.

use nkeys::KeyPair;

use hexzero_selfplay::shards::codec::{self, checksum, compress, decompress};

use super::messages::Message;

/// Version of this program in message frames. Games are repeatable between equal versions only.
pub const PROGRAM_VERSION: &str = env!("CARGO_PKG_VERSION");

const MAGIC: &[u8; 6] = b"HXZMSG";
const FORMAT: u16 = 1;
/// Limit of a payload before compression. A frame that claims more is refused unread.
const MAX_BYTES: usize = 1 << 24;
/// Size that any payload may have, and the maximum ratio of a larger payload to its message, so
/// that a small message cannot claim much memory. Real games compress to a tenth at best.
const BYTES_OF_ANY: usize = 1 << 20;
const MAX_COMPRESSION: usize = 100;

/// Reason why a frame cannot be packed or unpacked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// A foreign, truncated or damaged message.
    #[error("not a hexzero message, or damaged: {0}")]
    Damaged(&'static str),
    /// A message of this other program version.
    #[error("message of hexzero {0}, but this is {PROGRAM_VERSION}; all machines of a run need the same version")]
    OtherProgram(String),
    /// A payload above the size limit.
    #[error("{0} bytes are too many for one message")]
    TooLarge(usize),
    /// A payload that cannot be encoded.
    #[error("cannot encode the message: {0}")]
    Encoding(String),
}

/// Packs a message into a frame.
///
/// # Errors
/// If the message is too large.
pub fn encode<M: Message>(message: &M) -> Result<Vec<u8>, FrameError> {
    let raw = codec::encode(message).map_err(FrameError::Encoding)?;
    let payload = compress(&raw).map_err(|error| FrameError::Encoding(error.to_string()))?;
    if raw.len() > max_bytes(&payload) {
        return Err(FrameError::TooLarge(raw.len()));
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend(FORMAT.to_le_bytes());
    bytes.push(PROGRAM_VERSION.len() as u8);
    bytes.extend(PROGRAM_VERSION.as_bytes());
    bytes.push(M::KIND);
    bytes.extend((raw.len() as u32).to_le_bytes());
    bytes.extend(checksum(&bytes, &payload).to_le_bytes());
    bytes.extend(payload);
    Ok(bytes)
}

/// Unpacks a message from its frame.
///
/// # Errors
/// If it is damaged, of another kind, or of another program version.
pub fn decode<M: Message>(bytes: &[u8]) -> Result<M, FrameError> {
    let cut_off = || FrameError::Damaged("it is truncated");
    let rest = bytes.strip_prefix(MAGIC).ok_or(FrameError::Damaged("wrong magic bytes"))?;
    let (format, rest) = rest.split_first_chunk::<2>().ok_or_else(cut_off)?;
    let (&length, rest) = rest.split_first().ok_or_else(cut_off)?;
    let (program, rest) = rest.split_at_checked(usize::from(length)).ok_or_else(cut_off)?;
    if u16::from_le_bytes(*format) != FORMAT {
        // Another format may keep its checksum elsewhere.
        return Err(FrameError::OtherProgram(String::from_utf8_lossy(program).into_owned()));
    }
    let (&kind, rest) = rest.split_first().ok_or_else(cut_off)?;
    let (raw_length, rest) = rest.split_first_chunk::<4>().ok_or_else(cut_off)?;
    let header = &bytes[..bytes.len() - rest.len()];
    let (sum, payload) = rest.split_first_chunk::<4>().ok_or_else(cut_off)?;
    if checksum(header, payload) != u32::from_le_bytes(*sum) {
        return Err(FrameError::Damaged("wrong checksum"));
    }
    if program != PROGRAM_VERSION.as_bytes() {
        return Err(FrameError::OtherProgram(String::from_utf8_lossy(program).into_owned()));
    }
    if kind != M::KIND {
        return Err(FrameError::Damaged("wrong kind of message"));
    }
    let raw_length = u32::from_le_bytes(*raw_length) as usize;
    if raw_length > max_bytes(payload) {
        return Err(FrameError::TooLarge(raw_length));
    }
    let raw = decompress(payload, raw_length);
    let raw = raw.map_err(|_| FrameError::Damaged("the payload cannot be decompressed"))?;
    codec::decode(&raw).map_err(|_| FrameError::Damaged("the payload cannot be decoded"))
}

/// Returns the limit of a payload's size before compression.
fn max_bytes(payload: &[u8]) -> usize {
    (BYTES_OF_ANY + MAX_COMPRESSION * payload.len()).min(MAX_BYTES)
}

/// Bytes of a public key.
const KEY: usize = 56;
/// Bytes of a signature.
const SIGNATURE: usize = 64;

/// Key of a worker, drawn for each of its processes.
pub struct WorkerKey(KeyPair);

impl std::fmt::Debug for WorkerKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("WorkerKey").field(&self.public()).finish()
    }
}

impl WorkerKey {
    /// Draws a key.
    #[expect(clippy::new_without_default, reason = "each is another one")]
    pub fn new() -> Self {
        Self(KeyPair::new_user())
    }

    /// Returns the public key as text.
    pub fn public(&self) -> String {
        self.0.public_key()
    }

    /// Signs a frame that is sent to `subject`.
    ///
    /// After the frame come the public key of the worker as text (56 bytes) and its Ed25519 signature
    /// (64 bytes) of the subject, a zero byte and the frame.
    pub fn seal(&self, subject: &str, frame: Vec<u8>) -> Vec<u8> {
        // Only a key without its private part cannot sign.
        let signature = self.0.sign(&signed(subject, &frame)).unwrap_or_default();
        [frame, self.public().into_bytes(), signature].concat()
    }
}

/// Returns the frame and the public key of its sender; none if it is not signed, was changed, or was sent to another subject.
pub(crate) fn unseal<'a>(subject: &str, bytes: &'a [u8]) -> Option<(&'a [u8], &'a str)> {
    let (frame, seal) = bytes.split_at_checked(bytes.len().checked_sub(KEY + SIGNATURE)?)?;
    let (key, signature) = seal.split_at(KEY);
    let key = std::str::from_utf8(key).ok()?;
    KeyPair::from_public_key(key).ok()?.verify(&signed(subject, frame), signature).ok()?;
    Some((frame, key))
}

fn signed(subject: &str, frame: &[u8]) -> Vec<u8> {
    [subject.as_bytes(), &[0], frame].concat()
}

#[cfg(test)]
mod tests {
    use crate::wire::messages::{PlayedRange, Work};

    use super::*;

    #[test]
    fn cuts_are_detected() {
        let bytes = encode(&Work { job: "0123".to_owned(), deal: 7, first: 3, games: 2 }).unwrap();
        for at in 0..bytes.len() {
            assert!(decode::<Work>(&bytes[..at]).is_err(), "cut at {at}");
        }
        assert!(decode::<Work>(&[&bytes[..], &[0]].concat()).is_err(), "too long");
    }

    #[test]
    fn other_formats_and_kinds_are_told_apart_from_damage() {
        let mut bytes = encode(&Work { job: "0123".to_owned(), deal: 7, first: 3, games: 2 }).unwrap();
        assert_eq!(decode::<PlayedRange>(&bytes), Err(FrameError::Damaged("wrong kind of message")));
        bytes[6] = 2;
        assert_eq!(decode::<Work>(&bytes), Err(FrameError::OtherProgram(PROGRAM_VERSION.to_owned())));
    }

    #[test]
    fn huge_length_is_refused_before_allocating() {
        let mut bytes = encode(&Work { job: String::new(), deal: 0, first: 0, games: 0 }).unwrap();
        let at = MAGIC.len() + 2 + 1 + PROGRAM_VERSION.len() + 1;
        bytes[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        let sum = checksum(&bytes[..at + 4], &bytes[at + 8..]);
        bytes[at + 4..at + 8].copy_from_slice(&sum.to_le_bytes());
        assert_eq!(decode::<Work>(&bytes), Err(FrameError::TooLarge(u32::MAX as usize)));
    }

    #[test]
    fn changed_or_redirected_message_is_unsigned() {
        let key = WorkerKey::new();
        let sealed = key.seal("hexzero.games.w", b"games".to_vec());
        assert_eq!(unseal("hexzero.games.w", &sealed), Some((&b"games"[..], &*key.public())));
        assert_eq!(unseal("hexzero.games.v", &sealed), None);
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert_eq!(unseal("hexzero.games.w", &changed), None, "{at}");
            assert_eq!(unseal("hexzero.games.w", &sealed[..at]), None, "{at}");
        }
        // Another key's signature in this one's name.
        let mut forged = WorkerKey::new().seal("hexzero.games.w", b"games".to_vec());
        forged[5..5 + KEY].copy_from_slice(key.public().as_bytes());
        assert_eq!(unseal("hexzero.games.w", &forged), None);
    }
}
