//! The hexagon of cells, and the triangle.

use crate::lattice::{Axial, LEVEL, Turn, numbering, places, symmetries, topology};
use crate::{Anchor, Parts, RimLabel, TextLabel, TextPlan, column_letter, layout};

/// Returns the cells of a hexagon by row and column from 0, row by row.
pub(super) fn rows_and_columns(side: usize) -> Vec<(i32, i32)> {
    let n = side as i32;
    let rows = 0..2 * n - 1;
    rows.clone()
        .flat_map(|row| rows.clone().map(move |column| (row, column)))
        .filter(|(r, c)| (r - c).abs() < n)
        .collect()
}

/// Converts a row from the top and a column that runs down to the left to a cell of the lattice.
pub(super) fn axial((row, column): (i32, i32)) -> Axial {
    (row, column - row)
}

/// Returns the row and column of a cell in the text picture.
fn spot((row, column): Axial) -> (i32, i32) {
    (row, 2 * column + row)
}

fn letter(column: i32) -> String {
    column_letter(column as usize).to_string()
}

pub(super) fn parts(side: usize) -> Parts {
    let n = side as i32;
    let (middle, last) = (n - 1, 2 * n - 2);
    let corners = [(0, 0), (0, middle), (middle, last), (last, last), (last, middle), (middle, 0)];
    let walk: Vec<(Axial, usize)> = corners.into_iter().map(axial).zip([2, 1, 0, 5, 4, 3]).collect();
    let row_end = |i: i32| axial((i, (i - middle).max(0)));
    let column = |i: i32| {
        // Its upper right end.
        let end = axial(((i - middle).max(0), i));
        let (direction, anchor) = if i < n { (3, Anchor::Middle) } else { (2, Anchor::Apart) };
        let (row, x) = spot(end);
        (LEVEL.side_label(letter(i), end, direction), TextLabel { text: letter(i), row, below: -1, x: x + 1, anchor })
    };
    parts_of(rows_and_columns(side).into_iter().map(axial).collect(), &walk, last + 1, row_end, column)
}

pub(super) fn triangle_parts(side: usize) -> Parts {
    let n = side as i32;
    let last = n - 1;
    // Each row begins half a cell further left, so its columns are counted from the right end.
    let cells = (0..n).flat_map(|row| (0..=row).map(move |column| axial((row, column)))).collect();
    // Left, right and bottom.
    let walk = [(axial((last, 0)), 3), (axial((0, 0)), 1), (axial((last, last)), 5)];
    let column = |i: i32| {
        let text = TextLabel { text: letter(i), row: last, below: 1, x: 2 * i - n, anchor: Anchor::Middle };
        (LEVEL.side_label(letter(i), axial((last, i)), 0), text)
    };
    parts_of(cells, &walk, n, |i| axial((i, 0)), column)
}

/// Returns the board of these cells, with as many rows as columns. `walk` has the corners and the directions of the
/// sides from there, clockwise; `row_end` returns the left end of a row, and `column` the labels of a column.
fn parts_of(
    cells: Vec<Axial>,
    walk: &[(Axial, usize)],
    lines: i32,
    row_end: impl Fn(i32) -> Axial,
    column: impl Fn(i32) -> (RimLabel, TextLabel),
) -> Parts {
    let numbers = numbering(&cells);
    let topology = topology(&cells, |cell| cell);
    let name = |&(row, column): &Axial| format!("{}{}", letter(column + row), row + 1);
    let places = places(LEVEL, &cells, cells.iter().map(name));
    let mut arrows = layout::to_neighbours(&topology);
    layout::by_rows(&places, &mut arrows);
    let walks: Vec<usize> = walk.iter().map(|&(_, direction)| direction).collect();
    let ends = |i: i32| [LEVEL.rim_label((i + 1).to_string(), row_end(i), 5), column(i).0];
    let labels = |i: i32| {
        let (row, x) = spot(row_end(i));
        [TextLabel { text: format!("{:>2}", i + 1), row, below: 0, x, anchor: Anchor::Before }, column(i).1]
    };
    Parts {
        arrows: Some(arrows),
        rim: (0..lines).flat_map(ends).collect(),
        sides: LEVEL.sides(walk, |cell| numbers[&cell] as u16),
        decorations: Vec::new(),
        symmetries: symmetries(Turn::all(), &cells, &walks),
        text: TextPlan::Places {
            spots: cells.iter().map(|&cell| spot(cell)).collect(),
            labels: (0..lines).flat_map(labels).collect(),
        },
        places,
        topology,
    }
}
