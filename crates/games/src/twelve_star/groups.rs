//! Groups of connected stones, and the cells adjacent to them.

use crate::{HexWithoutSwap, Rules};
use hexzero_board::{NO_CELL, rhombus};

use super::MAX_SIZE;

/// A set of cells: whether each belongs to it.
pub(super) type CellSet = [bool; MAX_SIZE * MAX_SIZE];

/// The empty set.
pub(super) const EMPTY: CellSet = [false; MAX_SIZE * MAX_SIZE];

/// Returns the group of the stone on a cell, and the empty cells adjacent to it.
pub(super) fn group(hex: &HexWithoutSwap, side: usize, from: usize) -> (CellSet, CellSet) {
    let (neighbours, owner) = (rhombus(side).neighbours(), hex.owner(from));
    let (mut group, mut around) = (EMPTY, EMPTY);
    let mut waiting = vec![from];
    group[from] = true;
    while let Some(stone) = waiting.pop() {
        for cell in neighbours[stone].iter().filter(|&&cell| cell != NO_CELL).map(|&cell| usize::from(cell)) {
            let next = hex.owner(cell);
            if next.is_none() {
                around[cell] = true;
            } else if next == owner && !group[cell] {
                group[cell] = true;
                waiting.push(cell);
            }
        }
    }
    (group, around)
}
