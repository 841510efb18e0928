//! The gradient through a ReLU and a bias in one pass, and the packing of floats as operands.

use super::lanes::{FloatLanes, Lanes, OperandLanes};

/// A gradient on its way back through a layer.
pub(in crate::network) struct ReluGradientJob<'a, W> {
    /// `[rows × channels]`; becomes zero where the result was not above zero.
    pub gradient: &'a mut [f32],
    pub channels: usize,
    /// The layer's results, in words.
    pub results: &'a [W],
    /// The sums of the columns are added to these, `[channels]`.
    pub sums: &'a mut [f32],
    /// The gradient in words; nothing if a float is one.
    pub packed: &'a mut [W],
}

/// # Safety
/// As [`Lanes`]; the lengths must have been checked as in [`super::relu_gradient()`].
#[inline(always)]
pub(super) unsafe fn relu_gradient_rows<L: OperandLanes>(job: &mut ReluGradientJob<'_, L::Word>) {
    for row in (0..job.gradient.len()).step_by(job.channels) {
        for channel in (0..job.channels).step_by(L::WIDTH) {
            let at = row + channel;
            // SAFETY: the width divides the channels.
            unsafe {
                let gradient = job.gradient.as_mut_ptr().add(at);
                let passed = L::where_positive(L::Floats::load(gradient), job.results.as_ptr().add(at / L::PRODUCTS));
                passed.store(gradient);
                let sum = job.sums.as_mut_ptr().add(channel);
                passed.plus(L::Floats::load(sum)).store(sum);
                if L::PRODUCTS > 1 {
                    L::pack(passed, job.packed.as_mut_ptr().add(at / L::PRODUCTS));
                }
            }
        }
    }
}

/// # Safety
/// As [`Lanes`]; the lengths must have been checked as in [`super::pack`].
#[inline(always)]
pub(super) unsafe fn pack_numbers<L: OperandLanes>(from: &[f32], to: &mut [L::Word]) {
    for at in (0..from.len()).step_by(L::WIDTH) {
        // SAFETY: the width divides the length.
        unsafe { L::pack(L::Floats::load(from.as_ptr().add(at)), to.as_mut_ptr().add(at / L::PRODUCTS)) }
    }
}
