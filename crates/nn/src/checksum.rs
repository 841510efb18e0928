//! The checksum in the header of a safetensors file: CRC-32 of the whole file with zeros for its own digits.
//!
//! The checksum is a field of the JSON text in the header, with eight hexadecimal digits. Files
//! without a checksum, which earlier versions and other programs write, are accepted.

use std::ops::Range;

use serde_json::Value;

const FIELD: &str = "checksum";
const NONE_YET: &str = "00000000";

/// Adds the field to a JSON object; leaves other texts unchanged.
pub(super) fn with_field(text: String) -> String {
    match text.strip_suffix('}') {
        Some("{") => format!("{{\"{FIELD}\":\"{NONE_YET}\"}}"),
        Some(start) if text.starts_with('{') => format!("{start},\"{FIELD}\":\"{NONE_YET}\"}}"),
        _ => text,
    }
}

/// Writes the checksum into a file whose header has the field.
pub(super) fn enter(bytes: &mut [u8]) {
    if let Some(digits) = find(bytes, NONE_YET) {
        let sum = of(bytes, &digits);
        bytes[digits].copy_from_slice(sum.as_bytes());
    }
}

/// Compares a file with the checksum in `text`, the JSON in its header.
pub(super) fn check(bytes: &[u8], text: &str) -> Result<(), String> {
    let mut json: Value = serde_json::from_str(text).unwrap_or_default();
    let Some(said) = json.get_mut(FIELD).map(Value::take) else {
        // One flipped bit must not turn the file into one without a checksum.
        let damaged = json.as_object().and_then(|fields| fields.keys().find(|name| is_nearly_the_field(name)));
        return damaged.map_or(Ok(()), |name| Err(format!("it has '{name}' in place of '{FIELD}'")));
    };
    let found = said.as_str().filter(|said| said.len() == NONE_YET.len()).and_then(|said| find(bytes, said));
    let Some(digits) = found else { return Err(format!("its checksum is not eight digits but {said}")) };
    let sum = of(bytes, &digits);
    if bytes[digits] == *sum.as_bytes() {
        Ok(())
    } else {
        Err(format!(
            "its checksum is {sum}, its header says {said}; a program that changes the file has to leave '{FIELD}' out"
        ))
    }
}

/// Returns true if a name differs from that of the field by one letter.
fn is_nearly_the_field(name: &str) -> bool {
    name.len() == FIELD.len() && name.bytes().zip(FIELD.bytes()).filter(|(a, b)| a != b).count() == 1
}

/// Returns the range of the digits in the header.
fn find(bytes: &[u8], digits: &str) -> Option<Range<usize>> {
    let length = usize::try_from(u64::from_le_bytes(*bytes.first_chunk()?)).ok()?;
    let header = &bytes[..bytes.len().min(length.saturating_add(8))];
    // Search for the last occurrence, because text from elsewhere may come before the field.
    let field = header.windows(FIELD.len()).rposition(|window| window == FIELD.as_bytes())?;
    let start = field + header[field..].windows(digits.len()).position(|window| window == digits.as_bytes())?;
    Some(start..start + digits.len())
}

fn of(bytes: &[u8], digits: &Range<usize>) -> String {
    let mut sum = crc32fast::Hasher::new();
    for part in [&bytes[..digits.start], NONE_YET.as_bytes(), &bytes[digits.end..]] {
        sum.update(part);
    }
    format!("{:08x}", sum.finalize())
}
