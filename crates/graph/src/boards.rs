//! A batch: the cells of its positions, concatenated, whatever the size of each board.

use std::sync::Arc;

use candle_core::{Device, Error, Result};

use crate::device::DeviceBoards;
use hexzero_board::Topology;
use hexzero_nn::CellOrder;

/// The boards of a batch.
#[derive(Debug, Clone)]
pub struct Boards {
    /// The first cell of each board, followed by the total number of cells.
    pub(crate) starts: Arc<[usize]>,
    /// The order in which the tower processes the cells.
    pub(crate) order: Arc<CellOrder>,
    /// The position that each row of the tower belongs to.
    pub(crate) position_of_row: Arc<[u32]>,
    /// Indices for candle's operations, if the batch was put on a device.
    on_device: Option<Arc<DeviceBoards>>,
}

impl Boards {
    /// Creates the batch of positions on these boards.
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

    /// Adds the indices for a network [`on_device`](crate::Network::on_device).
    ///
    /// # Errors
    /// If the device fails.
    pub fn put_on(self, device: &Device) -> Result<Self> {
        let on_device = Some(Arc::new(DeviceBoards::new(&self, device)?));
        Ok(Self { on_device, ..self })
    }

    /// Returns the indices for candle's operations.
    pub(crate) fn on_device(&self) -> Result<&DeviceBoards> {
        let missing = || Error::Msg("a network on a device takes boards that were put on it".to_owned());
        self.on_device.as_deref().ok_or_else(missing)
    }

    /// Returns the number of positions.
    pub fn positions(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the number of cells of all positions.
    pub fn cells(&self) -> usize {
        self.position_of_row.len()
    }
}
