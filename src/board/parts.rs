//! The parts of a board.

use super::place::{Arrows, Decoration, Place, RimLabel, Side};
use super::symmetry::Symmetry;
use super::text::TextPlan;
use super::topology::Topology;

/// The parts of a board. Build one for a shape that [`Shape`](super::Shape) does not have.
#[derive(Debug, Clone)]
pub struct Parts {
    /// The network's cells.
    pub topology: Topology,
    /// The places. Their arrows are overwritten if [`Parts::arrows`] is given.
    pub places: Vec<Place>,
    /// Where arrow keys lead from each place; if none, along rows of the same height and to the nearest place of the
    /// next row.
    pub arrows: Option<Vec<Arrows>>,
    /// Labels of rows and columns.
    pub rim: Vec<RimLabel>,
    /// The sides, numbered from 0.
    pub sides: Vec<Side>,
    /// Lines and marks drawn besides the places.
    pub decorations: Vec<Decoration>,
    /// The board's group, identity first.
    pub symmetries: Vec<Symmetry>,
    /// The text picture.
    pub text: TextPlan,
}
