//! Layers whose weights are being trained.

use hexzero_board::DIRECTIONS;

use super::activations::Aligned;
use super::kernel::Kernel;
use super::lanes::OUTPUT_MULTIPLE;
use super::operand::{Loops, Operand, pack};
use super::panels::Panels;
use super::taps::Taps;
use super::tile::{Job, Operands};

/// The weights of a layer, `[T × inputs × outputs]`.
#[derive(Debug, Clone, Copy)]
pub struct LayerWeights<'a, W> {
    /// The weights, packed as by [`PackedWeights`].
    pub words: &'a [W],
    /// The shape of `words`.
    pub(super) panels: Panels,
}

impl<'a> LayerWeights<'a, f32> {
    /// Wraps weights in plain order.
    pub fn plain(weights: &'a [f32], outputs: usize) -> Self {
        Self { words: weights, panels: Panels { outputs, strips: false } }
    }
}

/// One layer: `out[i] = relu?(bias + residual[i] + Σ_t x[taps[i][t]] · weights[t])`.
#[derive(Debug, Clone, Copy)]
pub struct Layer<'a, W> {
    /// The packed weights.
    pub weights: LayerWeights<'a, W>,
    /// The bias, `[outputs]`, if any.
    pub bias: Option<&'a [f32]>,
    /// Number of input channels, which fill whole words.
    pub inputs: usize,
    /// Number of output channels, a multiple of [`OUTPUT_MULTIPLE`].
    pub outputs: usize,
    /// True if negative results become zero.
    pub relu: bool,
}

impl<W: Operand> Layer<'_, W> {
    /// Runs the layer over the cells that `taps` lists. `x` is `[rows × inputs]` in words,
    /// `residual` and `out` are `[cells × outputs]`.
    ///
    /// # Panics
    /// If a length does not fit, or a tap names a row that does not exist.
    pub fn run<const T: usize>(
        &self,
        kernel: Kernel,
        x: &[W],
        taps: &Taps<'_, T>,
        residual: Option<&[f32]>,
        out: &mut [f32],
    ) where
        W: Loops<T>,
    {
        assert!(self.inputs.is_multiple_of(W::NUMBERS), "{} inputs do not fill whole words", self.inputs);
        let (inputs, outputs) = (self.inputs / W::NUMBERS, self.outputs);
        assert!(outputs.is_multiple_of(OUTPUT_MULTIPLE), "{outputs} outputs are no multiple of {OUTPUT_MULTIPLE}");
        let panels = self.weights.panels;
        let packs_so = panels == kernel.panels(W::NUMBERS) || !panels.strips && W::NUMBERS == 1;
        assert!(packs_so && panels.outputs.is_multiple_of(OUTPUT_MULTIPLE), "{panels:?}");
        let rows = T.checked_mul(inputs).map(|_| panels.rows(T, inputs));
        assert_eq!(Some(self.weights.words.len()), product([rows.unwrap_or(usize::MAX), outputs, 1]), "weights");
        assert_eq!(Some(out.len()), product([taps.cells(), outputs, 1]), "out");
        assert!(self.bias.is_none_or(|bias| bias.len() == outputs), "bias");
        assert!(residual.is_none_or(|residual| residual.len() == out.len()), "residual");
        assert!(taps.reads.checked_mul(inputs).is_some_and(|end| end <= x.len()), "a tap reads past the input");
        assert!(kernel.is_available(), "this machine cannot run the kernel {kernel:?}");
        let Self { bias, relu, .. } = *self;
        let operands = Operands::zero_off_board(self.weights.words, inputs, x);
        let mut job = Job { operands, panels, outputs, taps, flat: None, bias, residual, relu, out, extremes: None };
        // SAFETY: the lengths were checked above.
        unsafe { W::layer(kernel, &mut job) }
    }
}

/// The weights of a layer as operands for both passes.
#[derive(Debug, Default)]
pub struct PackedWeights<W> {
    /// `[T × inputs × outputs]` in panels; a word holds numbers of successive inputs.
    forward: Aligned<W>,
    /// `[T × outputs × inputs]` in panels, with the directions reversed; a word holds numbers of
    /// successive outputs.
    transposed: Aligned<W>,
    /// The panel shape of both.
    panels: Option<Panels>,
    rows: Vec<W>,
    matrices: Vec<W>,
}

impl<W: Operand> PackedWeights<W> {
    /// Returns the weights for the forward pass.
    pub fn forward(&self) -> LayerWeights<'_, W> {
        LayerWeights { words: &self.forward, panels: self.panels() }
    }

    /// Returns the weights that turn the gradient of the output into that of the input.
    pub fn transposed(&self) -> LayerWeights<'_, W> {
        LayerWeights { words: &self.transposed, panels: self.panels() }
    }

    fn panels(&self) -> Panels {
        self.panels.expect("weights are set before they are used")
    }

    /// Sets the weights of `taps` taps, `[taps × inputs × outputs]`, with inputs and outputs in
    /// multiples of [`OUTPUT_MULTIPLE`].
    ///
    /// A cell is read by its neighbours from the opposite direction, so the gradient of the input is itself a
    /// convolution of the gradient of the output, with the taps reversed and each matrix transposed.
    ///
    /// # Panics
    /// If a length does not fit, or the machine cannot run the kernel.
    pub fn set(&mut self, kernel: Kernel, weights: &[f32], inputs: usize, outputs: usize) {
        assert!([inputs, outputs].iter().all(|n| *n > 0 && n.is_multiple_of(OUTPUT_MULTIPLE)), "channels");
        let matrix = inputs * outputs;
        assert!(weights.len().is_multiple_of(matrix), "weights");
        let words = weights.len() / W::NUMBERS;
        let panels = kernel.panels(W::NUMBERS);
        self.panels = Some(panels);
        self.rows.resize(words, W::default());
        self.matrices.resize(words, W::default());
        pack(kernel, weights, &mut self.rows);
        // SAFETY: the kernel is available, as `pack` has checked, and the lengths fit.
        unsafe { W::interleave(kernel, &self.rows, outputs, &mut self.matrices) }
        panels.pack(&self.matrices, weights.len() / matrix, outputs, &mut self.forward);
        let (from_width, to_width) = (outputs / W::NUMBERS, inputs);
        for (tap, to) in self.matrices.chunks_exact_mut(matrix / W::NUMBERS).enumerate() {
            let opposite = if tap == 0 { 0 } else { (tap - 1 + DIRECTIONS / 2) % DIRECTIONS + 1 };
            let from = &self.rows[opposite * matrix / W::NUMBERS..][..matrix / W::NUMBERS];
            for (column, to) in to.chunks_exact_mut(to_width).enumerate() {
                to.iter_mut().zip(from[column..].iter().step_by(from_width)).for_each(|(to, from)| *to = *from);
            }
        }
        panels.pack(&self.matrices, weights.len() / matrix, inputs, &mut self.transposed);
    }
}

/// Multiplies lengths, or returns `None` on overflow, since the unsafe code relies on them.
pub(super) fn product([a, b, c]: [usize; 3]) -> Option<usize> {
    a.checked_mul(b)?.checked_mul(c)
}
