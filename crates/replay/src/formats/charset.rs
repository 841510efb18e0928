//! Character sets of SGF files. A byte order mark determines that of the file, `CA` that of a game.
//! Otherwise the text is UTF-8 if it is valid as such, and if not Latin-1 (read as windows-1252),
//! the format's default.

use std::borrow::Cow;

use encoding_rs::{
    BIG5, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252,
};

use crate::recorded::quoted;

use super::sgf_reader::begins_tree;

/// Returns true for character sets in which the second byte of a character may look like a bracket
/// or a backslash.
fn is_double_byte(encoding: &'static Encoding) -> bool {
    [SHIFT_JIS, BIG5, GBK, GB18030, EUC_KR].contains(&encoding)
}

const ESCAPE: u8 = 0x1b;

/// The bytes of a file, and what its beginning and its contents reveal about the encoding.
#[derive(Debug)]
pub(super) struct FileText {
    /// The text as UTF-8 if the file has a byte order mark or is UTF-16, otherwise the original
    /// bytes.
    pub bytes: Vec<u8>,
    /// True if the bytes are UTF-8, whatever the games state.
    is_decoded: bool,
    /// True if all bytes are UTF-8, and not only ASCII.
    looks_like_utf_8: bool,
}

/// Returns the encoding of a text that begins like this and the length of its byte order mark, if
/// the beginning determines it.
fn marked(bytes: &[u8]) -> Option<(&'static Encoding, usize)> {
    let without_mark = || match bytes {
        [b'(', 0, ..] => Some((UTF_16LE, 0)),
        [0, b'(', ..] => Some((UTF_16BE, 0)),
        _ => None,
    };
    Encoding::for_bom(bytes).or_else(without_mark)
}

/// Returns the beginning of a file as text, to detect its format.
pub(super) fn beginning(bytes: &[u8]) -> Cow<'_, str> {
    match marked(bytes) {
        Some((encoding, mark)) => encoding.decode_without_bom_handling(&bytes[mark..]).0,
        None => String::from_utf8_lossy(bytes),
    }
}

impl FileText {
    pub fn new(mut bytes: Vec<u8>) -> Self {
        let is_decoded = match marked(&bytes) {
            // A byte order mark guarantees nothing, so each value is checked separately.
            Some((encoding, mark)) if encoding == UTF_8 => bytes.drain(..mark).count() > 0,
            Some((encoding, mark)) => {
                let text = encoding.decode_without_bom_handling(&bytes[mark..]).0.into_owned();
                bytes = text.into_bytes();
                true
            }
            None => false,
        };
        let looks_like_utf_8 = !bytes.is_ascii() && str::from_utf8(&bytes).is_ok();
        Self { bytes, is_decoded, looks_like_utf_8 }
    }

    /// Returns the character set of a game, whose first node may name one, and a warning if that
    /// name is unknown.
    pub fn charset_of(&self, game: &[u8]) -> (Charset, Option<String>) {
        let stated = stated_in(game).filter(|stated| !stated.is_empty() && !self.is_decoded);
        let Some(stated) = stated else { return (Charset(None), None) };
        let found = quoted(&String::from_utf8_lossy(stated));
        match named(stated) {
            None => {
                let odd = format!("the character set '{found}' is not known; the text was read as UTF-8 or Latin-1");
                (Charset(None), Some(odd))
            }
            Some(encoding) if self.looks_like_utf_8 && is_double_byte(encoding) => {
                (Charset(None), Some(other_charset(&found, UTF_8)))
            }
            Some(encoding) => (Charset(Some(encoding)), None),
        }
    }
}

/// Returns the warning that a text is not in the character set that its file states.
fn other_charset(stated: &str, found: &'static Encoding) -> String {
    let found = found.name();
    format!("the file says that its character set is {stated}, but some of it is not; that was read as {found}")
}

/// Returns the encoding with this name, in the spellings found in files.
fn named(label: &[u8]) -> Option<&'static Encoding> {
    let joined: Vec<u8> = label.iter().copied().filter(|byte| !matches!(byte, b'-' | b'_' | b' ')).collect();
    let found = Encoding::for_label_no_replacement(label).or_else(|| Encoding::for_label_no_replacement(&joined));
    // Bytes that could be read up to the name cannot be UTF-16.
    found.map(|encoding| if encoding == UTF_16LE || encoding == UTF_16BE { UTF_8 } else { encoding })
}

/// Returns the value of `CA` in the first node of a game, which can be found without decoding.
fn stated_in(game: &[u8]) -> Option<&[u8]> {
    let mut nodes = 0;
    let end = if begins_tree(game) { game.len() } else { 0 };
    for at in 1..end {
        let rest = &game[at..];
        let named = rest.strip_prefix(b"CA").filter(|_| !game[at - 1].is_ascii_uppercase());
        if let Some(value) = named.and_then(|value| value.trim_ascii_start().strip_prefix(b"[")) {
            let end = value.iter().position(|&byte| byte == b']')?;
            return Some(value[..end].trim_ascii());
        }
        nodes += usize::from(rest[0] == b';' && (nodes == 0 || begins_with_property(&rest[1..])));
        if nodes > 1 || begins_tree(rest) {
            return None;
        }
    }
    None
}

/// Returns true for the name of a property followed by the bracket of its first value.
pub(super) fn begins_with_property(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let name = text.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    name > 0 && text[name..].trim_ascii_start().first() == Some(&b'[')
}

/// The character set of a game, or `None` if the game states no known one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Charset(Option<&'static Encoding>);

impl Charset {
    /// Returns the length of the next character, or of a stretch that must not be searched for
    /// brackets.
    pub fn length(self, bytes: &[u8]) -> usize {
        let Some(encoding) = self.0 else { return 1 };
        let is_lead = match bytes[0] {
            0xa0..=0xdf if encoding == SHIFT_JIS => false,
            byte => (0x81..=0xfe).contains(&byte),
        };
        match bytes {
            // Two bytes a character, up to the escape sequence that ends them.
            [ESCAPE, b'$', rest @ ..] if encoding == ISO_2022_JP => {
                2 + rest.iter().position(|&byte| byte == ESCAPE).unwrap_or(rest.len())
            }
            [ESCAPE, b'(', ..] if encoding == ISO_2022_JP => 3,
            _ if is_lead && is_double_byte(encoding) => 2,
            _ => 1,
        }
    }

    /// Returns the text of a value, and a warning if the value is not valid in this character set.
    pub fn decoded(self, value: &[u8]) -> (String, Option<String>) {
        let utf_8 = || str::from_utf8(value).map(str::to_owned);
        let latin_1 = || WINDOWS_1252.decode_without_bom_handling(value).0.into_owned();
        let Some(encoding) = self.0 else { return (utf_8().unwrap_or_else(|_| latin_1()), None) };
        let (text, has_errors) = encoding.decode_without_bom_handling(value);
        if !has_errors {
            return (text.into_owned(), None);
        }
        let (text, found) = match utf_8() {
            Ok(text) => (text, UTF_8),
            Err(_) if encoding == UTF_8 => (latin_1(), WINDOWS_1252),
            Err(_) => (text.into_owned(), encoding),
        };
        (text, Some(other_charset(encoding.name(), found)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_is_named_in_the_first_node() {
        let stated = |game: &str| stated_in(game.as_bytes()).map(|name| String::from_utf8_lossy(name).into_owned());
        assert_eq!(stated("(;FF[4]CA[Shift_JIS];B[a1])").as_deref(), Some("Shift_JIS"));
        assert_eq!(stated("( ;PB[x;y]\nCA [ utf-8 ](;B[a1]))").as_deref(), Some("utf-8"));
        assert_eq!(stated("(;FF[4]PCA[x];B[a1]CA[y])"), None);
        assert_eq!(stated("(;FF[4];B[a1])(;CA[utf-8])"), None);
    }

    #[test]
    fn sets_are_known_by_several_names() {
        for (name, encoding) in [
            ("Latin-1", Some(WINDOWS_1252)),
            ("ISO-8859-1", Some(WINDOWS_1252)),
            ("SJIS", Some(SHIFT_JIS)),
            ("GB2312", Some(GBK)),
            ("UTF-16", Some(UTF_8)),
            ("klingon", None),
        ] {
            assert_eq!(named(name.as_bytes()), encoding, "{name}");
        }
    }
}
