//! A reader of TensorBoard's event files, as far as single numbers need it.

use std::collections::BTreeMap;

/// An event: its time, its step, the file version if it says one, and its numbers by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Event {
    pub wall_time: f64,
    pub step: u64,
    pub file_version: Option<String>,
    pub scalars: BTreeMap<String, f32>,
}

/// All events of a file. Panics if anything in it is not as it should be.
pub fn read_events(mut bytes: &[u8]) -> Vec<Event> {
    let mut events = Vec::new();
    while !bytes.is_empty() {
        let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
        let sum = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!(sum(8), masked_sum(&bytes[..8]), "the checksum of a length");
        let event = &bytes[12..12 + length];
        assert_eq!(sum(12 + length), masked_sum(event), "the checksum of an event");
        events.push(read_event(event));
        bytes = &bytes[16 + length..];
    }
    events
}

fn read_event(bytes: &[u8]) -> Event {
    let mut event = Event::default();
    for (field, value) in fields(bytes) {
        match (field, value) {
            (1, Field::Eight(value)) => event.wall_time = f64::from_le_bytes(value),
            (2, Field::Number(value)) => event.step = value,
            (3, Field::Bytes(value)) => event.file_version = Some(String::from_utf8(value).unwrap()),
            (5, Field::Bytes(summary)) => event.scalars.extend(fields(&summary).into_iter().map(read_value)),
            other => panic!("an event has no {other:?}"),
        }
    }
    event
}

fn read_value((field, value): (u64, Field)) -> (String, f32) {
    let (1, Field::Bytes(value)) = (field, value) else { panic!("a summary is a list of values") };
    let parts: Vec<(u64, Field)> = fields(&value);
    let [(1, Field::Bytes(tag)), (2, Field::Four(number))] = &parts[..] else { panic!("a value is {parts:?}") };
    (String::from_utf8(tag.clone()).unwrap(), f32::from_le_bytes(*number))
}

#[derive(Debug)]
enum Field {
    Number(u64),
    Eight([u8; 8]),
    Bytes(Vec<u8>),
    Four([u8; 4]),
}

/// The fields of a message of protocol buffers, with their numbers.
fn fields(mut bytes: &[u8]) -> Vec<(u64, Field)> {
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes);
        let mut take = |count: usize| {
            let (taken, rest) = bytes.split_at(count);
            bytes = rest;
            taken
        };
        let field = match key & 7 {
            1 => Field::Eight(take(8).try_into().unwrap()),
            5 => Field::Four(take(4).try_into().unwrap()),
            0 => Field::Number(varint(&mut bytes)),
            2 => {
                let length = varint(&mut bytes) as usize;
                let (taken, rest) = bytes.split_at(length);
                bytes = rest;
                Field::Bytes(taken.to_vec())
            }
            kind => panic!("no kind {kind}"),
        };
        fields.push((key >> 3, field));
    }
    fields
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let length = bytes.iter().position(|byte| byte & 0x80 == 0).unwrap() + 1;
    let (number, rest) = bytes.split_at(length);
    *bytes = rest;
    number.iter().rev().fold(0, |sum, byte| sum << 7 | u64::from(byte & 0x7f))
}

/// CRC-32C, masked as it is stored beside the data.
fn masked_sum(bytes: &[u8]) -> u32 {
    let entry = |index: u32| (0..8).fold(index, |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0x82f6_3b78 } else { sum >> 1 });
    let table: Vec<u32> = (0..256).map(entry).collect();
    let sum = !bytes.iter().fold(!0u32, |sum, &byte| sum >> 8 ^ table[(sum as u8 ^ byte) as usize]);
    sum.rotate_right(15).wrapping_add(0xa282_ead8)
}
