//! The tower of the network in a training step: its convolutions forward and backward over a batch,
//! in reused buffers. Sums, activations between layers and gradients are floats; factors are
//! rounded to an [`Operand`].

use crate::{Boards, add_rows, padded, resized};
use hexzero_nn::TAPS;
use hexzero_nn::kernels::{
    Aligned, Gathered, Kernel, Layer, NO_TAP, Operand, PackedWeights, ReluGradientJob, add_weight_gradient, pack,
    relu_gradient,
};

use super::heads::TowerHeads;
use super::pool::Pooled;

/// The sizes of a tower.
#[derive(Debug, Clone)]
pub(crate) struct TowerShape {
    pub cell_inputs: usize,
    pub global_inputs: usize,
    pub channels: usize,
    /// Whether each block pools.
    pub pools: Vec<bool>,
}

impl TowerShape {
    /// Returns the number of inputs of the stem as a dense layer: whole words for each tap, and padding.
    fn stem_inputs<W: Operand>(&self) -> usize {
        padded(TAPS * self.cell_inputs.next_multiple_of(W::NUMBERS))
    }
}

/// The indices of a tower's parameters. Their order is: weights and bias of the stem; weights of
/// the global inputs; for each block, weights and bias of its first convolution, of its pool if it
/// has one, and of its second; and finally the parameters of the heads.
const STEM: usize = 0;
const GLOBALS: usize = 2;
const FIRST_BLOCK: usize = 3;

/// The inputs of a tower.
#[derive(Clone, Copy)]
pub(crate) struct TowerInputs<'a> {
    /// `[cells × cell inputs]`.
    pub cells: &'a [f32],
    /// `[positions × global inputs]`.
    pub globals: &'a [f32],
    pub boards: &'a Boards,
}

/// The buffers of a tower. [`Tower::backward`] uses the results of the last [`Tower::forward`].
#[derive(Debug)]
pub(crate) struct Tower<W> {
    shape: TowerShape,
    kernel: Kernel,
    stem: PackedWeights<W>,
    blocks: Vec<Block<W>>,
    heads: TowerHeads<W>,
    /// The index of the heads' first parameter.
    head_parameters: usize,
    /// The inputs that the stem reads for each row, padded: it is a dense layer over them.
    cells: Aligned<W>,
    /// The results of the tower, in the order of its rows.
    results: Aligned<W>,
    /// Gradient packed into operand words (unused for f32).
    packed: Aligned<W>,
    gathered: Gathered<W>,
    /// `[rows × channels]`.
    x: Aligned<f32>,
    y: Aligned<f32>,
    z: Aligned<f32>,
}

/// A block's weights, and the inputs of its convolutions.
#[derive(Debug)]
struct Block<W> {
    /// The index of the block's first parameter.
    parameters: usize,
    first: PackedWeights<W>,
    second: PackedWeights<W>,
    /// The pool of the results of the first convolution, which are kept as they were before the addition.
    pool: Option<(Pooled, Aligned<W>)>,
    input: Aligned<W>,
    middle: Aligned<W>,
}

impl<W: Operand> Block<W> {
    fn new(parameters: usize, pools: bool) -> Self {
        let (first, second) = (PackedWeights::default(), PackedWeights::default());
        let pool = pools.then(|| (Pooled::default(), Aligned::default()));
        Self { parameters, first, second, pool, input: Aligned::default(), middle: Aligned::default() }
    }

    /// Returns the index of the first parameter of the second convolution.
    fn second_parameters(&self) -> usize {
        self.parameters + if self.pool.is_some() { 4 } else { 2 }
    }
}

/// Packs floats into words.
pub(crate) fn pack_into<W: Operand>(kernel: Kernel, from: &[f32], to: &mut Aligned<W>) {
    to.resize(from.len() / W::NUMBERS);
    pack(kernel, from, to);
}

impl<W: Operand> Tower<W> {
    pub fn new(shape: TowerShape, kernel: Kernel) -> Self {
        let mut parameters = FIRST_BLOCK;
        let mut blocks = Vec::new();
        for &pools in &shape.pools {
            let block = Block::new(parameters, pools);
            parameters = block.second_parameters() + 2;
            blocks.push(block);
        }
        Self {
            shape,
            kernel,
            stem: PackedWeights::default(),
            blocks,
            heads: TowerHeads::default(),
            head_parameters: parameters,
            cells: Aligned::default(),
            results: Aligned::default(),
            packed: Aligned::default(),
            gathered: Gathered::default(),
            x: Aligned::default(),
            y: Aligned::default(),
            z: Aligned::default(),
        }
    }

    /// Runs the tower and its heads; see [`TowerHeads::forward`] for the results.
    pub fn forward(&mut self, inputs: TowerInputs<'_>, parameters: &[&[f32]]) -> Vec<f32> {
        let channels = self.shape.channels;
        let values = inputs.boards.cells() * channels;
        [&mut self.x, &mut self.y, &mut self.z].into_iter().for_each(|buffer| buffer.resize(values));
        self.run_stem(inputs, parameters);
        self.packed.resize(if W::NUMBERS > 1 { values / W::NUMBERS } else { 0 });
        for block in 0..self.blocks.len() {
            self.run_block(block, inputs.boards, parameters);
        }
        let Self { kernel, heads, results, x, .. } = self;
        W::take(*kernel, x, results);
        let of_heads = &parameters[self.head_parameters..];
        heads.forward(*kernel, inputs.boards, of_heads, W::floats(results, x), results)
    }

    fn run_stem(&mut self, inputs: TowerInputs<'_>, parameters: &[&[f32]]) {
        let TowerShape { cell_inputs, channels, .. } = self.shape;
        let (order, wide) = (&inputs.boards.order, self.shape.stem_inputs::<W>());
        let row_of_cell = padded(cell_inputs) / W::NUMBERS;
        pack_into(self.kernel, &resized(inputs.cells, cell_inputs, padded(cell_inputs)), &mut self.packed);
        self.cells.resize(order.cells.len() * wide / W::NUMBERS);
        self.cells.fill(W::default());
        let words = cell_inputs.div_ceil(W::NUMBERS);
        for (row, taps) in self.cells.chunks_exact_mut(wide / W::NUMBERS).zip(order.input_taps.rows()) {
            for (to, &tap) in row.chunks_exact_mut(words).zip(taps) {
                if tap != NO_TAP {
                    to.copy_from_slice(&self.packed[tap as usize * row_of_cell..][..words]);
                }
            }
        }
        let in_words = words * W::NUMBERS * channels;
        let mut weights = resized(parameters[STEM], cell_inputs * channels, in_words).into_owned();
        weights.resize(wide * channels, 0.0);
        self.stem.set(self.kernel, &weights, wide, channels);
        let addends = self.global_addends(inputs.globals, parameters[GLOBALS]);
        for (row, &position) in self.z.chunks_exact_mut(channels).zip(&*inputs.boards.position_of_row) {
            row.copy_from_slice(&addends[position as usize * channels..][..channels]);
        }
        let bias = Some(parameters[STEM + 1]);
        let layer = Layer { weights: self.stem.forward(), bias, inputs: wide, outputs: channels, relu: true };
        layer.run(self.kernel, &self.cells, &order.identity, Some(&self.z), &mut self.x);
    }

    /// Returns the addends of every cell from the global inputs, `[positions × channels]`.
    fn global_addends(&self, globals: &[f32], weights: &[f32]) -> Vec<f32> {
        let TowerShape { global_inputs, channels, .. } = self.shape;
        let mut addends = Vec::new();
        for globals in globals.chunks_exact(global_inputs) {
            let start = addends.len();
            addends.resize(start + channels, 0.0);
            for (&value, weights) in globals.iter().zip(weights.chunks_exact(channels)) {
                addends[start..].iter_mut().zip(weights).for_each(|(sum, weight)| *sum += value * weight);
            }
        }
        addends
    }

    /// Passes `x` through a block.
    fn run_block(&mut self, number: usize, boards: &Boards, parameters: &[&[f32]]) {
        let Self { kernel, blocks, x, y, z, .. } = self;
        let (kernel, channels, block) = (*kernel, self.shape.channels, &mut blocks[number]);
        let (first, second) = (block.parameters, block.second_parameters());
        block.first.set(kernel, parameters[first], channels, channels);
        block.second.set(kernel, parameters[second], channels, channels);
        let taps = &boards.order.taps;
        let layer = |weights: &PackedWeights<W>, bias: usize, x: &[W], residual: Option<&[f32]>, out: &mut [f32]| {
            let bias = Some(parameters[bias]);
            let layer = Layer { weights: weights.forward(), bias, inputs: channels, outputs: channels, relu: true };
            layer.run(kernel, x, taps, residual, out);
        };
        W::take(kernel, x, &mut block.input);
        layer(&block.first, first + 1, &block.input, None, y);
        if let Some((pooled, before)) = &mut block.pool {
            pack_into(kernel, y, before);
            pooled.pool(boards, channels, y);
            let [weights, bias] = [parameters[first + 2], parameters[first + 3]];
            add_rows(&pooled.addends(kernel, boards, weights, Some(bias), channels), y);
        }
        W::take(kernel, y, &mut block.middle);
        layer(&block.second, second + 1, &block.middle, Some(W::floats(&block.input, x)), z);
        std::mem::swap(x, z);
    }

    /// Computes the gradients of the parameters, given that of the result, and adds them to
    /// `gradients`.
    pub fn backward(&mut self, inputs: TowerInputs<'_>, gradient: &[f32], gradients: &mut [Vec<f32>]) {
        let Self { kernel, heads, results, x, .. } = self;
        let of_heads = &mut gradients[self.head_parameters..];
        heads.backward(*kernel, inputs.boards, results, gradient, of_heads, x);
        for block in (0..self.blocks.len()).rev() {
            self.backward_block(block, inputs.boards, gradients);
        }
        self.backward_stem(inputs, gradients);
    }

    /// Propagates the gradient in `x` back through a block.
    fn backward_block(&mut self, number: usize, boards: &Boards, gradients: &mut [Vec<f32>]) {
        let Self { kernel, blocks, results, packed, gathered, x, y, z, .. } = self;
        let (kernel, channels) = (*kernel, self.shape.channels);
        let (these, after) = blocks.split_at_mut(number + 1);
        let block = &mut these[number];
        let results = after.first().map_or(&*results, |block| &block.input);
        let taps = &boards.order.taps;
        let input_gradient = |weights: &PackedWeights<W>, g: &[W], residual: Option<&[f32]>, out: &mut [f32]| {
            let weights = weights.transposed();
            let layer = Layer { weights, bias: None, inputs: channels, outputs: channels, relu: false };
            layer.run(kernel, g, taps, residual, out);
        };
        let mut weight_gradient = |read: &[W], g: &[W], gradient: &mut [f32]| {
            add_weight_gradient(kernel, read, channels, taps, g, channels, gathered, gradient);
        };
        let (first, second) = (block.parameters, block.second_parameters());

        let sums = &mut gradients[second + 1][..];
        relu_gradient(kernel, ReluGradientJob { gradient: x, channels, results, sums, packed });
        let words = W::words(x, packed);
        weight_gradient(&block.middle, words, &mut gradients[second]);
        input_gradient(&block.second, words, None, y);
        let mut results = &block.middle;
        if let Some((pooled, before)) = &mut block.pool {
            add_rows(y, &mut gradients[first + 3]);
            let back = pooled.backward(kernel, boards, y, channels, &mut gradients[first + 2]);
            pooled.add_gradient(boards, channels, back, y);
            results = before;
        }
        let sums = &mut gradients[first + 1][..];
        relu_gradient(kernel, ReluGradientJob { gradient: y, channels, results, sums, packed });
        let words = W::words(y, packed);
        weight_gradient(&block.input, words, &mut gradients[first]);
        input_gradient(&block.first, words, Some(x), z);
        std::mem::swap(x, z);
    }

    /// Propagates the gradient in `x` back to the parameters of the stem.
    fn backward_stem(&mut self, inputs: TowerInputs<'_>, gradients: &mut [Vec<f32>]) {
        let Self { kernel, blocks, results, packed, gathered, x, .. } = self;
        let TowerShape { cell_inputs, global_inputs, channels, .. } = self.shape;
        let wide = self.shape.stem_inputs::<W>();
        let results = blocks.first().map_or(&*results, |block| &block.input);
        let sums = &mut gradients[STEM + 1][..];
        relu_gradient(*kernel, ReluGradientJob { gradient: x, channels, results, sums, packed });
        let rows = &inputs.boards.order.identity;
        let mut weights = vec![0.0; wide * channels];
        let words = W::words(x, packed);
        add_weight_gradient(*kernel, &self.cells[..], wide, rows, words, channels, gathered, &mut weights);
        let in_words = cell_inputs.next_multiple_of(W::NUMBERS) * channels;
        let weights = resized(&weights[..TAPS * in_words], in_words, cell_inputs * channels);
        add_rows(&weights, &mut gradients[STEM]);
        let sums = sums_of_positions(x, channels, inputs.boards);
        for (globals, sums) in inputs.globals.chunks_exact(global_inputs).zip(sums.chunks_exact(channels)) {
            for (&value, gradient) in globals.iter().zip(gradients[GLOBALS].chunks_exact_mut(channels)) {
                gradient.iter_mut().zip(sums).for_each(|(gradient, sum)| *gradient += value * sum);
            }
        }
    }
}

/// Sums the rows of each position.
pub(crate) fn sums_of_positions(x: &[f32], channels: usize, boards: &Boards) -> Vec<f32> {
    let mut sums = vec![0.0; boards.positions() * channels];
    for (row, &position) in x.chunks_exact(channels).zip(&*boards.position_of_row) {
        add_rows(row, &mut sums[position as usize * channels..][..channels]);
    }
    sums
}
