//! Global pooling: mean and maximum over the cells of each position, and the dense layer through
//! which they are added to every cell of the position.

use crate::{Boards, add_rows};
use hexzero_nn::kernels::{Gathered, Kernel, Layer, PackedWeights, Taps, add_weight_gradient};

use super::layers::sums_of_positions;

/// The mean and the maximum of each position.
#[derive(Debug, Default)]
pub(crate) struct Pooled {
    /// `[positions × 2·channels]`.
    pub values: Vec<f32>,
    /// The row of each maximum, `[positions × channels]`.
    largest: Vec<u32>,
    /// The weights of the dense layer, if there is one.
    weights: PackedWeights<f32>,
    gathered: Gathered<f32>,
    /// Taps by which each position reads itself.
    positions: Vec<[u32; 1]>,
}

impl Pooled {
    /// Pools `x`, `[rows × channels]`.
    pub fn pool(&mut self, boards: &Boards, channels: usize, x: &[f32]) {
        self.positions.clear();
        self.positions.extend((0..boards.positions() as u32).map(|position| [position]));
        self.values.clear();
        self.values.resize(boards.positions() * 2 * channels, 0.0);
        for pooled in self.values.chunks_exact_mut(2 * channels) {
            pooled[channels..].fill(f32::NEG_INFINITY);
        }
        self.largest.resize(boards.positions() * channels, 0);
        for (number, (row, &position)) in (0..).zip(x.chunks_exact(channels).zip(&*boards.position_of_row)) {
            let (mean, max) = self.values[position as usize * 2 * channels..][..2 * channels].split_at_mut(channels);
            let largest = &mut self.largest[position as usize * channels..][..channels];
            for (((value, mean), max), largest) in row.iter().zip(mean).zip(max).zip(largest) {
                *mean += value;
                *largest = if value > max { number } else { *largest };
                *max = max.max(*value);
            }
        }
        share_means(&mut self.values, channels, boards);
    }

    /// Applies a dense layer with these weights to the pool, and returns the results of each row's
    /// position, `[rows × outputs]`.
    pub fn addends(
        &mut self,
        kernel: Kernel,
        boards: &Boards,
        weights: &[f32],
        bias: Option<&[f32]>,
        outputs: usize,
    ) -> Vec<f32> {
        let inputs = weights.len() / outputs;
        self.weights.set(kernel, weights, inputs, outputs);
        let mut out = vec![0.0; self.positions.len() * outputs];
        let layer = Layer { weights: self.weights.forward(), bias, inputs, outputs, relu: false };
        layer.run(kernel, &self.values, &Taps::new(&self.positions), None, &mut out);
        let mut rows = Vec::with_capacity(boards.cells() * outputs);
        for &position in &*boards.position_of_row {
            rows.extend_from_slice(&out[position as usize * outputs..][..outputs]);
        }
        rows
    }

    /// Returns the gradient of the pool, given that of [`Pooled::addends`], and adds to the
    /// gradient of the weights.
    pub fn backward(
        &mut self,
        kernel: Kernel,
        boards: &Boards,
        gradient: &[f32],
        outputs: usize,
        of_weights: &mut [f32],
    ) -> Vec<f32> {
        let sums = sums_of_positions(gradient, outputs, boards);
        let positions = &Taps::new(&self.positions);
        let inputs = of_weights.len() / outputs;
        let gathered = &mut self.gathered;
        add_weight_gradient(kernel, &self.values[..], inputs, positions, &sums, outputs, gathered, of_weights);
        let mut back = vec![0.0; self.values.len()];
        let weights = self.weights.transposed();
        let layer = Layer { weights, bias: None, inputs: outputs, outputs: inputs, relu: false };
        layer.run(kernel, &sums, positions, None, &mut back);
        back
    }

    /// Adds the contribution through the pool to the gradient of the pooled activations.
    pub fn add_gradient(&self, boards: &Boards, channels: usize, mut back: Vec<f32>, gradient: &mut [f32]) {
        share_means(&mut back, channels, boards);
        for (row, &position) in gradient.chunks_exact_mut(channels).zip(&*boards.position_of_row) {
            add_rows(&back[position as usize * 2 * channels..][..channels], row);
        }
        for (back, largest) in back.chunks_exact(2 * channels).zip(self.largest.chunks_exact(channels)) {
            for (channel, (&row, value)) in largest.iter().zip(&back[channels..]).enumerate() {
                gradient[row as usize * channels + channel] += value;
            }
        }
    }
}

/// Divides the first half of each position's row by the number of its cells.
fn share_means(rows: &mut [f32], channels: usize, boards: &Boards) {
    for (row, cells) in rows.chunks_exact_mut(2 * channels).zip(boards.starts.windows(2)) {
        let share = 1.0 / (cells[1] - cells[0]) as f32;
        row[..channels].iter_mut().for_each(|mean| *mean *= share);
    }
}
