//! TensorBoard's event files, as far as single numbers need them: records in TensorFlow's framing, each with an
//! `Event` in the wire format of protocol buffers.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | length of the event, little-endian like all numbers |
//! | 4 | masked CRC-32C of the length |
//! | … | the event |
//! | 4 | masked CRC-32C of the event |

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use prost::Message;

/// The version in the first event of a file.
const FILE_VERSION: &str = "brain.Event:2";

/// The fields used of `Event` in TensorFlow's `event.proto`.
#[derive(Clone, PartialEq, Message)]
struct Event {
    #[prost(double, tag = "1")]
    wall_time: f64,
    #[prost(int64, tag = "2")]
    step: i64,
    #[prost(string, optional, tag = "3")]
    file_version: Option<String>,
    #[prost(message, optional, tag = "5")]
    summary: Option<Summary>,
}

/// The fields used of `Summary` in TensorFlow's `summary.proto`.
#[derive(Clone, PartialEq, Message)]
struct Summary {
    #[prost(message, repeated, tag = "1")]
    value: Vec<Scalar>,
}

/// A named number: `Summary.Value`. The number is a choice of several kinds there, and so is written even if it is 0.
#[derive(Clone, PartialEq, Message)]
struct Scalar {
    #[prost(string, tag = "1")]
    tag: String,
    #[prost(float, optional, tag = "2")]
    simple_value: Option<f32>,
}

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
        let mut events = Self { file };
        let event = Event { wall_time, file_version: Some(FILE_VERSION.to_owned()), ..Event::default() };
        events.write(&event)?;
        Ok(events)
    }

    /// Appends numbers with their names, at a step.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn append(&mut self, wall_time: f64, step: u64, scalars: &[(String, f64)]) -> io::Result<()> {
        let scalar = |(tag, number): &(String, f64)| Scalar { tag: tag.clone(), simple_value: Some(*number as f32) };
        let summary = Some(Summary { value: scalars.iter().map(scalar).collect() });
        self.write(&Event { wall_time, step: step.cast_signed(), summary, ..Event::default() })
    }

    fn write(&mut self, event: &Event) -> io::Result<()> {
        let event = event.encode_to_vec();
        let length = (event.len() as u64).to_le_bytes();
        let sum_of_length = masked_crc32c(&length).to_le_bytes();
        let sum_of_event = masked_crc32c(&event).to_le_bytes();
        self.file.write_all(&[&length[..], &sum_of_length, &event, &sum_of_event].concat())
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
    fn zero_value_is_written() {
        let scalar = Scalar { tag: "x".to_owned(), simple_value: Some(0.0) };
        assert_eq!(scalar.encode_to_vec(), [0x0a, 1, b'x', 0x15, 0, 0, 0, 0]);
    }
}
