//! Signatures of workers' messages, which tell a worker's own messages from those forged in its
//! name.
//!
//! After the frame come the public key of the worker as text (56 bytes) and its Ed25519 signature
//! (64 bytes) of the subject, a zero byte and the frame.

use nkeys::KeyPair;

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
    use super::*;

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
