//! The torus.

use crate::arrows;
use crate::lattice::{Axial, RISING, Turn, places, topology};
use crate::{Anchor, Parts, Permutation, Symmetry, TextLabel, TextPlan};

pub(super) fn parts(side: usize) -> Parts {
    let n = side as i32;
    let cells: Vec<Axial> = (0..n).flat_map(|row| (0..n).map(move |column| (row, column))).collect();
    let wrap = |(row, column): Axial| (row.rem_euclid(n), column.rem_euclid(n));
    let topology = topology(&cells, wrap);
    // Rows and columns are drawn at a slant. Up and down lead straight on, left and right zigzag,
    // and all wrap around.
    let mut arrows = arrows::to_neighbours(&topology);
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
        rim: (0..n).flat_map(ends).map(|(text, end, out)| RISING.rim_label(text, end, out, 1.0)).collect(),
        sides: Vec::new(),
        decorations: Vec::new(),
        symmetries: symmetries(&cells, wrap, n),
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
fn symmetries(cells: &[Axial], wrap: impl Fn(Axial) -> Axial, n: i32) -> Vec<Symmetry> {
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
