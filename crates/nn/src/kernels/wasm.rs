//! The vectors of WebAssembly: SIMD128, and relaxed SIMD where it is compiled in.

use std::arch::wasm32::*;

use super::lanes::{Bytes, FloatLanes, Lanes, OUTPUT_MULTIPLE, lanes, simd_methods};

lanes! {
    /// Four floats. The number of registers depends on the machine: 16 on x86-64, one of which V8 keeps
    /// for itself, and 32 on ARM. Tiles are sized for 16. `RELAXED` floats use fused multiply-add where
    /// the machine has it.
    Simd<const RELAXED>(v128): f32 => Self;
    const WIDTH = 4;
    // Twelve registers for sums, two for weights and one for an input, which also serves for a
    // product where that is an instruction of its own. 5 and 7 cells × 2 registers, and 2 and 3 ×
    // 4, were slower or no faster in V8.
    const CELLS = [0, 0, 6, 0, 0];
    fn splat(value: f32) -> Self = Self(f32x4_splat(value));
    fn load(from: *const f32) -> Self = Self(v128_load(from.cast()));
    fn add_product(self, input: Self, weights: Self) -> Self = {
        #[cfg(target_feature = "relaxed-simd")]
        if RELAXED {
            return Self(f32x4_relaxed_madd(input.0, weights.0, self.0));
        }
        Self(f32x4_add(self.0, f32x4_mul(input.0, weights.0)))
    };
    fn to_floats(self) -> Self = self;
}

/// 1.5 · 2^23. Floats near it are integers, so adding it rounds a small number into the lowest
/// bits.
const ROUNDING: f32 = 12_582_912.0;

impl<const RELAXED: bool> Simd<RELAXED> {
    /// Returns the nearest integers, clamped to 0 to 255. The conversion instruction has to handle
    /// every float, which takes many instructions on x86-64.
    #[inline(always)]
    fn to_bytes_in_words(self) -> v128 {
        let inside = f32x4_pmin(f32x4_splat(255.0), f32x4_pmax(f32x4_splat(0.0), self.0));
        i32x4_sub(f32x4_add(inside, f32x4_splat(ROUNDING)), f32x4_splat(ROUNDING))
    }
}

// SAFETY: a few SIMD128 instructions each.
unsafe impl<const RELAXED: bool> FloatLanes for Simd<RELAXED> {
    // Bytes are stored in the form of `RelaxedBytes`.
    const SIGN_FLIP: u8 = if RELAXED { 0x80 } else { 0 };

    // `f32x4_max` and `f32x4_min` order zeros and propagate NaN, which takes many instructions on
    // x86-64.
    simd_methods! {
        fn store(self, to: *mut f32) = v128_store(to.cast(), self.0);
        fn plus(self, other: Self) -> Self = Self(f32x4_add(self.0, other.0));
        fn max(self, other: Self) -> Self = Self(f32x4_pmax(self.0, other.0));
        fn min(self, other: Self) -> Self = Self(f32x4_pmin(self.0, other.0));
        fn store_bytes(self, to: *mut u8) = {
            let words = self.to_bytes_in_words();
            let halves = i16x8_narrow_i32x4(words, words);
            let bytes = v128_xor(u8x16_narrow_i16x8(halves, halves), u8x16_splat(Self::SIGN_FLIP));
            v128_store32_lane::<0>(bytes, to.cast())
        };
        fn where_positive(self, result: Self) -> Self = Self(v128_and(self.0, f32x4_gt(result.0, f32x4_splat(0.0))));
    }
}

/// Bytes stored in 16 bits each, as [`WideBytes`] multiplies them.
pub(super) struct StoredWide;

// SAFETY: a few SIMD128 instructions.
unsafe impl Bytes for StoredWide {
    type Floats = Simd<false>;
    const A_WORD: usize = 2;

    simd_methods! {
        fn store(values: Simd<false>, to: *mut i32) = {
            let words = values.to_bytes_in_words();
            v128_store64_lane::<0>(i16x8_narrow_i32x4(words, words), to.cast())
        };
    }
}

lanes! {
    /// Four sums of products of two 16-bit numbers, each of which holds a byte.
    WideBytes(v128): i32 => Simd<false>;
    const WIDTH = 4;
    const PRODUCTS = 2;
    const BYTES = true;
    const CELLS = Simd::<false>::CELLS;
    fn splat(value: i32) -> Self = Self(i32x4_splat(value));
    fn load(from: *const i32) -> Self = Self(v128_load(from.cast()));
    fn add_product(self, input: Self, weights: Self) -> Self =
        Self(i32x4_add(self.0, i32x4_dot_i16x8(input.0, weights.0)));
    fn to_floats(self) -> Simd<false> = Simd(f32x4_convert_i32x4(self.0));
}

#[cfg(target_feature = "relaxed-simd")]
lanes! {
    /// Four sums of products of four bytes, by an instruction that takes signed bytes on one side and 0
    /// to 127 on the other; with larger values machines differ.
    ///
    /// An input `b` of 0 to 255 is stored as `b - 128`. The other side takes the weight's magnitude,
    /// and where the weight `w` is not positive the input's bits are flipped, which makes it `127 - b`.
    /// So the product is `b · w` less 128 · `w`, and less the magnitude of a negative `w` too; this
    /// part is omitted and added later.
    RelaxedBytes(v128): i32 => Simd<true>;
    const WIDTH = 4;
    const PRODUCTS = 4;
    const OMITS = true;
    const BYTES = true;
    const CELLS = Simd::<true>::CELLS;
    fn splat(value: i32) -> Self = Self(i32x4_splat(value));
    fn load(from: *const i32) -> Self = Self(v128_load(from.cast()));
    fn add_product(self, input: Self, weights: Self) -> Self = {
        // The compiler implements a comparison with zero by a slow shift. For a weight of zero, the
        // magnitude cancels either input.
        let turned = i8x16_lt(weights.0, i8x16_splat(1));
        Self(i32x4_relaxed_dot_i8x16_i7x16_add(v128_xor(input.0, turned), i8x16_abs(weights.0), self.0))
    };
    fn plus_omitted(self, omitted: Self) -> Self = Self(i32x4_add(self.0, omitted.0));
    fn to_floats(self) -> Simd<true> = Simd(f32x4_convert_i32x4(self.0));
}

/// Returns true if the machine multiplies bytes four at a time. An x86-64 processor without VNNI
/// takes three instructions, which are slower than those of [`WideBytes`]. It first forms sums of
/// two products in 16 bits, and an overflow of these reveals it.
#[cfg(target_feature = "relaxed-simd")]
pub(super) fn multiplies_bytes() -> bool {
    // Hide the constants, so that the engine cannot compute the product itself.
    let [most, beyond] = [127, 255].map(|byte| std::hint::black_box(u8x16_splat(byte)));
    let sums = i32x4_relaxed_dot_i8x16_i7x16_add(most, beyond, i32x4_splat(0));
    i32x4_extract_lane::<0>(sums) != 2 * i32::from(i16::MAX)
}

// Outputs divide evenly into tiles of two registers.
const _: () = assert!(OUTPUT_MULTIPLE.is_multiple_of(2 * Simd::<false>::WIDTH));
