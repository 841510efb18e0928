//! The vectors of 64-bit ARM.

use std::arch::aarch64::*;

use super::OUTPUT_MULTIPLE;
use super::lanes::{FloatLanes, Lanes};

/// NEON: 32 registers of four floats.
#[derive(Clone, Copy)]
pub(super) struct Neon(float32x4_t);

// SAFETY: every method is one NEON instruction, which the trait's contract allows.
unsafe impl Lanes for Neon {
    type Word = f32;
    type Floats = Self;
    const WIDTH: usize = 4;
    // Six cells × four registers of outputs take 24 registers for sums, four for weights and one for
    // an input. Narrower tiles would never be used.
    const CELLS: [usize; 5] = [0, 0, 0, 0, 6];

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        // SAFETY: the trait's contract.
        Self(unsafe { vdupq_n_f32(value) })
    }
    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the trait's contract.
        Self(unsafe { vld1q_f32(from) })
    }
    #[inline(always)]
    unsafe fn add_product(self, input: Self, weights: Self) -> Self {
        // SAFETY: the trait's contract.
        Self(unsafe { vfmaq_f32(self.0, input.0, weights.0) })
    }
    #[inline(always)]
    unsafe fn to_floats(self) -> Self {
        self
    }
}

// SAFETY: a few NEON instructions each.
unsafe impl FloatLanes for Neon {
    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the trait's contract.
        unsafe { vst1q_f32(to, self.0) }
    }
    #[inline(always)]
    unsafe fn plus(self, other: Self) -> Self {
        // SAFETY: the trait's contract.
        Self(unsafe { vaddq_f32(self.0, other.0) })
    }
    #[inline(always)]
    unsafe fn max(self, other: Self) -> Self {
        // SAFETY: the trait's contract.
        Self(unsafe { vmaxnmq_f32(self.0, other.0) })
    }
    #[inline(always)]
    unsafe fn min(self, other: Self) -> Self {
        // SAFETY: the trait's contract.
        Self(unsafe { vminnmq_f32(self.0, other.0) })
    }
    #[inline(always)]
    unsafe fn store_bytes(self, to: *mut u8) {
        // SAFETY: the trait's contract.
        unsafe {
            let words = vqmovn_s32(vcvtnq_s32_f32(self.0));
            let bytes = vqmovun_s16(vcombine_s16(words, words));
            to.cast::<u32>().write_unaligned(vget_lane_u32::<0>(vreinterpret_u32_u8(bytes)));
        }
    }
    #[inline(always)]
    unsafe fn where_positive(self, result: Self) -> Self {
        // SAFETY: the trait's contract.
        unsafe {
            let positive = vcgtq_f32(result.0, vdupq_n_f32(0.0));
            Self(vreinterpretq_f32_u32(vandq_u32(positive, vreinterpretq_u32_f32(self.0))))
        }
    }
}

// Outputs divide into tiles of four registers without rest.
const _: () = assert!(OUTPUT_MULTIPLE.is_multiple_of(4 * Neon::WIDTH));
