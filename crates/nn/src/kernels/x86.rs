//! The vectors of x86-64.

use std::arch::x86_64::*;

use super::lanes::{Bytes, FloatLanes, Lanes, MAX_PRODUCTS, OperandLanes, lanes, simd_methods};

lanes! {
    /// AVX-512: 32 registers of sixteen floats.
    Avx512(__m512): f32 => Avx512;
    const WIDTH = 16;
    // With more than 24 sums the compiler spills each of them to memory after every product.
    const CELLS = [0, 14, 12, 8, 6];
    fn splat(value: f32) -> Self = Self(_mm512_set1_ps(value));
    fn load(from: *const f32) -> Self = Self(_mm512_loadu_ps(from));
    fn add_product(self, input: Self, weights: Self) -> Self = Self(_mm512_fmadd_ps(input.0, weights.0, self.0));
    fn to_floats(self) -> Self = self;
}

// SAFETY: a few AVX-512F instructions each.
unsafe impl FloatLanes for Avx512 {
    simd_methods! {
        fn store(self, to: *mut f32) = _mm512_storeu_ps(to, self.0);
        fn plus(self, other: Self) -> Self = Self(_mm512_add_ps(self.0, other.0));
        fn max(self, other: Self) -> Self = Self(_mm512_max_ps(self.0, other.0));
        fn min(self, other: Self) -> Self = Self(_mm512_min_ps(self.0, other.0));
        fn store_bytes(self, to: *mut u8) = {
            let rounded = _mm512_max_epi32(_mm512_cvtps_epi32(self.0), _mm512_setzero_si512());
            _mm_storeu_si128(to.cast(), _mm512_cvtusepi32_epi8(rounded));
        };
        fn where_positive(self, result: Self) -> Self = {
            let positive = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(result.0, _mm512_setzero_ps());
            Self(_mm512_maskz_mov_ps(positive, self.0))
        };
    }
    #[inline(always)]
    unsafe fn non_zeros(from: *const f32, count: usize, numbers: *mut u32, values: *mut f32) -> usize {
        let mut found = 0;
        // SAFETY: the trait's contract; the mask leaves out lanes past the end.
        unsafe {
            let mut lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
            for at in (0..count).step_by(Self::WIDTH) {
                let inside = u16::MAX >> Self::WIDTH.saturating_sub(count - at);
                let read = _mm512_maskz_loadu_ps(inside, from.add(at));
                let kept = _mm512_cmp_ps_mask::<_CMP_NEQ_UQ>(read, _mm512_setzero_ps());
                _mm512_storeu_si512(numbers.add(found).cast(), _mm512_maskz_compress_epi32(kept, lanes));
                _mm512_storeu_ps(values.add(found), _mm512_maskz_compress_ps(kept, read));
                lanes = _mm512_add_epi32(lanes, _mm512_set1_epi32(Self::WIDTH as i32));
                found += kept.count_ones() as usize;
            }
        }
        found
    }
}

/// Converts four registers of AVX-512 to bytes at once, with AVX-512BW.
pub(super) struct Avx512Packed;

/// The order in which packing four registers leaves the groups of four bytes.
const PACKED: [i32; 16] = [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15];

// SAFETY: a few AVX-512 F and BW instructions each.
unsafe impl Bytes for Avx512Packed {
    type Floats = Avx512;
    const A_WORD: usize = 4;

    simd_methods! {
        fn store(values: Avx512, to: *mut i32) = values.store_bytes(to.cast());
        fn store_four(values: [Avx512; 4], to: *mut i32) = {
            let [a, b, c, d] = values;
            let [a, b, c, d] =
                [_mm512_cvtps_epi32(a.0), _mm512_cvtps_epi32(b.0), _mm512_cvtps_epi32(c.0), _mm512_cvtps_epi32(d.0)];
            let packed = _mm512_packus_epi16(_mm512_packs_epi32(a, b), _mm512_packs_epi32(c, d));
            let order = _mm512_loadu_si512(PACKED.as_ptr().cast());
            _mm512_storeu_si512(to.cast(), _mm512_permutexvar_epi32(order, packed));
        };
    }
}

lanes! {
    /// AVX-512 VNNI: sixteen sums of products of four bytes.
    Avx512Vnni(__m512i): i32 => Avx512;
    const WIDTH = 16;
    const PRODUCTS = 4;
    const BYTES = true;
    const CELLS = Avx512::CELLS;
    fn splat(value: i32) -> Self = Self(_mm512_set1_epi32(value));
    fn load(from: *const i32) -> Self = Self(_mm512_loadu_si512(from.cast()));
    fn add_product(self, input: Self, weights: Self) -> Self =
        Self(_mm512_dpbusd_epi32(self.0, input.0, weights.0));
    fn to_floats(self) -> Avx512 = Avx512(_mm512_cvtepi32_ps(self.0));
}

/// The indices by which [`Avx512Bf16::interleave`] picks bf16 from two rows; those of the second
/// row start at 32.
const INTERLEAVED: [u32; 16] = {
    let mut words = [0; 16];
    let mut word = 0;
    while word < 16 {
        words[word] = (32 + word as u32) << 16 | word as u32;
        word += 1;
    }
    words
};

/// Reinterprets the bits as pairs of bf16.
#[inline(always)]
fn pairs(register: __m512) -> __m512bh {
    // SAFETY: both types are 512 bits of which each pattern is valid.
    unsafe { std::mem::transmute(register) }
}

lanes! {
    /// AVX-512 BF16: sixteen sums of products of two bf16, in floats.
    Avx512Bf16(__m512): u32 => Avx512;
    const WIDTH = 16;
    const PRODUCTS = 2;
    const CELLS = Avx512::CELLS;
    fn splat(value: u32) -> Self = Self(_mm512_castsi512_ps(_mm512_set1_epi32(value.cast_signed())));
    fn load(from: *const u32) -> Self = Self(_mm512_loadu_ps(from.cast()));
    fn add_product(self, input: Self, weights: Self) -> Self =
        Self(_mm512_dpbf16_ps(self.0, pairs(weights.0), pairs(input.0)));
    fn to_floats(self) -> Avx512 = Avx512(self.0);
}

// SAFETY: a few AVX-512 F, BW, VL and BF16 instructions each.
unsafe impl OperandLanes for Avx512Bf16 {
    simd_methods! {
        // Both types are 256 bits of which each pattern is valid.
        fn pack(values: Avx512, to: *mut u32) =
            _mm256_storeu_si256(to.cast(), std::mem::transmute::<__m256bh, __m256i>(_mm512_cvtneps_pbh(values.0)));
        fn interleave(rows: [*const u32; MAX_PRODUCTS], to: *mut u32) = {
            let [first, second] = rows.map(|row| _mm512_castsi256_si512(_mm256_loadu_si256(row.cast())));
            let order = _mm512_loadu_si512(INTERLEAVED.as_ptr().cast());
            _mm512_storeu_si512(to.cast(), _mm512_permutex2var_epi16(first, order, second));
        };
        // A bf16 has the sign and the order of its bits as a whole number.
        fn where_positive(values: Avx512, results: *const u32) -> Avx512 = {
            let results = _mm256_loadu_si256(results.cast());
            let positive = _mm256_cmpgt_epi16_mask(results, _mm256_setzero_si256());
            Avx512(_mm512_maskz_mov_ps(positive, values.0))
        };
    }
}

lanes! {
    /// AVX2 with fused multiply-add: 16 registers of eight floats.
    Avx2(__m256): f32 => Avx2;
    const WIDTH = 8;
    const CELLS = [0, 12, 6, 0, 0];
    fn splat(value: f32) -> Self = Self(_mm256_set1_ps(value));
    fn load(from: *const f32) -> Self = Self(_mm256_loadu_ps(from));
    fn add_product(self, input: Self, weights: Self) -> Self = Self(_mm256_fmadd_ps(input.0, weights.0, self.0));
    fn to_floats(self) -> Self = self;
}

// SAFETY: a few AVX2 instructions each.
unsafe impl FloatLanes for Avx2 {
    simd_methods! {
        fn store(self, to: *mut f32) = _mm256_storeu_ps(to, self.0);
        fn plus(self, other: Self) -> Self = Self(_mm256_add_ps(self.0, other.0));
        fn max(self, other: Self) -> Self = Self(_mm256_max_ps(self.0, other.0));
        fn min(self, other: Self) -> Self = Self(_mm256_min_ps(self.0, other.0));
        fn store_bytes(self, to: *mut u8) = {
            let rounded = _mm256_cvtps_epi32(self.0);
            let words = _mm_packs_epi32(_mm256_castsi256_si128(rounded), _mm256_extracti128_si256::<1>(rounded));
            _mm_storel_epi64(to.cast(), _mm_packus_epi16(words, words));
        };
        fn where_positive(self, result: Self) -> Self =
            Self(_mm256_and_ps(self.0, _mm256_cmp_ps::<_CMP_GT_OQ>(result.0, _mm256_setzero_ps())));
    }
}

lanes! {
    /// AVX-VNNI: eight sums of products of four bytes, on processors without AVX-512.
    AvxVnni(__m256i): i32 => Avx2;
    const WIDTH = 8;
    const PRODUCTS = 4;
    const BYTES = true;
    const CELLS = Avx2::CELLS;
    fn splat(value: i32) -> Self = Self(_mm256_set1_epi32(value));
    fn load(from: *const i32) -> Self = Self(_mm256_loadu_si256(from.cast()));
    fn add_product(self, input: Self, weights: Self) -> Self =
        Self(_mm256_dpbusd_avx_epi32(self.0, input.0, weights.0));
    fn to_floats(self) -> Avx2 = Avx2(_mm256_cvtepi32_ps(self.0));
}

lanes! {
    /// AVX2 without VNNI: eight sums of products of two 16-bit numbers, each of which holds a byte.
    Avx2WideBytes(__m256i): i32 => Avx2;
    const WIDTH = 8;
    const PRODUCTS = 2;
    const BYTES = true;
    const CELLS = Avx2::CELLS;
    fn splat(value: i32) -> Self = Self(_mm256_set1_epi32(value));
    fn load(from: *const i32) -> Self = Self(_mm256_loadu_si256(from.cast()));
    fn add_product(self, input: Self, weights: Self) -> Self =
        Self(_mm256_add_epi32(self.0, _mm256_madd_epi16(input.0, weights.0)));
    fn to_floats(self) -> Avx2 = Avx2(_mm256_cvtepi32_ps(self.0));
}
