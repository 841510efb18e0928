//! The parts of a board, the targets of arrow keys, and boards as JSON for drawing in other languages.

use serde::Serialize;

use crate::{
    Arrows, Bounds, DIRECTIONS, Decoration, NO_CELL, Place, Point, RimLabel, Shape, Side, Symmetry, TextPlan, Topology,
    point,
};

/// All data for drawing a board and moving over it with arrow keys. Places and sides are referred
/// to by their index. Drawing order, back to front: bands of sides, places that are not playable,
/// playable places, lines of sides, decorations, labels.
#[derive(Debug, Clone, Serialize)]
pub struct Layout<'a> {
    /// The shape.
    pub shape: &'a Shape,
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

/// The parts of a board.
#[derive(Debug)]
pub(crate) struct Parts {
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

/// Unit vectors of the directions, y downwards, in the order of [`STEPS`](super::STEPS).
const HEADINGS: [[f32; 2]; DIRECTIONS] =
    [[-0.5, 0.866], [0.5, 0.866], [1.0, 0.0], [0.5, -0.866], [-0.5, -0.866], [-1.0, 0.0]];

/// Makes each direction lead to the neighbour, on a board whose places are its cells. Up, down,
/// left and right lead nowhere.
pub(super) fn to_neighbours(topology: &Topology) -> Vec<Arrows> {
    let known = |slot: u16| (slot != NO_CELL).then_some(slot);
    topology.neighbours().iter().map(|slots| Arrows { directions: slots.map(known), ..Arrows::default() }).collect()
}

/// Makes each direction lead to the nearest playable place that lies within 25 degrees and at most
/// 3 away.
pub(super) fn to_nearest(places: &[Place]) -> Vec<Arrows> {
    const FAR: f32 = 3.0;
    let arrows = |from: &Place| {
        let step = |to: &Place| [0, 1].map(|i| to.centre[i] - from.centre[i]);
        let near = |(number, to): (usize, &Place)| {
            let [dx, dy] = step(to);
            let distance = dx.hypot(dy);
            (to.playable && distance > 0.1 && distance < FAR).then_some((number as u16, [dx, dy], distance))
        };
        let close: Vec<_> = places.iter().enumerate().filter_map(near).collect();
        let directions = HEADINGS.map(|heading| {
            let ahead = |[dx, dy]: [f32; 2], distance: f32| dx * heading[0] + dy * heading[1] > 0.9 * distance;
            let found = close.iter().filter(|(_, step, distance)| ahead(*step, *distance));
            found.min_by(|a, b| a.2.total_cmp(&b.2)).map(|(number, ..)| *number)
        });
        Arrows { directions, ..Arrows::default() }
    };
    places.iter().map(arrows).collect()
}

/// Makes left and right lead along rows of the same height, and up and down to the nearest place of
/// the next row. Ties are broken alternately to the right and to the left, so that up undoes down.
/// Every playable place can be reached from every other.
pub(super) fn by_rows(places: &[Place], arrows: &mut [Arrows]) {
    let mut order: Vec<usize> = (0..places.len()).filter(|&number| places[number].playable).collect();
    let [x, y] = [0, 1].map(|i| move |number: usize| places[number].centre[i]);
    order.sort_by(|&a, &b| y(a).total_cmp(&y(b)));
    let mut rows: Vec<Vec<usize>> = order.chunk_by(|&a, &b| y(b) - y(a) < 0.1).map(<[_]>::to_vec).collect();
    rows.iter_mut().for_each(|row| row.sort_by(|&a, &b| x(a).total_cmp(&x(b))));
    for row in &rows {
        for pair in row.windows(2) {
            arrows[pair[0]].right = Some(pair[1] as u16);
            arrows[pair[1]].left = Some(pair[0] as u16);
        }
    }
    for (number, pair) in rows.windows(2).enumerate() {
        let nearest = |from: usize, row: &[usize], to_the_right: bool| {
            let lean = if to_the_right { 0.01 } else { -0.01 };
            let far = |to: &&usize| (x(**to) - x(from) - lean).abs();
            row.iter().min_by(|a, b| far(a).total_cmp(&far(b))).map(|&to| to as u16)
        };
        for &upper in &pair[0] {
            arrows[upper].down = nearest(upper, &pair[1], number % 2 == 0);
        }
        for &lower in &pair[1] {
            arrows[lower].up = nearest(lower, &pair[0], number % 2 == 1);
        }
    }
}
