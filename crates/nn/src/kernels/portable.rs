//! Plain Rust, which the compiler vectorises for the target's baseline.

use super::lanes::{FloatLanes, Lanes, MAX_PRODUCTS, OperandLanes};

/// Eight floats: two registers of four.
#[derive(Clone, Copy)]
pub(super) struct Portable([f32; 8]);

// SAFETY: plain Rust; the pointers are the caller's promise.
unsafe impl Lanes for Portable {
    type Word = f32;
    type Floats = Self;
    const WIDTH: usize = 8;
    const PEAK_SUMS: usize = 6;
    const CELLS: [usize; 5] = [0, 4, 4, 0, 0];

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        Self([value; 8])
    }
    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller promises eight readable floats.
        Self(unsafe { from.cast::<[f32; 8]>().read_unaligned() })
    }
    #[inline(always)]
    unsafe fn add_product(self, input: Self, weights: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] + input.0[i] * weights.0[i]))
    }
    #[inline(always)]
    unsafe fn to_floats(self) -> Self {
        self
    }
}

// SAFETY: as above.
unsafe impl FloatLanes for Portable {
    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller promises eight writable floats.
        unsafe { to.cast::<[f32; 8]>().write_unaligned(self.0) }
    }
    #[inline(always)]
    unsafe fn plus(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }
    #[inline(always)]
    unsafe fn max(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i].max(other.0[i])))
    }
    #[inline(always)]
    unsafe fn min(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i].min(other.0[i])))
    }
    #[inline(always)]
    unsafe fn store_bytes(self, to: *mut u8) {
        // The cast saturates to the range of a byte.
        let bytes = self.0.map(|value| value.round_ties_even() as u8);
        // SAFETY: the caller promises eight writable bytes.
        unsafe { to.cast::<[u8; 8]>().write_unaligned(bytes) }
    }
    #[inline(always)]
    unsafe fn where_positive(self, result: Self) -> Self {
        Self(std::array::from_fn(|i| if result.0[i] > 0.0 { self.0[i] } else { 0.0 }))
    }
}

/// Eight sums of products of bytes.
#[derive(Clone, Copy)]
pub(super) struct PortableInt8([i32; 8]);

// SAFETY: plain Rust; the pointers are the caller's promise.
unsafe impl Lanes for PortableInt8 {
    type Word = i32;
    type Floats = Portable;
    const WIDTH: usize = 8;
    const PEAK_SUMS: usize = 6;
    const PRODUCTS: usize = 4;
    const BYTES: bool = true;
    const CELLS: [usize; 5] = [0, 4, 4, 0, 0];

    #[inline(always)]
    unsafe fn splat(value: i32) -> Self {
        Self([value; 8])
    }
    #[inline(always)]
    unsafe fn load(from: *const i32) -> Self {
        // SAFETY: the caller promises eight readable words.
        Self(unsafe { from.cast::<[i32; 8]>().read_unaligned() })
    }
    #[inline(always)]
    unsafe fn add_product(self, input: Self, weights: Self) -> Self {
        Self(std::array::from_fn(|i| {
            let (input, weights) = (input.0[i].to_ne_bytes(), weights.0[i].to_ne_bytes());
            (0..4).fold(self.0[i], |sum, c| sum + i32::from(input[c]) * i32::from(weights[c].cast_signed()))
        }))
    }
    #[inline(always)]
    unsafe fn to_floats(self) -> Portable {
        Portable(self.0.map(|lane| lane as f32))
    }
}

/// Eight sums of products of two bf16. Holds the bits of floats, or of words of two bf16.
#[derive(Clone, Copy)]
pub(super) struct PortableBf16([u32; 8]);

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

// SAFETY: plain Rust; the pointers are the caller's promise.
unsafe impl Lanes for PortableBf16 {
    type Word = u32;
    type Floats = Portable;
    const WIDTH: usize = 8;
    const PEAK_SUMS: usize = 6;
    const PRODUCTS: usize = 2;
    const CELLS: [usize; 5] = [0, 4, 4, 0, 0];

    #[inline(always)]
    unsafe fn splat(value: u32) -> Self {
        Self([value; 8])
    }
    #[inline(always)]
    unsafe fn load(from: *const u32) -> Self {
        // SAFETY: the caller promises eight readable words.
        Self(unsafe { from.cast::<[u32; 8]>().read_unaligned() })
    }
    #[inline(always)]
    unsafe fn add_product(self, input: Self, weights: Self) -> Self {
        Self(std::array::from_fn(|i| {
            let (input, weights) = (halves(input.0[i]), halves(weights.0[i]));
            (f32::from_bits(self.0[i]) + input[0] * weights[0] + input[1] * weights[1]).to_bits()
        }))
    }
    #[inline(always)]
    unsafe fn to_floats(self) -> Portable {
        Portable(self.0.map(f32::from_bits))
    }
}

// SAFETY: as above.
unsafe impl OperandLanes for PortableBf16 {
    #[inline(always)]
    unsafe fn pack(values: Portable, to: *mut u32) {
        let words: [u32; 4] = std::array::from_fn(|i| rounded(values.0[2 * i]) | rounded(values.0[2 * i + 1]) << 16);
        // SAFETY: the caller promises four writable words.
        unsafe { to.cast::<[u32; 4]>().write_unaligned(words) }
    }
    #[inline(always)]
    unsafe fn interleave(rows: [*const u32; MAX_PRODUCTS], to: *mut u32) {
        // SAFETY: the caller promises four readable words each, and eight writable ones.
        unsafe {
            let [first, second] = rows.map(|row| row.cast::<[u32; 4]>().read_unaligned());
            let word = |i: usize| {
                let shift = i % 2 * 16;
                first[i / 2] >> shift & 0xFFFF | (second[i / 2] >> shift & 0xFFFF) << 16
            };
            to.cast::<[u32; 8]>().write_unaligned(std::array::from_fn(word));
        }
    }
    #[inline(always)]
    unsafe fn where_positive(values: Portable, results: *const u32) -> Portable {
        // SAFETY: the caller promises four readable words.
        let results = unsafe { results.cast::<[u32; 4]>().read_unaligned() };
        Portable(std::array::from_fn(|i| if halves(results[i / 2])[i % 2] > 0.0 { values.0[i] } else { 0.0 }))
    }
}
