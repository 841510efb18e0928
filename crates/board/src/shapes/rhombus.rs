//! The rhombus, and the torus.

use std::sync::OnceLock;

use crate::lattice::{Axial, LEVEL, RISING, Turn, numbering, places, symmetries, topology};
use crate::{
    Anchor, Board, Parts, Permutation, Symmetry, TextLabel, TextPlan, Topology, cell_name, column_letter, layout,
};

use super::Shape;

const MAX_SIDE: usize = 26;

/// Returns the topology of the rhombus of `side` × `side` cells, cell `row * side + column`. It is
/// built once and shared.
///
/// # Panics
/// If `side` is 0 or greater than 26.
pub fn rhombus(side: usize) -> &'static Topology {
    static BOARDS: [OnceLock<&'static Board>; MAX_SIDE + 1] = [const { OnceLock::new() }; MAX_SIDE + 1];
    assert!((1..=MAX_SIDE).contains(&side), "a rhombus has a side of 1 to {MAX_SIDE}, not {side}");
    BOARDS[side].get_or_init(|| Board::of(&Shape::Rhombus { side })).topology()
}

/// The directions of the sides top, bottom, left and right on a clockwise walk.
const WALKS: [usize; 4] = [2, 5, 4, 1];

pub(super) fn parts(side: usize) -> Parts {
    let n = side as i32;
    let last = n - 1;
    let cells: Vec<Axial> = (0..n).flat_map(|row| (0..n).map(move |column| (row, column))).collect();
    let numbers = numbering(&cells);
    let topology = topology(&cells, |cell| cell);
    let mut sides =
        LEVEL.sides(&[((0, 0), 2), ((0, last), 1), ((last, last), 5), ((last, 0), 4)], |cell| numbers[&cell] as u16);
    // Reorders the sides from clockwise to top, bottom, left, right.
    sides.swap(1, 2);
    sides.swap(2, 3);
    sides.iter_mut().zip([0, 0, 1, 1]).for_each(|(side, owner)| side.owner = Some(owner));
    let ends = |i: i32| {
        let (letter, number) = (column_letter(i as usize).to_string(), (i + 1).to_string());
        [
            LEVEL.side_label(letter.clone(), (0, i), 3),
            LEVEL.side_label(letter, (last, i), 0),
            LEVEL.rim_label(number.clone(), (i, 0), 5),
            LEVEL.rim_label(number, (i, last), 2),
        ]
    };
    let rim = (0..n).flat_map(ends).collect();
    // Up and down lead along columns, left and right along rows.
    let mut arrows = layout::to_neighbours(&topology);
    for arrow in &mut arrows {
        let [_, s, e, _, n, w] = arrow.directions;
        (arrow.up, arrow.down, arrow.left, arrow.right) = (n, s, w, e);
    }
    let turns = [Turn::rotation(0), Turn::rotation(3), Turn::reflection(3), Turn::reflection(0)];
    Parts {
        places: places(LEVEL, &cells, (0..side * side).map(|cell| cell_name(side, cell))),
        arrows: Some(arrows),
        rim,
        sides,
        decorations: Vec::new(),
        symmetries: symmetries(turns, &cells, &WALKS),
        text: text(n, &cells),
        topology,
    }
}

fn text(n: i32, cells: &[Axial]) -> TextPlan {
    let label = |text: String, row, below, x, anchor| TextLabel { text, row, below, x, anchor };
    let ends = |i: i32| {
        let letter = column_letter(i as usize).to_string();
        [
            label(letter.clone(), 0, -1, 2 * i, Anchor::Middle),
            label(letter, n - 1, 1, 2 * i + n, Anchor::Middle),
            label(format!("{:>2}", i + 1), i, 0, i, Anchor::Before),
            label((i + 1).to_string(), i, 0, 2 * (n - 1) + i, Anchor::After),
        ]
    };
    TextPlan::Places {
        spots: cells.iter().map(|&(row, column)| (row, 2 * column + row)).collect(),
        labels: (0..n).flat_map(ends).collect(),
    }
}

pub(super) fn torus_parts(side: usize) -> Parts {
    let n = side as i32;
    let cells: Vec<Axial> = (0..n).flat_map(|row| (0..n).map(move |column| (row, column))).collect();
    let wrap = |(row, column): Axial| (row.rem_euclid(n), column.rem_euclid(n));
    let topology = topology(&cells, wrap);
    // Rows and columns are drawn at a slant. Up and down lead straight on, left and right zigzag,
    // and all wrap around.
    let mut arrows = layout::to_neighbours(&topology);
    for (arrow, (row, column)) in arrows.iter_mut().zip(&cells) {
        let [sw, s, e, ne, n, w] = arrow.directions;
        let even = (row + column) % 2 == 0;
        (arrow.up, arrow.down) = (sw, ne);
        (arrow.left, arrow.right) = if even { (w, s) } else { (n, e) };
    }
    let last = n - 1;
    // Numbers stand where the names of cells have them.
    let ends = |i: i32| {
        let (row, column) = (format!("{i},"), format!(",{i}"));
        [(row.clone(), (i, 0), 5), (row, (i, last), 2), (column.clone(), (0, i), 4), (column, (last, i), 1)]
    };
    let labels = |i: i32| {
        let (row, column) = (format!("r{i}"), format!("q{i}"));
        [(row.clone(), (i, -1)), (row, (i, n)), (column.clone(), (-1, i)), (column, (n, i))].map(|(text, at)| {
            let (row, x) = spot(at);
            TextLabel { text, row, below: 0, x, anchor: Anchor::Middle }
        })
    };
    Parts {
        places: places(RISING, &cells, cells.iter().map(|(row, column)| format!("{row},{column}"))),
        arrows: Some(arrows),
        rim: (0..n).flat_map(ends).map(|(text, end, out)| RISING.rim_label(text, end, out)).collect(),
        sides: Vec::new(),
        decorations: Vec::new(),
        symmetries: torus_symmetries(&cells, wrap, n),
        text: TextPlan::Places {
            spots: cells.iter().map(|&cell| spot(cell)).collect(),
            labels: (0..n).flat_map(labels).collect(),
        },
        topology,
    }
}

/// Returns the row and column of a cell in the text picture.
fn spot((row, column): Axial) -> (i32, i32) {
    (column - row, 2 * (row + column))
}

/// Returns the symmetries. Symmetry `12 * shift + turn` is the turn about cell 0, then the shift
/// that takes cell 0 to cell `shift`.
fn torus_symmetries(cells: &[Axial], wrap: impl Fn(Axial) -> Axial, n: i32) -> Vec<Symmetry> {
    let symmetry = |shift: &Axial, turn: Turn| {
        let image = |&cell: &Axial| {
            let (row, column) = turn.image(cell);
            let (row, column) = wrap((row + shift.0, column + shift.1));
            (row * n + column) as u16
        };
        let cells = Permutation::new(cells.iter().map(image).collect())?;
        Some(Symmetry { places: cells.clone(), cells, sides: Permutation::identity(0), directions: vec![turn.0] })
    };
    cells.iter().flat_map(|shift| Turn::all().filter_map(move |turn| symmetry(shift, turn))).collect()
}
