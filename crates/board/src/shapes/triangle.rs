//! The triangle.

use crate::arrows;
use crate::lattice::{Axial, LEVEL, Turn, numbering, places, symmetries, topology};
use crate::{Anchor, Parts, TextLabel, TextPlan, column_letter};

/// The directions of the sides left, right and bottom on a clockwise walk.
const WALKS: [usize; 3] = [3, 1, 5];

pub(super) fn parts(side: usize) -> Parts {
    let n = side as i32;
    let last = n - 1;
    // Each row begins half a cell further left, so its columns are counted from the right end.
    let at = |row: i32, column: i32| (row, column - row);
    let cells: Vec<Axial> = (0..n).flat_map(|row| (0..=row).map(move |column| at(row, column))).collect();
    let numbers = numbering(&cells);
    let topology = topology(&cells, |cell| cell);
    let corners = [(at(last, 0), 3), (at(0, 0), 1), (at(last, last), 5)];
    let mut arrows = arrows::to_neighbours(&topology);
    let name = |&(row, column): &Axial| format!("{}{}", column_letter((column + row) as usize), row + 1);
    let places = places(LEVEL, &cells, cells.iter().map(name));
    arrows::by_rows(&places, &mut arrows);
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
        symmetries: symmetries(Turn::all(), &cells, &WALKS),
        text: TextPlan::Places {
            spots: cells.iter().map(|&(row, column)| (row, 2 * column + row)).collect(),
            labels: (0..n).flat_map(labels).collect(),
        },
        places,
        topology,
    }
}
