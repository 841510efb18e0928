//! Reads lines of untrusted input in bounded memory.

use std::io::{self, BufRead, Read};

use hexzero_system::steers;

/// The longest line that is kept, in bytes: ten times the longest game.
pub const MAX_LINE_BYTES: usize = (1 << 16) - 1;

/// A line, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// A line without its line ending and without byte order marks before it; invalid UTF-8 is replaced.
    Text(String),
    /// A line longer than [`MAX_LINE_BYTES`]; it has been skipped.
    TooLong,
    /// The end of the input.
    End,
}

/// Reads the next line.
///
/// # Errors
/// If reading fails.
pub fn read_line(input: &mut impl BufRead) -> io::Result<Line> {
    let mut bytes = Vec::new();
    input.by_ref().take(MAX_LINE_BYTES as u64 + 1).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(Line::End);
    }
    if bytes.len() > MAX_LINE_BYTES && bytes.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
        return Ok(Line::TooLong);
    }
    let text = String::from_utf8_lossy(&bytes);
    // Programs of Windows begin a stream with the mark, and files put together have several.
    let text = text.trim_start_matches('\u{feff}').trim_end_matches(['\r', '\n']);
    Ok(Line::Text(text.to_owned()))
}

/// Passes the lines of an input on, up to its end or an error, or until `pass` returns false.
pub fn each_line(mut input: impl BufRead, mut pass: impl FnMut(io::Result<Line>) -> bool) {
    loop {
        let line = read_line(&mut input);
        let is_last = matches!(line, Err(_) | Ok(Line::End));
        if !pass(line) || is_last {
            return;
        }
    }
}

/// Replaces tabs by spaces and removes what else could steer a terminal, so that the text can be printed safely.
pub fn printable(text: &str) -> String {
    text.replace('\t', " ").chars().filter(|&char| !steers(char)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_all_lengths_and_endings() {
        let long = "x".repeat(MAX_LINE_BYTES + 1);
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
    fn invalid_utf8_and_control_characters() {
        assert_eq!(read_line(&mut &b"\xff\xfe\n"[..]).unwrap(), Line::Text("\u{fffd}\u{fffd}".into()));
        assert_eq!(printable("a\tb\0\x1b[31m\r"), "a b[31m");
    }
}
