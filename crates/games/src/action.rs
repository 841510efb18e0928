//! Moves as numbers and as paths of picks, the changes they make to the board, and errors in moves and boards.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use hexzero_board::VertexError;

/// A move as a number: policy plane × cells + cell, followed by the global actions (a swap, a
/// pass).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Action(pub u16);

impl Action {
    /// Returns the action's number, for indexing.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One step of entering a move. Each action is a short path of picks, and no two legal actions of a
/// position have the same path. Interfaces collect picks and narrow down the legal actions, in any
/// game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pick {
    /// A place of the board's layout: a cell to play on, a source, or a target.
    Place(u16),
    /// One of the six directions from the place picked before, in the order of [`hexzero_board::STEPS`].
    Direction(u8),
    /// One of the game's [`super::Choice`]s, such as a colour, offered at the place picked before.
    Choice(u8),
    /// A global action, by its number: a button beside the board.
    Button(u8),
}

impl Pick {
    /// Returns the place, if it is one.
    pub fn place(self) -> Option<usize> {
        match self {
            Self::Place(place) => Some(place.into()),
            _ => None,
        }
    }
}

/// A change at one or two places of the board's layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// A piece was placed.
    Placed(u16),
    /// A piece was removed.
    Removed(u16),
    /// A piece moved from one place to another.
    Moved(u16, u16),
    /// The piece on a place changed its owner, kind or number.
    Recoloured(u16),
}

/// Receives the changes of a move. `()` ignores them at no cost; a vector records them.
pub trait ChangeLog {
    /// Receives a change.
    fn note(&mut self, change: Change);
}

impl ChangeLog for () {
    #[inline]
    fn note(&mut self, _: Change) {}
}

impl ChangeLog for Vec<Change> {
    fn note(&mut self, change: Change) {
        self.push(change);
    }
}

/// A game is not played on boards of this size.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{game} is played on boards of size {}, not {size}", range_in_words(accepted))]
pub struct SizeError {
    /// The game's name.
    pub game: &'static str,
    /// The size given.
    pub size: usize,
    /// The accepted sizes.
    pub accepted: RangeInclusive<usize>,
}

/// Returns a range in words, as in "sizes 3 to 15", or its only number.
fn range_in_words(range: &RangeInclusive<usize>) -> String {
    let (least, most) = (range.start(), range.end());
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

/// An error in a move: the text cannot be parsed, or the move cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidMove {
    /// The text is not a move.
    #[error("{source}{}", alternatives(words))]
    Unreadable {
        /// Why the text is not a cell.
        source: Box<VertexError>,
        /// The game's words for moves that are not cells.
        words: Vec<&'static str>,
    },
    /// The number is not an action of this game on this board.
    #[error("there is no action number {index}; this board has {actions} actions")]
    NoSuchAction {
        /// The action's number.
        index: usize,
        /// The number of actions of the game on this board.
        actions: usize,
    },
    /// The cell is occupied.
    #[error("{cell} is occupied; choose an empty cell")]
    Occupied {
        /// The cell's name.
        cell: String,
    },
    /// A rule of the game forbids the move now.
    #[error("{reason}")]
    Refused {
        /// The rule that is broken, and what would be accepted.
        reason: String,
    },
    /// The game is over.
    #[error("the game is over; no move can follow")]
    GameOver,
}

/// A move of a list cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("move {number}, '{text}': {source}")]
pub struct InvalidMoveInList {
    /// The number of the move in the list, from 1.
    pub number: usize,
    /// The move as written.
    pub text: String,
    /// Why the move cannot be played.
    pub source: InvalidMove,
}

impl InvalidMove {
    /// Returns the error for a text that names no place; `words` are the game's words for moves off
    /// the board.
    pub fn unreadable(source: VertexError, words: Vec<&'static str>) -> Self {
        Self::Unreadable { source: Box::new(source), words }
    }

    /// Returns the error for a move that a rule forbids: the rule, and what would be accepted.
    pub fn refused(reason: impl Into<String>) -> Self {
        Self::Refused { reason: reason.into() }
    }

    /// Returns the error for a swap at any time but the second turn; `turn` is the present one,
    /// from 1.
    pub fn swap_not_now(turn: usize) -> Self {
        Self::refused(format!("a swap is only possible as the answer to the first stone; this is move {turn}"))
    }
}

/// Returns a game's words beside the names of its cells, as the end of a message.
fn alternatives(words: &[&str]) -> String {
    if words.is_empty() {
        return String::new();
    }
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let are = if quoted.len() == 1 { "is a move" } else { "are moves" };
    format!("; {} {are} too, where the rules allow it", quoted.join(", "))
}
