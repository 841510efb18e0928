//! Activations as bytes, with a scale of their own for each tensor.

use super::aligned::Aligned;
use super::lanes::FloatLanes;
use super::{Kernel, OUTPUT_MULTIPLE, dispatch};

/// Activations as bytes: the value of a byte `b` is `step · b - offset`.
///
/// The scale is taken from the values themselves at every layer of every position, so that a network
/// needs no calibration and no value is ever out of range.
#[derive(Debug, Clone, Default)]
pub struct Quantised {
    /// [`Kernel::bytes_a_word`] bytes a word, in the order of memory; two have 16 bits each.
    pub(super) words: Aligned<i32>,
    /// A row whose value is zero, for taps off the board.
    pub(super) zeros: Vec<i32>,
    pub(super) step: f32,
    pub(super) offset: f32,
}

impl Quantised {
    /// Takes the values of `x`, `[rows × channels]` with channels in multiples of
    /// [`OUTPUT_MULTIPLE`].
    pub(super) fn set(&mut self, kernel: Kernel, x: &[f32], channels: usize) {
        assert!(channels.is_multiple_of(OUTPUT_MULTIPLE) && x.len().is_multiple_of(channels), "rows of {channels}");
        self.words.resize(x.len() / kernel.bytes_a_word());
        self.zeros.resize(channels / kernel.bytes_a_word(), 0);
        // SAFETY: there is room, and the length is a multiple of a register's.
        unsafe { dispatch::to_bytes(kernel, x, self) }
    }
}

/// Registers that do not wait for each other, while the extremes are looked for.
const CHAINS: usize = 4;

/// Quantises `x` into `out`, which has room, `N` bytes a word.
///
/// # Safety
/// As [`super::lanes::Lanes`]; `x` must have `N` values for each word of `out`, four or two, and a multiple of
/// [`OUTPUT_MULTIPLE`].
#[inline(always)]
pub(super) unsafe fn quantise<L: FloatLanes, const N: usize>(x: &[f32], out: &mut Quantised) {
    debug_assert_eq!(out.words.len() * N, x.len());
    // SAFETY: every access lies inside, as the width divides the length.
    unsafe {
        let (least, most) = extremes::<L>(x);
        out.step = (most - least) / 255.0;
        let scale = if out.step > f32::MIN_POSITIVE { out.step.recip() } else { 0.0 };
        let zero_point = (-least * scale).round_ties_even();
        out.offset = zero_point * out.step;
        let (scale, zero_points) = (L::splat(scale), L::splat(zero_point));
        let words = out.words.as_mut_ptr();
        for at in (0..x.len()).step_by(L::WIDTH) {
            let bytes = zero_points.add_product(L::load(x.as_ptr().add(at)), scale);
            if N == 4 {
                bytes.store_bytes(words.cast::<u8>().add(at))
            } else {
                bytes.store_wide_bytes(words.cast::<u16>().add(at))
            }
        }
        let zero = zero_point as u8 ^ if N == 4 { L::TURNED } else { 0 };
        out.zeros.fill(if N == 4 { i32::from_ne_bytes([zero; 4]) } else { i32::from(zero) << 16 | i32::from(zero) });
    }
}

/// Returns the least and the greatest of zero and the values of `x`.
///
/// # Safety
/// As [`super::lanes::Lanes`]; the width must divide the length.
#[inline(always)]
unsafe fn extremes<L: FloatLanes>(x: &[f32]) -> (f32, f32) {
    // SAFETY: every access lies inside, as the width divides the length, and no register holds more floats than the arrays.
    unsafe {
        let zero = L::splat(0.0);
        let (mut least, mut most) = ([zero; CHAINS], [zero; CHAINS]);
        let whole = x.len() / (CHAINS * L::WIDTH) * (CHAINS * L::WIDTH);
        for at in (0..whole).step_by(CHAINS * L::WIDTH) {
            for chain in 0..CHAINS {
                let values = L::load(x.as_ptr().add(at + chain * L::WIDTH));
                least[chain] = least[chain].min(values);
                most[chain] = most[chain].max(values);
            }
        }
        for at in (whole..x.len()).step_by(L::WIDTH) {
            let values = L::load(x.as_ptr().add(at));
            least[0] = least[0].min(values);
            most[0] = most[0].max(values);
        }
        let (mut lowest, mut highest) = ([0.0; OUTPUT_MULTIPLE], [0.0; OUTPUT_MULTIPLE]);
        least.into_iter().fold(zero, |a, b| a.min(b)).store(lowest.as_mut_ptr());
        most.into_iter().fold(zero, |a, b| a.max(b)).store(highest.as_mut_ptr());
        (lowest.into_iter().fold(0.0, f32::min), highest.into_iter().fold(0.0, f32::max))
    }
}
