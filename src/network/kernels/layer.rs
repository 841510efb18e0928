//! Layers of floats with weights as they are trained, and the gradient of those weights.

use super::gradient::GradientJob;
use super::tile::{Job, Operands};
use super::{Kernel, NO_TAP, OUTPUT_MULTIPLE, Taps, dispatch};

/// One layer: `out[i] = relu?(bias + residual[i] + Σ_t x[taps[i][t]] · weights[t])`.
#[derive(Debug, Clone, Copy)]
pub struct Layer<'a, const T: usize> {
    /// `[T × inputs × outputs]`.
    pub weights: &'a [f32],
    /// `[outputs]`, or nothing.
    pub bias: Option<&'a [f32]>,
    /// Input channels.
    pub inputs: usize,
    /// Output channels, a multiple of [`OUTPUT_MULTIPLE`].
    pub outputs: usize,
    /// Whether negative results become zero.
    pub relu: bool,
}

impl<const T: usize> Layer<'_, T> {
    /// Runs the layer over the cells that `taps` lists. `x` is `[rows × inputs]`, `residual` and
    /// `out` are `[taps.len() × outputs]`.
    ///
    /// # Panics
    /// If a length does not fit, or a tap names a row that is not there.
    pub fn run(&self, kernel: Kernel, x: &[f32], taps: &[[u32; T]], residual: Option<&[f32]>, out: &mut [f32]) {
        let (inputs, outputs) = (self.inputs, self.outputs);
        assert!(outputs.is_multiple_of(OUTPUT_MULTIPLE), "{outputs} outputs are no multiple of {OUTPUT_MULTIPLE}");
        assert_eq!(Some(self.weights.len()), product([T, inputs, outputs]), "weights");
        assert_eq!(Some(out.len()), product([taps.len(), outputs, 1]), "out");
        assert!(self.bias.is_none_or(|bias| bias.len() == outputs), "bias");
        assert!(residual.is_none_or(|residual| residual.len() == out.len()), "residual");
        let taps = &Taps::new(taps);
        assert!(taps.reads().checked_mul(inputs).is_some_and(|end| end <= x.len()), "a tap reads past the input");
        assert!(kernel.is_available(), "this machine cannot run the kernel {kernel:?}");
        let Self { bias, relu, .. } = *self;
        let operands = Operands::floats(self.weights, inputs, x);
        let mut job = Job { operands, panel: outputs, outputs, taps, bias, residual, relu, out };
        // SAFETY: the lengths were checked above.
        unsafe { dispatch::layer(kernel, &mut job) }
    }
}

/// A length, or none if it does not fit: the unsafe code relies on these lengths.
pub(super) fn product([a, b, c]: [usize; 3]) -> Option<usize> {
    a.checked_mul(b)?.checked_mul(c)
}

/// Adds the gradient of a layer's weights to `gradient`, `[T × inputs × outputs]`:
/// `gradient[t] += Σ_i x[taps[i][t]]ᵀ · out_gradient[i]`.
///
/// # Panics
/// As [`Layer::run`].
pub fn add_weight_gradient<const T: usize>(
    kernel: Kernel,
    x: &[f32],
    inputs: usize,
    taps: &[[u32; T]],
    out_gradient: &[f32],
    outputs: usize,
    gradient: &mut [f32],
) {
    assert!(outputs.is_multiple_of(OUTPUT_MULTIPLE), "{outputs} outputs are no multiple of {OUTPUT_MULTIPLE}");
    assert_eq!(Some(gradient.len()), product([T, inputs, outputs]), "gradient");
    assert_eq!(Some(out_gradient.len()), product([taps.len(), outputs, 1]), "out_gradient");
    let rows = u32::try_from(x.len() / inputs.max(1)).unwrap_or(NO_TAP);
    assert!(taps.iter().flatten().all(|&tap| tap < rows || tap == NO_TAP), "a tap reads past the input");
    assert!(kernel.is_available(), "this machine cannot run the kernel {kernel:?}");
    let mut job = GradientJob { x, inputs, taps, out_gradient, outputs, gradient };
    // SAFETY: the lengths were checked above.
    unsafe { dispatch::gradient(kernel, &mut job) }
}
