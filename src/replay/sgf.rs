//! Games in the Smart Game Format (SGF, FF\[4\]): the number of the game as `GM[11]`, moves as `B[f3]` and
//! `W[swap-pieces]`, stones that were set up as `AB[a1][b2]`. Of variations the first is read.

use std::io::{self, Read};

use crate::games::{Action, EndReason, Outcome, Position, Seat, all_games};

use super::text::quoted;

/// No file that is read has more bytes: it is held in memory.
const LONGEST_FILE: u64 = 1 << 24;

/// What is read of a game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SgfGame {
    /// The number of the game (`GM`), if it is there: see [`crate::games::GameInfo::sgf`].
    pub game: Option<u32>,
    /// The board's size.
    pub size: usize,
    /// The stones that were set up and the moves, in their order: whose each is, and what it is.
    pub steps: Vec<(Seat, String)>,
    /// The winner, if the file says who won (`RE`).
    pub winner: Option<Seat>,
    /// Whether it ended because a player gave up.
    pub resigned: bool,
    /// Whether the program that wrote it says `swap-pieces` where it means `swap-sides`.
    misnames_swap: bool,
}

/// Why a text is no collection of games in SGF.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("game {game}, character {at}: {problem}")]
pub struct SgfError {
    /// The number of the game, from 1.
    pub game: usize,
    /// Where in the text it was noticed, in bytes from 1.
    pub at: usize,
    /// What is wrong there.
    pub problem: SgfProblem,
}

/// Why a file in SGF cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SgfFileError {
    /// What the system says.
    #[error("{0}")]
    File(#[from] io::Error),
    /// There is too much of it.
    #[error("a file in SGF of more than {LONGEST_FILE} bytes is not read")]
    TooLong,
    /// What it holds.
    #[error("{0}")]
    Contents(#[from] SgfError),
}

/// What is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SgfProblem {
    /// Something else stands where there should be a certain character.
    #[error("expected {expected}, found {}", match found {
        Some(found) => format!("'{}'", found.escape_default()),
        None => "the end".to_owned(),
    })]
    Unexpected {
        /// What should be there.
        expected: &'static str,
        /// What is there; nothing at the end of the text.
        found: Option<char>,
    },
    /// The game has no size, or it is no number, or width and height differ.
    #[error("the board's size is {}; write SZ[11]", match found {
        Some(found) => format!("'{found}'"),
        None => "missing".to_owned(),
    })]
    Size {
        /// What is written there, if anything.
        found: Option<String>,
    },
    /// The number of the game is none.
    #[error("the game's number GM[{found}] is none")]
    GameNumber {
        /// What is written there.
        found: String,
    },
    /// A property that changes the position in a way that is not understood.
    #[error("{property}[{value}] cannot be replayed; only {} can", replayable())]
    Unreplayable {
        /// Its name.
        property: String,
        /// Its value.
        value: String,
    },
}

/// Moves that clients write and that change a position only in games that have a word for them.
const ONLY_WITH_WORD: [&str; 2] = ["", "pass"];

/// The swap by which the stone stays and the players exchange their colours.
pub(super) const SWAP_SIDES: &str = "swap-sides";
const SWAP_PIECES: &str = "swap-pieces";

/// The words for moves that belong to no cell, in the games that have a number in SGF.
fn words_of_moves() -> Vec<&'static str> {
    let mut words = Vec::new();
    for game in all_games().into_iter().filter(|game| game.sgf.is_some()) {
        for action in game.actions {
            if !words.contains(&action.foreign) {
                words.push(action.foreign);
            }
        }
    }
    words
}

/// What can be replayed, as a part of a message.
fn replayable() -> String {
    let kinds = [&["placed stones", "set-up stones"], &words_of_moves()[..], &[SWAP_SIDES]].concat();
    let (last, others) = kinds.split_last().expect("two at least");
    format!("{} and {last}", others.join(", "))
}

/// Where reading has come to.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    game: usize,
}

impl<'a> Reader<'a> {
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    fn error(&self, problem: SgfProblem) -> SgfError {
        SgfError { game: self.game, at: self.at + 1, problem }
    }

    fn unexpected(&mut self, expected: &'static str) -> SgfError {
        let found = self.peek();
        self.error(SgfProblem::Unexpected { expected, found })
    }

    /// A property's name, its small letters left out as in older versions of the format.
    fn name(&mut self) -> Result<String, SgfError> {
        self.peek();
        let rest = &self.text[self.at..];
        let length = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        if length == 0 {
            return Err(self.unexpected("a property such as B, or one of ( ) ;"));
        }
        self.at += length;
        Ok(rest[..length].chars().filter(char::is_ascii_uppercase).collect())
    }

    /// A property's values.
    fn values(&mut self) -> Result<Vec<String>, SgfError> {
        let mut values = Vec::new();
        while self.take('[') {
            let mut value = String::new();
            let mut escaped = false;
            let mut rest = self.text[self.at..].char_indices();
            let end = rest.find(|&(_, c)| {
                let ends = c == ']' && !escaped;
                escaped = c == '\\' && !escaped;
                if !ends && !escaped {
                    value.push(c);
                }
                ends
            });
            self.at += end.map_or(self.text.len() - self.at, |(at, _)| at + 1);
            if end.is_none() {
                return Err(self.unexpected("']'"));
            }
            values.push(value.trim().to_owned());
        }
        if values.is_empty() { Err(self.unexpected("'['")) } else { Ok(values) }
    }

    /// A whole game, from its parenthesis on. Its main line is what stands before the first closing one.
    fn game(&mut self) -> Result<SgfGame, SgfError> {
        let mut game = SgfGame::default();
        let (mut depth, mut main_line, mut nodes) = (0, true, 0);
        loop {
            if self.take('(') {
                depth += 1;
            } else if self.take(')') {
                depth -= 1;
                main_line = false;
            } else if self.take(';') {
                nodes += 1;
            } else {
                let start = self.at;
                let (name, values) = (self.name()?, self.values()?);
                if main_line {
                    let read = game.read(&name, values);
                    read.map_err(|problem| SgfError { game: self.game, at: start + 1, problem })?;
                }
            }
            if depth == 0 {
                break;
            }
        }
        match game.size {
            0 if nodes == 0 => Err(self.unexpected("';'")),
            0 => Err(self.error(SgfProblem::Size { found: None })),
            _ => {
                if game.misnames_swap {
                    let misnamed = game.steps.iter_mut().filter(|(_, text)| text == SWAP_PIECES);
                    misnamed.for_each(|(_, text)| *text = SWAP_SIDES.to_owned());
                }
                Ok(game)
            }
        }
    }
}

impl SgfGame {
    /// Reads all games of a file or of what else is read from, in bounded memory.
    ///
    /// # Errors
    /// If it cannot be read, or is no collection of games.
    pub fn read_from(reader: impl Read) -> Result<Vec<Self>, SgfFileError> {
        let mut bytes = Vec::new();
        if reader.take(LONGEST_FILE + 1).read_to_end(&mut bytes)? as u64 > LONGEST_FILE {
            return Err(SgfFileError::TooLong);
        }
        Ok(Self::read_all(&String::from_utf8_lossy(&bytes))?)
    }

    /// Reads all games of a text.
    ///
    /// # Errors
    /// Names the first game that is none, and what is wrong with it.
    pub fn read_all(text: &str) -> Result<Vec<Self>, SgfError> {
        let mut reader = Reader { text: text.trim_start_matches('\u{feff}'), at: 0, game: 0 };
        let mut games = Vec::new();
        while let Some(next) = reader.peek() {
            reader.game += 1;
            if next != '(' {
                return Err(reader.unexpected("'('"));
            }
            games.push(reader.game()?);
        }
        Ok(games)
    }

    /// Takes a property of the main line.
    fn read(&mut self, name: &str, values: Vec<String>) -> Result<(), SgfProblem> {
        let value = || quoted(&values[0]);
        match name {
            // HexGui up to 0.9.
            "AP" => {
                let minor = values[0].strip_prefix("HexGui:0.").unwrap_or_default().as_bytes();
                self.misnames_swap =
                    minor.first().is_some_and(u8::is_ascii_digit) && !minor.get(1).is_some_and(u8::is_ascii_digit);
            }
            "GM" => self.game = Some(values[0].parse().map_err(|_| SgfProblem::GameNumber { found: value() })?),
            "SZ" => {
                let (width, height) = values[0].split_once(':').unwrap_or((&values[0], &values[0]));
                let size = width.parse().ok().filter(|&size: &usize| size > 0 && width == height);
                self.size = size.ok_or(SgfProblem::Size { found: Some(value()) })?;
            }
            "RE" => {
                let how = values[0].split_once('+').map(|(_, how)| how.to_ascii_lowercase());
                self.resigned |= how.is_some_and(|how| how == "r" || how == "resign");
                self.winner = match values[0].chars().next() {
                    Some('B' | 'b') => Some(Seat::First),
                    Some('W' | 'w') => Some(Seat::Second),
                    _ => None,
                }
            }
            // The game ends by them, but not on the board.
            "B" | "W" if values[0] == "resign" => {
                self.resigned = true;
                self.winner = self.winner.or(Some(if name == "B" { Seat::Second } else { Seat::First }));
            }
            "B" | "W" if values[0] == "forfeit" => {}
            "B" | "W" if ONLY_WITH_WORD.contains(&&*values[0]) && !words_of_moves().contains(&&*values[0]) => {
                return Err(SgfProblem::Unreplayable { property: name.to_owned(), value: value() });
            }
            "AE" => return Err(SgfProblem::Unreplayable { property: name.to_owned(), value: value() }),
            "B" | "AB" => self.steps.extend(values.into_iter().map(|text| (Seat::First, text))),
            "W" | "AW" => self.steps.extend(values.into_iter().map(|text| (Seat::Second, text))),
            _ => {}
        }
        Ok(())
    }
}

/// A game as SGF: the position that it has come to, how it ended, and all its moves from the start with their
/// players. None if the game has no number in SGF.
pub fn write_sgf(position: &Position, outcome: Option<Outcome>, moves: &[(Seat, Action)]) -> Option<String> {
    let letter = |player: Seat| ['B', 'W'][player.index()];
    let swap = position.on().swap();
    let keeps_colour = |index: usize| {
        let (player, action) = moves[index];
        let next = moves.get(index + 1).map_or(position.to_move(), |&(next, _)| next);
        Some(action) == swap && next == player
    };
    let mut text = format!("(;FF[4]GM[{}]AP[hexzero:{}]", position.game().sgf?, env!("CARGO_PKG_VERSION"));
    text += &format!("SZ[{}]", position.size());
    if let Some(Outcome { winner, reason }) = outcome {
        let how = if reason == EndReason::RESIGNATION { "R" } else { "" };
        text += &winner.map_or("RE[0]".to_owned(), |winner| format!("RE[{}+{how}]", letter(winner)));
    }
    for (index, &(player, action)) in moves.iter().enumerate() {
        let name = if keeps_colour(index) { SWAP_SIDES.to_owned() } else { position.foreign_action_name(action) };
        text += &format!(";{}[{name}]", letter(player));
    }
    Some(text + ")")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::game_named;

    fn only(text: &str) -> SgfGame {
        let mut games = SgfGame::read_all(text).unwrap();
        assert_eq!(games.len(), 1);
        games.remove(0)
    }

    fn steps(game: &SgfGame) -> String {
        let letter = |player: Seat| ["B", "W"][player.index()];
        game.steps.iter().map(|(player, text)| format!("{}{text} ", letter(*player))).collect()
    }

    #[test]
    fn a_game_of_a_client() {
        let game = only(
            "(;FF[4]AP[HexGui:0.9]GM[11]SZ[11:11]C[a \\] and a \\\\]\n;B[f3];W[swap-pieces]BL[3.5]\n;B[d4];W[resign]RE[B+Resign])\n",
        );
        assert_eq!((game.game, game.size, game.winner), (Some(11), 11, Some(Seat::First)));
        assert!(game.resigned);
        assert_eq!(steps(&game), "Bf3 Wswap-sides Bd4 ");
        for (client, word) in [
            ("HexGui:0.9.GIT", "swap-sides"),
            ("HexGui:0.8", "swap-sides"),
            ("HexGui:0.10.GIT", "swap-pieces"),
            ("HexGui:1.9", "swap-pieces"),
            ("PlayHex:0.9", "swap-pieces"),
        ] {
            let game = only(&format!("(;GM[11]AP[{client}]SZ[5];B[a2];W[swap-pieces])"));
            assert_eq!(steps(&game), format!("Ba2 W{word} "), "{client}");
        }
    }

    #[test]
    fn set_up_stones_and_the_first_of_variations() {
        let game = only("(;GM[11]SZ[5]AB[a1] [b2]AW[c3](;B[d4](;W[e5])(;W[e1]))(;B[a5];W[b5]))");
        assert_eq!(steps(&game), "Ba1 Bb2 Wc3 Bd4 We5 ");
        let two = SgfGame::read_all("\u{feff} (;SZ[3];B[a1]) (;SZ[4];W[b2])").unwrap();
        assert_eq!(two.iter().map(|game| game.size).collect::<Vec<_>>(), [3, 4]);
        assert_eq!(SgfGame::read_all(" \n"), Ok(Vec::new()));
    }

    #[test]
    fn who_gave_up() {
        let ends = |text: &str| {
            let game = only(text);
            (game.winner, game.resigned)
        };
        let (black, white) = (Some(Seat::First), Some(Seat::Second));
        assert_eq!(ends("(;SZ[3];B[a1];W[resign])"), (black, true));
        assert_eq!(ends("(;SZ[3];B[a1];W[b1];B[resign])"), (white, true));
        assert_eq!(ends("(;SZ[3]RE[W+R];B[a1])"), (white, true));
        assert_eq!(ends("(;SZ[3]RE[B+Resign];B[a1])"), (black, true));
        assert_eq!(ends("(;SZ[3]RE[B+];B[a1])"), (black, false));
        assert_eq!(ends("(;SZ[3]RE[B+Forfeit];B[a1];W[forfeit])"), (black, false));
    }

    #[test]
    fn what_is_no_game() {
        for (text, message) in [
            ("x", "game 1, character 1: expected '(', found 'x'"),
            ("(;SZ[3])(", "game 2, character 10: expected a property such as B, or one of ( ) ;, found the end"),
            ("(;SZ[3", "game 1, character 7: expected ']', found the end"),
            ("(;SZ)", "game 1, character 5: expected '[', found ')'"),
            ("()", "game 1, character 3: expected ';', found the end"),
            ("(;GM[11];B[a1])", "game 1, character 16: the board's size is missing; write SZ[11]"),
            ("(;SZ[3:4])", "game 1, character 3: the board's size is '3:4'; write SZ[11]"),
            ("(;SZ[3]GM[hex])", "game 1, character 8: the game's number GM[hex] is none"),
            (
                "(;SZ[3];B[pass])",
                "game 1, character 9: B[pass] cannot be replayed; only placed stones, set-up stones, swap-pieces and swap-sides can",
            ),
            ("(;SZ[3]AE[a1])", "game 1, character 8: AE[a1] cannot be replayed; only placed stones, set-up stones"),
            ("(;SZ[3];ß[a1])", "game 1, character 9: expected a property such as B, or one of ( ) ;, found '\\u{df}'"),
        ] {
            let error = SgfGame::read_all(text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
        let deep = "(".repeat(1_000_000);
        assert!(SgfGame::read_all(&deep).is_err());
        let long = format!("(;SZ[{}])", "9".repeat(1_000_000));
        assert!(SgfGame::read_all(&long).unwrap_err().to_string().len() < 300);
    }

    #[test]
    fn what_is_written_is_read() {
        let mut game = game_named("hex").unwrap().start(3).unwrap();
        let mut moves = Vec::new();
        for name in ["c1", "swap", "b2", "b3", "c2", "c3"] {
            moves.push((game.to_move(), game.play_named(name).unwrap()));
        }
        let text = write_sgf(&game, game.outcome(), &moves).unwrap();
        let version = env!("CARGO_PKG_VERSION");
        let expected =
            format!("(;FF[4]GM[11]AP[hexzero:{version}]SZ[3]RE[W+];B[c1];W[swap-pieces];B[b2];W[b3];B[c2];W[c3])");
        assert_eq!(text, expected);
        let read = only(&text);
        assert_eq!((read.game, read.size, read.winner), (Some(11), 3, Some(Seat::Second)));
        assert_eq!(steps(&read), "Bc1 Wswap-pieces Bb2 Wb3 Bc2 Wc3 ");
        let without_number = game_named("cachex").unwrap().start(3).unwrap();
        assert_eq!(write_sgf(&without_number, None, &[]), None);
    }
}
