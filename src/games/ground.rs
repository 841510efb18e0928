//! A board as paths see it.

/// What a player's paths from one of his sides to the other find on their way: a [`Step`] for each cell.
pub type Ground = Vec<Step>;

/// What a cell is to a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Step {
    /// What it takes to have a stone here, in half stones: 0 on an own stone that stays, 2 on an empty
    /// cell, at most [`Step::DEAREST`]. None where no path can go.
    pub cost: Option<u8>,
    /// Which of the player's two sides the cell lies on, a bit each.
    pub sides: u8,
}

impl Step {
    /// What an empty cell costs.
    pub const STONE: u8 = 2;
    /// The greatest cost.
    pub const DEAREST: u8 = 4;
}
