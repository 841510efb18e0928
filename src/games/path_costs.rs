//! Costs of cells for paths from side to side.

/// The costs of all cells for one player's paths from side to side.
pub type PathCosts = Vec<CellCost>;

/// The cost of a cell on a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CellCost {
    /// The cost of a stone here, in half stones: 0 on an own stone that stays, 2 on an empty cell, at most
    /// [`CellCost::HIGHEST`]. None if no path can pass.
    pub cost: Option<u8>,
    /// The sides of the player that the cell lies on, a bit each.
    pub sides: u8,
}

impl CellCost {
    /// The cost of an empty cell.
    pub const STONE: u8 = 2;
    /// The greatest cost.
    pub const HIGHEST: u8 = 4;
}
