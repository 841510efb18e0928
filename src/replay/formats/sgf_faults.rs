//! Why a text is no collection of games in SGF.

use std::io;

use crate::games::all_games;

/// No file that is read has more bytes: it is held in memory.
pub(super) const LONGEST_FILE: u64 = 1 << 24;

/// No game that is read has more values and variations: a move takes thirty times its text in memory.
pub(super) const MOST_PARTS: usize = 1 << 18;

/// Why a text is no collection of games in SGF.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("game {game}, character {at}: {problem}")]
pub struct SgfError {
    /// The number of the game, from 1.
    pub game: usize,
    /// The place in the text, in bytes from 1.
    pub at: usize,
    /// The problem there.
    pub problem: SgfProblem,
}

/// Why a file in SGF cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SgfFileError {
    /// The system's error.
    #[error("{0}")]
    File(#[from] io::Error),
    /// There is too much of it.
    #[error("a file in SGF of more than {LONGEST_FILE} bytes is not read")]
    TooLong,
    /// The contents are not SGF.
    #[error("{0}")]
    Contents(#[from] SgfError),
}

/// The fault of a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SgfProblem {
    /// Something else stands where there should be a certain character.
    #[error("{}; SGF has {expected} there", match found {
        Some(found) => format!("'{}' does not belong there", found.escape_default()),
        None => "it ends in the middle of a game".to_owned(),
    })]
    Unexpected {
        /// The text expected.
        expected: &'static str,
        /// The character found; none at the end of the text.
        found: Option<char>,
    },
    /// The size is no number, or width and height differ.
    #[error("the board's size is '{found}'; SGF has SZ[11] for a board of 11×11")]
    Size {
        /// The text found.
        found: String,
    },
    /// The number of the game is none.
    #[error("GM[{found}] does not say which game it is; it is GM[11] for Hex")]
    GameNumber {
        /// The text found.
        found: String,
    },
    /// It has too many moves and other values.
    #[error("the game has more than {MOST_PARTS} moves, other values and variations; one so large is not read")]
    TooLarge,
    /// A property that takes stones off the board.
    #[error("{property}[{value}] takes stones off the board in the middle of a game, which cannot be played")]
    Unreplayable {
        /// Its name.
        property: String,
        /// Its value.
        value: String,
    },
}

/// Lists the words for moves that belong to no cell, in the games that have a number in SGF.
pub(super) fn words_of_moves() -> Vec<&'static str> {
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
