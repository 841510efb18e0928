//! The heads over the cells, computed in the same operation as the tower: the policy's hidden layer
//! with global pooling, the policy logits, and the logits of the cells' contents.

use crate::{Boards, add_rows, padded, resized};
use hexzero_nn::kernels::{
    Aligned, Gathered, Kernel, Layer, Operand, PackedWeights, ReluGradientJob, add_weight_gradient, relu_gradient,
};

use super::layers::pack_into;
use super::pool::Pooled;

/// The indices of the heads' parameters, which follow those of the tower: weights and bias of the
/// policy's hidden layer, the weights of its pool, weights and bias of its logits, and weights and
/// bias of the logits of the cells' contents.
const POLICY: usize = 0;
const POOL: usize = 2;
const POLICY_OUT: usize = 3;
const CELLS: usize = 5;

/// The buffers of the heads.
#[derive(Debug, Default)]
pub(crate) struct TowerHeads<W> {
    policy: PackedWeights<W>,
    policy_out: PackedWeights<f32>,
    cells: PackedWeights<W>,
    pooled: Pooled,
    /// The policy's hidden layer, `[rows × policy channels]`.
    hidden: Vec<f32>,
    packed: Aligned<W>,
    gathered: Gathered<W>,
    gathered_floats: Gathered<f32>,
}

/// Sizes derived from the parameters.
#[derive(Clone, Copy)]
struct Sizes {
    channels: usize,
    policy_channels: usize,
    policy_outputs: usize,
    cell_outputs: usize,
}

impl Sizes {
    fn of(parameters: &[&[f32]]) -> Self {
        let [policy_channels, policy_outputs, cell_outputs] =
            [POLICY, POLICY_OUT, CELLS].map(|number| parameters[number + 1].len());
        let channels = parameters[POLICY].len() / policy_channels;
        Self { channels, policy_channels, policy_outputs, cell_outputs }
    }
}

/// Reorders a part of the result into rows of the tower, padded with zeros.
fn in_rows(values: &[f32], outputs: usize, boards: &Boards) -> Vec<f32> {
    let wide = padded(outputs);
    let mut rows = vec![0.0; boards.cells() * wide];
    for (row, &cell) in rows.chunks_exact_mut(wide).zip(&boards.order.cells) {
        row.iter_mut().zip(&values[cell as usize * outputs..][..outputs]).for_each(|(to, from)| *to = *from);
    }
    rows
}

/// Reorders rows of the tower into cells, the inverse of [`in_rows`].
fn in_cells(rows: &[f32], outputs: usize, boards: &Boards, values: &mut [f32]) {
    for (row, &cell) in rows.chunks_exact(padded(outputs)).zip(&boards.order.cells) {
        values[cell as usize * outputs..][..outputs].iter_mut().zip(row).for_each(|(to, from)| *to = *from);
    }
}

/// Adds the column sums of `rows`, ignoring the padding columns at the end.
fn add_column_sums(rows: &[f32], sums: &mut [f32]) {
    let mut wide = vec![0.0; padded(sums.len())];
    add_rows(rows, &mut wide);
    sums.iter_mut().zip(wide).for_each(|(sum, column)| *sum += column);
}

impl<W: Operand> TowerHeads<W> {
    /// Returns, from the tower's results, the concatenation of the policy logits,
    /// `[cells × policy outputs]`, the logits of the cell classes, `[cells × cell outputs]`, and
    /// the pool, `[positions × 2·channels]`.
    pub fn forward(
        &mut self,
        kernel: Kernel,
        boards: &Boards,
        parameters: &[&[f32]],
        x: &[f32],
        results: &[W],
    ) -> Vec<f32> {
        let Sizes { channels, policy_channels, policy_outputs, cell_outputs } = Sizes::of(parameters);
        let (cells, rows) = (boards.cells(), &boards.order.identity);
        self.pack_weights(kernel, parameters);
        self.pooled.pool(boards, channels, x);
        let residual = self.pooled.addends(kernel, boards, parameters[POOL], None, policy_channels);
        self.hidden.resize(cells * policy_channels, 0.0);
        let (weights, bias) = (self.policy.forward(), Some(parameters[POLICY + 1]));
        let layer = Layer { weights, bias, inputs: channels, outputs: policy_channels, relu: true };
        layer.run(kernel, results, rows, Some(&residual), &mut self.hidden);

        let mut all = vec![0.0; cells * (policy_outputs + cell_outputs)];
        let (policy, rest) = all.split_at_mut(cells * policy_outputs);
        let mut logits = vec![0.0; cells * padded(policy_outputs).max(padded(cell_outputs))];
        let wide = padded(policy_outputs);
        let bias = resized(parameters[POLICY_OUT + 1], policy_outputs, wide);
        let weights = self.policy_out.forward();
        let layer = Layer { weights, bias: Some(&bias), inputs: policy_channels, outputs: wide, relu: false };
        layer.run(kernel, &self.hidden, rows, None, &mut logits[..cells * wide]);
        in_cells(&logits[..cells * wide], policy_outputs, boards, policy);
        let wide = padded(cell_outputs);
        let bias = resized(parameters[CELLS + 1], cell_outputs, wide);
        let weights = self.cells.forward();
        let layer = Layer { weights, bias: Some(&bias), inputs: channels, outputs: wide, relu: false };
        layer.run(kernel, results, rows, None, &mut logits[..cells * wide]);
        in_cells(&logits[..cells * wide], cell_outputs, boards, rest);
        all.extend_from_slice(&self.pooled.values);
        all
    }

    fn pack_weights(&mut self, kernel: Kernel, parameters: &[&[f32]]) {
        let Sizes { channels, policy_channels, policy_outputs, cell_outputs } = Sizes::of(parameters);
        self.policy.set(kernel, parameters[POLICY], channels, policy_channels);
        let wide = padded(policy_outputs);
        self.policy_out.set(kernel, &resized(parameters[POLICY_OUT], policy_outputs, wide), policy_channels, wide);
        let wide = padded(cell_outputs);
        self.cells.set(kernel, &resized(parameters[CELLS], cell_outputs, wide), channels, wide);
    }

    /// Adds the gradients of the parameters, given the gradient of the result, and writes the
    /// gradient of the tower's results into `x`.
    #[expect(clippy::too_many_arguments, reason = "what went in and what comes out")]
    pub fn backward(
        &mut self,
        kernel: Kernel,
        boards: &Boards,
        parameters: &[&[f32]],
        results: &[W],
        gradient: &[f32],
        gradients: &mut [Vec<f32>],
        x: &mut [f32],
    ) {
        let Sizes { channels, policy_channels, policy_outputs, cell_outputs } = Sizes::of(parameters);
        let (policy, rest) = gradient.split_at(boards.cells() * policy_outputs);
        let (of_cells, of_pool) = rest.split_at(boards.cells() * cell_outputs);
        let rows = &boards.order.identity;

        let logits = in_rows(of_cells, cell_outputs, boards);
        let wide = padded(cell_outputs);
        add_column_sums(&logits, &mut gradients[CELLS + 1]);
        pack_into(kernel, &logits, &mut self.packed);
        let mut sums = vec![0.0; channels * wide];
        add_weight_gradient(kernel, results, channels, rows, &self.packed, wide, &mut self.gathered, &mut sums);
        add_rows(&resized(&sums, wide, cell_outputs), &mut gradients[CELLS]);
        let weights = self.cells.transposed();
        let layer = Layer { weights, bias: None, inputs: wide, outputs: channels, relu: false };
        let mut of_x = vec![0.0; x.len()];
        layer.run(kernel, &self.packed, rows, None, &mut of_x);

        let hidden = self.backward_policy(kernel, boards, policy, policy_outputs, gradients);
        pack_into(kernel, &hidden, &mut self.packed);
        let gathered = &mut self.gathered;
        let of_policy = &mut gradients[POLICY];
        add_weight_gradient(kernel, results, channels, rows, &self.packed, policy_channels, gathered, of_policy);
        let weights = self.policy.transposed();
        let layer = Layer { weights, bias: None, inputs: policy_channels, outputs: channels, relu: false };
        layer.run(kernel, &self.packed, rows, Some(&of_x), x);

        let mut back = self.pooled.backward(kernel, boards, &hidden, policy_channels, &mut gradients[POOL]);
        add_rows(of_pool, &mut back);
        self.pooled.add_gradient(boards, channels, back, x);
    }

    /// Returns the gradient of the policy's hidden layer, given that of its logits.
    fn backward_policy(
        &mut self,
        kernel: Kernel,
        boards: &Boards,
        gradient: &[f32],
        outputs: usize,
        gradients: &mut [Vec<f32>],
    ) -> Vec<f32> {
        let (rows, wide, channels) = (&boards.order.identity, padded(outputs), gradients[POLICY + 1].len());
        let logits = in_rows(gradient, outputs, boards);
        add_column_sums(&logits, &mut gradients[POLICY_OUT + 1]);
        let mut sums = vec![0.0; channels * wide];
        let gathered = &mut self.gathered_floats;
        add_weight_gradient(kernel, &self.hidden[..], channels, rows, &logits, wide, gathered, &mut sums);
        add_rows(&resized(&sums, wide, outputs), &mut gradients[POLICY_OUT]);
        let mut hidden = vec![0.0; self.hidden.len()];
        let weights = self.policy_out.transposed();
        let layer = Layer { weights, bias: None, inputs: wide, outputs: channels, relu: false };
        layer.run(kernel, &logits[..], rows, None, &mut hidden);
        let (results, sums) = (&self.hidden[..], &mut gradients[POLICY + 1][..]);
        relu_gradient(kernel, ReluGradientJob { gradient: &mut hidden, channels, results, sums, packed: &mut [] });
        hidden
    }
}
