//! Texts for people: words of shell commands, errors of the system, and lines on standard error.
//!
//! Text from elsewhere is printed so that it cannot steer a terminal: files, names and messages may hold escape
//! sequences and bidirectional control characters. They are shown as their numbers, such as `\u{1b}`.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{StdoutLock, Write, stderr};
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use std::{io, thread};

/// Returns a path as a word of a shell command, quoted if it contains spaces or the like.
pub fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    shlex::try_quote(&text).map_or_else(|_| text.to_string(), Cow::into_owned)
}

/// Returns the first `most` characters of a text, with an ellipsis if there are more.
pub fn cut(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// Returns a text without the system's error numbers, such as `(os error 2)`, which only repeat the words before them.
pub fn without_error_numbers(text: &str) -> Cow<'_, str> {
    const BEGINNING: &str = " (os error ";
    let mut rest = text;
    let mut kept = String::new();
    while let Some((before, after)) = rest.split_once(BEGINNING) {
        kept += before;
        let number = after.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(after.len());
        rest = after[number..].strip_prefix(')').unwrap_or_else(|| {
            kept += BEGINNING;
            after
        });
    }
    if kept.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(kept + rest) }
}

/// Returns standard output for text that people read. JSON, game files and pages are written
/// unchanged to [`std::io::stdout`].
pub fn text_output() -> Plain<StdoutLock<'static>> {
    Plain(io::stdout().lock())
}

/// A writer that replaces what could steer a terminal. Each write must be valid UTF-8, as those of `write!` are.
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

/// Work that takes longer than this is announced.
const MAX_SILENCE: Duration = Duration::from_secs(1);

/// Prints a line on standard error, without control characters and the system's error numbers.
pub fn notice(text: impl Display) {
    let _ = writeln!(stderr(), "{}", plain(&without_error_numbers(&text.to_string())));
}

/// Prints a warning on standard error.
pub fn warning(text: impl Display) {
    notice(format_args!("warning: {text}"));
}

/// Does some work and returns its result. Prints `title` if it takes longer than a second.
pub fn announced<T>(title: impl Display + Send, work: impl FnOnce() -> T) -> T {
    let (running, ended) = channel::<()>();
    let announce = move || {
        if ended.recv_timeout(MAX_SILENCE) == Err(RecvTimeoutError::Timeout) {
            notice(format_args!("{title} …"));
        }
    };
    thread::scope(|scope| {
        // If no thread can be started, the work is done in silence.
        let _ = thread::Builder::new().spawn_scoped(scope, announce);
        let result = work();
        drop(running);
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_errors_are_left_out() {
        let missing = std::io::Error::from_raw_os_error(2);
        for (text, expected) in [
            (format!("cannot read x: {missing}"), "cannot read x: No such file or directory"),
            (format!("a: {missing}; b: {missing}."), "a: No such file or directory; b: No such file or directory."),
            ("an (os error of mine)".to_owned(), "an (os error of mine)"),
            ("a (os error 5".to_owned(), "a (os error 5"),
            (String::new(), ""),
        ] {
            if cfg!(unix) || !text.contains("2)") {
                assert_eq!(without_error_numbers(&text), expected);
            }
        }
    }

    #[test]
    fn quoted_paths_are_read_back_by_a_shell() {
        for path in ["runs/mine", "my run", "it's", "a\"b", "$HOME", "", "x;y", "naïve/пример"] {
            assert_eq!(shlex::split(&quoted(Path::new(path))), Some(vec![path.to_owned()]));
        }
        assert_eq!(quoted(Path::new("runs/mine-1.safetensors")), "runs/mine-1.safetensors");
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(["", "a×b", "a×bc", "a××××"].map(|text| cut(text, 3)), ["", "a×b", "a×b…", "a××…"]);
    }

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
