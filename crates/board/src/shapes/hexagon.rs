//! The hexagon of cells, and the triangle.

use crate::lattice::{Axial, LEVEL, Turn, numbering, places, symmetries, topology};
use crate::{Anchor, Parts, TextLabel, TextPlan, column_letter, layout};

/// The directions of the sides on a clockwise walk from the top.
const WALKS: [usize; 6] = [2, 1, 0, 5, 4, 3];

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

pub(super) fn parts(side: usize) -> Parts {
    let n = side as i32;
    let (middle, last) = (n - 1, 2 * n - 2);
    let named = rows_and_columns(side);
    let cells: Vec<Axial> = named.iter().map(|&cell| axial(cell)).collect();
    let numbers = numbering(&cells);
    let topology = topology(&cells, |cell| cell);
    let corners = [(0, 0), (0, middle), (middle, last), (last, last), (last, middle), (middle, 0)];
    let walk: Vec<(Axial, usize)> = corners.into_iter().map(axial).zip(WALKS).collect();
    let name = |&(row, column): &(i32, i32)| format!("{}{}", column_letter(column as usize), row + 1);
    let places = places(LEVEL, &cells, named.iter().map(name));
    let mut arrows = layout::to_neighbours(&topology);
    layout::by_rows(&places, &mut arrows);
    // The left end of row i, and the upper right end of column i.
    let (row_end, column_end) = (|i: i32| axial((i, (i - middle).max(0))), |i: i32| axial(((i - middle).max(0), i)));
    let letter = |i: i32| column_letter(i as usize).to_string();
    let ends = |i: i32| {
        let number = LEVEL.rim_label((i + 1).to_string(), row_end(i), 5, 1.0);
        [number, LEVEL.side_label(letter(i), column_end(i), if i <= middle { 3 } else { 2 })]
    };
    let x = |(row, column): Axial| 2 * column + row;
    let labels = |i: i32| {
        let end = column_end(i);
        let anchor = if i < n { Anchor::Middle } else { Anchor::Apart };
        let number = format!("{:>2}", i + 1);
        [
            TextLabel { text: number, row: i, below: 0, x: x(row_end(i)), anchor: Anchor::Before },
            TextLabel { text: letter(i), row: end.0, below: -1, x: x(end) + 1, anchor },
        ]
    };
    Parts {
        arrows: Some(arrows),
        rim: (0..=last).flat_map(ends).collect(),
        sides: LEVEL.sides(&walk, |cell| numbers[&cell] as u16),
        decorations: Vec::new(),
        symmetries: symmetries(Turn::all(), &cells, &WALKS),
        text: TextPlan::Places {
            spots: cells.iter().map(|&cell| (cell.0, x(cell))).collect(),
            labels: (0..=last).flat_map(labels).collect(),
        },
        places,
        topology,
    }
}

/// The directions of the sides left, right and bottom on a clockwise walk.
const TRIANGLE_WALKS: [usize; 3] = [3, 1, 5];

pub(super) fn triangle_parts(side: usize) -> Parts {
    let n = side as i32;
    let last = n - 1;
    // Each row begins half a cell further left, so its columns are counted from the right end.
    let at = |row: i32, column: i32| (row, column - row);
    let cells: Vec<Axial> = (0..n).flat_map(|row| (0..=row).map(move |column| at(row, column))).collect();
    let numbers = numbering(&cells);
    let topology = topology(&cells, |cell| cell);
    let corners = [(at(last, 0), 3), (at(0, 0), 1), (at(last, last), 5)];
    let mut arrows = layout::to_neighbours(&topology);
    let name = |&(row, column): &Axial| format!("{}{}", column_letter((column + row) as usize), row + 1);
    let places = places(LEVEL, &cells, cells.iter().map(name));
    layout::by_rows(&places, &mut arrows);
    let letter = |i: i32| column_letter(i as usize).to_string();
    let ends = |i: i32| {
        let number = LEVEL.rim_label((i + 1).to_string(), at(i, 0), 5, 1.0);
        [number, LEVEL.side_label(letter(i), at(last, i), 0)]
    };
    let labels = |i: i32| {
        let number = format!("{:>2}", i + 1);
        [
            TextLabel { text: number, row: i, below: 0, x: -i, anchor: Anchor::Before },
            TextLabel { text: letter(i), row: last, below: 1, x: 2 * i - n, anchor: Anchor::Middle },
        ]
    };
    Parts {
        arrows: Some(arrows),
        rim: (0..n).flat_map(ends).collect(),
        sides: LEVEL.sides(&corners, |cell| numbers[&cell] as u16),
        decorations: Vec::new(),
        symmetries: symmetries(Turn::all(), &cells, &TRIANGLE_WALKS),
        text: TextPlan::Places {
            spots: cells.iter().map(|&(row, column)| (row, 2 * column + row)).collect(),
            labels: (0..n).flat_map(labels).collect(),
        },
        places,
        topology,
    }
}
