//! The vectors of x86-64.

use std::arch::x86_64::*;

use super::lanes::{Bytes, FloatLanes, Lanes, MAX_PRODUCTS, OperandLanes};

/// Defines methods of these traits that are each an expression of a few instructions, which the traits' contracts allow.
macro_rules! simd_methods {
    ($(fn $name:ident($($argument:ident $(: $of:ty)?),*) $(-> $result:ty)? = $body:expr;)*) => { $(
        #[inline(always)]
        #[allow(unused_unsafe, reason = "some bodies only pass a register on")]
        unsafe fn $name($($argument $(: $of)?),*) $(-> $result)? {
            // SAFETY: the trait's contract.
            unsafe { $body }
        }
    )* };
}

/// AVX-512: 32 registers of sixteen floats.
#[derive(Clone, Copy)]
pub(super) struct Avx512(__m512);

// SAFETY: every method is one AVX-512F instruction, which the trait's contract allows.
unsafe impl Lanes for Avx512 {
    type Word = f32;
    type Floats = Self;
    const WIDTH: usize = 16;
    // With more than 24 sums the compiler spills each of them to memory after every product.
    const CELLS: [usize; 5] = [0, 14, 12, 8, 6];

    simd_methods! {
        fn splat(value: f32) -> Self = Self(_mm512_set1_ps(value));
        fn load(from: *const f32) -> Self = Self(_mm512_loadu_ps(from));
        fn add_product(self, input: Self, weights: Self) -> Self = Self(_mm512_fmadd_ps(input.0, weights.0, self.0));
        fn to_floats(self) -> Self = self;
    }
}

// SAFETY: a few AVX-512F instructions each.
unsafe impl FloatLanes for Avx512 {
    simd_methods! {
        fn store(self, to: *mut f32) = _mm512_storeu_ps(to, self.0);
        fn plus(self, other: Self) -> Self = Self(_mm512_add_ps(self.0, other.0));
        fn max(self, other: Self) -> Self = Self(_mm512_max_ps(self.0, other.0));
        fn min(self, other: Self) -> Self = Self(_mm512_min_ps(self.0, other.0));
    }
    #[inline(always)]
    unsafe fn store_bytes(self, to: *mut u8) {
        // SAFETY: the trait's contract.
        unsafe {
            let rounded = _mm512_max_epi32(_mm512_cvtps_epi32(self.0), _mm512_setzero_si512());
            _mm_storeu_si128(to.cast(), _mm512_cvtusepi32_epi8(rounded));
        }
    }
    #[inline(always)]
    unsafe fn where_positive(self, result: Self) -> Self {
        // SAFETY: the trait's contract.
        unsafe {
            let positive = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(result.0, _mm512_setzero_ps());
            Self(_mm512_maskz_mov_ps(positive, self.0))
        }
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

    #[inline(always)]
    unsafe fn store(values: Avx512, to: *mut i32) {
        // SAFETY: the trait's contract.
        unsafe { values.store_bytes(to.cast()) }
    }
    #[inline(always)]
    unsafe fn store_four([a, b, c, d]: [Avx512; 4], to: *mut i32) {
        // SAFETY: the trait's contract.
        unsafe {
            let [a, b, c, d] =
                [_mm512_cvtps_epi32(a.0), _mm512_cvtps_epi32(b.0), _mm512_cvtps_epi32(c.0), _mm512_cvtps_epi32(d.0)];
            let packed = _mm512_packus_epi16(_mm512_packs_epi32(a, b), _mm512_packs_epi32(c, d));
            let order = _mm512_loadu_si512(PACKED.as_ptr().cast());
            _mm512_storeu_si512(to.cast(), _mm512_permutexvar_epi32(order, packed));
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
    const BYTES: bool = true;
    const CELLS: [usize; 5] = Avx512::CELLS;

    simd_methods! {
        fn splat(value: i32) -> Self = Self(_mm512_set1_epi32(value));
        fn load(from: *const i32) -> Self = Self(_mm512_loadu_si512(from.cast()));
        fn add_product(self, input: Self, weights: Self) -> Self =
            Self(_mm512_dpbusd_epi32(self.0, input.0, weights.0));
        fn to_floats(self) -> Avx512 = Avx512(_mm512_cvtepi32_ps(self.0));
    }
}

/// AVX-512 BF16: sixteen sums of products of two bf16, in floats.
#[derive(Clone, Copy)]
pub(super) struct Avx512Bf16(__m512);

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

// SAFETY: every method is one AVX-512F or AVX-512 BF16 instruction, which the trait's contract allows.
unsafe impl Lanes for Avx512Bf16 {
    type Word = u32;
    type Floats = Avx512;
    const WIDTH: usize = 16;
    const PRODUCTS: usize = 2;
    const CELLS: [usize; 5] = Avx512::CELLS;

    simd_methods! {
        fn splat(value: u32) -> Self = Self(_mm512_castsi512_ps(_mm512_set1_epi32(value.cast_signed())));
        fn load(from: *const u32) -> Self = Self(_mm512_loadu_ps(from.cast()));
        fn add_product(self, input: Self, weights: Self) -> Self =
            Self(_mm512_dpbf16_ps(self.0, pairs(weights.0), pairs(input.0)));
        fn to_floats(self) -> Avx512 = Avx512(self.0);
    }
}

// SAFETY: a few AVX-512 F, BW, VL and BF16 instructions each.
unsafe impl OperandLanes for Avx512Bf16 {
    #[inline(always)]
    unsafe fn pack(values: Avx512, to: *mut u32) {
        // SAFETY: the trait's contract; both types are 256 bits of which each pattern is valid.
        unsafe {
            let numbers: __m256i = std::mem::transmute(_mm512_cvtneps_pbh(values.0));
            _mm256_storeu_si256(to.cast(), numbers);
        }
    }
    #[inline(always)]
    unsafe fn interleave(rows: [*const u32; MAX_PRODUCTS], to: *mut u32) {
        // SAFETY: the trait's contract.
        unsafe {
            let [first, second] = rows.map(|row| _mm512_castsi256_si512(_mm256_loadu_si256(row.cast())));
            let order = _mm512_loadu_si512(INTERLEAVED.as_ptr().cast());
            _mm512_storeu_si512(to.cast(), _mm512_permutex2var_epi16(first, order, second));
        }
    }
    #[inline(always)]
    unsafe fn where_positive(values: Avx512, results: *const u32) -> Avx512 {
        // SAFETY: the trait's contract. A bf16 has the sign and the order of its bits as a whole number.
        unsafe {
            let results = _mm256_loadu_si256(results.cast());
            let positive = _mm256_cmpgt_epi16_mask(results, _mm256_setzero_si256());
            Avx512(_mm512_maskz_mov_ps(positive, values.0))
        }
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

    simd_methods! {
        fn splat(value: f32) -> Self = Self(_mm256_set1_ps(value));
        fn load(from: *const f32) -> Self = Self(_mm256_loadu_ps(from));
        fn add_product(self, input: Self, weights: Self) -> Self = Self(_mm256_fmadd_ps(input.0, weights.0, self.0));
        fn to_floats(self) -> Self = self;
    }
}

// SAFETY: a few AVX2 instructions each.
unsafe impl FloatLanes for Avx2 {
    simd_methods! {
        fn store(self, to: *mut f32) = _mm256_storeu_ps(to, self.0);
        fn plus(self, other: Self) -> Self = Self(_mm256_add_ps(self.0, other.0));
        fn max(self, other: Self) -> Self = Self(_mm256_max_ps(self.0, other.0));
        fn min(self, other: Self) -> Self = Self(_mm256_min_ps(self.0, other.0));
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
    #[inline(always)]
    unsafe fn where_positive(self, result: Self) -> Self {
        // SAFETY: the trait's contract.
        unsafe { Self(_mm256_and_ps(self.0, _mm256_cmp_ps::<_CMP_GT_OQ>(result.0, _mm256_setzero_ps()))) }
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
    const BYTES: bool = true;
    const CELLS: [usize; 5] = Avx2::CELLS;

    simd_methods! {
        fn splat(value: i32) -> Self = Self(_mm256_set1_epi32(value));
        fn load(from: *const i32) -> Self = Self(_mm256_loadu_si256(from.cast()));
        fn add_product(self, input: Self, weights: Self) -> Self =
            Self(_mm256_dpbusd_avx_epi32(self.0, input.0, weights.0));
        fn to_floats(self) -> Avx2 = Avx2(_mm256_cvtepi32_ps(self.0));
    }
}

/// AVX2 without VNNI: eight sums of products of two 16-bit numbers, each of which holds a byte.
#[derive(Clone, Copy)]
pub(super) struct Avx2WideBytes(__m256i);

// SAFETY: every method is one or two AVX2 instructions, which the trait's contract allows.
unsafe impl Lanes for Avx2WideBytes {
    type Word = i32;
    type Floats = Avx2;
    const WIDTH: usize = 8;
    const PRODUCTS: usize = 2;
    const PEAK_SUMS: usize = 6;
    const PEAK_OPERANDS: usize = 6;
    const BYTES: bool = true;
    const CELLS: [usize; 5] = Avx2::CELLS;

    simd_methods! {
        fn splat(value: i32) -> Self = Self(_mm256_set1_epi32(value));
        fn load(from: *const i32) -> Self = Self(_mm256_loadu_si256(from.cast()));
        fn add_product(self, input: Self, weights: Self) -> Self =
            Self(_mm256_add_epi32(self.0, _mm256_madd_epi16(input.0, weights.0)));
        fn to_floats(self) -> Avx2 = Avx2(_mm256_cvtepi32_ps(self.0));
    }
}
