//! Groups of connected stones, and the cells adjacent to them.

use crate::{HexWithoutSwap, Rules};
use hexzero_board::rhombus;

use super::MAX_SIZE;

const CELLS: usize = MAX_SIZE * MAX_SIZE;
const WORDS: usize = CELLS.div_ceil(64);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CellSet([u64; WORDS]);

impl CellSet {
    pub(super) const EMPTY: Self = Self([0; WORDS]);

    #[inline]
    pub(super) fn contains(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 != 0
    }

    /// Adds a cell and returns whether it is new.
    #[inline]
    fn insert(&mut self, cell: usize) -> bool {
        let (word, bit) = (&mut self.0[cell / 64], 1 << (cell % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    pub(super) fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
}

/// Returns the group of the stone on a cell, and the empty cells adjacent to it.
pub(super) fn group(hex: &HexWithoutSwap, side: usize, from: usize) -> (CellSet, CellSet) {
    let (board, owner) = (rhombus(side), hex.owner(from));
    let (mut group, mut around) = (CellSet::EMPTY, CellSet::EMPTY);
    let mut waiting = [0; CELLS];
    waiting[0] = from as u16;
    let mut count = 1;
    group.insert(from);
    while count > 0 {
        count -= 1;
        let stone = usize::from(waiting[count]);
        for cell in board.around(stone) {
            let next = hex.owner(cell);
            if next.is_none() {
                around.insert(cell);
            } else if next == owner && group.insert(cell) {
                waiting[count] = cell as u16;
                count += 1;
            }
        }
    }
    (group, around)
}
