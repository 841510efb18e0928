//! Gale, also known as Bridg-It: each player has a grid of dots, one between the other's. A turn is a bridge between two
//! neighbouring own dots, which bars the crossing to the enemy's bridge. The first player joins the top row of his dots to
//! the bottom one, the second the left column to the right one.
//!
//! A board on which all crossings are taken has exactly one winner.

mod info;

use std::ops::RangeInclusive;

use crate::board::Shape;
use crate::games::GameInfo;
use crate::games::joining::{Joining, Kind};

/// Gale among the games about joining sides.
#[derive(Debug, Clone)]
pub struct GaleKind;

/// A position of Gale.
pub type Gale = Joining<GaleKind>;

impl Kind for GaleKind {
    const INFO: GameInfo = info::INFO;
    const SOLVED: RangeInclusive<usize> = 2..=3;

    fn shape(size: usize) -> Shape {
        Shape::Crossings { size }
    }

    /// Whether the mover's bridge leads down and the enemy's across: crossings lie row by row, `size` in the rows where
    /// it does, `size - 1` in those between.
    fn encode_more(size: usize, cell: usize, inputs: &mut [f32]) {
        inputs[0] = f32::from(u8::from(is_upright(size, cell)));
    }
}

/// Whether the bridge over a crossing leads up and down for the player to move, in his frame.
pub(super) fn is_upright(size: usize, cell: usize) -> bool {
    cell % (2 * size - 1) < size
}
