//! The crossings of two players' bridges.

use std::collections::HashMap;

use crate::{
    Anchor, Decoration, NO_CELL, Parts, Permutation, Place, PlaceKind, Point, RimLabel, Side, Symmetry, TextLabel,
    TextPlan, Topology, point,
};

/// The distance between neighbouring points of the grid: crossings that touch are 2 apart.
const UNIT: f64 = std::f64::consts::SQRT_2;

/// The neighbours of a crossing, in slots sw, s, ne and n. Slots e and w stay empty, because the
/// next crossings in the row are adjacent for one player only, and those in the column for the
/// other.
const TOUCHING: [Option<(i32, i32)>; 6] = [Some((1, -1)), Some((1, 1)), None, Some((-1, 1)), Some((-1, -1)), None];

fn at(row: f64, column: f64) -> Point {
    point(column * UNIT, row * UNIT)
}

fn grid((row, column): (i32, i32)) -> Point {
    at(f64::from(row), f64::from(column))
}

pub(super) fn parts(size: usize) -> Parts {
    let far = 2 * size as i32;
    let square = |from: i32, to: i32| (from..=to).flat_map(move |row| (from..=to).map(move |column| (row, column)));
    let crossings: Vec<(i32, i32)> = square(1, far - 1).filter(|(row, column)| (row + column) % 2 == 0).collect();
    let numbers: HashMap<(i32, i32), u16> = crossings.iter().copied().zip(0..).collect();
    let slots = |&(row, column): &(i32, i32)| {
        TOUCHING.map(|step| step.and_then(|(dr, dc)| numbers.get(&(row + dr, column + dc)).copied()).unwrap_or(NO_CELL))
    };
    let dots: Vec<((i32, i32), u8)> = square(0, far)
        .filter(|(row, column)| (row + column) % 2 == 1)
        .map(|dot| (dot, u8::from(dot.0 % 2 == 1)))
        .collect();
    let dot = |&(dot, owner): &((i32, i32), u8)| Decoration::Dot { centre: grid(dot), radius: 0.3, owner: Some(owner) };
    Parts {
        topology: Topology::new(crossings.iter().map(slots).collect()),
        places: crossings.iter().enumerate().map(|(number, &crossing)| place(crossing, number)).collect(),
        arrows: None,
        rim: (1..far).flat_map(|i| rim(i, far)).collect(),
        sides: sides(far, &numbers),
        decorations: dots.iter().map(dot).collect(),
        symmetries: symmetries(far, &crossings, &numbers),
        text: text(far, &crossings, &dots),
    }
}

fn place((row, column): (i32, i32), number: usize) -> Place {
    let corner = |dr, dc| grid((row + dr, column + dc));
    let outline = vec![corner(-1, 0), corner(0, 1), corner(1, 0), corner(0, -1)];
    let (upright, level) = (Some([outline[0], outline[2]]), Some([outline[3], outline[1]]));
    let lines = if row % 2 == 1 { [upright, level] } else { [level, upright] };
    let label = format!("{row},{column}");
    Place { lines, ..Place::playable(label, PlaceKind::Crossing, grid((row, column)), outline, number) }
}

/// Returns the numbers of row i and of column i, written as in the names of crossings: `5,` and
/// `,3`.
fn rim(i: i32, far: i32) -> [RimLabel; 4] {
    let beyond = 0.85;
    let (row, column) = (format!("{i},"), format!(",{i}"));
    let (i, far) = (f64::from(i), f64::from(far));
    let label = |text: &str, position, outward| RimLabel { text: text.to_owned(), position, outward };
    [
        label(&column, at(-beyond, i), [0.0, -1.0]),
        label(&column, at(far + beyond, i), [0.0, 1.0]),
        label(&row, at(i, -beyond), [-1.0, 0.0]),
        label(&row, at(i, far + beyond), [1.0, 0.0]),
    ]
}

/// Returns the sides top, bottom, left and right, each through the outermost dots of its owner.
fn sides(far: i32, numbers: &HashMap<(i32, i32), u16>) -> Vec<Side> {
    let side = |number: usize| {
        let turned = |along: f64, across: f64| if number < 2 { at(across, along) } else { at(along, across) };
        let near = number == 0 || number == 2;
        let (edge, out, next) = if near { (0.0, -0.3, 1) } else { (f64::from(far), 0.3, far - 1) };
        let (first, last) = (1.0, f64::from(far) - 1.0);
        let places = (1..far).step_by(2).map(|i| numbers[&if number < 2 { (next, i) } else { (i, next) }]).collect();
        let line = (1..far).step_by(2).map(|i| turned(f64::from(i), edge)).collect();
        let corners = [(first, edge), (last, edge), (last, edge + out), (first, edge + out)];
        let band = corners.map(|(along, across)| turned(along, across)).to_vec();
        Side { owner: Some(number as u8 / 2), places, line, band }
    };
    (0..4).map(side).collect()
}

/// Returns the symmetries of the square. The last four exchange the players. Directions e and w,
/// which lead nowhere, stay fixed.
fn symmetries(far: i32, crossings: &[(i32, i32)], numbers: &HashMap<(i32, i32), u16>) -> Vec<Symmetry> {
    type Map = fn((i32, i32)) -> (i32, i32);
    let maps: [Map; 8] = [
        |(r, c)| (r, c),
        |(r, c)| (-r, -c),
        |(r, c)| (-r, c),
        |(r, c)| (r, -c),
        |(r, c)| (c, r),
        |(r, c)| (-c, -r),
        |(r, c)| (c, -r),
        |(r, c)| (-c, r),
    ];
    let half = far / 2;
    let symmetry = |map: Map| {
        let image = |&(row, column): &(i32, i32)| {
            let (row, column) = map((row - half, column - half));
            numbers[&(row + half, column + half)]
        };
        let cells = Permutation::new(crossings.iter().map(image).collect())?;
        let outward = [(-1, 0), (1, 0), (0, -1), (0, 1)];
        let side = |&out: &(i32, i32)| outward.iter().position(|&other| other == map(out)).map(|side| side as u16);
        let sides = Permutation::new(outward.iter().map(side).collect::<Option<_>>()?)?;
        let direction =
            |step: Option<(i32, i32)>| TOUCHING.iter().position(|&other| step.is_some() && other == step.map(map));
        let directions = std::array::from_fn(|d| direction(TOUCHING[d]).unwrap_or(d) as u8);
        Some(Symmetry { places: cells.clone(), cells, sides, directions: vec![directions] })
    };
    maps.into_iter().filter_map(symmetry).collect()
}

/// Returns the text picture; the first player's dots are `x`, the second's `o`.
fn text(far: i32, crossings: &[(i32, i32)], dots: &[((i32, i32), u8)]) -> TextPlan {
    let dot = |&((row, column), owner): &((i32, i32), u8)| {
        let text = if owner == 0 { "x" } else { "o" }.to_owned();
        TextLabel { text, row, below: 0, x: 2 * column, anchor: Anchor::Middle }
    };
    let label = |text: String, row, below, x, anchor| TextLabel { text, row, below, x, anchor };
    let ends = |i: i32| {
        let number = i.to_string();
        [
            label(number.clone(), 0, -1, 2 * i, Anchor::Middle),
            label(number.clone(), far, 1, 2 * i, Anchor::Middle),
            label(format!("{i:>2}"), i, 0, 0, Anchor::Before),
            label(number, i, 0, 2 * far, Anchor::After),
        ]
    };
    TextPlan::Places {
        spots: crossings.iter().map(|&(row, column)| (row, 2 * column)).collect(),
        labels: dots.iter().map(dot).chain((1..far).flat_map(ends)).collect(),
    }
}
