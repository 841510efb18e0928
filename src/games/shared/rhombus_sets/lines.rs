//! Walks along the six directions.

use rand::Rng;

use crate::board::{DIRECTIONS, RhombusSet, STEPS};
use crate::games::{GameRng, Seat};

use super::Stones;

/// Row and column of a cell.
pub type Cell = (usize, usize);

/// A set moved one or two steps in a direction, or back if `steps` is negative. Cells beyond the board may be in it.
#[inline]
pub fn moved(set: RhombusSet, direction: usize, steps: isize) -> RhombusSet {
    let (rows, columns) = STEPS[direction];
    set.shifted(rows * steps, columns * steps)
}

/// One of the moves from some cells, by direction, and `more` other things, each as likely as the others: direction and
/// cell, or none for one of the others. There must be one.
#[inline]
pub fn draw_directed(from: &[RhombusSet; DIRECTIONS], more: usize, rng: &mut GameRng) -> Option<(usize, Cell)> {
    let counts = from.each_ref().map(RhombusSet::count);
    let mut index = rng.random_range(0..counts.iter().sum::<usize>() + more);
    for (direction, (from, count)) in from.iter().zip(counts).enumerate() {
        if index < count {
            return from.nth(index).map(|cell| (direction, cell));
        }
        index -= count;
    }
    None
}

impl Stones {
    /// The cell next to another in a direction, if there is one.
    #[inline]
    pub fn next(&self, (row, column): Cell, direction: usize) -> Option<Cell> {
        let (rows, columns) = STEPS[direction];
        // Beyond the first row or column numbers wrap round and are too large.
        let (row, column) = (row.wrapping_add_signed(rows), column.wrapping_add_signed(columns));
        (row < self.side() && column < self.side()).then_some((row, column))
    }

    /// Returns the cell some steps away, which must be on the board.
    #[inline]
    pub fn away(&self, (row, column): Cell, direction: usize, steps: usize) -> Cell {
        let (rows, columns) = STEPS[direction];
        (row.wrapping_add_signed(rows * steps as isize), column.wrapping_add_signed(columns * steps as isize))
    }

    /// Counts the stones of a player in an unbroken line from a cell in a direction, itself included; returns the cell after
    /// them too, if there is one.
    #[inline]
    pub fn run(&self, player: Seat, from: Cell, direction: usize) -> (usize, Option<Cell>) {
        let (mut length, mut cell) = (0, Some(from));
        while let Some(on) = cell.filter(|&on| self.has(player, on)) {
            length += 1;
            cell = self.next(on, direction);
        }
        (length, cell)
    }
}
