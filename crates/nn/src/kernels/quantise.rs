//! Quantises activations to bytes, with a separate scale for each tensor.

use super::activations::{Aligned, Extremes};
use super::flat::Flat;
use super::lanes::{Bytes, FloatLanes, Lanes};
use super::panels::NO_TAP;

/// Quantised activations: the value of a byte `b` is `step · b - offset`.
///
/// The scale is computed from the values at every layer of every position, so the network needs no
/// calibration and no value is out of range.
#[derive(Debug, Clone, Default)]
pub struct Quantised {
    /// The activations, [`super::Kernel::bytes_a_word`] to a word in native byte order; where there are
    /// two, each takes 16 bits. Ordered by rows, or by the positions of a flat layout.
    pub(super) words: Aligned<i32>,
    /// A row of the zero point, for taps off the board.
    pub(super) zeros: Vec<i32>,
    pub(super) step: f32,
    pub(super) offset: f32,
}

/// Values to be quantised.
pub(super) struct Values<'a> {
    /// `[rows × channels]`.
    pub x: &'a [f32],
    /// A multiple of [`super::OUTPUT_MULTIPLE`].
    pub channels: usize,
    /// The flat layout whose positions the bytes are to follow, if any.
    pub flat: Option<&'a Flat>,
    /// The extremes of the values, if they are known.
    pub extremes: Option<Extremes>,
}

/// Number of independent registers while searching for the extremes.
const CHAINS: usize = 4;

/// Quantises rows of `x` into `out`: all in order, or those of a layout's positions.
///
/// # Safety
/// As [`Bytes`]; `out` must have room.
#[inline(always)]
pub(super) unsafe fn quantise<B: Bytes>(values: &Values<'_>, out: &mut Quantised) {
    let Values { x, channels, flat, .. } = *values;
    // SAFETY: every access lies inside, as the width divides the channels, and no position has a row that is not there.
    unsafe {
        let Extremes { least, most } = match values.extremes {
            Some(extremes) => extremes,
            None => extremes::<B::Floats>(x),
        };
        out.step = (most - least) / 255.0;
        let scale = if out.step > f32::MIN_POSITIVE { out.step.recip() } else { 0.0 };
        let zero_point = (-least * scale).round_ties_even();
        out.offset = zero_point * out.step;
        let words = out.words.as_mut_ptr();
        let zero = zero_point as u8 ^ if B::A_WORD == 4 { B::Floats::SIGN_FLIP } else { 0 };
        let zero = if B::A_WORD == 4 { i32::from_ne_bytes([zero; 4]) } else { i32::from(zero) << 16 | i32::from(zero) };
        out.zeros.fill(zero);
        let (scale, zero_point) = (B::Floats::splat(scale), B::Floats::splat(zero_point));
        let Some(flat) = flat else { return write_bytes::<B>(x.as_ptr(), x.len(), scale, zero_point, words) };
        let row = channels / B::A_WORD;
        for (position, &source) in flat.sources.iter().enumerate() {
            let to = words.add(position * row);
            if source == NO_TAP {
                (0..row).for_each(|word| to.add(word).write(zero));
            } else {
                write_bytes::<B>(x.as_ptr().add(source as usize * channels), channels, scale, zero_point, to);
            }
        }
    }
}

/// Quantises `count` values, with the scale and the zero point.
///
/// # Safety
/// As [`quantise`]; there must be `count` values, and room for as many bytes.
#[inline(always)]
unsafe fn write_bytes<B: Bytes>(from: *const f32, count: usize, scale: B::Floats, zero_point: B::Floats, to: *mut i32) {
    let width = B::Floats::WIDTH;
    let mut at = 0;
    // SAFETY: passed on.
    unsafe {
        while at + 4 * width <= count {
            let mut values = [zero_point; 4];
            for (i, values) in values.iter_mut().enumerate() {
                *values = values.add_product(B::Floats::load(from.add(at + i * width)), scale);
            }
            B::store_four(values, to.add(at / B::A_WORD));
            at += 4 * width;
        }
        while at < count {
            B::store(zero_point.add_product(B::Floats::load(from.add(at)), scale), to.add(at / B::A_WORD));
            at += width;
        }
    }
}

/// Returns the least and the greatest of zero and the values of `x`.
///
/// # Safety
/// As [`super::lanes::Lanes`]; the width must divide the length.
#[inline(always)]
unsafe fn extremes<L: FloatLanes>(x: &[f32]) -> Extremes {
    // SAFETY: every access lies inside, as the width divides the length.
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
        let least = least.into_iter().fold(zero, |a, b| a.min(b));
        Extremes::of(least, most.into_iter().fold(zero, |a, b| a.max(b)))
    }
}
