//! The parts of a board, and boards as JSON for drawing in other languages.

use serde::Serialize;

use crate::{Arrows, Bounds, Decoration, Place, Point, RimLabel, Shape, Side, Symmetry, TextPlan, Topology, point};

/// All data for drawing a board and moving over it with arrow keys. Places and sides are referred
/// to by their index. Drawing order, back to front: bands of sides, places that are not playable,
/// playable places, lines of sides, decorations, labels.
#[derive(Debug, Clone, Serialize)]
pub struct Layout<'a> {
    /// The shape, if the board was made from one.
    pub shape: Option<&'a Shape>,
    /// The rectangle around the picture.
    pub bounds: Bounds,
    /// The places.
    pub places: &'a [Place],
    /// Labels of rows and columns.
    pub rim: &'a [RimLabel],
    /// The sides.
    pub sides: &'a [Side],
    /// Lines and marks drawn besides the places.
    pub decorations: &'a [Decoration],
}

/// Room for half a label.
const LABEL: f32 = 0.75;

/// Returns the rectangle around all that is drawn.
pub(super) fn bounds(parts: &Parts) -> Bounds {
    let around = |[x, y]: Point, margin: f32| [[x - margin, y - margin], [x + margin, y + margin]];
    let outlines = parts.places.iter().flat_map(|place| place.outline.iter().copied());
    let sides = parts.sides.iter().flat_map(|side| side.line.iter().chain(&side.band).copied());
    let rim = parts.rim.iter().flat_map(|label| around(label.position, LABEL));
    let decorations = parts.decorations.iter().flat_map(|decoration| match decoration {
        Decoration::Dot { centre, radius, .. } => around(*centre, *radius),
        Decoration::Title { position, .. } => around(*position, LABEL),
    });
    let mut least = [f32::INFINITY; 2];
    let mut most = [f32::NEG_INFINITY; 2];
    for at in outlines.chain(sides).chain(rim).chain(decorations) {
        least = [0, 1].map(|i| least[i].min(at[i]));
        most = [0, 1].map(|i| most[i].max(at[i]));
    }
    let [width, height] = point(f64::from(most[0] - least[0]), f64::from(most[1] - least[1]));
    Bounds { left: least[0], top: least[1], width, height }
}

/// The parts of a board. Build one for a shape that [`Shape`](super::Shape) does not have.
#[derive(Debug, Clone)]
pub struct Parts {
    /// The network's cells.
    pub topology: Topology,
    /// The places. Their arrows are overwritten if [`Parts::arrows`] is given.
    pub places: Vec<Place>,
    /// Where the arrow keys lead from each place. If `None`, they lead along rows of the same
    /// height and to the nearest place of the next row.
    pub arrows: Option<Vec<Arrows>>,
    /// Labels of rows and columns.
    pub rim: Vec<RimLabel>,
    /// The sides, numbered from 0.
    pub sides: Vec<Side>,
    /// Lines and marks drawn besides the places.
    pub decorations: Vec<Decoration>,
    /// All symmetries of the board, identity first.
    pub symmetries: Vec<Symmetry>,
    /// The text picture.
    pub text: TextPlan,
}
