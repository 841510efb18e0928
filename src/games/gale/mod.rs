//! Gale, also known as Bridg-It: each player has a grid of dots, one between the other's. A turn is a bridge between two
//! neighbouring own dots, which bars the crossing to the enemy's bridge. The first player joins the top row of own dots to
//! the bottom one, the second the left column to the right one.
//!
//! A board on which all crossings are taken has exactly one winner.

mod info;
mod trees;

use std::ops::RangeInclusive;

use crate::board::Shape;
use crate::games::shared::joining::{Joining, Kind, Links};
use crate::games::{EndSolver, GameInfo};

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

    fn ends(position: &Gale) -> Option<Box<dyn EndSolver>> {
        Some(Box::new(trees::Trees::new(position.stones().links().board())))
    }

    /// Writes whether the mover's bridge leads down and the enemy's across: neighbours do not show it.
    fn encode_more(links: &Links, cell: usize, inputs: &mut [f32]) {
        inputs[0] = f32::from(u8::from(links.is_upright(cell)));
    }
}
