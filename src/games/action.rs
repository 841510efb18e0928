//! Moves as numbers, and as paths of picks.

use serde::{Deserialize, Serialize};

/// A move as a number: policy plane × cells + cell, and after those the global actions (a swap, a pass).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Action(pub u16);

impl Action {
    /// The action's number, for indexing.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One step of entering a move. An action is a short path of picks, and no two legal actions of a position have the
/// same path: interfaces collect picks and narrow down the legal actions in any game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pick {
    /// A place of the board's layout: a cell to play on, a source, or a target.
    Place(u16),
    /// One of the six directions from the place picked before, in the order of [`crate::board::STEPS`].
    Direction(u8),
    /// One of the game's [`super::Choice`]s, such as a colour, offered at the place picked before.
    Choice(u8),
    /// A global action, by its number: a button beside the board.
    Button(u8),
}
