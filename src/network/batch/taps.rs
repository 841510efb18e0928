//! The rows that a hexagonal convolution reads for each cell.

use crate::board::{DIRECTIONS, NO_CELL, Topology};
use crate::network::kernels::NO_TAP;

/// The taps of a hexagonal convolution: the cell itself and its six neighbours.
pub const TAPS: usize = DIRECTIONS + 1;

/// Returns the taps of one board whose first row is `start`, `[cells × TAPS]`.
pub(super) fn board_taps(topology: &Topology, start: u32) -> impl Iterator<Item = [u32; TAPS]> + '_ {
    topology.neighbours().iter().enumerate().map(move |(cell, slots)| {
        let mut taps = [start + cell as u32; TAPS];
        for (tap, &slot) in taps[1..].iter_mut().zip(slots) {
            *tap = if slot == NO_CELL { NO_TAP } else { start + u32::from(slot) };
        }
        taps
    })
}
