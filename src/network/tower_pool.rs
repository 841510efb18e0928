//! The global pooling within a block of the tower: mean and maximum of each position, through a dense layer, added to every
//! cell of the position.

use super::boards::Boards;
use super::elementwise::add_rows;
use super::kernels::{Gathered, Kernel, Layer, Operand, PackedWeights, Taps, add_weight_gradient, pack};
use super::tower::sums_of_positions;

/// The memory of a pool.
#[derive(Debug, Default)]
pub(super) struct TowerPool<W> {
    /// The activations that were pooled, before anything was added to them.
    before: Vec<W>,
    /// `[positions × 2·channels]`.
    pooled: Vec<f32>,
    /// The row of each maximum, `[positions × channels]`.
    largest: Vec<u32>,
    weights: PackedWeights<f32>,
    gathered: Gathered<f32>,
    /// Each position reads itself.
    positions: Vec<[u32; 1]>,
}

impl<W: Operand> TowerPool<W> {
    /// The activations that were pooled.
    pub fn before(&self) -> &Vec<W> {
        &self.before
    }

    /// Adds to `y`, `[rows × channels]`, what the layer with these weights and this bias makes of its pool.
    pub fn forward(&mut self, kernel: Kernel, boards: &Boards, [weights, bias]: [&[f32]; 2], y: &mut [f32]) {
        let (positions, channels) = (boards.positions(), bias.len());
        self.before.resize(y.len() / W::NUMBERS, W::default());
        pack(kernel, y, &mut self.before);
        self.pool(boards, channels, y);
        self.weights.set(kernel, weights, 2 * channels, channels);
        self.positions.clear();
        self.positions.extend((0..positions as u32).map(|position| [position]));
        let mut addends = vec![0.0; positions * channels];
        let weights = &self.weights.forward[..];
        let layer = Layer { weights, bias: Some(bias), inputs: 2 * channels, outputs: channels, relu: false };
        layer.run(kernel, &self.pooled, &Taps::new(&self.positions), None, &mut addends);
        for (row, &position) in y.chunks_exact_mut(channels).zip(&*boards.position_of_row) {
            add_rows(&addends[position as usize * channels..][..channels], row);
        }
    }

    fn pool(&mut self, boards: &Boards, channels: usize, y: &[f32]) {
        self.pooled.clear();
        self.pooled.resize(boards.positions() * 2 * channels, 0.0);
        for pooled in self.pooled.chunks_exact_mut(2 * channels) {
            pooled[channels..].fill(f32::NEG_INFINITY);
        }
        self.largest.resize(boards.positions() * channels, 0);
        for (number, (row, &position)) in (0..).zip(y.chunks_exact(channels).zip(&*boards.position_of_row)) {
            let (mean, max) = self.pooled[position as usize * 2 * channels..][..2 * channels].split_at_mut(channels);
            let largest = &mut self.largest[position as usize * channels..][..channels];
            for (((value, mean), max), largest) in row.iter().zip(mean).zip(max).zip(largest) {
                *mean += value;
                *largest = if value > max { number } else { *largest };
                *max = max.max(*value);
            }
        }
        for (pooled, cells) in self.pooled.chunks_exact_mut(2 * channels).zip(boards.starts.windows(2)) {
            let share = 1.0 / (cells[1] - cells[0]) as f32;
            pooled[..channels].iter_mut().for_each(|mean| *mean *= share);
        }
    }

    /// Adds to the gradient of the sum, `[rows × channels]`, what comes back through the pool, and to the gradients of the
    /// layer's weights and bias their part.
    pub fn backward(
        &mut self,
        kernel: Kernel,
        boards: &Boards,
        [weight_gradient, bias_gradient]: [&mut Vec<f32>; 2],
        gradient: &mut [f32],
    ) {
        let channels = bias_gradient.len();
        let sums = sums_of_positions(gradient, channels, boards);
        add_rows(&sums, bias_gradient);
        let (pooled, positions, gathered) = (&self.pooled[..], &Taps::new(&self.positions), &mut self.gathered);
        add_weight_gradient(kernel, pooled, 2 * channels, positions, &sums, channels, gathered, weight_gradient);
        let mut back = vec![0.0; self.pooled.len()];
        let weights = &self.weights.turned[..];
        let layer = Layer { weights, bias: None, inputs: channels, outputs: 2 * channels, relu: false };
        layer.run(kernel, &sums, positions, None, &mut back);
        for (back, cells) in back.chunks_exact_mut(2 * channels).zip(boards.starts.windows(2)) {
            let share = 1.0 / (cells[1] - cells[0]) as f32;
            back[..channels].iter_mut().for_each(|mean| *mean *= share);
        }
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
