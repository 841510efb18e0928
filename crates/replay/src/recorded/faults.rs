//! Errors of recorded games.

use std::fmt::{self, Display};

use crate::formats::SgfError;
use hexzero_games::{Game, all_games};

/// The place of a game in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The index of the game, from 1.
    pub game: usize,
    /// The number of the game's line, from 1, in files of lines. Blank lines count here but not as
    /// games.
    pub line: Option<usize>,
}

impl Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
    /// The game has stones placed out of turn, which the output format cannot represent.
    #[error("a player places two stones in a row or passes, which only SGF can hold")]
    SetUp,
    /// Any other error, as text.
    #[error("{0}")]
    Other(String),
}

impl GameFault {
    pub(crate) fn other(problem: impl Display) -> Self {
        Self::Other(problem.to_string())
    }

    /// Returns the error that a stone is placed out of turn, in a game that does not allow it.
    pub(super) fn out_of_turn(number: usize, wanted: &str) -> Self {
        Self::Other(format!("move {number} is out of turn: {wanted} is to move"))
    }
}

/// Returns the first game with this SGF number, of which others are variants; an error if no game has it.
pub(crate) fn game_of_sgf(number: Option<u32>) -> Result<Game, GameFault> {
    let found = all_games().into_iter().find(|game| number.is_some() && game.sgf == number);
    found.ok_or_else(|| {
        let problem = match number {
            Some(number) => format!("GM[{number}] is another game"),
            None => "the file does not say which game it is".to_owned(),
        };
        GameFault::Other(format!("{problem}; {}", games_of_sgf()))
    })
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
