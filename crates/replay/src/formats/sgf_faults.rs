//! Errors of SGF texts.

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
    pub problem: String,
}

/// Returns whether a word is a move that names no cell, in a game that has an SGF number.
pub(super) fn is_word_of_move(word: &str) -> bool {
    let is_known = |game: Game| game.sgf.is_some() && game.actions.iter().any(|action| action.foreign == word);
    all_games().into_iter().any(is_known)
}
