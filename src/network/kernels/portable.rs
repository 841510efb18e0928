//! Plain Rust, which the compiler vectorises for the target's baseline.

use super::lanes::{FloatLanes, Lanes};

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
    unsafe fn store_bytes(self, to: *mut u8) {
        // The cast brings the value into the range of a byte.
        let bytes = self.0.map(|value| value.round_ties_even() as u8);
        // SAFETY: the caller promises eight writable bytes.
        unsafe { to.cast::<[u8; 8]>().write_unaligned(bytes) }
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
