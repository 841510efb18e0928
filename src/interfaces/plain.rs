//! Text that was written elsewhere, printed so that it cannot steer a terminal: files, names and messages may hold escape sequences
//! and marks that turn the direction of writing. They are shown as their numbers, such as `\u{1b}`.

use std::borrow::Cow;
use std::io::{self, StdoutLock, Write};

/// Returns standard output for text that people read. JSON, files of games and pages are written as they are, to
/// [`std::io::stdout`].
pub(crate) fn text_output() -> Plain<StdoutLock<'static>> {
    Plain(io::stdout().lock())
}

/// A writer of text, without what steers a terminal. Each write is to be UTF-8, as those of `write!` are.
#[derive(Debug)]
pub(crate) struct Plain<W>(pub W);

impl<W: Write> Write for Plain<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(plain(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Returns the text, where control characters other than line ends and tabs, and marks of direction, are replaced by their numbers.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    replaced(text, |char| steers(char) && !matches!(char, '\n' | '\t'))
}

/// The same for a text of one line: without line ends and tabs too.
pub(crate) fn plain_line(text: &str) -> Cow<'_, str> {
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

/// Whether a character does something to a terminal other than being shown: a control character, or one of those that embed,
/// override or isolate a direction of writing.
pub(super) fn steers(char: char) -> bool {
    char.is_control() || matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_shown() {
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
