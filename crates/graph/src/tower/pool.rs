//! Global pooling: mean and maximum over the cells of each position, and the pool within a block of
//! the tower, which passes through a dense layer and is added to every cell of the position.

use crate::{Boards, add_rows};
use hexzero_nn::kernels::{Aligned, Gathered, Kernel, Layer, Operand, PackedWeights, Taps, add_weight_gradient};

use super::layers::{pack_into, sums_of_positions};

/// The mean and the maximum of each position.
#[derive(Debug, Default)]
pub(crate) struct Pooled {
    /// `[positions × 2·channels]`.
    values: Vec<f32>,
    /// The row of each maximum, `[positions × channels]`.
    largest: Vec<u32>,
    gathered: Gathered<f32>,
    /// Taps by which each position reads itself.
    positions: Vec<[u32; 1]>,
}

impl Pooled {
    pub fn values(&self) -> &[f32] {
        &self.values
    }

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

    /// Applies a dense layer to the pool and returns `[positions × outputs]`.
    pub fn dense_forward(
        &self,
        kernel: Kernel,
        weights: &PackedWeights<f32>,
        bias: Option<&[f32]>,
        outputs: usize,
    ) -> Vec<f32> {
        let positions = self.positions.len();
        let mut out = vec![0.0; positions * outputs];
        let inputs = self.values.len() / positions.max(1);
        let layer = Layer { weights: weights.forward(), bias, inputs, outputs, relu: false };
        layer.run(kernel, &self.values, &Taps::new(&self.positions), None, &mut out);
        out
    }

    /// Returns the gradient of the pool, given that of [`Pooled::dense_forward`], and adds to the
    /// gradient of the weights.
    pub fn dense_backward(
        &mut self,
        kernel: Kernel,
        weights: &PackedWeights<f32>,
        gradient: &[f32],
        outputs: usize,
        of_weights: &mut [f32],
    ) -> Vec<f32> {
        let positions = &Taps::new(&self.positions);
        let inputs = self.values.len() / self.positions.len().max(1);
        let gathered = &mut self.gathered;
        add_weight_gradient(kernel, &self.values[..], inputs, positions, gradient, outputs, gathered, of_weights);
        let mut back = vec![0.0; self.values.len()];
        let layer = Layer { weights: weights.transposed(), bias: None, inputs: outputs, outputs: inputs, relu: false };
        layer.run(kernel, gradient, positions, None, &mut back);
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

/// The buffers of a pool within a block.
#[derive(Debug, Default)]
pub(crate) struct TowerPool<W> {
    /// The pooled activations, before the addition.
    before: Aligned<W>,
    pooled: Pooled,
    weights: PackedWeights<f32>,
}

impl<W: Operand> TowerPool<W> {
    /// Returns the pooled activations, before the addition.
    pub fn before(&self) -> &Aligned<W> {
        &self.before
    }

    /// Pools the activations, applies the layer with these weights and this bias, and adds the
    /// result to `y`, `[rows × channels]`.
    pub fn forward(&mut self, kernel: Kernel, boards: &Boards, [weights, bias]: [&[f32]; 2], y: &mut [f32]) {
        let channels = bias.len();
        pack_into(kernel, y, &mut self.before);
        self.pooled.pool(boards, channels, y);
        self.weights.set(kernel, weights, 2 * channels, channels);
        let addends = self.pooled.dense_forward(kernel, &self.weights, Some(bias), channels);
        for (row, &position) in y.chunks_exact_mut(channels).zip(&*boards.position_of_row) {
            add_rows(&addends[position as usize * channels..][..channels], row);
        }
    }

    /// Adds the contribution through the pool to the gradient of the sum, `[rows × channels]`, and
    /// adds to the gradients of the layer's weights and bias.
    pub fn backward(
        &mut self,
        kernel: Kernel,
        boards: &Boards,
        [of_weights, of_bias]: [&mut Vec<f32>; 2],
        gradient: &mut [f32],
    ) {
        let channels = of_bias.len();
        let sums = sums_of_positions(gradient, channels, boards);
        add_rows(&sums, of_bias);
        let back = self.pooled.dense_backward(kernel, &self.weights, &sums, channels, of_weights);
        self.pooled.add_gradient(boards, channels, back, gradient);
    }
}
