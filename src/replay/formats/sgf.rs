//! Games in the Smart Game Format (SGF, FF\[4\]) with variations and comments: the number of the game as `GM[11]` or its
//! name here as `HZ[cachex]`, moves as `B[f3]` and `W[swap-pieces]`, stones that were set up as `AB[a1][b2]`.

use std::io::Read;
use std::string::FromUtf8Error;

use crate::games::{Arrangement, Game, Seat};
use crate::replay::recorded::{Labels, Marks, MoveTree, SWAP_SIDES, quoted};

use super::little_golem;
use super::sgf_faults::{LONGEST_FILE, MOST_PARTS, SgfError, SgfFileError, SgfProblem, words_of_moves};

/// The contents of a game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SgfGame {
    /// The number of the game (`GM`), if it is there: see [`crate::games::GameInfo::sgf`].
    pub game: Option<u32>,
    /// The name of the game here (`HZ`), if it is there.
    pub name: Option<String>,
    /// The board's size.
    pub size: usize,
    /// The stones that were set up and the moves, in their order, with variations and comments.
    pub tree: MoveTree,
    /// The number of stones that were set up before the first move, and the player to move then (`PL`), if the file states it.
    pub(in crate::replay) set_up: usize,
    to_move: Option<Seat>,
    /// The position in which the game ended (`HE`), if it is not the last of the main line.
    pub end: Option<usize>,
    /// The winner, if the file says who won (`RE`).
    pub winner: Option<Seat>,
    /// True if it ended because a player resigned or ran out of time.
    pub resigned: bool,
    /// True if it was by time.
    pub on_time: bool,
    /// The players and the date.
    pub labels: Labels,
    /// True if the program that wrote it says `swap-pieces` where it means `swap-sides`.
    misnames_swap: bool,
    /// The event and the source, by which games of Little Golem are known.
    pub(super) event: String,
    pub(super) source: String,
}

/// Passes, in games that have no word for them.
const PASSES: [&str; 2] = ["", "pass"];

const SWAP_PIECES: &str = "swap-pieces";

/// The games of a text, read one after another. Ends after an error.
#[derive(Debug)]
pub struct SgfGames {
    text: String,
    /// The end of the last game that was read.
    at: usize,
    /// The number of games so far.
    count: usize,
}

impl Iterator for SgfGames {
    type Item = Result<SgfGame, SgfError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.count += 1;
        let mut reader = Reader { text: &self.text, at: self.at, game: self.count, parts: 0 };
        let game = match reader.peek()? {
            '(' => reader.game(),
            _ => Err(reader.unexpected("'('")),
        };
        self.at = if game.is_ok() { reader.at } else { self.text.len() };
        Some(game)
    }
}

/// A reader at a place of the text.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    game: usize,
    /// The values and variations of the game so far.
    parts: usize,
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

    /// Counts a value or a variation.
    fn count(&mut self) -> Result<(), SgfError> {
        self.parts += 1;
        if self.parts > MOST_PARTS { Err(self.error(SgfProblem::TooLarge)) } else { Ok(()) }
    }

    /// Reads a property's name, its small letters left out as in older versions of the format.
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

    /// Reads a property's values.
    fn values(&mut self) -> Result<Vec<String>, SgfError> {
        let mut values = Vec::new();
        while self.take('[') {
            self.count()?;
            let mut value = String::new();
            let (mut escaped, mut after_soft_return) = (false, false);
            let mut rest = self.text[self.at..].char_indices();
            let end = rest.find(|&(_, c)| {
                let ends = c == ']' && !escaped;
                // An escaped end of line is none.
                let is_soft = escaped && matches!(c, '\n' | '\r') || after_soft_return && c == '\n';
                after_soft_return = escaped && c == '\r';
                escaped = c == '\\' && !escaped;
                if !ends && !escaped && !is_soft {
                    value.push(c);
                }
                ends
            });
            self.at += end.map_or(self.text.len() - self.at, |(at, _)| at + 1);
            if end.is_none() {
                return Err(self.unexpected("']'"));
            }
            values.push(value.replace("\r\n", "\n"));
        }
        if values.is_empty() { Err(self.unexpected("'['")) } else { Ok(values) }
    }

    /// Reads a whole game, from its parenthesis on. Its main line ends at the first closing one.
    fn game(&mut self) -> Result<SgfGame, SgfError> {
        let mut game = SgfGame::default();
        let (mut at, mut open) = (MoveTree::START, Vec::new());
        let (mut main_line, mut nodes) = (true, 0);
        loop {
            if self.take('(') {
                self.count()?;
                open.push(at);
            } else if self.take(')') {
                at = open.pop().unwrap_or(MoveTree::START);
                main_line = false;
            } else {
                nodes += usize::from(self.take(';'));
                at = self.node(&mut game, at, main_line)?;
            }
            if open.is_empty() {
                break;
            }
        }
        match game.size {
            0 if nodes == 0 => Err(self.unexpected("';'")),
            0 => Err(self.error(SgfProblem::Size { found: None })),
            _ => {
                if game.misnames_swap {
                    let misnamed = game.tree.nodes_mut().iter_mut().filter(|node| node.name == SWAP_PIECES);
                    misnamed.for_each(|node| node.name = SWAP_SIDES.to_owned());
                }
                if little_golem::wrote(&game) {
                    little_golem::translate(&mut game);
                }
                if game.labels.name.is_empty() {
                    game.labels.name = std::mem::take(&mut game.event);
                }
                Ok(game)
            }
        }
    }

    /// Reads the properties of a node, which follows a position. Returns the number of the position after its moves.
    fn node(&mut self, game: &mut SgfGame, after: usize, main_line: bool) -> Result<usize, SgfError> {
        let (mut at, mut comment, mut marks, mut ends) = (after, String::new(), Marks::new(), false);
        while !matches!(self.peek(), Some('(' | ')' | ';')) {
            let start = self.at;
            let (name, mut values) = (self.name()?, self.values()?);
            match name.as_str() {
                "C" => comment = values.swap_remove(0),
                "HE" => ends = main_line,
                "LB" => marks.extend(values.iter().filter_map(|value| {
                    let (place, text) = value.split_once(':')?;
                    Some((place.trim().to_owned(), text.to_owned()))
                })),
                _ => {
                    values.iter_mut().for_each(|value| *value = value.trim().to_owned());
                    let read = game.read(&name, values, &mut at, main_line);
                    read.map_err(|problem| SgfError { game: self.game, at: start + 1, problem })?;
                }
            }
        }
        game.tree.say(at, &comment);
        game.tree.mark(at, marks);
        game.end = if ends { Some(at) } else { game.end };
        Ok(at)
    }
}

impl SgfGame {
    /// Reads the text of a file or of what else is read from, in bounded memory.
    ///
    /// # Errors
    /// If it cannot be read, or is too long.
    pub fn read_from(reader: impl Read) -> Result<SgfGames, SgfFileError> {
        let mut bytes = Vec::new();
        if reader.take(LONGEST_FILE + 1).read_to_end(&mut bytes)? as u64 > LONGEST_FILE {
            return Err(SgfFileError::TooLong);
        }
        let lossy = |error: FromUtf8Error| String::from_utf8_lossy(error.as_bytes()).into_owned();
        Ok(Self::games(String::from_utf8(bytes).unwrap_or_else(lossy)))
    }

    fn games(mut text: String) -> SgfGames {
        text.drain(..text.len() - text.trim_start_matches('\u{feff}').len());
        SgfGames { text, at: 0, count: 0 }
    }

    /// Reads all games of a text.
    ///
    /// # Errors
    /// Names the first game that is none, and what is wrong with it.
    pub fn read_all(text: &str) -> Result<Vec<Self>, SgfError> {
        Self::games(text.to_owned()).collect()
    }

    /// Returns true if this is a game of those rules, or of a variant with the same number.
    pub fn is_of(&self, game: Game) -> bool {
        self.name.as_deref() == Some(game.name()) || (game.sgf.is_some() && self.game == game.sgf)
    }

    /// Reads a property of a node whose moves so far have led to `at`. Moves of a variation are not checked here: replaying
    /// reports those that cannot be played.
    fn read(&mut self, name: &str, values: Vec<String>, at: &mut usize, main_line: bool) -> Result<(), SgfProblem> {
        let value = || quoted(&values[0]);
        let seat = match name {
            "B" | "AB" => Seat::First,
            "W" | "AW" => Seat::Second,
            "AE" if main_line => return Err(SgfProblem::Unreplayable { property: name.to_owned(), value: value() }),
            "AE" => {
                *at = self.tree.add(*at, None, format!("AE[{}]", value()));
                return Ok(());
            }
            _ if main_line => return self.read_of_game(name, values),
            _ => return Ok(()),
        };
        for text in values {
            match text.as_str() {
                // The game ends by them, but not on the board.
                "resign" if name.len() == 1 && main_line => {
                    self.resigned = true;
                    self.winner = self.winner.or(Some(seat.opponent()));
                }
                "resign" | "forfeit" if name.len() == 1 => {}
                // The next move says whose it is.
                other if PASSES.contains(&other) && self.name.is_none() && !words_of_moves().contains(&other) => {}
                _ => {
                    // So far positions have been added one after another.
                    let is_first = main_line && *at == self.set_up && self.tree.len() == self.set_up + 1;
                    self.set_up += usize::from(name.len() == 2 && is_first);
                    *at = self.tree.add(*at, Some(seat), text);
                }
            }
        }
        Ok(())
    }

    /// Takes the stones that were set up before the first move out of the tree, if the file states who moves then: they are
    /// the position that the game begins with. Else they are placed one after another.
    pub(in crate::replay) fn take_setup(&mut self) -> Option<Arrangement> {
        // The moves before a variation belong to it, too.
        let has_variations = (MoveTree::START..self.set_up).any(|number| self.tree.node(number).next.len() > 1);
        let to_move = self.to_move.filter(|_| self.set_up > 0 && !has_variations)?.into();
        let mut setup = Arrangement { to_move, ..Arrangement::default() };
        let last = std::mem::take(&mut self.set_up);
        for number in 1..=last {
            let node = self.tree.node(number);
            let stones = if node.mover == Some(Seat::First) { &mut setup.first } else { &mut setup.second };
            stones.push(node.name.clone());
        }
        let path: Vec<usize> = (1..=last).collect();
        self.tree.begin_after(&path);
        self.end = self.end.map(|end| if end <= last { MoveTree::START } else { end });
        Some(setup)
    }

    /// Reads a property of the whole game.
    fn read_of_game(&mut self, name: &str, mut values: Vec<String>) -> Result<(), SgfProblem> {
        let value = || quoted(&values[0]);
        match name {
            // HexGui up to 0.9.
            "AP" => {
                let minor = values[0].strip_prefix("HexGui:0.").unwrap_or_default().as_bytes();
                self.misnames_swap =
                    minor.first().is_some_and(u8::is_ascii_digit) && !minor.get(1).is_some_and(u8::is_ascii_digit);
            }
            "GM" => self.game = Some(values[0].parse().map_err(|_| SgfProblem::GameNumber { found: value() })?),
            "HZ" => self.name = Some(values.swap_remove(0)),
            "SZ" => {
                let (width, height) = values[0].split_once(':').unwrap_or((&values[0], &values[0]));
                let size = width.parse().ok().filter(|&size: &usize| size > 0 && width == height);
                self.size = size.ok_or(SgfProblem::Size { found: Some(value()) })?;
            }
            "RE" => {
                let how = values[0].split_once('+').map(|(_, how)| how.to_ascii_lowercase()).unwrap_or_default();
                self.on_time |= how == "t" || how == "time";
                self.resigned |= self.on_time || how == "r" || how == "resign";
                self.winner = match values[0].chars().next() {
                    Some('B' | 'b') => Some(Seat::First),
                    Some('W' | 'w') => Some(Seat::Second),
                    _ => None,
                }
            }
            // Later it says who moves in another position.
            "PL" if self.tree.len() == self.set_up + 1 => {
                self.to_move = match values[0].chars().next() {
                    Some('B' | 'b' | '1') => Some(Seat::First),
                    Some('W' | 'w' | '2') => Some(Seat::Second),
                    _ => None,
                }
            }
            "PB" => self.labels.players[0] = values.swap_remove(0),
            "PW" => self.labels.players[1] = values.swap_remove(0),
            "GN" => self.labels.name = values.swap_remove(0),
            "DT" => self.labels.date = values.swap_remove(0),
            "EV" => self.event = values.swap_remove(0),
            "SO" => self.source = values.swap_remove(0),
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(text: &str) -> SgfGame {
        let mut games = SgfGame::read_all(text).unwrap();
        assert_eq!(games.len(), 1);
        games.remove(0)
    }

    fn steps(game: &SgfGame) -> String {
        let letter = |player: Seat| ["B", "W"][player.index()];
        let node = |number| game.tree.node(number);
        game.tree.main_line().map(|at| format!("{}{} ", letter(node(at).mover.unwrap()), node(at).name)).collect()
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
    fn set_up_stones_with_who_moves_are_a_position() {
        let mut game = only("(;GM[11]SZ[5]AB[a1][b2]AW[c3]PL[W]C[so](;W[d4]AB[e5])(;W[e1]))");
        let setup = game.take_setup().unwrap();
        assert_eq!((setup.first, setup.second), (vec!["a1".to_owned(), "b2".to_owned()], vec!["c3".to_owned()]));
        assert_eq!((Seat::from(setup.to_move), steps(&game).as_str()), (Seat::Second, "Wd4 Be5 "));
        assert_eq!((game.tree.node(0).comment.as_str(), game.tree.node(0).next.len()), ("so", 2));
        assert_eq!(only("(;SZ[5]AB[a1];W[b1])").take_setup(), None);
        assert_eq!(only("(;SZ[5]PL[W];W[b1]AB[a1])").take_setup(), None);
        // Not the moves of a main line, though a variation sets stones up, nor a position with other ways out of it.
        for text in ["(;SZ[5]PL[B](;B[a1];W[b2])(;AB[c3]))", "(;SZ[5]PL[B](;AB[a1]AW[b1];B[c1])(;B[d4];W[d5]))"] {
            assert_eq!(only(text).take_setup(), None, "{text}");
        }
        // The player to move in a later position says nothing about the first.
        assert_eq!(only("(;SZ[5]AB[a1]AW[b2];B[c3];W[d4]PL[W])").take_setup(), None);
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
            ("x", "game 1, character 1: 'x' does not belong there; SGF has '(' there"),
            ("(;SZ[3])(", "game 2, character 10: it ends in the middle of a game"),
            ("(;SZ[3", "game 1, character 7: it ends in the middle of a game; SGF has ']' there"),
            ("(;SZ)", "game 1, character 5: ')' does not belong there; SGF has '[' there"),
            ("()", "game 1, character 3: it ends in the middle of a game"),
            ("(;GM[11];B[a1])", "game 1, character 16: the board's size is missing; SGF has SZ[11]"),
            ("(;SZ[3:4])", "game 1, character 3: the board's size is '3:4'; SGF has SZ[11]"),
            ("(;SZ[3]GM[hex])", "game 1, character 8: GM[hex] does not say which game it is"),
            ("(;SZ[3]AE[a1])", "game 1, character 8: AE[a1] takes stones off the board"),
            ("(;SZ[3];ß[a1])", "game 1, character 9: '\\u{df}' does not belong there; SGF has a property such as B"),
        ] {
            let error = SgfGame::read_all(text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
        let deep = "(".repeat(1_000_000);
        assert!(SgfGame::read_all(&deep).is_err());
        let good = "(;SZ[3];B[a1])";
        let found: Vec<_> = SgfGame::games(format!("{good}{good}x{good}")).collect();
        assert!(
            found.len() == 3 && found[..2].iter().all(Result::is_ok) && found[2].is_err(),
            "it ends after an error"
        );
        for (parts, fits) in [(MOST_PARTS, true), (MOST_PARTS + 1, false)] {
            // The game, its size, and moves.
            let large = format!("(;SZ[3]{})", ";B[a1]".repeat(parts - 2));
            assert_eq!(SgfGame::read_all(&large).is_ok(), fits);
            let marks = format!("(;SZ[3]LB{})", "[a1:x]".repeat(parts - 2));
            assert_eq!(SgfGame::read_all(&marks).is_ok(), fits);
        }
        let long = format!("(;SZ[{}])", "9".repeat(1_000_000));
        assert!(SgfGame::read_all(&long).unwrap_err().to_string().len() < 300);
    }

    #[test]
    fn variations_and_comments_stand_where_they_belong() {
        let game =
            only("(;GM[11]SZ[5]C[none];C[one \\] two]B[a1](;W[b2]C[ main])(;C[x];W[b3];B[c4]C[y])(;W[AE];AE[a1]))");
        let said = |at: usize| (game.tree.node(at).name.as_str(), game.tree.node(at).comment.as_str());
        assert_eq!(said(0), ("", "none"));
        assert_eq!(said(1), ("a1", "one ] two\nx"));
        assert_eq!(game.tree.node(1).next, [2, 3, 5]);
        assert_eq!([2, 3, 4, 6].map(said), [("b2", " main"), ("b3", ""), ("c4", "y"), ("AE[a1]", "")]);
    }

    #[test]
    fn who_played_and_when() {
        let game = only(
            "(;GM[11]HZ[hex-noswap]SZ[3]PB[Ann ]PW[B\\]b]GN[Final]DT[2026-01-02]RE[W+Time];B[a1]HE[](;W[b1])(;W[b2]HE[]))",
        );
        assert_eq!(game.labels.players, ["Ann", "B]b"]);
        assert_eq!((game.labels.name.as_str(), game.labels.date.as_str()), ("Final", "2026-01-02"));
        assert_eq!((game.name.as_deref(), game.winner), (Some("hex-noswap"), Some(Seat::Second)));
        assert_eq!((game.resigned, game.on_time, game.end), (true, true, Some(1)));
    }
}
