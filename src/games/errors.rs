//! What cannot be: a board, a position, a move.

use std::ops::RangeInclusive;

use crate::board::VertexError;

/// A game cannot be played on a board of the size asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{game} is played on boards of size {} to {}, not {size}", accepted.start(), accepted.end())]
pub struct SizeError {
    /// The game's name.
    pub game: &'static str,
    /// What was asked for.
    pub size: usize,
    /// What is possible.
    pub accepted: RangeInclusive<usize>,
}

/// Why a list of stones is no position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// The board cannot have this size.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// Too few or too many cells.
    #[error("a board of size {size} has {expected} cells, not {found}")]
    CellCount {
        /// The board's size.
        size: usize,
        /// How many cells it has.
        expected: usize,
        /// How many were given.
        found: usize,
    },
}

/// Why a move cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidMove {
    /// The text is no move.
    #[error("{source}{}", alternatives(words))]
    Unreadable {
        /// Why it is no cell.
        source: Box<VertexError>,
        /// The game's words for moves that are no cells.
        words: Vec<&'static str>,
    },
    /// The number is no action of this game on this board.
    #[error("there is no action number {index}; this board has {actions} actions")]
    NoSuchAction {
        /// The action's number.
        index: usize,
        /// How many there are.
        actions: usize,
    },
    /// There is a stone already.
    #[error("{cell} is occupied; choose an empty cell")]
    Occupied {
        /// The cell's name.
        cell: String,
    },
    /// A rule of the game bars the move at this moment.
    #[error("{reason}")]
    Refused {
        /// What the rule says of the move, and what would do.
        reason: String,
    },
    /// The game has ended.
    #[error("the game is over; no move can follow")]
    GameOver,
}

/// A move of a list cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("move {number}, '{text}': {source}")]
pub struct InvalidMoveInList {
    /// Its number in the list, from 1.
    pub number: usize,
    /// What was written.
    pub text: String,
    /// Why it cannot be played.
    pub source: InvalidMove,
}

impl InvalidMove {
    /// A text that names no place; `words` are the game's words for moves that belong to no cell.
    pub fn unreadable(source: VertexError, words: Vec<&'static str>) -> Self {
        Self::Unreadable { source: Box::new(source), words }
    }

    /// A swap at any time but the second turn; `turn` is the one to be played, from 1.
    pub fn swap_not_now(turn: usize) -> Self {
        let reason = format!("a swap is only possible as the answer to the first stone; this is move {turn}");
        Self::Refused { reason }
    }
}

/// The words that a game has beside the names of its cells, as the end of a message.
fn alternatives(words: &[&str]) -> String {
    if words.is_empty() {
        return String::new();
    }
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let are = if quoted.len() == 1 { "is a move" } else { "are moves" };
    format!("; {} {are} too, where the rules allow it", quoted.join(", "))
}
