//! A batch: the cells of its positions one after another, whatever the size of each board.

use std::sync::Arc;

use candle_core::{Device, Error, Result};

use crate::board::{DIRECTIONS, NO_CELL, Topology};

use super::cell_order::CellOrder;
use super::device::DeviceBoards;
use super::kernels::NO_TAP;

/// The taps of a hexagonal convolution: the cell itself and its six neighbours.
pub const TAPS: usize = DIRECTIONS + 1;

/// The boards of a batch.
#[derive(Debug, Clone)]
pub struct Boards {
    /// The first cell of each board, and the total at the end.
    pub(super) starts: Arc<[usize]>,
    /// The order in which the tower walks over the cells.
    pub(super) order: Arc<CellOrder>,
    /// The position of each of its rows.
    pub(super) position_of_row: Arc<[u32]>,
    /// The same for candle's operations.
    on_device: Option<Arc<DeviceBoards>>,
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
        let mut position_of_cell = Vec::new();
        for (position, board) in (0..).zip(boards) {
            position_of_cell.resize(position_of_cell.len() + board.cells(), position);
            starts.push(position_of_cell.len());
        }
        let order = CellOrder::new(boards);
        let position_of_row = order.cells.iter().map(|&cell| position_of_cell[cell as usize]).collect();
        Self { starts: starts.into(), order: order.into(), position_of_row, on_device: None }
    }

    /// The batch for a network [`on_device`](super::Network::on_device).
    ///
    /// # Errors
    /// If the device fails.
    pub fn put_on(self, device: &Device) -> Result<Self> {
        let on_device = Some(Arc::new(DeviceBoards::new(&self, device)?));
        Ok(Self { on_device, ..self })
    }

    /// What candle's operations need of it.
    pub(super) fn on_device(&self) -> Result<&DeviceBoards> {
        let missing = || Error::Msg("a network on a device takes boards that were put on it".to_owned());
        self.on_device.as_deref().ok_or_else(missing)
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of cells of all positions.
    pub fn cells(&self) -> usize {
        self.position_of_row.len()
    }
}
