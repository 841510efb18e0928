//! Text from elsewhere, printed so that it cannot steer a terminal: files, names and messages may
//! hold escape sequences and bidirectional control characters. They are shown as their numbers,
//! such as `\u{1b}`.

use std::borrow::Cow;
use std::io::{self, StdoutLock, Write};

/// Returns standard output for text that people read. JSON, game files and pages are written
/// unchanged to [`std::io::stdout`].
pub fn text_output() -> Plain<StdoutLock<'static>> {
    Plain(io::stdout().lock())
}

/// A writer that replaces what could steer a terminal. Each write must be valid UTF-8, as those of
/// `write!` are.
#[derive(Debug)]
pub struct Plain<W>(pub W);

impl<W: Write> Write for Plain<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(plain(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Returns the text with control characters (other than line ends and tabs) and bidirectional marks
/// replaced by their numbers.
pub fn plain(text: &str) -> Cow<'_, str> {
    replaced(text, |char| steers(char) && !matches!(char, '\n' | '\t'))
}

/// Does the same for a text of one line, replacing line ends and tabs too.
pub fn plain_line(text: &str) -> Cow<'_, str> {
    replaced(text, steers)
}

fn replaced(text: &str, is_replaced: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_replaced) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::new();
    for char in text.chars() {
        if is_replaced(char) { plain.extend(char.escape_unicode()) } else { plain.push(char) }
    }
    Cow::Owned(plain)
}

/// Returns whether a character does something to a terminal other than being shown: a control
/// character, or one that embeds, overrides or isolates a direction of writing.
pub fn steers(char: char) -> bool {
    char.is_control() || matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown() {
        assert_eq!(plain("a\x1b[2Jb\r\n\tc\x07"), "a\\u{1b}[2Jb\\u{d}\n\tc\\u{7}");
        assert_eq!(plain("\u{9b}31m \u{7f} \u{202e}txt\u{2069} \0"), "\\u{9b}31m \\u{7f} \\u{202e}txt\\u{2069} \\u{0}");
        assert_eq!(plain_line("a\nb\tc"), "a\\u{a}b\\u{9}c");
        for kept in ["plain", "党毅飛 é 🎲 עברית", "a\tb\n"] {
            assert!(matches!(plain(kept), Cow::Borrowed(text) if text == kept));
        }
        let mut written = Vec::new();
        write!(Plain(&mut written), "{0}: 3", '\x1b'.to_string() + "]0;title\x07").unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), "\\u{1b}]0;title\\u{7}: 3");
    }
}
