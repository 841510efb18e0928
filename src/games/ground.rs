//! Costs of cells for paths.

/// The board for a player's paths from side to side: a [`Step`] for each cell.
pub type Ground = Vec<Step>;

/// A cell on a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Step {
    /// The cost of a stone here, in half stones: 0 on an own stone that stays, 2 on an empty cell, at most
    /// [`Step::DEAREST`]. None if no path can pass.
    pub cost: Option<u8>,
    /// Which of the player's two sides the cell lies on, a bit each.
    pub sides: u8,
}

impl Step {
    /// The cost of an empty cell.
    pub const STONE: u8 = 2;
    /// The greatest cost.
    pub const DEAREST: u8 = 4;
}
