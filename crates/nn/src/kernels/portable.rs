//! Plain Rust, which the compiler vectorises for the target's baseline.

use std::array::from_fn;

use super::lanes::{FloatLanes, Lanes, MAX_PRODUCTS, OperandLanes, lanes, simd_methods};

lanes! {
    /// Eight floats: two registers of four.
    Portable([f32; 8]): f32 => Self;
    const WIDTH = 8;
    const CELLS = [0, 4, 4, 0, 0];
    fn splat(value: f32) -> Self = Self([value; 8]);
    fn load(from: *const f32) -> Self = Self(from.cast::<[f32; 8]>().read_unaligned());
    fn add_product(self, input: Self, weights: Self) -> Self =
        Self(from_fn(|i| self.0[i] + input.0[i] * weights.0[i]));
    fn to_floats(self) -> Self = self;
}

// SAFETY: plain Rust; the pointers are the caller's promise.
unsafe impl FloatLanes for Portable {
    simd_methods! {
        fn store(self, to: *mut f32) = to.cast::<[f32; 8]>().write_unaligned(self.0);
        fn plus(self, other: Self) -> Self = Self(from_fn(|i| self.0[i] + other.0[i]));
        fn max(self, other: Self) -> Self = Self(from_fn(|i| self.0[i].max(other.0[i])));
        fn min(self, other: Self) -> Self = Self(from_fn(|i| self.0[i].min(other.0[i])));
        // The cast saturates to the range of a byte.
        fn store_bytes(self, to: *mut u8) =
            to.cast::<[u8; 8]>().write_unaligned(self.0.map(|value| value.round_ties_even() as u8));
        fn where_positive(self, result: Self) -> Self =
            Self(from_fn(|i| if result.0[i] > 0.0 { self.0[i] } else { 0.0 }));
    }
}

lanes! {
    /// Eight sums of products of bytes.
    PortableInt8([i32; 8]): i32 => Portable;
    const WIDTH = 8;
    const PRODUCTS = 4;
    const BYTES = true;
    const CELLS = [0, 4, 4, 0, 0];
    fn splat(value: i32) -> Self = Self([value; 8]);
    fn load(from: *const i32) -> Self = Self(from.cast::<[i32; 8]>().read_unaligned());
    fn add_product(self, input: Self, weights: Self) -> Self = Self(from_fn(|i| {
        let (input, weights) = (input.0[i].to_ne_bytes(), weights.0[i].to_ne_bytes());
        (0..4).fold(self.0[i], |sum, c| sum + i32::from(input[c]) * i32::from(weights[c].cast_signed()))
    }));
    fn to_floats(self) -> Portable = Portable(self.0.map(|lane| lane as f32));
}

/// Returns the two bf16 of a word.
#[inline(always)]
fn halves(word: u32) -> [f32; 2] {
    [f32::from_bits(word << 16), f32::from_bits(word & 0xFFFF_0000)]
}

/// Rounds to the nearest bf16, ties to even.
#[inline(always)]
fn rounded(value: f32) -> u32 {
    let bits = value.to_bits();
    if value.is_nan() { bits >> 16 | 0x40 } else { (bits + 0x7FFF + (bits >> 16 & 1)) >> 16 }
}

lanes! {
    /// Eight sums of products of two bf16. Holds the bits of floats, or of words of two bf16.
    PortableBf16([u32; 8]): u32 => Portable;
    const WIDTH = 8;
    const PRODUCTS = 2;
    const CELLS = [0, 4, 4, 0, 0];
    fn splat(value: u32) -> Self = Self([value; 8]);
    fn load(from: *const u32) -> Self = Self(from.cast::<[u32; 8]>().read_unaligned());
    fn add_product(self, input: Self, weights: Self) -> Self = Self(from_fn(|i| {
        let (input, weights) = (halves(input.0[i]), halves(weights.0[i]));
        (f32::from_bits(self.0[i]) + input[0] * weights[0] + input[1] * weights[1]).to_bits()
    }));
    fn to_floats(self) -> Portable = Portable(self.0.map(f32::from_bits));
}

// SAFETY: plain Rust; the pointers are the caller's promise.
unsafe impl OperandLanes for PortableBf16 {
    simd_methods! {
        fn pack(values: Portable, to: *mut u32) = {
            let words: [u32; 4] = from_fn(|i| rounded(values.0[2 * i]) | rounded(values.0[2 * i + 1]) << 16);
            to.cast::<[u32; 4]>().write_unaligned(words)
        };
        fn interleave(rows: [*const u32; MAX_PRODUCTS], to: *mut u32) = {
            let [first, second] = rows.map(|row| row.cast::<[u32; 4]>().read_unaligned());
            let word = |i: usize| {
                let shift = i % 2 * 16;
                first[i / 2] >> shift & 0xFFFF | (second[i / 2] >> shift & 0xFFFF) << 16
            };
            to.cast::<[u32; 8]>().write_unaligned(from_fn(word));
        };
        fn where_positive(values: Portable, results: *const u32) -> Portable = {
            let results = results.cast::<[u32; 4]>().read_unaligned();
            Portable(from_fn(|i| if halves(results[i / 2])[i % 2] > 0.0 { values.0[i] } else { 0.0 }))
        };
    }
}
