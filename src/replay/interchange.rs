//! Games as lines of JSON, which a person can read and other programs can write:
//!
//! ```json
//! {"game":"cachex","size":5,"moves":["d2","swap","c4"],"result":"red"}
//! ```
//!
//! `result` may be left out; if it is there it must be what the moves lead to. Other fields are
//! ignored and blank lines are skipped.

use std::io::{BufRead, Read};

use serde::{Deserialize, Serialize};

use crate::games::{Action, EndReason, ForGame, Game, InvalidMove, Outcome, SizeError, UnknownGame, with_game};

/// What a drawn game has for its result.
const DRAW: &str = "draw";

/// Foreign text in a message is cut after this many characters.
const LONGEST_QUOTE: usize = 60;

/// No game comes near a line of this many bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// A game as it stands in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InterchangeGame {
    /// The game's name, such as `cachex`.
    pub game: String,
    /// The board's size.
    pub size: usize,
    /// The moves by name, in order.
    pub moves: Vec<String>,
    /// The winner's name or `draw`; none if the game is not over or nothing was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
}

impl InterchangeGame {
    /// The record of a game: the position it has come to, and all its actions from the start.
    pub fn new<G: Game>(game: &G, actions: &[Action]) -> Self {
        Self {
            game: G::NAME.to_owned(),
            size: game.size(),
            moves: actions.iter().map(|&action| game.action_name(action)).collect(),
            result: game.outcome().map(|outcome| result_name::<G>(outcome).to_owned()),
        }
    }
}

/// What came of a game's moves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplaySummary {
    /// The game's name.
    pub game: String,
    /// The board's size.
    pub size: usize,
    /// The number of moves.
    pub turns: usize,
    /// The winner's name or `draw`; none if the game is not over.
    pub result: Option<String>,
    /// The rule that ended the game; none if it is not over.
    pub reason: Option<EndReason>,
    /// The board after each move (see [`position_text`]), if asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<Vec<String>>,
}

/// Where a game stands in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The number of the game, from 1.
    pub game: usize,
    /// The number of its line, from 1. Blank lines count here but not as games.
    pub line: usize,
}

impl std::fmt::Display for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "game {} (line {})", self.game, self.line)
    }
}

/// Why a file of games could not be replayed, and where.
#[derive(Debug, thiserror::Error)]
pub enum InterchangeError {
    /// One of the games is at fault; those after it may be in order.
    #[error("{entry}: {fault}")]
    Game {
        /// Which game.
        entry: Entry,
        /// What is wrong with it.
        #[source]
        fault: GameFault,
    },
    /// The file could not be read on.
    #[error("line {line} could not be read: {source}")]
    Read {
        /// The line's number, from 1.
        line: usize,
        /// What went wrong.
        source: std::io::Error,
    },
}

/// What is wrong with a game. Texts from the file are cut if they are very long.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GameFault {
    /// The line is longer than any game; what follows is not read.
    #[error("a line of more than {LONGEST_LINE} bytes is no game")]
    TooLong,
    /// The line is no JSON, or not of the form described above.
    #[error("not a game in JSON, column {column}: {reason}")]
    Json {
        /// Where in the line it was noticed, in bytes from 1.
        column: usize,
        /// What the parser says.
        reason: String,
    },
    /// No game has that name.
    #[error(transparent)]
    UnknownGame(#[from] UnknownGame),
    /// The game is not played on such a board.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// A move cannot be played.
    #[error("move {number} '{text}': {reason}")]
    Move {
        /// The move's number, from 1.
        number: usize,
        /// The move as written.
        text: String,
        /// Why it cannot.
        #[source]
        reason: InvalidMove,
    },
    /// The moves lead to another result than the one stated.
    #[error("the stated result is '{stated}', but after its {moves} moves {}", match found {
        Some(found) => format!("the result is '{found}'"),
        None => "the game is not over".to_owned(),
    })]
    Result {
        /// The result as written.
        stated: String,
        /// The number of moves.
        moves: usize,
        /// The result that they lead to; none if the game is not over.
        found: Option<&'static str>,
    },
}

/// The name of a result: the winner's, or `draw`.
pub fn result_name<G: Game>(outcome: Outcome) -> &'static str {
    outcome.winner.map_or(DRAW, |winner| G::PLAYER_NAMES[winner.index()])
}

/// The board as one character a cell, in their order: `.` if it is empty, else what stands for its stone,
/// such as the first letter of its owner's name (`R` and `B` in Cachex).
pub fn position_text<G: Game>(game: &G) -> String {
    (0..game.topology().cells()).map(|cell| game.symbol(cell)).collect()
}

/// Replays every game of a file, in order; each blank line is passed over. An unreadable line or an
/// impossible game is an error of that item only, so the caller may stop there or go on. After an
/// error of the reader itself the iterator ends.
///
/// With `with_states` each summary holds the board after each move.
pub fn replays<R: BufRead>(
    mut reader: R,
    with_states: bool,
) -> impl Iterator<Item = Result<ReplaySummary, InterchangeError>> {
    let mut entry = Entry { game: 0, line: 0 };
    let mut line = Vec::new();
    let mut ended = false;
    std::iter::from_fn(move || {
        while !ended {
            line.clear();
            entry.line += 1;
            // As bytes: a line that is no UTF-8 must not hide the lines after it.
            match Read::by_ref(&mut reader).take(LONGEST_LINE).read_until(b'\n', &mut line) {
                Ok(0) => ended = true,
                Ok(length) if length as u64 == LONGEST_LINE => {
                    ended = true;
                    entry.game += 1;
                    return Some(Err(InterchangeError::Game { entry, fault: GameFault::TooLong }));
                }
                Ok(_) if line.trim_ascii().is_empty() => {}
                Ok(_) => {
                    entry.game += 1;
                    return Some(replay_line(entry, &line, with_states));
                }
                Err(source) => {
                    ended = true;
                    return Some(Err(InterchangeError::Read { line: entry.line, source }));
                }
            }
        }
        None
    })
}

/// Replays one line of a file. `entry` says where it stands, for the error message. With
/// `with_states` the summary holds the board after each move.
///
/// # Errors
/// If the line is no game in the form described above, the game or its board's size is not known, a
/// move cannot be played, or the stated result is not the one that the moves lead to.
pub fn replay_line(entry: Entry, line: impl AsRef<[u8]>, with_states: bool) -> Result<ReplaySummary, InterchangeError> {
    let line = line.as_ref();
    let summary = serde_json::from_slice::<InterchangeGame>(line)
        .map_err(json_fault)
        .and_then(|game| with_game(&quoted(&game.game), Replay { recorded: &game, with_states })?);
    summary.map_err(|fault| InterchangeError::Game { entry, fault })
}

/// The replay of a game, whichever it is.
struct Replay<'a> {
    recorded: &'a InterchangeGame,
    with_states: bool,
}

impl ForGame for Replay<'_> {
    type Output = Result<ReplaySummary, GameFault>;

    fn for_game<G: Game>(self) -> Self::Output {
        let Self { recorded, with_states } = self;
        let mut game = G::new(recorded.size)?;
        let mut states = with_states.then(Vec::new);
        for (index, text) in recorded.moves.iter().enumerate() {
            // No move is so long that cutting it could make another move of it.
            let text = quoted(text);
            let played = crate::games::play_named(&mut game, &text);
            played.map_err(|reason| GameFault::Move { number: index + 1, text, reason })?;
            if let Some(states) = &mut states {
                states.push(position_text(&game));
            }
        }
        let outcome = game.outcome();
        let found = outcome.map(result_name::<G>);
        if let Some(stated) = recorded.result.as_deref().filter(|stated| found != Some(stated)) {
            return Err(GameFault::Result { stated: quoted(stated), moves: recorded.moves.len(), found });
        }
        Ok(ReplaySummary {
            game: G::NAME.to_owned(),
            size: recorded.size,
            turns: recorded.moves.len(),
            result: found.map(str::to_owned),
            reason: outcome.map(|outcome| outcome.reason),
            states,
        })
    }
}

fn json_fault(error: serde_json::Error) -> GameFault {
    // The parser saw a single line, so the line number in its message would only mislead.
    let (line, column) = (error.line(), error.column());
    let message = error.to_string();
    let reason = message.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&message);
    GameFault::Json { column, reason: quoted(reason) }
}

/// The text, cut if it is very long.
fn quoted(text: &str) -> String {
    match text.char_indices().nth(LONGEST_QUOTE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Cachex;

    const HERE: Entry = Entry { game: 3, line: 4 };

    fn summary(line: &str) -> ReplaySummary {
        replay_line(HERE, line, false).unwrap()
    }

    fn message(line: impl AsRef<[u8]>) -> String {
        replay_line(HERE, line, true).unwrap_err().to_string()
    }

    #[test]
    fn a_game_under_way() {
        let line = r#"{"game":"cachex","size":5,"moves":["d2","swap","c4"]}"#;
        let json = serde_json::to_string(&summary(line)).unwrap();
        assert_eq!(json, r#"{"game":"cachex","size":5,"turns":3,"result":null,"reason":null}"#);
        let states = replay_line(HERE, line, true).unwrap().states.unwrap();
        let expected = ["........R................", "................B........", "................BR......."];
        assert_eq!(states, expected);
    }

    #[test]
    fn a_game_that_is_won() {
        let line = r#" {"size":3,"date":[1,{}],"result":"red","moves":["A1","b1","a2","b2","a3"],"game":"cachex"} "#;
        let json = serde_json::to_string(&summary(line)).unwrap();
        assert_eq!(json, r#"{"game":"cachex","size":3,"turns":5,"result":"red","reason":"connection"}"#);
    }

    #[test]
    fn writing_and_replaying_are_inverse() {
        let mut game = Cachex::new(3).unwrap();
        let moves = ["a1", "swap", "b1", "a2", "c3", "a3"];
        let actions = moves.map(|text| crate::games::play_named(&mut game, text).unwrap());
        let record = serde_json::to_string(&InterchangeGame::new(&game, &actions)).unwrap();
        let moves = serde_json::to_string(&moves).unwrap();
        assert_eq!(record, format!(r#"{{"game":"cachex","size":3,"moves":{moves}}}"#));
        assert_eq!(summary(&record).turns, 6);
    }

    #[test]
    fn moves_that_cannot_be_played() {
        let of_moves = |moves: &str| message(format!(r#"{{"game":"cachex","size":3,"moves":[{moves}]}}"#));
        assert_eq!(of_moves(r#""a1","a1""#), "game 3 (line 4): move 2 'a1': a1 is occupied; choose an empty cell");
        assert!(of_moves(r#""b2""#).contains("move 1 'b2': b2 is the centre"));
        assert!(of_moves(r#""swap""#).contains("move 1 'swap': a swap is only possible"));
        assert!(of_moves(r#""a1","d4""#).contains("move 2 'd4': 'd4' is not on this board"));
        assert!(of_moves(r#""a1","b1","a2","b2","a3","c1","c2""#).contains("move 6 'c1': the game is over"));
        for odd in ["", " ", "ä1", "１a", "a-1", "\u{1F480}", "a99999999999999999999999999"] {
            assert!(of_moves(&format!("{odd:?}")).contains("move 1 '"), "{odd}");
        }
    }

    #[test]
    fn lines_that_are_no_game() {
        for line in [&b"x"[..], b"{}", b"[]", b"null", b"\"\xff\"", br#"{"game":"cachex","size":5,"moves":"a1"}"#] {
            assert!(message(line).starts_with("game 3 (line 4): not a game in JSON, column "), "{line:?}");
        }
        assert!(message(r#"{"game":"cachex","size":-1,"moves":[]}"#).contains("not a game in JSON"));
        assert!(message(r#"{"game":"cachex","size":5}"#).contains("missing field `moves`"));
        assert!(!message("{").contains("line 1"));
        for nested in ["{\"x\":", "{\"moves\":", ""].map(|start| start.to_owned() + &"[".repeat(100_000)) {
            assert!(message(nested).contains("not a game in JSON"));
        }
    }

    #[test]
    fn unknown_games_sizes_and_wrong_results() {
        let go = message(r#"{"game":"go","size":19,"moves":[]}"#);
        assert_eq!(go, "game 3 (line 4): unknown game 'go'; known are: cachex, hex, hex-noswap");
        for size in ["0", "2", "16", "18446744073709551615"] {
            let text = message(format!(r#"{{"game":"cachex","size":{size},"moves":[]}}"#));
            assert!(text.contains("boards of size 3 to 15") && text.ends_with(size), "{text}");
        }
        let stated = |result: &str, moves: &str| {
            message(format!(r#"{{"game":"cachex","size":3,"moves":[{moves}],"result":"{result}"}}"#))
        };
        assert!(stated("red", r#""a1""#).ends_with("result is 'red', but after its 1 moves the game is not over"));
        let won = r#""a1","b1","a2","b2","a3""#;
        assert!(stated("blue", won).ends_with("result is 'blue', but after its 5 moves the result is 'red'"));
        assert!(stated("", won).contains("result is ''"));
    }

    #[test]
    fn a_megabyte_of_garbage_gives_a_short_message() {
        let long = "ö".repeat(500_000);
        for line in [
            long.clone(),
            format!("{long:?}"),
            format!(r#"{{"game":"{long}","size":5,"moves":[]}}"#),
            format!(r#"{{"game":"cachex","size":"{long}","moves":[]}}"#),
            format!(r#"{{"game":"cachex","size":5,"moves":["{long}"]}}"#),
            format!(r#"{{"game":"cachex","size":5,"moves":[],"result":"{long}"}}"#),
        ] {
            let text = message(line);
            assert!(text.len() < 600, "{} bytes: {}", text.len(), &quoted(&text));
        }
    }

    #[test]
    fn a_file_with_blank_lines_and_a_bad_game() {
        let good = r#"{"game":"cachex","size":3,"moves":["a1"]}"#;
        let file = [good.as_bytes(), b"\r\n\n  \n\xff\n", good.as_bytes()].concat();
        let found: Vec<_> = replays(file.as_slice(), false).collect();
        assert_eq!(found.len(), 3);
        assert_eq!(found[0].as_ref().unwrap(), found[2].as_ref().unwrap());
        assert!(found[1].as_ref().unwrap_err().to_string().starts_with("game 2 (line 4): "));
        assert_eq!(replays(b"".as_slice(), true).count(), 0);
    }
}
