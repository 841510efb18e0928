//! Sets of cells of a rhombus as bits, one 16-bit word a row. The whole board fills two or four
//! vector registers, and a step of a flood fill is a handful of shifts.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

/// Number of rows, and of bits a row.
const SPAN: usize = 16;

/// A set of cells of a rhombus with a side of at most 16. The cell is bit `column` of word `row`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct RhombusSet([u16; SPAN]);

impl RhombusSet {
    /// The largest side that fits.
    pub const MAX_SIDE: usize = SPAN;

    /// The empty set.
    pub const EMPTY: Self = Self([0; SPAN]);

    /// Returns every cell of the board with this side.
    #[inline]
    pub fn full(side: usize) -> Self {
        debug_assert!((1..=SPAN).contains(&side));
        let row = ((1u32 << side) - 1) as u16;
        Self(std::array::from_fn(|r| if r < side { row } else { 0 }))
    }

    /// Returns the cells of one row.
    #[inline]
    pub fn row(side: usize, row: usize) -> Self {
        let mut set = Self::EMPTY;
        set.0[row] = ((1u32 << side) - 1) as u16;
        set
    }

    /// Returns the cells of one column.
    #[inline]
    pub fn column(side: usize, column: usize) -> Self {
        Self(std::array::from_fn(|r| if r < side { 1 << column } else { 0 }))
    }

    /// Returns true if the cell is in the set.
    #[inline]
    pub fn contains(&self, row: usize, column: usize) -> bool {
        self.0[row] >> column & 1 != 0
    }

    /// Adds a cell.
    #[inline]
    pub fn insert(&mut self, row: usize, column: usize) {
        self.0[row] |= 1 << column;
    }

    /// Removes a cell.
    #[inline]
    pub fn remove(&mut self, row: usize, column: usize) {
        self.0[row] &= !(1 << column);
    }

    /// Returns the number of cells.
    #[inline]
    pub fn count(&self) -> usize {
        self.0.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// Returns true if the set is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |any, row| any | row) == 0
    }

    /// Returns the bits of one row, bit `column` for each cell.
    #[inline]
    pub fn row_bits(&self, row: usize) -> u16 {
        self.0[row]
    }

    /// Returns the cells as `(row, column)`, row by row.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.0.iter().enumerate().flat_map(|(row, &bits)| {
            std::iter::successors((bits != 0).then_some(bits), |&rest| {
                let rest = rest & (rest - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |rest| (row, rest.trailing_zeros() as usize))
        })
    }

    /// Returns the `index`-th cell of the set, row by row, or `None` if the set is smaller.
    pub fn nth(&self, mut index: usize) -> Option<(usize, usize)> {
        for (row, &bits) in self.0.iter().enumerate() {
            let count = bits.count_ones() as usize;
            if index < count {
                let rest = (0..index).fold(bits, |rest, _| rest & (rest - 1));
                return Some((row, rest.trailing_zeros() as usize));
            }
            index -= count;
        }
        None
    }

    /// Returns the set moved by a step. Cells that leave the 16 × 16 frame are lost. Cells that
    /// leave a smaller board are kept, so the caller must intersect with [`RhombusSet::full`].
    ///
    /// # Panics
    /// If the step is longer than two rows or columns.
    #[inline]
    pub fn shifted(&self, rows: isize, columns: isize) -> Self {
        Framed::new(self).shifted(rows, columns)
    }

    /// Returns every cell adjacent to a cell of the set, including cells of the set that are
    /// adjacent to another.
    #[inline]
    pub fn neighbours(&self) -> Self {
        // From above a stone is reached by s and sw, from below by n and ne, in its row by e and w.
        let (mut above, mut below) = ([0; SPAN], [0; SPAN]);
        above[1..].copy_from_slice(&self.0[..SPAN - 1]);
        below[..SPAN - 1].copy_from_slice(&self.0[1..]);
        let mut out = self.0;
        for r in 0..SPAN {
            out[r] = out[r] << 1 | out[r] >> 1 | above[r] | above[r] >> 1 | below[r] | below[r] << 1;
        }
        Self(out)
    }

    /// Returns true if a cell is adjacent to a cell of the set: [`RhombusSet::neighbours`] for one
    /// cell.
    #[inline]
    pub fn touches(&self, row: usize, column: usize) -> bool {
        // The three columns around the cell, starting at bit 0.
        let around = |row: usize| self.0.get(row).map_or(0, |&bits| u32::from(bits) << 1 >> column);
        (around(row.wrapping_sub(1)) & 0b110 | around(row) & 0b101 | around(row + 1) & 0b011) != 0
    }

    /// Returns the cells of `within` that are connected inside `within` to a cell of the set.
    #[inline]
    pub fn flood(&self, within: Self) -> Self {
        let mut reached = *self & within;
        loop {
            let next = (reached | reached.neighbours()) & within;
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }
}

/// The distance by which a [`Framed`] set can be moved.
const MARGIN: usize = 2;

/// A set prepared for many shifts by at most two rows and two columns. It is stored already shifted
/// by each number of columns and padded with empty rows, so that a shift is only a copy at another
/// offset.
#[derive(Debug, Clone, Copy)]
pub struct Framed([[u16; SPAN + 2 * MARGIN]; 2 * MARGIN + 1]);

impl Framed {
    /// Frames a set.
    #[inline]
    pub fn new(set: &RhombusSet) -> Self {
        let mut moved = [[0; SPAN + 2 * MARGIN]; 2 * MARGIN + 1];
        for r in 0..SPAN {
            let bits = set.0[r];
            moved[0][MARGIN + r] = bits >> 2;
            moved[1][MARGIN + r] = bits >> 1;
            moved[2][MARGIN + r] = bits;
            moved[3][MARGIN + r] = bits << 1;
            moved[4][MARGIN + r] = bits << 2;
        }
        Self(moved)
    }

    /// Returns the set moved by a step, see [`RhombusSet::shifted`].
    ///
    /// # Panics
    /// If the step is longer than two rows or columns.
    #[inline]
    pub fn shifted(&self, rows: isize, columns: isize) -> RhombusSet {
        let mut moved = [0; SPAN];
        let rows_from = MARGIN.wrapping_add_signed(-rows);
        moved.copy_from_slice(&self.0[MARGIN.wrapping_add_signed(columns)][rows_from..][..SPAN]);
        RhombusSet(moved)
    }
}

impl BitAnd for RhombusSet {
    type Output = Self;
    #[inline]
    fn bitand(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(row, other)| *row &= other);
        self
    }
}

impl BitOr for RhombusSet {
    type Output = Self;
    #[inline]
    fn bitor(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(row, other)| *row |= other);
        self
    }
}

impl Not for RhombusSet {
    type Output = Self;
    #[inline]
    fn not(mut self) -> Self {
        self.0.iter_mut().for_each(|row| *row = !*row);
        self
    }
}

impl BitAndAssign for RhombusSet {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl BitOrAssign for RhombusSet {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rhombus;

    fn set(side: usize, cells: impl IntoIterator<Item = usize>) -> RhombusSet {
        let mut set = RhombusSet::EMPTY;
        cells.into_iter().for_each(|cell| set.insert(cell / side, cell % side));
        set
    }

    #[test]
    fn neighbours_agree_with_the_topology() {
        for side in 1..=RhombusSet::MAX_SIDE {
            for cell in 0..side * side {
                let expected = set(side, rhombus(side).around(cell));
                let found = set(side, [cell]).neighbours() & RhombusSet::full(side);
                assert_eq!(found, expected, "side {side}, cell {cell}");
                for other in 0..side * side {
                    let touches = set(side, [other]).touches(cell / side, cell % side);
                    assert_eq!(touches, expected.contains(other / side, other % side), "{cell}, {other} of {side}");
                }
            }
        }
    }

    #[test]
    fn flood_stays_inside_and_stops_at_gaps() {
        let within = set(5, [0, 1, 2, 4, 7, 12, 14]);
        assert_eq!(set(5, [0]).flood(within), set(5, [0, 1, 2, 7, 12]));
        assert!(set(5, [3]).flood(within).is_empty());
    }

    #[test]
    fn iteration_count_and_nth_agree() {
        let cells = set(7, [0, 6, 8, 30, 48]);
        let listed: Vec<_> = cells.iter().collect();
        assert_eq!(listed, [(0, 0), (0, 6), (1, 1), (4, 2), (6, 6)]);
        assert_eq!(cells.count(), 5);
        for (i, cell) in listed.iter().enumerate() {
            assert_eq!(cells.nth(i), Some(*cell));
        }
        assert_eq!(cells.nth(5), None);
        let mut fewer = cells;
        fewer.remove(1, 1);
        assert_eq!(fewer, set(7, [0, 6, 30, 48]));
    }
}
