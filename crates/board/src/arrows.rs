//! The targets of arrow keys.

use crate::{Arrows, DIRECTIONS, NO_CELL, Place, Topology};

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
