//! The operands of a training step: floats, or pairs of bf16.

use bytemuck::Pod;

use super::activations::Aligned;
use super::dispatch;
use super::gradient::GradientJob;
use super::kernel::Kernel;
use super::lanes::OUTPUT_MULTIPLE;
use super::panels::MAX_TAPS;
use super::rows::ReluGradientJob;
use super::tile::Job;

/// The loops over words of operands for layers of `T` taps, compiled in this crate alone: generic functions would be
/// compiled once more in each crate that calls them.
pub trait Loops<const T: usize>: Sized {
    /// # Safety
    /// The kernel must be available; lengths as in `tile::layer_tiles`.
    unsafe fn layer(kernel: Kernel, job: &mut Job<'_, Self, T>);

    /// # Safety
    /// The kernel must be available; lengths as in `gradient::gradient_tiles`.
    unsafe fn gradient(kernel: Kernel, job: &mut GradientJob<'_, Self, T>);
}

/// Implements [`Loops`]: `words, taps: loop of a layer, loop of a gradient`.
macro_rules! loops {
    ($($words:ty, $taps:expr => $layer:ident, $gradient:ident;)*) => { $(
        impl Loops<{ $taps }> for $words {
            unsafe fn layer(kernel: Kernel, job: &mut Job<'_, Self, { $taps }>) {
                // SAFETY: passed on.
                unsafe { dispatch::$layer(kernel, job) }
            }
            unsafe fn gradient(kernel: Kernel, job: &mut GradientJob<'_, Self, { $taps }>) {
                // SAFETY: passed on.
                unsafe { dispatch::$gradient(kernel, job) }
            }
        }
    )* };
}

loops! {
    f32, 1 => layer, gradient;
    f32, MAX_TAPS => layer, gradient;
    u32, 1 => layer_of_pairs, gradient_of_pairs;
    u32, MAX_TAPS => layer_of_pairs, gradient_of_pairs;
}

/// A word of operands: `f32` holds one number, `u32` two bf16, the first in the lower half.
pub trait Operand: Pod + Default + Send + Sync + Loops<1> + Loops<MAX_TAPS> {
    /// Number of numbers in a word.
    const NUMBERS: usize;

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
