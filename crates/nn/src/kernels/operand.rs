//! The operands of a training step: floats, or pairs of bf16.

use bytemuck::Pod;

use super::Aligned;
use super::gradient::{Gathered, GradientJob};
use super::layer::LayerWeights;
use super::panels::Panels;
use super::rows::ReluGradientJob;
use super::tile::Job;
use super::{Kernel, OUTPUT_MULTIPLE, Taps, dispatch};
use hexzero_board::DIRECTIONS;

/// A word of operands: `f32` holds one number, `u32` two bf16, the first in the lower half.
pub trait Operand: Pod + Default + Send + Sync {
    /// Number of numbers in a word.
    const NUMBERS: usize;

    /// # Safety
    /// The kernel must be available; lengths as in `tile::layer_tiles`.
    unsafe fn layer<const T: usize>(kernel: Kernel, job: &mut Job<'_, Self, T>);

    /// # Safety
    /// The kernel must be available; lengths as in `gradient::gradient_tiles`.
    unsafe fn gradient<const T: usize>(kernel: Kernel, job: &mut GradientJob<'_, Self, T>);

    /// # Safety
    /// The kernel must be available; lengths as in `rows::relu_gradient_rows`.
    unsafe fn relu_gradient(kernel: Kernel, job: &mut ReluGradientJob<'_, Self>);

    /// # Safety
    /// The kernel must be available; lengths as in `rows::pack_numbers`.
    unsafe fn pack(kernel: Kernel, from: &[f32], to: &mut [Self]);

    /// # Safety
    /// The kernel must be available; as `gradient::interleave_rows`.
    unsafe fn interleave(kernel: Kernel, from: &[Self], numbers: usize, to: &mut [Self]);

    /// Converts floats to words. If floats are words, the two buffers are swapped: `from` keeps its
    /// length but its contents become unspecified, and [`Operand::floats`] returns the buffer with
    /// the floats.
    ///
    /// # Panics
    /// As [`pack`], where numbers are rounded.
    fn take(kernel: Kernel, from: &mut Aligned<f32>, to: &mut Aligned<Self>);

    /// Returns `words` if they are floats, otherwise `floats`.
    fn floats<'a>(words: &'a [Self], floats: &'a [f32]) -> &'a [f32];

    /// Returns `floats` if they are words, otherwise `words`.
    fn words<'a>(floats: &'a [f32], words: &'a [Self]) -> &'a [Self];
}

impl Operand for f32 {
    const NUMBERS: usize = 1;

    unsafe fn layer<const T: usize>(kernel: Kernel, job: &mut Job<'_, Self, T>) {
        // SAFETY: passed on.
        unsafe { dispatch::layer(kernel, job) }
    }
    unsafe fn gradient<const T: usize>(kernel: Kernel, job: &mut GradientJob<'_, Self, T>) {
        // SAFETY: passed on.
        unsafe { dispatch::gradient(kernel, job) }
    }
    unsafe fn relu_gradient(kernel: Kernel, job: &mut ReluGradientJob<'_, Self>) {
        // SAFETY: passed on.
        unsafe { dispatch::relu_gradient(kernel, job) }
    }
    unsafe fn pack(_: Kernel, from: &[f32], to: &mut [Self]) {
        to.copy_from_slice(from);
    }
    unsafe fn interleave(_: Kernel, from: &[Self], _: usize, to: &mut [Self]) {
        to.copy_from_slice(from);
    }
    fn take(_: Kernel, from: &mut Aligned<f32>, to: &mut Aligned<Self>) {
        to.resize(from.len());
        std::mem::swap(from, to);
    }
    fn floats<'a>(words: &'a [Self], _: &'a [f32]) -> &'a [f32] {
        words
    }
    fn words<'a>(floats: &'a [f32], _: &'a [Self]) -> &'a [Self] {
        floats
    }
}

impl Operand for u32 {
    const NUMBERS: usize = 2;

    unsafe fn layer<const T: usize>(kernel: Kernel, job: &mut Job<'_, Self, T>) {
        // SAFETY: passed on.
        unsafe { dispatch::layer_of_pairs(kernel, job) }
    }
    unsafe fn gradient<const T: usize>(kernel: Kernel, job: &mut GradientJob<'_, Self, T>) {
        // SAFETY: passed on.
        unsafe { dispatch::gradient_of_pairs(kernel, job) }
    }
    unsafe fn relu_gradient(kernel: Kernel, job: &mut ReluGradientJob<'_, Self>) {
        // SAFETY: passed on.
        unsafe { dispatch::relu_gradient_of_pairs(kernel, job) }
    }
    unsafe fn pack(kernel: Kernel, from: &[f32], to: &mut [Self]) {
        // SAFETY: passed on.
        unsafe { dispatch::pack_pairs(kernel, from, to) }
    }
    unsafe fn interleave(kernel: Kernel, from: &[Self], numbers: usize, to: &mut [Self]) {
        // SAFETY: passed on.
        unsafe { dispatch::interleave_pairs(kernel, from, numbers, to) }
    }
    fn take(kernel: Kernel, from: &mut Aligned<f32>, to: &mut Aligned<Self>) {
        to.resize(from.len() / Self::NUMBERS);
        pack(kernel, from, to);
    }
    fn floats<'a>(_: &'a [Self], floats: &'a [f32]) -> &'a [f32] {
        floats
    }
    fn words<'a>(_: &'a [f32], words: &'a [Self]) -> &'a [Self] {
        words
    }
}

/// Rounds numbers into words. Their count must be a multiple of [`OUTPUT_MULTIPLE`].
///
/// # Panics
/// If a length does not fit, or the machine cannot run the kernel.
pub fn pack<W: Operand>(kernel: Kernel, from: &[f32], to: &mut [W]) {
    assert!(from.len().is_multiple_of(OUTPUT_MULTIPLE), "{} numbers", from.len());
    assert_eq!(to.len(), from.len() / W::NUMBERS, "words");
    assert!(kernel.is_available(), "this machine cannot run the kernel {kernel:?}");
    // SAFETY: checked above.
    unsafe { W::pack(kernel, from, to) }
}

/// Propagates a gradient back through the ReLU of a layer, sums its columns, and rounds it into
/// words unless a float is a word.
///
/// # Panics
/// If a length does not fit, or the machine cannot run the kernel.
pub fn relu_gradient<W: Operand>(kernel: Kernel, mut job: ReluGradientJob<'_, W>) {
    let (numbers, channels) = (job.gradient.len(), job.channels);
    assert!(channels > 0 && channels.is_multiple_of(OUTPUT_MULTIPLE) && numbers.is_multiple_of(channels), "channels");
    assert_eq!(job.sums.len(), channels, "sums");
    let packed = if W::NUMBERS > 1 { numbers / W::NUMBERS } else { 0 };
    assert!([job.results.len(), job.packed.len()] == [numbers / W::NUMBERS, packed], "words");
    assert!(kernel.is_available(), "this machine cannot run the kernel {kernel:?}");
    // SAFETY: checked above.
    unsafe { W::relu_gradient(kernel, &mut job) }
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

/// Adds the gradient of a layer's weights to `gradient`, `[T × inputs × outputs]`:
/// `gradient[t] += Σ_i x[taps[i][t]]ᵀ · out_gradient[i]`. Inputs and outputs come in multiples of [`OUTPUT_MULTIPLE`].
///
/// # Panics
/// As [`super::Layer::run`].
#[expect(
    clippy::too_many_arguments,
    reason = "two operands with their widths, what joins them, and two places to write"
)]
pub fn add_weight_gradient<W: Operand, const T: usize>(
    kernel: Kernel,
    x: &[W],
    inputs: usize,
    taps: &Taps<'_, T>,
    out_gradient: &[W],
    outputs: usize,
    gathered: &mut Gathered<W>,
    gradient: &mut [f32],
) {
    let product = super::layer::product;
    assert!([inputs, outputs].iter().all(|n| n.is_multiple_of(OUTPUT_MULTIPLE)), "{inputs} inputs, {outputs} outputs");
    assert_eq!(Some(gradient.len()), product([T, inputs, outputs]), "gradient");
    assert_eq!(Some(out_gradient.len()), product([taps.cells(), outputs / W::NUMBERS, 1]), "out_gradient");
    let end = taps.reads().checked_mul(inputs / W::NUMBERS);
    assert!(end.is_some_and(|end| end <= x.len()), "a tap reads past the input");
    assert!(kernel.is_available(), "this machine cannot run the kernel {kernel:?}");
    let mut job = GradientJob { x, inputs, taps: taps.rows(), out_gradient, outputs, gradient, gathered };
    // SAFETY: the lengths were checked above.
    unsafe { W::gradient(kernel, &mut job) }
}
