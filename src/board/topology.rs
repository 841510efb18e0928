//! A board as a list of cells and, for each, six neighbour slots in a fixed direction order.

use std::sync::OnceLock;

/// The number of neighbour slots of a cell.
pub const DIRECTIONS: usize = 6;

/// What stands in the slot of a neighbour that does not exist.
pub const NO_CELL: u16 = u16::MAX;

/// The direction order, as steps `(row, column)`: sw, s, e, ne, n, w (row 0 drawn on top).
/// The opposite of direction `d` is `(d + 3) % 6`; neighbouring directions are 60 degrees apart.
pub const STEPS: [(isize, isize); DIRECTIONS] = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)];

/// The largest side for which [`rhombus`] makes a board.
const LARGEST_SIDE: usize = 26;

/// Who neighbours whom. Everything hexagonal in the project follows from this table.
#[derive(Debug)]
pub struct Topology {
    neighbours: Vec<[u16; DIRECTIONS]>,
}

impl Topology {
    /// A topology from its table: for each cell its neighbours in the order of [`STEPS`], with
    /// [`NO_CELL`] where there is none.
    ///
    /// # Panics
    /// If a neighbour is no cell of the board, or if `b` lies in direction `d` of `a` but `a` not
    /// in the opposite direction of `b`.
    pub fn new(neighbours: Vec<[u16; DIRECTIONS]>) -> Self {
        for (cell, slots) in neighbours.iter().enumerate() {
            for (direction, &other) in slots.iter().enumerate().filter(|&(_, &other)| other != NO_CELL) {
                let back = neighbours[other as usize][(direction + 3) % DIRECTIONS];
                assert_eq!(back as usize, cell, "neighbours must be mutual");
            }
        }
        Self { neighbours }
    }

    /// The number of cells.
    #[inline]
    pub fn cells(&self) -> usize {
        self.neighbours.len()
    }

    /// The six neighbour slots of each cell.
    pub fn neighbours(&self) -> &[[u16; DIRECTIONS]] {
        &self.neighbours
    }
}

/// The rhombus of `side` × `side` cells, cell `row * side + column`. Made once and shared.
///
/// # Panics
/// If `side` is 0 or greater than 26.
pub fn rhombus(side: usize) -> &'static Topology {
    static BOARDS: [OnceLock<Topology>; LARGEST_SIDE + 1] = [const { OnceLock::new() }; LARGEST_SIDE + 1];
    assert!((1..=LARGEST_SIDE).contains(&side), "a rhombus has a side of 1 to {LARGEST_SIDE}, not {side}");
    BOARDS[side].get_or_init(|| {
        let n = side as isize;
        let on_board = 0..n;
        let slots = |cell: isize| {
            STEPS.map(|(dr, dq)| {
                let (r, q) = (cell / n + dr, cell % n + dq);
                if on_board.contains(&r) && on_board.contains(&q) { (r * n + q) as u16 } else { NO_CELL }
            })
        };
        Topology::new((0..n * n).map(slots).collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_and_centre_of_a_rhombus() {
        let board = rhombus(3);
        let degree = |cell: usize| board.neighbours()[cell].iter().filter(|&&c| c != NO_CELL).count();
        assert_eq!(board.cells(), 9);
        assert_eq!((degree(0), degree(8)), (2, 2), "acute corners");
        assert_eq!((degree(2), degree(6)), (3, 3), "obtuse corners");
        assert_eq!(board.neighbours()[4], [6, 7, 5, 2, 1, 3]);
    }
}
