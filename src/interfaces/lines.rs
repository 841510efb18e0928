//! Reads lines of untrusted text.

use std::io::{self, BufRead, Read};

/// Lines longer than this, in bytes, are not kept. The longest games take a tenth of it.
pub const LONGEST_LINE: usize = (1 << 16) - 1;

/// A line, or the reason why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// A line without its end. Bytes that are not UTF-8 are replaced.
    Text(String),
    /// A line too long to keep; it has been read to its end.
    TooLong,
    /// The end of the input.
    End,
}

/// Reads the next line, in bounded memory.
///
/// # Errors
/// If reading fails.
pub fn read_line(input: &mut impl BufRead) -> io::Result<Line> {
    let mut bytes = Vec::new();
    input.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(Line::End);
    }
    if bytes.len() > LONGEST_LINE && bytes.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
        return Ok(Line::TooLong);
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(Line::Text(text.trim_end_matches(['\r', '\n']).to_owned()))
}

/// Returns the text with tabs as spaces and without other control characters, so that it can be
/// shown or returned safely.
pub fn printable(text: &str) -> String {
    text.replace('\t', " ").chars().filter(|c| !c.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_all_kinds() {
        let long = "x".repeat(LONGEST_LINE + 1);
        let text = format!("d2\r\n\n{long}\n{}\nlast", &long[1..]);
        let mut input = text.as_bytes();
        let mut next = || read_line(&mut input).unwrap();
        assert_eq!(next(), Line::Text("d2".into()));
        assert_eq!(next(), Line::Text(String::new()));
        assert_eq!(next(), Line::TooLong);
        assert_eq!(next(), Line::Text(long[1..].into()));
        assert_eq!(next(), Line::Text("last".into()));
        assert_eq!(next(), Line::End);
    }

    #[test]
    fn bytes_that_are_no_text() {
        assert_eq!(read_line(&mut &b"\xff\xfe\n"[..]).unwrap(), Line::Text("\u{fffd}\u{fffd}".into()));
        assert_eq!(printable("a\tb\0\x1b[31m\r"), "a b[31m");
    }
}
