//! Checksums of lines of JSON in files that only this program writes. Each object ends with the
//! field `crc`, the CRC-32 of the object without that field, as eight hexadecimal digits. Lines
//! without a checksum, which earlier versions wrote, are accepted.

/// The end of a line is `,"crc":"01234567"}`.
const BEFORE: &[u8] = b",\"crc\":\"";
const DIGITS: usize = 8;
const AFTER: &[u8] = b"\"}";
const LENGTH: usize = BEFORE.len() + DIGITS + AFTER.len();

/// Returns the checksum of a JSON object.
pub fn checksum(object: &str) -> String {
    format!("{:08x}", crc32fast::hash(object.as_bytes()))
}

/// Adds the checksum to a JSON object that has other fields.
pub fn with_checksum(object: &str) -> String {
    format!("{},\"crc\":\"{}\"}}", object.strip_suffix('}').unwrap_or(object), checksum(object))
}

/// Compares a line with its checksum, if the line has one.
///
/// # Errors
/// If they differ, or the name of the checksum field is damaged.
pub fn check(line: &[u8]) -> Result<(), String> {
    let Some((object, end)) = line.trim_ascii_end().split_last_chunk::<LENGTH>() else { return Ok(()) };
    let (before, rest) = end.split_at(BEFORE.len());
    let (digits, after) = rest.split_at(DIGITS);
    let fixed = before.iter().zip(BEFORE).chain(after.iter().zip(AFTER));
    match fixed.filter(|(found, expected)| found != expected).count() {
        0 => {}
        // One damaged byte must not turn the line into one without a checksum.
        1 => return Err("its end, the checksum, is damaged".to_owned()),
        _ => return Ok(()),
    }
    let mut sum = crc32fast::Hasher::new();
    sum.update(object);
    sum.update(b"}");
    let sum = format!("{:08x}", sum.finalize());
    if digits == sum.as_bytes() {
        Ok(())
    } else {
        Err(format!("its checksum is {sum}, and the line says {}", digits.escape_ascii()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_bytes_are_detected() {
        let object =
            r#"{"iteration":12,"losses":{"total":2.5},"crc":"in the middle","checkpoint":"step-1.safetensors"}"#;
        assert_eq!(check(object.as_bytes()), Ok(()), "a line of an earlier version");
        let line = with_checksum(object);
        assert!(serde_json::from_str::<serde_json::Value>(&line).unwrap()["crc"].is_string());
        assert_eq!(check(format!("{line}\r\n").as_bytes()), Ok(()));
        let mut bytes = line.into_bytes();
        for at in 0..bytes.len() {
            for changed in 1..=255 {
                bytes[at] ^= changed;
                // Damage that turns the end into white space leaves no valid JSON.
                let is_json = || serde_json::from_slice::<serde_json::Value>(&bytes).is_ok();
                assert!(check(&bytes).is_err() || !is_json(), "byte {at}: {}", bytes.escape_ascii());
                bytes[at] ^= changed;
            }
        }
        assert!([&b""[..], b"\n", b"{}"].iter().all(|line| check(line).is_ok()));
    }
}
