//! The vectors of 64-bit ARM.

use std::arch::aarch64::*;
use std::arch::asm;

use super::lanes::{FloatLanes, Lanes, OUTPUT_MULTIPLE, lanes, simd_methods};

lanes! {
    /// NEON: 32 registers of four floats. `SHIFTED` ones are converted to bytes in the form of
    /// [`DotProducts`].
    Neon<const SHIFTED>(float32x4_t): f32 => Self;
    const WIDTH = 4;
    // Six cells × four registers of outputs take 24 registers for sums, four for weights and one
    // for an input. Narrower tiles would never be used.
    const CELLS = [0, 0, 0, 0, 6];
    fn splat(value: f32) -> Self = Self(vdupq_n_f32(value));
    fn load(from: *const f32) -> Self = Self(vld1q_f32(from));
    fn add_product(self, input: Self, weights: Self) -> Self = Self(vfmaq_f32(self.0, input.0, weights.0));
    fn to_floats(self) -> Self = self;
}

// SAFETY: a few NEON instructions each.
unsafe impl<const SHIFTED: bool> FloatLanes for Neon<SHIFTED> {
    const SIGN_FLIP: u8 = if SHIFTED { 0x80 } else { 0 };

    simd_methods! {
        fn store(self, to: *mut f32) = vst1q_f32(to, self.0);
        fn plus(self, other: Self) -> Self = Self(vaddq_f32(self.0, other.0));
        fn max(self, other: Self) -> Self = Self(vmaxnmq_f32(self.0, other.0));
        fn min(self, other: Self) -> Self = Self(vminnmq_f32(self.0, other.0));
        fn store_bytes(self, to: *mut u8) = {
            let words = vqmovn_s32(vcvtnq_s32_f32(self.0));
            let bytes = veor_u8(vqmovun_s16(vcombine_s16(words, words)), vdup_n_u8(Self::SIGN_FLIP));
            to.cast::<u32>().write_unaligned(vget_lane_u32::<0>(vreinterpret_u32_u8(bytes)));
        };
        fn where_positive(self, result: Self) -> Self = {
            let positive = vcgtq_f32(result.0, vdupq_n_f32(0.0));
            Self(vreinterpretq_f32_u32(vandq_u32(positive, vreinterpretq_u32_f32(self.0))))
        };
    }
}

lanes! {
    /// Four sums of products of four bytes (the DotProd extension of processors since 2018).
    ///
    /// The instruction takes signed bytes on both sides, so an input `b` of 0 to 255 is stored as
    /// `b - 128`, and a product omits 128 times its weight. Processors with I8MM multiply signed with
    /// unsigned bytes at the same speed; this runs on both.
    DotProducts(int32x4_t): i32 => Neon<true>;
    const WIDTH = 4;
    const PRODUCTS = 4;
    const OMITS = true;
    const BYTES = true;
    const CELLS = Neon::<true>::CELLS;
    fn splat(value: i32) -> Self = Self(vdupq_n_s32(value));
    fn load(from: *const i32) -> Self = Self(vld1q_s32(from));
    fn add_product(self, input: Self, weights: Self) -> Self = {
        let mut sums = self.0;
        // Stable Rust has no function for the instruction, which reads and writes these registers alone.
        asm!(
            "sdot {sums:v}.4s, {input:v}.16b, {weights:v}.16b",
            sums = inout(vreg) sums,
            input = in(vreg) input.0,
            weights = in(vreg) weights.0,
            options(pure, nomem, nostack, preserves_flags)
        );
        Self(sums)
    };
    fn plus_omitted(self, omitted: Self) -> Self = Self(vaddq_s32(self.0, omitted.0));
    fn to_floats(self) -> Neon<true> = Neon(vcvtq_f32_s32(self.0));
}

// Outputs divide evenly into tiles of four registers.
const _: () = assert!(OUTPUT_MULTIPLE.is_multiple_of(4 * Neon::<false>::WIDTH));
