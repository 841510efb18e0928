//! Errors of SGF texts.

use std::io;

use hexzero_games::{Game, all_games};

/// Maximum size of a file in bytes, because the file is held in memory.
pub(super) const MAX_FILE_BYTES: u64 = 1 << 24;

/// Maximum number of values and variations in a game, because a move takes thirty times its text in
/// memory.
pub(super) const MAX_PARTS: usize = 1 << 18;

/// An error in an SGF text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("game {game}, character {at}: {problem}")]
pub struct SgfError {
    /// The index of the game, from 1.
    pub game: usize,
    /// The position in the text, in bytes from 1.
    pub at: usize,
    /// The problem there.
    pub problem: SgfProblem,
}

/// Why an SGF file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SgfFileError {
    /// The file system returned an error.
    #[error("{0}")]
    File(#[from] io::Error),
    /// The file is too long.
    #[error("a file in SGF of more than {MAX_FILE_BYTES} bytes is not read")]
    TooLong,
    /// The contents are not SGF.
    #[error("{0}")]
    Contents(#[from] SgfError),
}

/// The kind of error in an SGF text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SgfProblem {
    /// A required character is missing.
    #[error("{}; SGF has {expected} there", match found {
        Some(found) => format!("'{}' does not belong there", found.escape_default()),
        None => "it ends in the middle of a game".to_owned(),
    })]
    Unexpected {
        /// The text expected.
        expected: &'static str,
        /// The character found, or `None` at the end of the text.
        found: Option<char>,
    },
    /// The size is not a number, or width and height differ.
    #[error("the board's size is '{0}'; SGF has SZ[11] for a board of 11×11")]
    Size(String),
    /// The number of the game is not a number.
    #[error("GM[{0}] does not say which game it is; it is GM[11] for Hex")]
    GameNumber(String),
    /// The game has too many moves and other values.
    #[error("the game has more than {MAX_PARTS} moves, other values and variations; one so large is not read")]
    TooLarge,
    /// A property removes stones from the board.
    #[error("{property}[{value}] takes stones off the board in the middle of a game, which cannot be played")]
    Unreplayable {
        /// The name of the property.
        property: String,
        /// The value of the property.
        value: String,
    },
}

/// Returns whether a word is a move that names no cell, in a game that has an SGF number.
pub(super) fn is_word_of_move(word: &str) -> bool {
    let is_known = |game: Game| game.sgf.is_some() && game.actions.iter().any(|action| action.foreign == word);
    all_games().into_iter().any(is_known)
}
