//! The board of a solver: cells and sides as bits of one number.

/// A set of cells and sides.
pub type Cells = u128;

/// The largest board, whose cells leave room for the four sides.
pub const MAX_SIZE: usize = 11;

/// The mover's sides: rows 1 and n.
pub const OWN_SIDES: [usize; 2] = [126, 127];
/// The opponent's sides: the first and the last column.
pub const OPPONENT_SIDES: [usize; 2] = [124, 125];

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

/// A board of `size` × `size` cells; cell `row · size + column`.
#[derive(Debug, Clone)]
pub struct Geometry {
    size: usize,
    /// The neighbours of each cell and side.
    neighbours: [Cells; 128],
    /// The six slots around each cell, in turn: a cell, or a side, or `NOWHERE` beyond an obtuse corner, which belongs to two sides.
    ring: Vec<[u8; 6]>,
    transposed: Vec<u8>,
}

/// A slot that is on no board.
pub(super) const NOWHERE: u8 = u8::MAX;

/// The steps to the six slots around a cell, in turn.
const STEPS: [(isize, isize); 6] = [(0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0)];

impl Geometry {
    /// Creates the geometry of a board.
    ///
    /// # Panics
    /// If the size is 0 or above [`MAX_SIZE`].
    pub fn new(size: usize) -> Self {
        assert!((1..=MAX_SIZE).contains(&size), "boards of 1 to {MAX_SIZE}");
        let ring: Vec<[u8; 6]> = (0..size * size).map(|cell| STEPS.map(|step| slot(size, cell, step))).collect();
        let mut neighbours = [0; 128];
        for (cell, slots) in ring.iter().enumerate() {
            for &slot in slots.iter().filter(|&&slot| slot != NOWHERE) {
                neighbours[cell] |= bit(slot.into());
                neighbours[usize::from(slot)] |= bit(cell);
            }
        }
        let transposed = (0..size * size).map(|cell| (cell % size * size + cell / size) as u8).collect();
        Self { size, neighbours, ring, transposed }
    }

    /// Returns the board's size.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns all cells, without the sides.
    #[inline]
    pub fn board(&self) -> Cells {
        bit(self.size * self.size) - 1
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

    /// Returns the neighbours of a set, with parts of the set itself.
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

    /// Returns a set of cells with rows and columns exchanged.
    pub fn transposed(&self, set: Cells) -> Cells {
        members(set).fold(0, |image, cell| image | bit(self.transposed[cell].into()))
    }

    /// Returns a set of cells after half a turn of the board.
    #[inline]
    pub fn turned(&self, set: Cells) -> Cells {
        set.reverse_bits() >> (128 - self.size * self.size)
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
    fn images_of_sets() {
        let board = Geometry::new(4);
        assert_eq!(board.transposed(bit(1) | bit(7)), bit(4) | bit(13));
        assert_eq!(board.turned(bit(1) | bit(7)), bit(14) | bit(8));
    }
}
