//! Operations on whole rows between layers, forwards and back.

use super::lanes::{FloatLanes, Lanes, OperandLanes};

/// Number of rows summed in parallel, so that no addition waits for another.
const CHAINS: usize = 4;

/// # Safety
/// As [`super::lanes::Lanes`]; the lengths must have been checked as in [`super::operations::pool_rows`].
#[inline(always)]
pub(super) unsafe fn pool<L: FloatLanes>(rows: &[f32], channels: usize, out: &mut [f32]) {
    let count = rows.len() / channels;
    // SAFETY: the width divides the channels, and each register lies in a row.
    unsafe {
        let share = L::splat(1.0 / count as f32);
        for channel in (0..channels).step_by(L::WIDTH) {
            let (mut sums, mut most) = ([L::splat(0.0); CHAINS], [L::splat(f32::NEG_INFINITY); CHAINS]);
            let whole = count / CHAINS * CHAINS;
            for row in (0..whole).step_by(CHAINS) {
                for chain in 0..CHAINS {
                    let values = L::load(rows.as_ptr().add((row + chain) * channels + channel));
                    sums[chain] = sums[chain].plus(values);
                    most[chain] = most[chain].max(values);
                }
            }
            for row in whole..count {
                let values = L::load(rows.as_ptr().add(row * channels + channel));
                sums[0] = sums[0].plus(values);
                most[0] = most[0].max(values);
            }
            let sum = sums.into_iter().fold(L::splat(0.0), |a, b| a.plus(b));
            let most = most.into_iter().fold(L::splat(f32::NEG_INFINITY), |a, b| a.max(b));
            L::splat(0.0).add_product(sum, share).store(out.as_mut_ptr().add(channel));
            most.store(out.as_mut_ptr().add(channels + channel));
        }
    }
}

/// # Safety
/// As [`super::lanes::Lanes`]; the lengths must have been checked as in [`super::operations::add_to_rows`].
#[inline(always)]
pub(super) unsafe fn add<L: FloatLanes>(rows: &mut [f32], addend: &[f32]) {
    for row in (0..rows.len()).step_by(addend.len()) {
        for channel in (0..addend.len()).step_by(L::WIDTH) {
            // SAFETY: the width divides the channels.
            unsafe {
                let at = rows.as_mut_ptr().add(row + channel);
                L::load(at).plus(L::load(addend.as_ptr().add(channel))).store(at);
            }
        }
    }
}

/// A gradient being propagated back through a layer.
pub struct ReluGradientJob<'a, W> {
    /// `[rows × channels]`; becomes zero where the result was not above zero.
    pub gradient: &'a mut [f32],
    /// Number of channels of a row.
    pub channels: usize,
    /// The layer's results, in words.
    pub results: &'a [W],
    /// The column sums of the gradient are added to these, `[channels]`.
    pub sums: &'a mut [f32],
    /// The gradient in words; empty if a float is a word.
    pub packed: &'a mut [W],
}

/// # Safety
/// As [`Lanes`]; the lengths must have been checked as in [`super::relu_gradient`].
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
