//! Errors of recorded games.

use super::tree_walk::MAX_POSITIONS;
use crate::formats::SgfError;
use hexzero_games::{ArrangementError, InvalidMove, UnknownGame, all_games};
use hexzero_system::files::MAX_LINE_BYTES;

/// The place of a game in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The index of the game, from 1.
    pub game: usize,
    /// The number of the game's line, from 1, in files of lines. Blank lines count here but not as
    /// games.
    pub line: Option<usize>,
}

impl std::fmt::Display for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "game {}", self.game)?;
        self.line.map_or(Ok(()), |line| write!(f, " (line {line})"))
    }
}

/// Why a file of games could not be replayed, and where.
#[derive(Debug, thiserror::Error)]
pub enum InterchangeError {
    /// A game is invalid; the games after it may be valid.
    #[error("{entry}: {fault}")]
    Game {
        /// The place of the game.
        entry: Entry,
        /// The error of the game.
        #[source]
        fault: GameFault,
    },
    /// The file begins like SGF, but is not valid SGF.
    #[error(transparent)]
    Sgf(#[from] SgfError),
    /// The file in SGF could not be read.
    #[error(transparent)]
    File(#[from] std::io::Error),
    /// The rest of the file could not be read.
    #[error("line {line} could not be read: {source}")]
    Read {
        /// The number of the line, from 1.
        line: usize,
        /// The reader's error.
        source: std::io::Error,
    },
}

/// An error of a game. Very long texts from the file are cut.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GameFault {
    /// The line is longer than any game; the rest is not read.
    #[error("a line of more than {MAX_LINE_BYTES} bytes is not a game")]
    TooLong,
    /// The line is not JSON, or not in the format described in [`crate::InterchangeGame`].
    #[error("not a game in JSON, character {column}: {reason}")]
    Json {
        /// The position in the line, in bytes from 1.
        column: usize,
        /// What is wrong there.
        reason: String,
    },
    /// The text is in none of the formats.
    #[error(
        "'{0}' is no game: give SGF, a HexWorld link, or a line such as {{\"game\":\"hex\",\"size\":11,\"moves\":[\"a2\"]}}"
    )]
    NoGame(String),
    /// No game has that name.
    #[error(transparent)]
    UnknownGame(#[from] UnknownGame),
    /// No game has that SGF number.
    #[error("{}; {}", match found {
        Some(found) => format!("GM[{found}] is another game"),
        None => "the file does not say which game it is".to_owned(),
    }, games_of_sgf())]
    UnknownSgfGame {
        /// The number, if stated.
        found: Option<u32>,
    },
    /// An SGF game does not state the size of its board.
    #[error("the board's size is missing; SGF has SZ[11] for a board of 11×11, or give it by --size")]
    NoSize,
    /// The game is not played on such a board, or cannot begin with such a position.
    #[error(transparent)]
    Start(#[from] ArrangementError),
    /// A move cannot be played.
    #[error("move {number} '{text}': {reason}")]
    Move {
        /// The move's number, from 1.
        number: usize,
        /// The move as written.
        text: String,
        /// Why the move cannot be played.
        #[source]
        reason: InvalidMove,
    },
    /// A stone is placed out of turn, in a game that does not allow it.
    #[error("move {number} is out of turn: {wanted} is to move")]
    OutOfTurn {
        /// The move's number, from 1.
        number: usize,
        /// The side to move.
        wanted: &'static str,
    },
    /// The moves contradict the stated result.
    #[error("the stated result is '{stated}', but after its {moves} moves {}", match found {
        Some(found) => format!("the result is '{found}'"),
        None => "the game is not over".to_owned(),
    })]
    Result {
        /// The result as written.
        stated: String,
        /// The number of moves.
        moves: usize,
        /// The result of the moves, or `None` if the game is not over.
        found: Option<&'static str>,
    },
    /// No player with that name can have resigned after the moves.
    #[error("'{stated}' cannot have resigned: {reason}")]
    Resignation {
        /// The name as written.
        stated: String,
        /// Why that player cannot have resigned.
        reason: String,
    },
    /// The game has stones placed out of turn, which the output format cannot represent.
    #[error("a player places two stones in a row or passes, which only SGF can hold")]
    SetUp,
    /// The game has a starting position of its own, which the output format cannot represent.
    #[error("it begins with a position that was set up; write JSON lines or SGF")]
    Arranged,
    /// The game is too long for the output format, or its variations are nested too deeply.
    #[error(
        "it does not fit on a line of JSON, which has less than {MAX_LINE_BYTES} bytes and some 60 variations inside one another; write SGF"
    )]
    NoLine,
    /// A comment or a variation belongs to no position of its line.
    #[error("a comment or a variation is for ply {0}, which its line does not have")]
    NoSuchPly(usize),
    /// There are too many variations.
    #[error("a game of more than {MAX_POSITIONS} positions, variations counted, cannot be rewritten")]
    TooManyPositions,
    /// The text is not a HexWorld link.
    #[error("'{0}' cannot be read as a HexWorld link; one looks like https://hexworld.org/board/#11,c2d4:s")]
    HexWorld(String),
    /// The board is not square.
    #[error("the board is {0}; Hex is played here on boards that are as wide as high")]
    NotSquare(String),
    /// HexWorld does not support the game.
    #[error("HexWorld has no {0}, only Hex")]
    NoHexWorld(&'static str),
}

/// Lists the games that have an SGF number, as the end of a message.
fn games_of_sgf() -> String {
    let mut known: Vec<(u32, &str)> = Vec::new();
    for game in all_games() {
        if let Some(number) = game.sgf.filter(|number| known.iter().all(|(known, _)| known != number)) {
            known.push((number, game.title));
        }
    }
    match &known[..] {
        [(number, title)] => format!("of the games of SGF only {title} is known: GM[{number}]"),
        several => {
            let several: Vec<String> =
                several.iter().map(|(number, title)| format!("{title} (GM[{number}])")).collect();
            format!("of the games of SGF these are known: {}", several.join(", "))
        }
    }
}
