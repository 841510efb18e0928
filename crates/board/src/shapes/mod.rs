//! The built-in shapes of boards: the numbering, names, drawing and symmetries of each.

mod crossings;
mod edges;
mod hexagon;
mod rhombus;
mod several;

use serde::{Deserialize, Serialize};

use super::layout::Parts;

/// The shape and size of a board.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Shape {
    /// A rhombus of `side` × `side` cells, each row shifted to the right. Cell
    /// `row * side + column`, named `d2`. Top and bottom belong to the first player, left and right
    /// to the second.
    Rhombus {
        /// Cells along a side, 1 to 26.
        side: usize,
    },
    /// A triangle: row `r` from 0 has `r + 1` cells, numbered row by row and named `b3`. The sides
    /// left, right and bottom belong to both players.
    Triangle {
        /// Cells along a side, 1 to 26.
        side: usize,
    },
    /// A hexagon of cells: rows and columns from 0 to `2 * side - 2` that differ by less than
    /// `side`, numbered row by row and named `b3`. The sides, clockwise from the top, belong to
    /// both players.
    Hexagon {
        /// Cells along a side, 1 to 13.
        side: usize,
    },
    /// A hexagon whose edges are played. Edges are named `r,c` on a grid where cell `(R, C)` is at
    /// `(2R + 1, 2C + 1)`, as in HexiFence. Places are the edges row by row, then the cells row by
    /// row. The network's lattice is a hexagon with one more cell on each side, whose outer ring
    /// consists of phantom cells.
    HexagonEdges {
        /// Cells along a side, 1 to 13.
        side: usize,
    },
    /// A torus of `side` × `side` cells, whose rows and columns wrap around. Cell
    /// `row * side + column`, named `row,column` from 0. Rows rise to the right and columns fall,
    /// as in Infexion.
    Torus {
        /// Cells in a row, 3 to 13.
        side: usize,
    },
    /// The crossings of Gale or Bridg-It: points `(i, j)` from 1 to `2 * size - 1` with an even
    /// sum, row by row, named `i,j`. Top and bottom belong to the first player, left and right to
    /// the second.
    Crossings {
        /// Pegs of a player in a row, 1 to 26.
        size: usize,
    },
    /// Several boards side by side; the cells and places of each are numbered after those of the
    /// previous one.
    Several {
        /// The boards, from left to right.
        boards: Vec<Prefixed>,
    },
}

/// One of several boards.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Prefixed {
    /// The prefix of the board's labels.
    pub prefix: String,
    /// The shape of the board.
    pub shape: Shape,
    /// True if this board exchanges the players: the first player's sides, dots and lines belong to
    /// the second, and vice versa.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exchanged: bool,
}

impl Prefixed {
    /// Returns a board whose labels begin with `prefix`.
    pub fn new(prefix: &str, shape: Shape) -> Self {
        Self { prefix: prefix.to_owned(), shape, exchanged: false }
    }

    /// Returns this board with the players exchanged.
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
    /// Returns several boards side by side.
    pub fn several(boards: impl IntoIterator<Item: Into<Prefixed>>) -> Self {
        Self::Several { boards: boards.into_iter().map(Into::into).collect() }
    }

    /// Returns true if this shape exists in this size.
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
            &Self::Triangle { side } => hexagon::triangle_parts(side),
            &Self::Hexagon { side } => hexagon::parts(side),
            &Self::HexagonEdges { side } => edges::parts(side),
            &Self::Torus { side } => rhombus::torus_parts(side),
            &Self::Crossings { size } => crossings::parts(size),
            Self::Several { boards } => several::parts(boards),
        }
    }
}

pub use rhombus::rhombus;
