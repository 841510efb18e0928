//! The boards of a batch on a device: what its cells read, and where the cells of each position are.

use candle_core::{Device, Result, Tensor};

use crate::network::batch::TAPS;
use crate::network::graph::Boards;
use crate::network::kernels::NO_TAP;

use super::operations::{NOTHING, Picks, matmul};

/// The boards of a batch on a device. Rows are the cells of the positions one after another.
#[derive(Debug, Clone)]
pub(in crate::network) struct DeviceBoards {
    /// The rows that each cell reads, `[cells · 7]`.
    pub taps: Tensor,
    positions: usize,
    /// The cells of the largest board.
    longest: usize,
    /// The cells of each position and zeros up to `longest` rows. None if all boards have as many cells.
    side_by_side: Option<Picks>,
    /// The position of each cell.
    of_position: Picks,
    /// One over the number of cells of each position, `[positions × 1 × longest]`.
    shares: Tensor,
}

impl DeviceBoards {
    pub fn new(boards: &Boards, device: &Device) -> Result<Self> {
        let (positions, cells) = (boards.positions(), boards.cells());
        let mut taps = vec![NOTHING; cells * TAPS];
        for (&cell, read) in boards.order.cells.iter().zip(boards.order.input_taps.rows()) {
            let to = &mut taps[cell as usize * TAPS..][..TAPS];
            to.iter_mut().zip(read).for_each(|(to, &tap)| *to = if tap == NO_TAP { NOTHING } else { tap });
        }
        let lengths: Vec<usize> = boards.starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let longest = lengths.iter().copied().max().unwrap_or(0);
        let is_even = lengths.iter().all(|&length| length == longest);
        let (mut side_by_side, mut place) = (Vec::new(), Vec::new());
        let mut of_position = Vec::with_capacity(cells);
        for (position, (&start, &length)) in boards.starts.iter().zip(&lengths).enumerate() {
            let rows = (0..longest).map(|cell| if cell < length { (start + cell) as u32 } else { NOTHING });
            side_by_side.extend(rows);
            place.extend((0..length).map(|cell| (position * longest + cell) as u32));
            of_position.resize(start + length, position as u32);
        }
        let back = (!is_even).then(|| side_by_side.clone());
        let shares = lengths.iter().flat_map(|&length| std::iter::repeat_n(1.0 / length as f32, longest));
        Ok(Self {
            taps: Tensor::from_vec(taps, cells * TAPS, device)?,
            positions,
            longest,
            side_by_side: (!is_even).then(|| Picks::new(side_by_side, Some(place), 1, device)).transpose()?,
            of_position: Picks::new(of_position, back, longest, device)?,
            shares: Tensor::from_vec(shares.collect::<Vec<f32>>(), (positions, 1, longest), device)?,
        })
    }

    /// Returns for each cell the row of its position, of `[positions × channels]`.
    pub fn spread(&self, x: &Tensor) -> Result<Tensor> {
        self.of_position.of(x)
    }

    /// Computes mean and maximum over the cells of each position, `[positions × 2 · channels]`, of `x` without negative values.
    pub fn pool(&self, x: &Tensor) -> Result<Tensor> {
        let channels = x.dim(1)?;
        let rows = match &self.side_by_side {
            Some(picks) => picks.of(x)?,
            None => x.clone(),
        };
        let cells = rows.reshape((self.positions, self.longest, channels))?;
        let mean = matmul(&self.shares.to_dtype(x.dtype())?, &cells)?;
        // The gradient of a maximum goes to one of the cells that have it, where candle's goes to all.
        let largest = cells.detach().argmax_keepdim(1)?;
        let max = cells.gather(&largest, 1)?;
        Tensor::cat(&[mean.squeeze(1)?, max.squeeze(1)?], 1)
    }
}
