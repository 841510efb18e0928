//! Moves as numbers and as paths of picks, and the changes they make to the board.

use serde::{Deserialize, Serialize};

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
