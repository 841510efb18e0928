//! Layers with weights as they are trained.

use super::panels::Panels;
use super::tile::{Job, Operands};
use super::{Kernel, OUTPUT_MULTIPLE, Operand, Taps};

/// The weights of a layer, `[T × inputs × outputs]`.
#[derive(Debug, Clone, Copy)]
pub(in crate::network) struct LayerWeights<'a, W> {
    /// Packed as [`super::PackedWeights`] does.
    pub words: &'a [W],
    /// The shape of `words`.
    pub(super) panels: Panels,
}

impl<'a> LayerWeights<'a, f32> {
    /// Weights in their plain order.
    pub fn plain(weights: &'a [f32], outputs: usize) -> Self {
        Self { words: weights, panels: Panels { outputs, strips: false } }
    }
}

/// One layer: `out[i] = relu?(bias + residual[i] + Σ_t x[taps[i][t]] · weights[t])`.
#[derive(Debug, Clone, Copy)]
pub(in crate::network) struct Layer<'a, W> {
    pub weights: LayerWeights<'a, W>,
    /// `[outputs]`, or nothing.
    pub bias: Option<&'a [f32]>,
    /// Input channels, which fill whole words.
    pub inputs: usize,
    /// Output channels, a multiple of [`OUTPUT_MULTIPLE`].
    pub outputs: usize,
    /// True if negative results become zero.
    pub relu: bool,
}

impl<W: Operand> Layer<'_, W> {
    /// Runs the layer over the cells that `taps` lists. `x` is `[rows × inputs]` in words, `residual` and `out` are
    /// `[cells × outputs]`.
    ///
    /// # Panics
    /// If a length does not fit, or a tap names a row that is not there.
    pub fn run<const T: usize>(
        &self,
        kernel: Kernel,
        x: &[W],
        taps: &Taps<'_, T>,
        residual: Option<&[f32]>,
        out: &mut [f32],
    ) {
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
        assert!(taps.reads().checked_mul(inputs).is_some_and(|end| end <= x.len()), "a tap reads past the input");
        assert!(kernel.is_available(), "this machine cannot run the kernel {kernel:?}");
        let Self { bias, relu, .. } = *self;
        let operands = Operands::zero_off_board(self.weights.words, inputs, x);
        let mut job = Job { operands, panels, outputs, taps, flat: None, bias, residual, relu, out, extremes: None };
        // SAFETY: the lengths were checked above.
        unsafe { W::layer(kernel, &mut job) }
    }
}

/// Multiplies lengths; returns none on overflow, since the unsafe code relies on them.
pub(super) fn product([a, b, c]: [usize; 3]) -> Option<usize> {
    a.checked_mul(b)?.checked_mul(c)
}
