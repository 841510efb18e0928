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

/// A layer from rows of the tower to logits of each cell. Its outputs are padded for the kernels.
#[derive(Debug, Default)]
struct OutputLayer<W> {
    weights: PackedWeights<W>,
    /// The gradient of the rows' logits.
    packed: Aligned<W>,
    gathered: Gathered<W>,
}

impl<W: Operand> OutputLayer<W> {
    /// Writes the logits that these weights and biases give for the rows `x`, by cell.
    fn forward(&mut self, kernel: Kernel, boards: &Boards, [weights, bias]: [&[f32]; 2], x: &[W], to: &mut [f32]) {
        let (outputs, wide) = (bias.len(), padded(bias.len()));
        let inputs = weights.len() / outputs;
        self.weights.set(kernel, &resized(weights, outputs, wide), inputs, wide);
        let bias = resized(bias, outputs, wide);
        let layer = Layer { weights: self.weights.forward(), bias: Some(&bias), inputs, outputs: wide, relu: false };
        let mut rows = vec![0.0; boards.cells() * wide];
        layer.run(kernel, x, &boards.order.identity, None, &mut rows);
        for (row, &cell) in rows.chunks_exact(wide).zip(&boards.order.cells) {
            to[cell as usize * outputs..][..outputs].iter_mut().zip(row).for_each(|(to, from)| *to = *from);
        }
    }

    /// Adds the gradients of weights and bias, given that of the logits by cell. Returns the gradient of the rows `x`.
    fn backward(
        &mut self,
        kernel: Kernel,
        boards: &Boards,
        x: &[W],
        gradient: &[f32],
        gradients: &mut [Vec<f32>],
    ) -> Vec<f32> {
        let [of_weights, of_bias] = gradients else { unreachable!("a layer has weights and a bias") };
        let (outputs, wide) = (of_bias.len(), padded(of_bias.len()));
        let (inputs, identity) = (of_weights.len() / outputs, &boards.order.identity);
        let mut rows = vec![0.0; boards.cells() * wide];
        for (row, &cell) in rows.chunks_exact_mut(wide).zip(&boards.order.cells) {
            row.iter_mut().zip(&gradient[cell as usize * outputs..][..outputs]).for_each(|(to, from)| *to = *from);
        }
        let mut columns = vec![0.0; wide];
        add_rows(&rows, &mut columns);
        of_bias.iter_mut().zip(columns).for_each(|(sum, column)| *sum += column);
        pack_into(kernel, &rows, &mut self.packed);
        let mut sums = vec![0.0; inputs * wide];
        add_weight_gradient(kernel, x, inputs, identity, &self.packed, wide, &mut self.gathered, &mut sums);
        add_rows(&resized(&sums, wide, outputs), of_weights);
        let weights = self.weights.transposed();
        let layer = Layer { weights, bias: None, inputs: wide, outputs: inputs, relu: false };
        let mut of_x = vec![0.0; boards.cells() * inputs];
        layer.run(kernel, &self.packed, identity, None, &mut of_x);
        of_x
    }
}

/// The buffers of the heads, with their packed weights.
#[derive(Debug, Default)]
pub(crate) struct TowerHeads<W> {
    policy: PackedWeights<W>,
    policy_out: OutputLayer<f32>,
    cells: OutputLayer<W>,
    pooled: Pooled,
    /// The policy's hidden layer, `[rows × policy channels]`.
    hidden: Vec<f32>,
    packed: Aligned<W>,
    gathered: Gathered<W>,
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
        let layer_at = |number: usize| [parameters[number], parameters[number + 1]];
        let [weights, bias] = layer_at(POLICY);
        let (channels, policy_channels) = (weights.len() / bias.len(), bias.len());
        self.policy.set(kernel, weights, channels, policy_channels);
        self.pooled.pool(boards, channels, x);
        let residual = self.pooled.addends(kernel, boards, parameters[POOL], None, policy_channels);
        self.hidden.resize(boards.cells() * policy_channels, 0.0);
        let (weights, bias) = (self.policy.forward(), Some(bias));
        let layer = Layer { weights, bias, inputs: channels, outputs: policy_channels, relu: true };
        layer.run(kernel, results, &boards.order.identity, Some(&residual), &mut self.hidden);

        let [policy_outputs, cell_outputs] = [POLICY_OUT, CELLS].map(|number| parameters[number + 1].len());
        let mut all = vec![0.0; boards.cells() * (policy_outputs + cell_outputs)];
        let (policy, cells) = all.split_at_mut(boards.cells() * policy_outputs);
        self.policy_out.forward(kernel, boards, layer_at(POLICY_OUT), &self.hidden, policy);
        self.cells.forward(kernel, boards, layer_at(CELLS), results, cells);
        all.extend_from_slice(&self.pooled.values);
        all
    }

    /// Adds the gradients of the parameters, given the gradient of the result, and writes the
    /// gradient of the tower's results into `x`.
    pub fn backward(
        &mut self,
        kernel: Kernel,
        boards: &Boards,
        results: &[W],
        gradient: &[f32],
        gradients: &mut [Vec<f32>],
        x: &mut [f32],
    ) {
        let policy_channels = gradients[POLICY + 1].len();
        let channels = gradients[POLICY].len() / policy_channels;
        let (policy, rest) = gradient.split_at(boards.cells() * gradients[POLICY_OUT + 1].len());
        let (of_cells, of_pool) = rest.split_at(boards.cells() * gradients[CELLS + 1].len());

        let of_x = self.cells.backward(kernel, boards, results, of_cells, &mut gradients[CELLS..][..2]);
        let of_policy_out = &mut gradients[POLICY_OUT..][..2];
        let mut hidden = self.policy_out.backward(kernel, boards, &self.hidden, policy, of_policy_out);
        let (before, sums) = (&self.hidden[..], &mut gradients[POLICY + 1][..]);
        let job = ReluGradientJob {
            gradient: &mut hidden,
            channels: policy_channels,
            results: before,
            sums,
            packed: &mut [],
        };
        relu_gradient(kernel, job);

        let rows = &boards.order.identity;
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
}
