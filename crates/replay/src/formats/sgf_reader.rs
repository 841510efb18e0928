//! Reads the games of an SGF text byte by byte, because the character set determines which bytes
//! are brackets.

use std::io::{self, Read};

use crate::recorded::{Finding, Marks, MoveTree};

use super::charset::{Charset, FileText, begins_with_property};
use super::sgf::SgfGame;
use super::sgf_writer::points;

/// Maximum size of a file in bytes, because the file is held in memory.
const MAX_FILE_BYTES: u64 = 1 << 24;

/// Maximum number of values and variations in a game, because a move takes thirty times its text in
/// memory.
pub(super) const MAX_PARTS: usize = 1 << 18;

/// Properties that hold names and texts, in which some programs do not escape brackets.
const TEXTS: [&str; 7] = ["PB", "PW", "EV", "GN", "GC", "SO", "C"];

/// Properties that occur only in the first node of a game; in all programs, one of them is the
/// first of a game.
const FIRST: [&[u8]; 6] = [b"FF", b"GM", b"CA", b"AP", b"SZ", b"EV"];

/// An error in an SGF text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("game {game}, character {at}: {problem}")]
pub struct SgfError {
    /// The index of the game, from 1.
    pub game: usize,
    /// The position in the text, in bytes from 1.
    pub at: usize,
    /// The problem there.
    pub problem: String,
}

/// Iterator over the games of a text. After a game that cannot be read, it continues with the next
/// text that begins like a game.
#[derive(Debug)]
pub struct SgfGames {
    text: FileText,
    /// The end of the last game read.
    at: usize,
    /// The number of games so far.
    count: usize,
}

fn skip_blanks(bytes: &[u8]) -> &[u8] {
    // Some programs end a file with one of the last two, as old systems did.
    let blanks = bytes.iter().take_while(|&&byte| byte.is_ascii_whitespace() || byte == 0 || byte == 0x1a).count();
    &bytes[blanks..]
}

/// Returns true if the text begins with a game or a variation.
pub(super) fn begins_tree(text: &[u8]) -> bool {
    text.strip_prefix(b"(").is_some_and(|rest| skip_blanks(rest).starts_with(b";"))
}

/// Returns true if the text begins with a game rather than a variation.
fn begins_game(text: &[u8]) -> bool {
    let node = text.strip_prefix(b"(").and_then(|rest| skip_blanks(rest).strip_prefix(b";"));
    node.is_some_and(|node| {
        let node = skip_blanks(node);
        begins_with_property(node)
            && FIRST.iter().any(|&name| node.starts_with(name) && !node[name.len()].is_ascii_uppercase())
    })
}

impl SgfGames {
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        Self { text: FileText::new(bytes), at: 0, count: 0 }
    }

    fn tree_after(&self, from: usize, begins: impl Fn(&[u8]) -> bool) -> Option<usize> {
        let bytes = &self.text.bytes;
        (from..bytes.len()).find(|&at| bytes[at] == b'(' && begins(&bytes[at..]))
    }
}

impl Iterator for SgfGames {
    type Item = Result<SgfGame, SgfError>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = skip_blanks(&self.text.bytes[self.at..]);
        let first = self.text.bytes.len() - rest.len();
        let start = match rest.first() {
            Some(b'(') => Some(first),
            _ => self.tree_after(first, begins_tree),
        };
        if start.is_none() && (rest.is_empty() || self.count > 0) {
            return None;
        }
        self.count += 1;
        let at = start.unwrap_or(first);
        let (charset, warning) = self.text.charset_of(&self.text.bytes[at..]);
        let mut warnings: Vec<String> = warning.into_iter().collect();
        if at > first {
            warnings.push("the text before the game is not SGF and was skipped".to_owned());
        }
        let mut reader =
            Reader { bytes: &self.text.bytes, charset, at, game: self.count, parts: 0, warnings, is_whole: false };
        let game = if start.is_some() { reader.game() } else { Err(reader.unexpected("'(;'")) };
        let (end, is_whole) = (reader.at, reader.is_whole);
        Some(match game {
            Ok(mut game) => {
                self.at = end;
                let rest = skip_blanks(&self.text.bytes[end..]);
                if !rest.is_empty() && !rest.starts_with(b"(") && self.tree_after(end, begins_tree).is_none() {
                    game.warnings.push("the text after the game is not SGF and was skipped".to_owned());
                }
                Ok(game)
            }
            Err(error) if is_whole => {
                self.at = end;
                Err(error)
            }
            Err(error) => {
                let after = self.tree_after((at + 1).max(error.at - 1), begins_game);
                self.at = after.unwrap_or(self.text.bytes.len());
                Err(error)
            }
        })
    }
}

impl SgfGame {
    /// Reads a text in bounded memory.
    ///
    /// # Errors
    /// If the text cannot be read, or is too long.
    pub fn read_from(reader: impl Read) -> io::Result<SgfGames> {
        let mut bytes = Vec::new();
        if reader.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)? as u64 > MAX_FILE_BYTES {
            return Err(io::Error::other(format!("a file in SGF of more than {MAX_FILE_BYTES} bytes is not read")));
        }
        Ok(SgfGames::new(bytes))
    }
}

/// A reader at a position in the text.
struct Reader<'a> {
    bytes: &'a [u8],
    charset: Charset,
    at: usize,
    game: usize,
    /// The number of values and variations in the game so far.
    parts: usize,
    warnings: Vec<String>,
    /// True once the end of the game is reached.
    is_whole: bool,
}

impl Reader<'_> {
    fn peek(&mut self) -> Option<u8> {
        self.at = self.bytes.len() - skip_blanks(&self.bytes[self.at..]).len();
        self.bytes.get(self.at).copied()
    }

    fn take(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn error(&self, problem: String) -> SgfError {
        SgfError { game: self.game, at: self.at + 1, problem }
    }

    fn unexpected(&mut self, expected: &'static str) -> SgfError {
        self.peek();
        let rest = &self.bytes[self.at..];
        let found = match String::from_utf8_lossy(&rest[..rest.len().min(4)]).chars().next() {
            Some(found) => format!("'{}' does not belong there", found.escape_default()),
            None => "it ends in the middle of a game".to_owned(),
        };
        self.error(format!("{found}; SGF has {expected} there"))
    }

    /// Counts values and variations.
    fn count(&mut self, parts: usize) -> Result<(), SgfError> {
        self.parts += parts;
        if self.parts <= MAX_PARTS {
            return Ok(());
        }
        let most = format!("the game has more than {MAX_PARTS} moves, other values and variations");
        Err(self.error(format!("{most}; one so large is not read")))
    }

    /// Adds a warning, unless it was already given.
    fn warn(&mut self, warning: Option<String>) {
        if let Some(warning) = warning.filter(|warning| !self.warnings.contains(warning)) {
            self.warnings.push(warning);
        }
    }

    /// Reads a property's name, skipping the lowercase letters of older versions of the format.
    fn name(&mut self) -> Result<String, SgfError> {
        self.peek();
        let rest = &self.bytes[self.at..];
        let name: Vec<u8> = rest.iter().copied().take_while(u8::is_ascii_alphabetic).collect();
        if name.is_empty() {
            return Err(self.unexpected("a property such as B, or one of ( ) ;"));
        }
        self.at += name.len();
        Ok(name.into_iter().filter(u8::is_ascii_uppercase).map(char::from).collect())
    }

    fn values(&mut self, name: &str) -> Result<Vec<String>, SgfError> {
        let mut values = Vec::new();
        while self.take(b'[') {
            self.count(1)?;
            let start = self.at;
            let end = self.end_of_value(TEXTS.contains(&name))?;
            let (value, warning) = self.charset.decoded(&self.bytes[start..end]);
            self.warn(warning);
            values.push(unescaped(&value));
        }
        if values.is_empty() { Err(self.unexpected("'['")) } else { Ok(values) }
    }

    /// Expands values that may be rectangles into their points.
    fn expanded(&mut self, values: &[String]) -> Result<Vec<String>, SgfError> {
        let mut all = Vec::new();
        for value in values {
            let points = points(value);
            self.count(points.len() - 1)?;
            all.extend(points);
        }
        Ok(all)
    }

    /// Advances to the end of a value and returns the position of its bracket. In a text, a bracket
    /// that cannot be followed by more of the game belongs to the text.
    fn end_of_value(&mut self, is_text: bool) -> Result<usize, SgfError> {
        let mut escaped = false;
        while let Some(&byte) = self.bytes.get(self.at) {
            if byte == b']' && !escaped {
                if !is_text || may_follow_value(&self.bytes[self.at + 1..]) {
                    self.at += 1;
                    return Ok(self.at - 1);
                }
                self.warn(Some("a ']' inside a value has no '\\' before it".to_owned()));
            }
            escaped = byte == b'\\' && !escaped;
            self.at = self.bytes.len().min(self.at + self.charset.length(&self.bytes[self.at..]));
        }
        Err(self.unexpected("']'"))
    }

    /// Reads a whole game from its opening parenthesis. Its main line ends at the first closing
    /// one.
    fn game(&mut self) -> Result<SgfGame, SgfError> {
        let mut game = SgfGame::default();
        let (mut at, mut open) = (MoveTree::START, Vec::new());
        let (mut main_line, mut nodes, mut problem) = (true, 0, None);
        loop {
            let next = self.peek();
            let is_cut = next.is_none() || next == Some(b'(') && begins_game(&self.bytes[self.at..]);
            if is_cut && nodes > 0 {
                self.warn(Some("the closing ')' is missing".to_owned()));
                break;
            }
            if self.take(b'(') {
                self.count(1)?;
                open.push(at);
            } else if self.take(b')') {
                at = open.pop().unwrap_or(MoveTree::START);
                main_line = false;
            } else {
                let before = self.at;
                self.take(b';');
                at = self.node(&mut game, at, main_line, &mut problem)?;
                nodes += usize::from(self.at > before);
                if self.at == before {
                    break;
                }
            }
            if open.is_empty() {
                break;
            }
        }
        if nodes == 0 {
            return Err(self.unexpected("';'"));
        }
        self.is_whole = true;
        game.warnings.append(&mut self.warnings);
        problem.map_or(Ok(game), Err).map(SgfGame::finished)
    }

    /// Reads the properties of a node, which follows a position, and returns the number of the
    /// position after its moves. An error in a value is recorded as the game's `problem`, and
    /// reading goes on.
    fn node(
        &mut self,
        game: &mut SgfGame,
        after: usize,
        main_line: bool,
        problem: &mut Option<SgfError>,
    ) -> Result<usize, SgfError> {
        let (mut at, mut comment, mut marks, mut ends) = (after, String::new(), Marks::new(), false);
        let (mut finding, mut win_rate) = (None, None);
        while !matches!(self.peek(), Some(b'(' | b')' | b';') | None) {
            let start = self.at;
            let name = self.name()?;
            let mut values = self.values(&name)?;
            match name.as_str() {
                "C" => comment = values.swap_remove(0),
                "HE" => ends = main_line,
                "HZA" => finding = Finding::parse(&values[0]),
                "SBKV" => win_rate = Finding::of_win_rate(&values[0]),
                "LB" => marks.extend(values.iter().filter_map(|value| {
                    let (place, text) = value.split_once(':')?;
                    Some((place.trim().to_owned(), text.to_owned()))
                })),
                _ => {
                    values.iter_mut().for_each(|value| *value = value.trim().to_owned());
                    if matches!(name.as_str(), "AB" | "AW" | "AE") {
                        values = self.expanded(&values)?;
                    }
                    let read = game.read(&name, values, &mut at, main_line);
                    let here = |problem| SgfError { game: self.game, at: start + 1, problem };
                    *problem = problem.take().or(read.err().map(here));
                }
            }
        }
        game.tree.note(at, &comment, marks, finding.or(win_rate));
        game.end = if ends { Some(at) } else { game.end };
        Ok(at)
    }
}

/// Returns true if the text continues as it may after a value.
fn may_follow_value(text: &[u8]) -> bool {
    let text = skip_blanks(text);
    matches!(text.first(), None | Some(b'[' | b';' | b'(' | b')')) || begins_with_property(text)
}

/// Returns the text of a value, without escapes: a backslash keeps the next character literally and
/// removes a line end.
fn unescaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let (mut escaped, mut after_soft_return) = (false, false);
    for c in value.chars() {
        let is_soft = escaped && matches!(c, '\n' | '\r') || after_soft_return && c == '\n';
        after_soft_return = escaped && c == '\r';
        escaped = c == '\\' && !escaped;
        if !escaped && !is_soft {
            text.push(c);
        }
    }
    text.replace("\r\n", "\n")
}
