//! Networks on devices by candle's operations: GPUs, and the CPU to check them.

mod any_device;
mod candle_device;
mod choice;
#[cfg(feature = "cuda")]
mod cuda;
mod gathering;
mod operations;
mod segments;
mod tower;

use candle_core::{Device, Result, Tensor};

use crate::Boards;
use hexzero_nn::TAPS;
use hexzero_nn::kernels::NO_TAP;

use operations::{NOTHING, Picks, convolution, matmul, relu, with_bias};

pub use candle_device::{CandleDevice, DevicePrecision, DevicePrecisionError};
pub use choice::{DeviceChoice, DeviceError};
pub use segments::{ClassTargets, Segments};
pub(crate) use tower::{BlockLayers, Layer, TowerLayers};

/// Applies a dense layer on the device of its parameters, and a ReLU if asked.
pub(super) fn dense_on_device(x: &Tensor, [weights, bias]: &Layer, then_relu: bool) -> Result<Tensor> {
    let sums = with_bias(&matmul(x, weights)?, bias)?;
    if then_relu { relu(&sums) } else { Ok(sums) }
}

/// The boards of a batch on a device. Rows are the cells of all positions, concatenated.
#[derive(Debug, Clone)]
pub(crate) struct DeviceBoards {
    /// The rows that each cell reads, `[cells · 7]`.
    taps: Tensor,
    /// The first row of each position, then the number of rows.
    #[cfg(feature = "cuda")]
    starts: Tensor,
    positions: usize,
    /// Number of cells of the largest board.
    longest: usize,
    /// The cells of each position, padded with zeros to `longest` rows, or `None` if all boards
    /// have equally many cells.
    padded: Option<Picks>,
    /// The index of each cell's position.
    of_position: Picks,
    /// The reciprocal of the number of cells of each position, `[positions × 1 × longest]`.
    shares: Tensor,
}

impl DeviceBoards {
    pub fn new(boards: &Boards, device: &Device) -> Result<Self> {
        let (positions, cells) = (boards.positions(), boards.cells());
        let mut taps = vec![NOTHING; cells * TAPS];
        for (&cell, read) in boards.order.cells.iter().zip(boards.order.input_taps.rows()) {
            taps[cell as usize * TAPS..][..TAPS]
                .copy_from_slice(&read.map(|tap| if tap == NO_TAP { NOTHING } else { tap }));
        }
        let lengths: Vec<usize> = boards.starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let longest = lengths.iter().copied().max().unwrap_or(0);
        let is_even = lengths.iter().all(|&length| length == longest);
        let (mut padded, mut place) = (Vec::new(), Vec::new());
        let mut of_position = Vec::with_capacity(cells);
        for (position, (&start, &length)) in boards.starts.iter().zip(&lengths).enumerate() {
            let rows = (0..longest).map(|cell| if cell < length { (start + cell) as u32 } else { NOTHING });
            padded.extend(rows);
            place.extend((0..length).map(|cell| (position * longest + cell) as u32));
            of_position.resize(start + length, position as u32);
        }
        let back = (!is_even).then(|| padded.clone());
        let shares = lengths.iter().flat_map(|&length| std::iter::repeat_n(1.0 / length as f32, longest));
        Ok(Self {
            taps: Tensor::from_vec(taps, cells * TAPS, device)?,
            #[cfg(feature = "cuda")]
            starts: Tensor::from_iter(boards.starts.iter().map(|&start| start as u32), device)?,
            positions,
            longest,
            padded: (!is_even).then(|| Picks::new(padded, Some(place), 1, device)).transpose()?,
            of_position: Picks::new(of_position, back, longest, device)?,
            shares: Tensor::from_vec(shares.collect::<Vec<f32>>(), (positions, 1, longest), device)?,
        })
    }

    /// Convolves `x`, `[cells × inputs]`, adds `residual`, and applies a ReLU if asked.
    fn convolve(&self, x: &Tensor, layer: &Layer, residual: Option<&Tensor>, then_relu: bool) -> Result<Tensor> {
        let [weights, bias] = layer;
        #[cfg(feature = "cuda")]
        if cuda::takes(x, weights.dim(1)?) {
            return cuda::convolution(x, weights, residual, &self.taps, then_relu);
        }
        let weights = weights.narrow(0, 0, TAPS * x.dim(1)?)?;
        let mut y = with_bias(&convolution(x, &weights, &self.taps)?, bias)?;
        if let Some(residual) = residual {
            y = (y + residual)?;
        }
        if then_relu { relu(&y) } else { Ok(y) }
    }

    /// Adds to each row of `x` that of its position in `addends`, `[positions × channels]`, and applies a ReLU if
    /// asked.
    fn add(&self, x: &Tensor, addends: &Tensor, then_relu: bool) -> Result<Tensor> {
        #[cfg(feature = "cuda")]
        if cuda::takes(x, x.dim(1)?) {
            return cuda::add_to_positions(x, addends, &self.starts, then_relu);
        }
        let sum = (x + self.of_position.of(addends)?)?;
        if then_relu { relu(&sum) } else { Ok(sum) }
    }

    /// Computes mean and maximum over the cells of each position, `[positions × 2 · channels]`, of
    /// `x` without negative values.
    fn pool(&self, x: &Tensor) -> Result<Tensor> {
        let channels = x.dim(1)?;
        #[cfg(feature = "cuda")]
        if cuda::takes(x, channels) {
            return cuda::pool(x, &self.starts);
        }
        let rows = match &self.padded {
            Some(picks) => picks.of(x)?,
            None => x.clone(),
        };
        let cells = rows.reshape((self.positions, self.longest, channels))?;
        let mean = matmul(&self.shares.to_dtype(x.dtype())?, &cells)?;
        // The gradient of a maximum goes to one of the cells that reach it; candle's goes to all of
        // them.
        let largest = cells.detach().argmax_keepdim(1)?;
        let max = cells.gather(&largest, 1)?;
        Tensor::cat(&[mean.squeeze(1)?, max.squeeze(1)?], 1)
    }
}
