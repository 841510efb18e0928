//! Positions from the mover's point of view: in Hex the mover joins rows 1 and n, whoever it is.

use serde::{Deserialize, Serialize};

use super::geometry::{Cells, Geometry, bit};

/// The stones of both players, without sides. The mover of Hex joins rows 1 and n.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Stones {
    /// The stones of the side to move.
    pub own: Cells,
    /// The stones of its opponent.
    pub opponent: Cells,
}

impl Stones {
    /// An empty board.
    pub const NONE: Self = Self { own: 0, opponent: 0 };

    /// Returns the cells without stones.
    #[inline]
    pub fn empty(self, board: &Geometry) -> Cells {
        board.board() & !(self.own | self.opponent)
    }

    /// Returns the stones of each player with its sides: the mover's, the opponent's.
    #[inline]
    pub(super) fn with_sides(self, board: &Geometry) -> [Cells; 2] {
        let [own, opponent] = board.sides();
        [self.own | own, self.opponent | opponent]
    }

    /// Returns the position after the mover's stone on a cell, as the opponent sees it.
    pub fn after(self, board: &Geometry, cell: usize) -> Self {
        Self { own: self.own | bit(cell), ..self }.passed(board)
    }

    /// Returns the same stones as the other player sees them.
    pub fn passed(self, board: &Geometry) -> Self {
        Self { own: board.transposed(self.opponent), opponent: board.transposed(self.own) }
    }

    /// Returns the lesser of the position and its image, [turned](Geometry::turned), and whether that is the image.
    pub fn canonical(self, board: &Geometry) -> (Self, bool) {
        let turned = Self { own: board.turned(self.own), opponent: board.turned(self.opponent) };
        if turned < self { (turned, true) } else { (self, false) }
    }

    /// Returns the winner, if there is one: whether it is the mover.
    pub fn winner(self, board: &Geometry) -> Option<bool> {
        let joins = |stones: Cells, sides: Cells| {
            let mut beside = stones & board.neighbours(sides.trailing_zeros() as usize);
            while beside != 0 {
                let chain = board.chain(beside & beside.wrapping_neg(), stones);
                if board.around(chain) & sides == sides {
                    return true;
                }
                beside &= !chain;
            }
            false
        };
        let [own, opponent] = board.sides();
        match (joins(self.own, own), joins(self.opponent, opponent)) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }
}
