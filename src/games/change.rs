//! What a move changed on the board.

use serde::Serialize;

/// A change at places of the board's layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// A piece was put on a place.
    Placed(u16),
    /// A piece was taken off the board.
    Removed(u16),
    /// A piece went from one place to another.
    Moved(u16, u16),
    /// The piece on a place changed its owner, kind or number.
    Recoloured(u16),
}

/// Receives what a move changes. `()` ignores it, at no cost; a vector keeps it.
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
