//! The board of a solver, of Hex or Y: cells and sides as bits of one number.

use hexzero_games::y::{Y, YWithSwap};
use hexzero_games::{Hex, HexWithoutSwap, Position};

/// A set of cells and sides.
pub type Cells = u128;

/// The largest board of Hex, whose cells leave room for the four sides.
pub const MAX_SIZE: usize = 11;

/// The largest board of Y.
const MAX_Y_SIZE: usize = 15;

/// The mover's sides: rows 1 and n.
const OWN_SIDES: [usize; 2] = [126, 127];
/// The opponent's sides: the first and the last column.
const OPPONENT_SIDES: [usize; 2] = [124, 125];
/// The sides of Y, which both players join: left, right, bottom.
const Y_SIDES: [usize; 3] = [125, 126, 127];

/// Returns the set of one cell or side.
#[inline]
pub const fn bit(cell: usize) -> Cells {
    1 << cell
}

/// Iterates over a set, in ascending order.
#[inline]
pub fn members(mut set: Cells) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let first = set.trailing_zeros() as usize;
            set &= set - 1;
            first
        })
    })
}

/// A board of Hex with `size` × `size` cells, cell `row · size + column`; or one of Y with `size` rows, row `r` of
/// which begins at cell `r · (r + 1) / 2` and has a cell more than its number from 0.
#[derive(Debug, Clone)]
pub struct Geometry {
    size: usize,
    cells: usize,
    /// The sides of the mover, and of the opponent.
    sides: [Cells; 2],
    /// The neighbours of each cell and side.
    neighbours: [Cells; 128],
    /// The six slots around each cell, in turn: a cell, a side, or `NOWHERE` beyond an obtuse corner, which belongs to
    /// two sides.
    ring: Vec<[u8; 6]>,
    /// The cells as the other player sees them.
    transposed: Vec<u8>,
    /// The mirror image of each cell of a board of Y; empty for Hex.
    mirrored: Vec<u8>,
}

/// Marks a slot that is neither a cell nor a side.
pub(super) const NOWHERE: u8 = u8::MAX;

/// The steps to the six slots around a cell, in turn, of Hex and of Y.
const STEPS: [(isize, isize); 6] = [(0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0)];
const Y_STEPS: [(isize, isize); 6] = [(0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)];

impl Geometry {
    /// Returns the board of a position, or `None` if its game is neither Hex nor Y, or the board of Hex larger than
    /// [`MAX_SIZE`].
    pub fn of(position: &Position) -> Option<Self> {
        let is_hex = position.rules::<Hex>().is_some() || position.rules::<HexWithoutSwap>().is_some();
        let is_y = position.rules::<Y>().is_some() || position.rules::<YWithSwap>().is_some();
        match position.size() {
            size if is_hex && size <= MAX_SIZE => Some(Self::new(size)),
            size if is_y && size <= MAX_Y_SIZE => Some(Self::y(size)),
            _ => None,
        }
    }

    /// Creates the geometry of a board of Hex.
    ///
    /// # Panics
    /// If the size is 0 or above [`MAX_SIZE`].
    pub fn new(size: usize) -> Self {
        assert!((1..=MAX_SIZE).contains(&size), "boards of 1 to {MAX_SIZE}");
        let ring: Vec<[u8; 6]> = (0..size * size).map(|cell| STEPS.map(|step| slot(size, cell, step))).collect();
        let transposed = (0..size * size).map(|cell| (cell % size * size + cell / size) as u8).collect();
        let sides = [OWN_SIDES, OPPONENT_SIDES].map(|[near, far]| bit(near) | bit(far));
        Self::with(size, sides, ring, [transposed, Vec::new()])
    }

    /// Creates the geometry of a board of Y.
    ///
    /// # Panics
    /// If the size is below 2 or above 15.
    pub fn y(size: usize) -> Self {
        assert!((2..=MAX_Y_SIZE).contains(&size), "boards of Y of 2 to {MAX_Y_SIZE}");
        let cells = || (0..size).flat_map(|row| (0..=row).map(move |column| (row, column)));
        let ring: Vec<[u8; 6]> = cells().map(|cell| y_ring(size, cell)).collect();
        let mirrored = cells().map(|(row, column)| (row * (row + 1) / 2 + row - column) as u8).collect();
        let all = Y_SIDES.iter().fold(0, |set, &side| set | bit(side));
        let transposed = (0..ring.len() as u8).collect();
        Self::with(size, [all; 2], ring, [transposed, mirrored])
    }

    fn with(size: usize, sides: [Cells; 2], ring: Vec<[u8; 6]>, [transposed, mirrored]: [Vec<u8>; 2]) -> Self {
        let mut neighbours = [0; 128];
        for (cell, slots) in ring.iter().enumerate() {
            for &slot in slots.iter().filter(|&&slot| slot != NOWHERE) {
                neighbours[cell] |= bit(slot.into());
                neighbours[usize::from(slot)] |= bit(cell);
            }
        }
        Self { size, cells: ring.len(), sides, neighbours, ring, transposed, mirrored }
    }

    /// Returns the board's size.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns whether this is a board of Y, where both players join the same three sides.
    #[inline]
    pub fn is_y(&self) -> bool {
        !self.mirrored.is_empty()
    }

    /// Returns the number of cells.
    #[inline]
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// Returns the sides of the mover, and of the opponent.
    #[inline]
    pub(super) fn sides(&self) -> [Cells; 2] {
        self.sides
    }

    /// Returns all cells, without the sides.
    #[inline]
    pub fn board(&self) -> Cells {
        bit(self.cells) - 1
    }

    /// Returns the neighbours of a cell or side.
    #[inline]
    pub fn neighbours(&self, cell: usize) -> Cells {
        self.neighbours[cell]
    }

    #[inline]
    pub(super) fn ring(&self, cell: usize) -> &[u8; 6] {
        &self.ring[cell]
    }

    /// Returns the neighbours of a set, which may include members of the set.
    pub fn around(&self, set: Cells) -> Cells {
        members(set).fold(0, |around, cell| around | self.neighbours[cell])
    }

    /// Returns the part of `among` that is connected to `start` within it.
    pub fn chain(&self, start: Cells, among: Cells) -> Cells {
        let mut chain = start & among;
        let mut edge = chain;
        while edge != 0 {
            edge = self.around(edge) & among & !chain;
            chain |= edge;
        }
        chain
    }

    /// Returns a set of cells as the other player sees it: on a board of Hex with rows and columns exchanged.
    pub fn transposed(&self, set: Cells) -> Cells {
        members(set).fold(0, |image, cell| image | bit(self.transposed[cell].into()))
    }

    /// Returns a set of cells after half a turn of a board of Hex, or mirrored on a board of Y.
    #[inline]
    pub fn turned(&self, set: Cells) -> Cells {
        if self.is_y() {
            return members(set).fold(0, |image, cell| image | bit(self.mirrored[cell].into()));
        }
        set.reverse_bits() >> (128 - self.cells)
    }
}

/// Returns what lies a step from a cell.
fn slot(size: usize, cell: usize, (rows, columns): (isize, isize)) -> u8 {
    let inside = 0..size as isize;
    let (row, column) = ((cell / size) as isize + rows, (cell % size) as isize + columns);
    let slot = match (inside.contains(&row), inside.contains(&column)) {
        (true, true) => row as usize * size + column as usize,
        (false, true) => OWN_SIDES[usize::from(row > 0)],
        (true, false) => OPPONENT_SIDES[usize::from(column > 0)],
        (false, false) => return NOWHERE,
    };
    slot as u8
}

/// Returns the six slots around a cell of Y: cells, sides, or `NOWHERE`.
fn y_ring(size: usize, (row, column): (usize, usize)) -> [u8; 6] {
    let [left, right, bottom] = Y_SIDES;
    let slots = Y_STEPS.map(|(rows, columns)| match (row as isize + rows, column as isize + columns) {
        (below, _) if below == size as isize => bottom,
        (_, column) if column < 0 => left,
        (row, column) if column > row => right,
        (row, column) => (row * (row + 1) / 2 + column) as usize,
    });
    // Sides are not neighbours of each other: a chain has to touch each of them.
    let is_side = |slot: usize| slot >= left;
    std::array::from_fn(|number| {
        let beside = [slots[(number + 1) % 6], slots[(number + 5) % 6]];
        let meets = |&other: &usize| is_side(other) && other != slots[number];
        if is_side(slots[number]) && beside.iter().any(meets) { NOWHERE } else { slots[number] as u8 }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_of_corners_and_centre() {
        let board = Geometry::new(3);
        let of = |cell| members(board.neighbours(cell)).collect::<Vec<_>>();
        assert_eq!(of(0), [1, 3, OPPONENT_SIDES[0], OWN_SIDES[0]]);
        assert_eq!(of(2), [1, 4, 5, OPPONENT_SIDES[1], OWN_SIDES[0]]);
        assert_eq!(of(4), [1, 2, 3, 5, 6, 7]);
        assert_eq!(of(OWN_SIDES[1]), [6, 7, 8]);
        assert_eq!(of(OPPONENT_SIDES[1]), [2, 5, 8]);
    }

    #[test]
    fn neighbours_of_y() {
        let board = Geometry::y(3);
        let of = |cell| members(board.neighbours(cell)).collect::<Vec<_>>();
        assert_eq!(of(0), [1, 2, 125, 126]);
        assert_eq!(of(1), [0, 2, 3, 4, 125]);
        assert_eq!(of(3), [1, 4, 125, 127]);
        assert_eq!(of(4), [1, 2, 3, 5, 127]);
        assert_eq!(of(126), [0, 2, 5]);
        assert_eq!(board.turned(bit(1) | bit(3)), bit(2) | bit(5));
    }

    #[test]
    fn images_of_sets() {
        let board = Geometry::new(4);
        assert_eq!(board.transposed(bit(1) | bit(7)), bit(4) | bit(13));
        assert_eq!(board.turned(bit(1) | bit(7)), bit(14) | bit(8));
    }
}
