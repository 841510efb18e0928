//! The hexagon whose edges are played.

use super::hexagon::{axial, rows_and_columns};
use crate::lattice::{Axial, LEVEL, SQRT_3, Turn, numbering, topology};
use crate::{
    Anchor, Parts, Permutation, Place, PlaceKind, Point, RimLabel, Slot, Symmetry, TextLabel, TextPlan, point,
};

/// The directions of the three edges stored with each cell of the network's lattice, as planes 0, 1
/// and 2: n, ne, w.
const ORIENTATIONS: [usize; 3] = [4, 3, 5];

/// The step from a cell to its edge in each direction, on the grid of edges.
const TO_EDGE: [(i32, i32); 6] = [(1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1)];

/// How far the clickable area of an edge reaches into the cells on both sides.
const REACH: f64 = 0.45;

pub(super) fn parts(side: usize) -> Parts {
    let cells = rows_and_columns(side);
    let on_grid = |&(row, column): &(i32, i32)| (2 * row + 1, 2 * column + 1);
    let around = |at: (i32, i32)| TO_EDGE.map(|(row, column)| (at.0 + row, at.1 + column));
    let mut edges: Vec<(i32, i32)> = cells.iter().flat_map(|cell| around(on_grid(cell))).collect();
    edges.sort_unstable();
    edges.dedup();
    // The network's lattice begins one row and one column earlier, at the phantom ring.
    let ringed = rows_and_columns(side + 1);
    let numbers = numbering(&ringed);
    let number = |(row, column): (i32, i32)| numbers[&(row + 1, column + 1)];
    let lattice: Vec<Axial> = ringed.iter().map(|&cell| axial(cell)).collect();

    let edge_place = |&edge: &(i32, i32)| edge_place(edge, number);
    let cell_place = |cell: &(i32, i32)| {
        let (row, column) = on_grid(cell);
        let at = axial(*cell);
        let outline = LEVEL.hexagon(at);
        Place::shown(format!("{row},{column}"), PlaceKind::Cell, LEVEL.centre(at), outline, number(*cell))
    };
    let places: Vec<Place> = edges.iter().map(edge_place).chain(cells.iter().map(cell_place)).collect();
    // Edges and cells as points of a lattice of twice the resolution.
    let points: Vec<Axial> =
        edges.iter().copied().chain(cells.iter().map(on_grid)).map(|(row, column)| (row - 1, column - row)).collect();
    let symmetry = |turn: Turn| {
        let (cells, places) = (turn.permutation(&lattice)?, turn.permutation(&points)?);
        Some(Symmetry { cells, places, sides: Permutation::identity(0), directions: vec![turn.0] })
    };
    let size = 4 * side as i32 - 1;
    Parts {
        topology: topology(&lattice, |cell| cell),
        arrows: None,
        rim: (0..size).flat_map(|i| rim(i, &edges)).collect(),
        sides: Vec::new(),
        decorations: Vec::new(),
        symmetries: Turn::all().filter_map(symmetry).collect(),
        text: TextPlan::Places {
            spots: edges.iter().copied().chain(cells.iter().map(on_grid)).map(spot).collect(),
            labels: (0..size).flat_map(|i| labels(i, &edges)).collect(),
        },
        places,
    }
}

fn edge_place((row, column): (i32, i32), number: impl Fn((i32, i32)) -> usize) -> Place {
    // The cell below or to the right stores the edge as one of its three orientations.
    let owner = |&(_, direction): &(usize, usize)| {
        let (r, c) = (row - TO_EDGE[direction].0, column - TO_EDGE[direction].1);
        (r.rem_euclid(2) == 1 && c.rem_euclid(2) == 1).then(|| ((r - 1) / 2, (c - 1) / 2))
    };
    let (plane, direction, cell) = ORIENTATIONS
        .into_iter()
        .enumerate()
        .find_map(|at| owner(&at).map(|cell| (at.0, at.1, cell)))
        .unwrap_or_else(|| unreachable!("an edge has one of three orientations"));
    let at = axial(cell);
    let ends = [LEVEL.corner(at, direction + 5), LEVEL.corner(at, direction)];
    let centre = middle(row, column);
    // Towards the centres of both cells.
    let towards = [0, 1].map(|i| f64::from(LEVEL.centre(at)[i] - centre[i]) * REACH);
    let tip = |sign: f64| point(f64::from(centre[0]) + sign * towards[0], f64::from(centre[1]) + sign * towards[1]);
    let outline = vec![ends[0], tip(1.0), ends[1], tip(-1.0)];
    let slot = Slot { plane: plane as u8, cell: number(cell) as u16 };
    let shown = Place::shown(format!("{row},{column}"), PlaceKind::Edge, centre, outline, slot.cell as usize);
    Place { lines: [Some(ends); 2], playable: true, slot: Some(slot), ..shown }
}

/// Returns the centre of a place of the grid.
fn middle(row: i32, column: i32) -> Point {
    let (down, right) = (f64::from(row - 1) / 2.0, f64::from(column - 1));
    point(right - down, down * SQRT_3)
}

/// Returns the row and column of a place of the grid in the text picture.
fn spot((row, column): (i32, i32)) -> (i32, i32) {
    (row, 2 * column - row)
}

/// Returns the left end of a row and the upper right end of a column.
fn ends(i: i32, edges: &[(i32, i32)]) -> [(i32, i32); 2] {
    let row = edges.iter().copied().find(|edge| edge.0 == i);
    let column = edges.iter().copied().find(|edge| edge.1 == i);
    [row, column].map(|end| end.unwrap_or_else(|| unreachable!("row and column {i} have edges")))
}

/// Returns the number of row i on the left and that of column i above and on the right, written as
/// in the names of edges: `5,` and `,3`.
fn rim(i: i32, edges: &[(i32, i32)]) -> [RimLabel; 2] {
    let [row, column] = ends(i, edges);
    let label = |text: String, at: (i32, i32), out: [f64; 2]| {
        let [x, y] = middle(at.0, at.1).map(f64::from);
        let position = point(x + 0.97 * out[0], y + 0.97 * out[1]);
        RimLabel { text, position, outward: point(out[0], out[1]) }
    };
    [label(format!("{i},"), row, [-1.0, 0.0]), label(format!(",{i}"), column, [0.5, -SQRT_3 / 2.0])]
}

fn labels(i: i32, edges: &[(i32, i32)]) -> [TextLabel; 2] {
    let [row, column] = ends(i, edges);
    let anchor = if column.0 == 0 { Anchor::Middle } else { Anchor::Apart };
    [
        TextLabel { text: format!("{i:>2}"), row: i, below: 0, x: spot(row).1, anchor: Anchor::Before },
        TextLabel { text: i.to_string(), row: column.0, below: -1, x: spot(column).1 + 1, anchor },
    ]
}
