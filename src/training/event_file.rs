//! TensorBoard's event files, as far as single numbers need them: records in TensorFlow's framing, each with an
//! `Event` in the wire format of protocol buffers.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | length of the event, little-endian like all numbers |
//! | 4 | masked CRC-32C of the length |
//! | … | the event |
//! | 4 | masked CRC-32C of the event |
//!
//! `Event` is `wall_time` (1, double), `step` (2, int64), and either `file_version` (3, string) or `summary` (5). A
//! `Summary` is a list (1) of values with `tag` (1, string) and `simple_value` (2, float).

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// The version in the first event of a file.
const FILE_VERSION: &str = "brain.Event:2";

/// The kinds of fields in the wire format.
const VARINT: u64 = 0;
const EIGHT_BYTES: u64 = 1;
const LENGTH_FIRST: u64 = 2;
const FOUR_BYTES: u64 = 5;

/// An event file being written. Each event is written in one piece, so that at most the last one is cut off, which
/// TensorBoard skips.
#[derive(Debug)]
pub struct EventFile {
    file: File,
}

impl EventFile {
    /// Begins a file; `wall_time` is in seconds since 1970.
    ///
    /// # Errors
    /// If it exists or cannot be written.
    pub fn create(path: &Path, wall_time: f64) -> io::Result<Self> {
        let file = OpenOptions::new().append(true).create_new(true).open(path)?;
        let mut event = Message::default();
        event.double(1, wall_time);
        event.bytes(3, FILE_VERSION.as_bytes());
        let mut events = Self { file };
        events.write(&event)?;
        Ok(events)
    }

    /// Appends numbers with their names, at a step.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn append(&mut self, wall_time: f64, step: u64, scalars: &[(String, f64)]) -> io::Result<()> {
        let mut summary = Message::default();
        for (tag, number) in scalars {
            let mut value = Message::default();
            value.bytes(1, tag.as_bytes());
            value.float(2, *number as f32);
            summary.bytes(1, &value.0);
        }
        let mut event = Message::default();
        event.double(1, wall_time);
        event.number(2, step);
        event.bytes(5, &summary.0);
        self.write(&event)
    }

    fn write(&mut self, Message(event): &Message) -> io::Result<()> {
        let length = (event.len() as u64).to_le_bytes();
        let sum_of_length = masked_crc32c(&length).to_le_bytes();
        let sum_of_event = masked_crc32c(event).to_le_bytes();
        self.file.write_all(&[&length[..], &sum_of_length, event, &sum_of_event].concat())
    }
}

/// A message of protocol buffers in its wire format.
#[derive(Debug, Default)]
struct Message(Vec<u8>);

impl Message {
    /// Seven bits a byte, the lowest first; all bytes but the last have the eighth bit.
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn key(&mut self, field: u64, kind: u64) {
        self.varint(field << 3 | kind);
    }

    fn number(&mut self, field: u64, value: u64) {
        self.key(field, VARINT);
        self.varint(value);
    }

    fn double(&mut self, field: u64, value: f64) {
        self.key(field, EIGHT_BYTES);
        self.0.extend(value.to_le_bytes());
    }

    fn float(&mut self, field: u64, value: f32) {
        self.key(field, FOUR_BYTES);
        self.0.extend(value.to_le_bytes());
    }

    fn bytes(&mut self, field: u64, value: &[u8]) {
        self.key(field, LENGTH_FIRST);
        self.varint(value.len() as u64);
        self.0.extend(value);
    }
}

/// CRC-32C (Castagnoli), bit by bit: an iteration writes some thousand bytes.
fn crc32c(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| (sum >> 1) ^ (0x82f6_3b78 & (sum & 1).wrapping_neg()))
    })
}

/// Masks a checksum so that it can be stored beside its data.
fn masked_crc32c(bytes: &[u8]) -> u32 {
    crc32c(bytes).rotate_right(15).wrapping_add(0xa282_ead8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_checksums() {
        // RFC 3720, appendix B.4.
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa);
        assert_eq!(crc32c(&[0xff; 32]), 0x62a8_ab43);
        assert_eq!(crc32c(b""), 0);
    }

    #[test]
    fn numbers_of_any_length() {
        let mut message = Message::default();
        [0, 127, 128, 300, u64::MAX].into_iter().for_each(|value| message.varint(value));
        let most = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
        assert_eq!(message.0, [&[0, 127, 0x80, 1, 0xac, 2][..], &most].concat());
    }
}
