//! The built-in shapes of boards: numbering, names, drawing and symmetries of each.

mod crossings;
mod edges;
mod hexagon;
mod rhombus;
mod several;
mod torus;
mod triangle;

use serde::{Deserialize, Serialize};

use super::parts::Parts;

/// The shape and size of a board.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Shape {
    /// `side` × `side` cells in rows, each shifted to the right. Cell `row * side + column`, named `d2`. Sides: top and
    /// bottom of the first player, left and right of the second.
    Rhombus {
        /// Cells along a side, 1 to 26.
        side: usize,
    },
    /// Row `r` from 0 has `r + 1` cells, numbered row by row and named `b3`. Sides: left, right, bottom, of both
    /// players.
    Triangle {
        /// Cells along a side, 1 to 26.
        side: usize,
    },
    /// A hexagon of cells: rows and columns from 0 to `2 * side - 2` that differ by less than `side`, numbered row by
    /// row and named `b3`. Sides clockwise from the top, of both players.
    Hexagon {
        /// Cells along a side, 1 to 13.
        side: usize,
    },
    /// A hexagon whose edges are played. They are named `r,c` on the grid of RULES.md in which cell `(R, C)` is at
    /// `(2R + 1, 2C + 1)`; places are the edges row by row, then the cells row by row. The network's lattice is a
    /// hexagon with one more cell on each side, whose outer ring is phantom cells.
    HexagonEdges {
        /// Cells along a side, 1 to 13.
        side: usize,
    },
    /// `side` × `side` cells, whose rows and columns go round. Cell `row * side + column`, named `row,column` from 0.
    /// Rows rise to the right and columns fall, as Infexion has it.
    Torus {
        /// Cells in a row, 3 to 13.
        side: usize,
    },
    /// The crossings of Gale or Bridg-It: points `(i, j)` from 1 to `2 * size - 1` with an even sum, row by row, named
    /// `i,j`. Sides: top and bottom of the first player, left and right of the second.
    Crossings {
        /// Pegs of a player in a row, 1 to 26.
        size: usize,
    },
    /// Boards side by side, cells and places of each after those of the one before.
    Several {
        /// The boards, from left to right.
        boards: Vec<Prefixed>,
    },
}

/// One of several boards.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Prefixed {
    /// The prefix of its labels.
    pub prefix: String,
    /// Its shape.
    pub shape: Shape,
    /// True if the players are exchanged on this board: the first player's sides, dots and lines are the second's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exchanged: bool,
}

impl Prefixed {
    /// A board whose labels begin with `prefix`.
    pub fn new(prefix: &str, shape: Shape) -> Self {
        Self { prefix: prefix.to_owned(), shape, exchanged: false }
    }

    /// The same with the two players exchanged.
    pub fn exchanged(self) -> Self {
        Self { exchanged: !self.exchanged, ..self }
    }
}

impl From<(&str, Shape)> for Prefixed {
    fn from((prefix, shape): (&str, Shape)) -> Self {
        Self::new(prefix, shape)
    }
}

impl Shape {
    /// Several boards side by side.
    pub fn several(boards: impl IntoIterator<Item: Into<Prefixed>>) -> Self {
        Self::Several { boards: boards.into_iter().map(Into::into).collect() }
    }

    /// Returns true if there is a board of this size.
    pub fn is_possible(&self) -> bool {
        match self {
            Self::Rhombus { side } | Self::Triangle { side } => (1..=26).contains(side),
            Self::Hexagon { side } | Self::HexagonEdges { side } => (1..=13).contains(side),
            Self::Torus { side } => (3..=13).contains(side),
            Self::Crossings { size } => (1..=26).contains(size),
            Self::Several { boards } => {
                (1..=8).contains(&boards.len()) && boards.iter().all(|board| board.shape.is_possible())
            }
        }
    }

    pub(super) fn parts(&self) -> Parts {
        match self {
            &Self::Rhombus { side } => rhombus::parts(side),
            &Self::Triangle { side } => triangle::parts(side),
            &Self::Hexagon { side } => hexagon::parts(side),
            &Self::HexagonEdges { side } => edges::parts(side),
            &Self::Torus { side } => torus::parts(side),
            &Self::Crossings { size } => crossings::parts(size),
            Self::Several { boards } => several::parts(boards),
        }
    }
}

pub use rhombus::rhombus;
