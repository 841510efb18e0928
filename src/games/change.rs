//! Changes of the board by a move.

use serde::Serialize;

/// A change at places of the board's layout.
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

/// Receives the changes of a move. `()` ignores them, at no cost; a vector keeps them.
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
