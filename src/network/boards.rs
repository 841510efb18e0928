//! A batch: the cells of its positions one after another, whatever the size of each board.

use std::sync::Arc;

use crate::board::{DIRECTIONS, NO_CELL, Topology};

use super::kernels::NO_TAP;

/// The taps of a hexagonal convolution: the cell itself and its six neighbours.
pub const TAPS: usize = DIRECTIONS + 1;

/// The boards of a batch: where each begins, and which rows of the batch a convolution reads.
#[derive(Debug, Clone)]
pub struct Boards {
    /// The first row of each board, and the total at the end.
    pub(super) starts: Arc<[usize]>,
    /// For each cell the rows of itself and its neighbours.
    pub(super) taps: Arc<[[u32; TAPS]]>,
}

/// The taps of one board whose first row is `start`.
pub(super) fn board_taps(topology: &Topology, start: u32) -> impl Iterator<Item = [u32; TAPS]> + '_ {
    topology.neighbours().iter().enumerate().map(move |(cell, slots)| {
        let mut taps = [start + cell as u32; TAPS];
        for (tap, &slot) in taps[1..].iter_mut().zip(slots) {
            *tap = if slot == NO_CELL { NO_TAP } else { start + u32::from(slot) };
        }
        taps
    })
}

impl Boards {
    /// A batch of positions on these boards.
    pub fn new(boards: &[&Topology]) -> Self {
        let mut starts = vec![0];
        let mut taps = Vec::new();
        for board in boards {
            taps.extend(board_taps(board, taps.len() as u32));
            starts.push(taps.len());
        }
        Self { starts: starts.into(), taps: taps.into() }
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of cells of all positions.
    pub fn cells(&self) -> usize {
        self.taps.len()
    }
}
