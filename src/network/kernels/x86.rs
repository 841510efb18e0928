//! The vectors of x86-64.

use std::arch::x86_64::*;

use super::lanes::{FloatLanes, Lanes};

/// AVX-512: 32 registers of sixteen floats.
#[derive(Clone, Copy)]
pub(super) struct Avx512(__m512);

// SAFETY: every method is one AVX-512F instruction, which the trait's contract allows.
unsafe impl Lanes for Avx512 {
    type Word = f32;
    type Floats = Self;
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
    unsafe fn add_product(self, input: Self, weights: Self) -> Self {
        // SAFETY: the trait's contract.
        Self(unsafe { _mm512_fmadd_ps(input.0, weights.0, self.0) })
    }
    #[inline(always)]
    unsafe fn to_floats(self) -> Self {
        self
    }
}

// SAFETY: a few AVX-512F instructions each.
unsafe impl FloatLanes for Avx512 {
    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the trait's contract.
        unsafe { _mm512_storeu_ps(to, self.0) }
    }
    #[inline(always)]
    unsafe fn plus(self, other: Self) -> Self {
        // SAFETY: the trait's contract.
        Self(unsafe { _mm512_add_ps(self.0, other.0) })
    }
    #[inline(always)]
    unsafe fn max(self, other: Self) -> Self {
        // SAFETY: the trait's contract.
        Self(unsafe { _mm512_max_ps(self.0, other.0) })
    }
    #[inline(always)]
    unsafe fn store_bytes(self, to: *mut u8) {
        // SAFETY: the trait's contract.
        unsafe {
            let rounded = _mm512_max_epi32(_mm512_cvtps_epi32(self.0), _mm512_setzero_si512());
            _mm_storeu_si128(to.cast(), _mm512_cvtusepi32_epi8(rounded));
        }
    }
}

/// AVX-512 VNNI: sixteen sums of products of four bytes.
#[derive(Clone, Copy)]
pub(super) struct Avx512Vnni(__m512i);

// SAFETY: every method is one AVX-512F or AVX-512 VNNI instruction, which the trait's contract allows.
unsafe impl Lanes for Avx512Vnni {
    type Word = i32;
    type Floats = Avx512;
    const WIDTH: usize = 16;
    const PRODUCTS: usize = 4;
    const CELLS: [usize; 5] = Avx512::CELLS;

    #[inline(always)]
    unsafe fn splat(value: i32) -> Self {
        // SAFETY: the trait's contract.
        Self(unsafe { _mm512_set1_epi32(value) })
    }
    #[inline(always)]
    unsafe fn load(from: *const i32) -> Self {
        // SAFETY: the trait's contract.
        Self(unsafe { _mm512_loadu_si512(from.cast()) })
    }
    #[inline(always)]
    unsafe fn add_product(self, input: Self, weights: Self) -> Self {
        // SAFETY: the trait's contract.
        Self(unsafe { _mm512_dpbusd_epi32(self.0, input.0, weights.0) })
    }
    #[inline(always)]
    unsafe fn to_floats(self) -> Avx512 {
        // SAFETY: the trait's contract.
        Avx512(unsafe { _mm512_cvtepi32_ps(self.0) })
    }
}

/// AVX2 with fused multiply-add: 16 registers of eight floats.
#[derive(Clone, Copy)]
pub(super) struct Avx2(__m256);

// SAFETY: every method is one AVX or FMA instruction, which the trait's contract allows.
unsafe impl Lanes for Avx2 {
    type Word = f32;
    type Floats = Self;
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
    unsafe fn add_product(self, input: Self, weights: Self) -> Self {
        // SAFETY: the trait's contract.
        Self(unsafe { _mm256_fmadd_ps(input.0, weights.0, self.0) })
    }
    #[inline(always)]
    unsafe fn to_floats(self) -> Self {
        self
    }
}

// SAFETY: a few AVX2 instructions each.
unsafe impl FloatLanes for Avx2 {
    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the trait's contract.
        unsafe { _mm256_storeu_ps(to, self.0) }
    }
    #[inline(always)]
    unsafe fn plus(self, other: Self) -> Self {
        // SAFETY: the trait's contract.
        Self(unsafe { _mm256_add_ps(self.0, other.0) })
    }
    #[inline(always)]
    unsafe fn max(self, other: Self) -> Self {
        // SAFETY: the trait's contract.
        Self(unsafe { _mm256_max_ps(self.0, other.0) })
    }
    #[inline(always)]
    unsafe fn store_bytes(self, to: *mut u8) {
        // SAFETY: the trait's contract.
        unsafe {
            let rounded = _mm256_cvtps_epi32(self.0);
            let words = _mm_packs_epi32(_mm256_castsi256_si128(rounded), _mm256_extracti128_si256::<1>(rounded));
            _mm_storel_epi64(to.cast(), _mm_packus_epi16(words, words));
        }
    }
}

/// AVX-VNNI: eight sums of products of four bytes, on processors without AVX-512.
#[derive(Clone, Copy)]
pub(super) struct AvxVnni(__m256i);

// SAFETY: every method is one AVX2 or AVX-VNNI instruction, which the trait's contract allows.
unsafe impl Lanes for AvxVnni {
    type Word = i32;
    type Floats = Avx2;
    const WIDTH: usize = 8;
    const PRODUCTS: usize = 4;
    const CELLS: [usize; 5] = Avx2::CELLS;

    #[inline(always)]
    unsafe fn splat(value: i32) -> Self {
        // SAFETY: the trait's contract.
        Self(unsafe { _mm256_set1_epi32(value) })
    }
    #[inline(always)]
    unsafe fn load(from: *const i32) -> Self {
        // SAFETY: the trait's contract.
        Self(unsafe { _mm256_loadu_si256(from.cast()) })
    }
    #[inline(always)]
    unsafe fn add_product(self, input: Self, weights: Self) -> Self {
        // SAFETY: the trait's contract.
        Self(unsafe { _mm256_dpbusd_avx_epi32(self.0, input.0, weights.0) })
    }
    #[inline(always)]
    unsafe fn to_floats(self) -> Avx2 {
        // SAFETY: the trait's contract.
        Avx2(unsafe { _mm256_cvtepi32_ps(self.0) })
    }
}
