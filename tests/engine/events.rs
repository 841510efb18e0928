//! A reader of TensorBoard's event files, as far as single numbers need it.

use std::collections::BTreeMap;

use prost::Message;

/// The fields used of TensorFlow's `Event`.
#[derive(Clone, PartialEq, Message)]
pub struct Event {
    #[prost(double, tag = "1")]
    pub wall_time: f64,
    #[prost(int64, tag = "2")]
    pub step: i64,
    #[prost(string, optional, tag = "3")]
    pub file_version: Option<String>,
    #[prost(message, optional, tag = "5")]
    summary: Option<Summary>,
}

#[derive(Clone, PartialEq, Message)]
struct Summary {
    #[prost(message, repeated, tag = "1")]
    value: Vec<Scalar>,
}

#[derive(Clone, PartialEq, Message)]
struct Scalar {
    #[prost(string, tag = "1")]
    tag: String,
    #[prost(float, tag = "2")]
    simple_value: f32,
}

impl Event {
    /// The numbers by name.
    pub fn scalars(&self) -> BTreeMap<&str, f32> {
        let values = self.summary.iter().flat_map(|summary| &summary.value);
        values.map(|value| (&*value.tag, value.simple_value)).collect()
    }
}

/// All events of a file; their checksums are not compared.
pub fn read_events(mut bytes: &[u8]) -> Vec<Event> {
    let mut events = Vec::new();
    while !bytes.is_empty() {
        let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
        events.push(Event::decode(&bytes[12..12 + length]).unwrap());
        bytes = &bytes[16 + length..];
    }
    events
}
