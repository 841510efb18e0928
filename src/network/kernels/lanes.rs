//! Vectors of floats, one type an instruction set, with the five operations that the kernels need.

/// A register's worth of floats.
///
/// # Safety
/// The methods of an implementation may only be called on a machine that has its instructions, and
/// must be inlined into a function compiled for them.
pub(super) unsafe trait Lanes: Copy {
    /// Floats in a register.
    const WIDTH: usize;
    /// The cells of a tile with `V` registers of outputs a cell, such that accumulators, one row of
    /// weights and one broadcast input fit the register file.
    const CELLS: [usize; 5];

    /// Every lane the same.
    unsafe fn splat(value: f32) -> Self;
    /// Reads `WIDTH` floats; the address need not be aligned.
    unsafe fn load(from: *const f32) -> Self;
    /// Writes `WIDTH` floats.
    unsafe fn store(self, to: *mut f32);
    /// `self + a · b`.
    unsafe fn add_product(self, a: Self, b: Self) -> Self;
    /// `self + other`.
    unsafe fn plus(self, other: Self) -> Self;
    /// Negative lanes become zero.
    unsafe fn relu(self) -> Self;
}

/// Plain Rust over eight floats: two SSE or NEON registers.
#[derive(Clone, Copy)]
pub(super) struct Portable([f32; 8]);

// SAFETY: plain Rust; the pointers are the caller's promise.
unsafe impl Lanes for Portable {
    const WIDTH: usize = 8;
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
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller promises eight writable floats.
        unsafe { to.cast::<[f32; 8]>().write_unaligned(self.0) }
    }
    #[inline(always)]
    unsafe fn add_product(self, a: Self, b: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] + a.0[i] * b.0[i]))
    }
    #[inline(always)]
    unsafe fn plus(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }
    #[inline(always)]
    unsafe fn relu(self) -> Self {
        Self(self.0.map(|value| value.max(0.0)))
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::Lanes;

    /// AVX-512: 32 registers of sixteen floats.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Avx512(__m512);

    // SAFETY: every method is one AVX-512F instruction, which the trait's contract allows.
    unsafe impl Lanes for Avx512 {
        const WIDTH: usize = 16;
        // With more than 24 sums the compiler writes each of them to memory after every product.
        const CELLS: [usize; 5] = [0, 14, 12, 8, 6];

        #[inline(always)]
        unsafe fn splat(value: f32) -> Self {
            // SAFETY: the trait's contract.
            Self(unsafe { _mm512_set1_ps(value) })
        }
        #[inline(always)]
        unsafe fn load(from: *const f32) -> Self {
            // SAFETY: the trait's contract.
            Self(unsafe { _mm512_loadu_ps(from) })
        }
        #[inline(always)]
        unsafe fn store(self, to: *mut f32) {
            // SAFETY: the trait's contract.
            unsafe { _mm512_storeu_ps(to, self.0) }
        }
        #[inline(always)]
        unsafe fn add_product(self, a: Self, b: Self) -> Self {
            // SAFETY: the trait's contract.
            Self(unsafe { _mm512_fmadd_ps(a.0, b.0, self.0) })
        }
        #[inline(always)]
        unsafe fn plus(self, other: Self) -> Self {
            // SAFETY: the trait's contract.
            Self(unsafe { _mm512_add_ps(self.0, other.0) })
        }
        #[inline(always)]
        unsafe fn relu(self) -> Self {
            // SAFETY: the trait's contract.
            Self(unsafe { _mm512_max_ps(self.0, _mm512_setzero_ps()) })
        }
    }

    /// AVX2 with fused multiply-add: 16 registers of eight floats.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Avx2(__m256);

    // SAFETY: every method is one AVX or FMA instruction, which the trait's contract allows.
    unsafe impl Lanes for Avx2 {
        const WIDTH: usize = 8;
        const CELLS: [usize; 5] = [0, 12, 6, 0, 0];

        #[inline(always)]
        unsafe fn splat(value: f32) -> Self {
            // SAFETY: the trait's contract.
            Self(unsafe { _mm256_set1_ps(value) })
        }
        #[inline(always)]
        unsafe fn load(from: *const f32) -> Self {
            // SAFETY: the trait's contract.
            Self(unsafe { _mm256_loadu_ps(from) })
        }
        #[inline(always)]
        unsafe fn store(self, to: *mut f32) {
            // SAFETY: the trait's contract.
            unsafe { _mm256_storeu_ps(to, self.0) }
        }
        #[inline(always)]
        unsafe fn add_product(self, a: Self, b: Self) -> Self {
            // SAFETY: the trait's contract.
            Self(unsafe { _mm256_fmadd_ps(a.0, b.0, self.0) })
        }
        #[inline(always)]
        unsafe fn plus(self, other: Self) -> Self {
            // SAFETY: the trait's contract.
            Self(unsafe { _mm256_add_ps(self.0, other.0) })
        }
        #[inline(always)]
        unsafe fn relu(self) -> Self {
            // SAFETY: the trait's contract.
            Self(unsafe { _mm256_max_ps(self.0, _mm256_setzero_ps()) })
        }
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, Avx512};
