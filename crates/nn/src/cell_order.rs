//! The order in which the network processes the cells of boards.

use std::collections::BTreeMap;

use crate::kernels::{NO_TAP, Taps};
use hexzero_board::{DIRECTIONS, NO_CELL, Topology};

/// Groups with fewer cells leave the arithmetic units waiting, so they are merged into another
/// group.
const MIN_GROUP: usize = 4;

/// The cells of some boards, grouped by their missing neighbours: on a rhombus the interior and
/// each side form a group. A convolution then skips the taps off the board for a whole group, a
/// tenth of the work on a 9×9 board. Rows of the network's tensors are in this order, those of its
/// inputs in the board's order.
#[derive(Debug, Clone)]
pub struct CellOrder {
    /// The cell of each row; cells are numbered across all boards.
    pub cells: Vec<u32>,
    /// The inputs that each row reads.
    pub input_taps: Taps<'static, TAPS>,
    /// The rows that each row reads.
    pub taps: Taps<'static, TAPS>,
    /// Taps by which each row reads itself.
    pub identity: Taps<'static, 1>,
}

impl CellOrder {
    /// Orders the cells of these boards, one board after another.
    pub fn new(boards: &[&Topology]) -> Self {
        let groups = groups(boards);
        let cells = groups.concat();
        let mut row_of_cell = vec![NO_TAP; cells.len()];
        for (row, &cell) in cells.iter().enumerate() {
            row_of_cell[cell as usize] = row as u32;
        }
        let mut of_boards: Vec<[u32; TAPS]> = Vec::new();
        boards.iter().for_each(|board| of_boards.extend(board_taps(board, of_boards.len() as u32)));
        let input_taps: Vec<[u32; TAPS]> = cells.iter().map(|&cell| of_boards[cell as usize]).collect();
        let to_row = |tap| if tap == NO_TAP { NO_TAP } else { row_of_cell[tap as usize] };
        let taps = input_taps.iter().map(|row| row.map(to_row)).collect();
        let identity = (0..cells.len() as u32).map(|row| [row]).collect();
        let lengths: Vec<usize> = groups.iter().map(Vec::len).collect();
        Self {
            input_taps: Taps::grouped(input_taps, lengths.clone()),
            taps: Taps::grouped(taps, lengths),
            identity: Taps::grouped(identity, vec![cells.len()]),
            cells,
        }
    }

    /// Adds the layout of [`Taps::laid_flat`] for the rows, if there is one.
    pub fn laid_flat(self) -> Self {
        Self { taps: self.taps.laid_flat(), ..self }
    }
}

/// Groups the cells by the set of directions in which they have no neighbour. A small group is
/// merged into the group that shares most of its missing directions.
fn groups(boards: &[&Topology]) -> Vec<Vec<u32>> {
    let mut by_mask = [const { Vec::new() }; 1 << DIRECTIONS];
    for (cell, slots) in (0..).zip(boards.iter().flat_map(|board| board.neighbours())) {
        let missing = (0..DIRECTIONS).fold(0, |mask, d| mask | usize::from(slots[d] == NO_CELL) << d);
        by_mask[missing].push(cell);
    }
    let groups = (0u8..).zip(by_mask).filter(|(_, cells)| !cells.is_empty());
    let mut groups: BTreeMap<u8, Vec<u32>> = groups.collect();
    // Cells that miss most directions come first: a corner joins a side, and a side that is still
    // too short joins the interior.
    let mut masks: Vec<u8> = groups.keys().copied().collect();
    masks.sort_by_key(|mask| std::cmp::Reverse(mask.count_ones()));
    for mask in masks {
        if groups[&mask].len() >= MIN_GROUP {
            continue;
        }
        let hosts = groups.keys().filter(|&&host| host != mask && host & mask == host);
        if let Some(&host) = hosts.max_by_key(|host| host.count_ones()) {
            let cells = groups.remove(&mask).unwrap_or_default();
            groups.entry(host).or_default().extend(cells);
        }
    }
    groups.into_values().collect()
}

/// The taps of a hexagonal convolution: the cell itself and its six neighbours.
pub const TAPS: usize = DIRECTIONS + 1;

/// Returns the taps of a board that begins at row `start`, `[cells × TAPS]`.
pub(crate) fn board_taps(topology: &Topology, start: u32) -> impl Iterator<Item = [u32; TAPS]> + '_ {
    topology.neighbours().iter().enumerate().map(move |(cell, slots)| {
        let mut read = [cell as u16; TAPS];
        read[1..].copy_from_slice(slots);
        read.map(|slot| if slot == NO_CELL { NO_TAP } else { start + u32::from(slot) })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexzero_board::rhombus;

    #[test]
    fn sides_and_inside_are_groups_of_a_rhombus() {
        let mut lengths: Vec<usize> = groups(&[rhombus(9)]).iter().map(Vec::len).collect();
        lengths.sort_unstable();
        assert_eq!(lengths.iter().sum::<usize>(), 81);
        assert_eq!(lengths.last(), Some(&49));
        assert_eq!(groups(&[rhombus(9), rhombus(4)]).iter().map(Vec::len).max(), Some(49 + 4));
        assert_eq!(groups(&[rhombus(3)]).len(), 1);
    }

    #[test]
    fn rows_read_the_neighbours_of_their_cell() {
        for side in 1..=15 {
            let board = rhombus(side);
            // The second of two boards, the first of which has 4 cells.
            let order = CellOrder::new(&[rhombus(2), board]);
            let mut cells = order.cells.clone();
            cells.sort_unstable();
            assert!(cells.into_iter().eq(0..(4 + side * side) as u32));
            for (row, &cell) in order.cells.iter().enumerate().filter(|(_, cell)| **cell >= 4) {
                for (&tap, &slot) in order.taps.rows()[row][1..].iter().zip(&board.neighbours()[cell as usize - 4]) {
                    let read = if tap == NO_TAP { NO_CELL } else { (order.cells[tap as usize] - 4) as u16 };
                    assert_eq!(read, slot);
                }
                let to_cell = |tap| if tap == NO_TAP { NO_TAP } else { order.cells[tap as usize] };
                assert_eq!(order.input_taps.rows()[row], order.taps.rows()[row].map(to_cell));
            }
        }
    }
}
