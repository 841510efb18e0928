//! Vector registers as the kernels use them, one type an instruction set.

#[cfg(target_arch = "x86_64")]
use std::marker::PhantomData;

use super::OUTPUT_MULTIPLE;

/// A register of sums, and the product it adds: of floats, of pairs of bf16, or of groups of bytes.
///
/// Operands come in words of four bytes. A word of a float kernel is one channel; a word of an int8
/// kernel is four channels, unsigned on the side of the input and signed on the side of the weights, or two channels where
/// the processor multiplies numbers of 16 bits; a word of a bf16 kernel is two channels, the first in the lower half.
///
/// # Safety
/// The methods of an implementation may only be called on a machine that has its instructions, and
/// must be inlined into a function compiled for them.
pub(super) unsafe trait Lanes: Copy {
    /// A lane, and a word of the operands.
    type Word: Copy + Default;
    /// A register with as many floats.
    type Floats: FloatLanes;
    /// Lanes in a register.
    const WIDTH: usize;
    /// Multiplications of a lane.
    const PRODUCTS: usize = 1;
    /// Sums that do not wait for each other, enough for all arithmetic units and not too many for the
    /// registers; at most [`super::peak::MOST_SUMS`].
    const PEAK_SUMS: usize = 12;
    /// True if sums lack what [`super::tile::Operands::omitted`] says.
    const OMITS: bool = false;
    /// True if the operands are bytes: the next layer then asks for the extremes of the results.
    const BYTES: bool = false;
    /// Operands that the sums of a measurement are made of in turn: more than one where a product is an instruction of its
    /// own, which would otherwise be computed once for all sums.
    const PEAK_OPERANDS: usize = 1;
    /// The cells of a tile with `V` registers of outputs a cell, such that accumulators, one row of
    /// weights and one broadcast input fit the register file.
    const CELLS: [usize; 5];

    /// Returns a register with `value` in every lane.
    unsafe fn splat(value: Self::Word) -> Self;
    /// Reads `WIDTH` words; the address need not be aligned.
    unsafe fn load(from: *const Self::Word) -> Self;
    /// Returns `self + input · weights`, in each lane.
    unsafe fn add_product(self, input: Self, weights: Self) -> Self;
    /// Returns `self + omitted`, in each lane: for registers that omit something.
    unsafe fn plus_omitted(self, _omitted: Self) -> Self {
        unreachable!("nothing is omitted")
    }
    /// Returns the nearest float of each lane.
    unsafe fn to_floats(self) -> Self::Floats;
}

/// The operations on floats beside the products.
///
/// # Safety
/// As [`Lanes`].
pub(super) unsafe trait FloatLanes: Lanes<Word = f32, Floats = Self> {
    /// The bits that [`FloatLanes::store_bytes`] turns over in each byte.
    const TURNED: u8 = 0;

    /// Writes `WIDTH` floats.
    unsafe fn store(self, to: *mut f32);
    /// Returns `self + other`.
    unsafe fn plus(self, other: Self) -> Self;
    /// Returns the greater of each two lanes; which of them when one is not a number is left open.
    unsafe fn max(self, other: Self) -> Self;
    /// Returns the lesser of each two lanes; which of them when one is not a number is left open.
    unsafe fn min(self, other: Self) -> Self;
    /// Rounds each lane to the nearest whole number, brings it into 0 to 255 and writes `WIDTH` bytes.
    unsafe fn store_bytes(self, to: *mut u8);
    /// Returns zero in each lane in which `result` is not above zero.
    unsafe fn where_positive(self, result: Self) -> Self;
    /// Writes those of `count` floats that are not zero one after another, and their numbers; returns how many they are. Up to
    /// `count` and [`OVERRUN`] more of each are overwritten.
    #[inline(always)]
    unsafe fn non_zeros(from: *const f32, count: usize, numbers: *mut u32, values: *mut f32) -> usize {
        let mut found = 0;
        for number in 0..count {
            // Written always and kept if not zero: a branch would be mispredicted.
            // SAFETY: the trait's contract.
            unsafe {
                let value = from.add(number).read();
                numbers.add(found).write(number as u32);
                values.add(found).write(value);
                found += usize::from(value != 0.0);
            }
        }
        found
    }
}

/// The most elements that [`FloatLanes::non_zeros`] writes past the last non-zero.
pub(super) const OVERRUN: usize = 16;

/// A way to write activations as bytes; each is rounded to the nearest whole number and brought into 0 to 255.
///
/// # Safety
/// As [`Lanes`].
pub(super) unsafe trait Bytes {
    /// The registers that are written.
    type Floats: FloatLanes;
    /// Bytes in a word of four bytes.
    const A_WORD: usize;

    /// Writes a register as `WIDTH / A_WORD` words.
    unsafe fn store(values: Self::Floats, to: *mut i32);
    /// Writes four registers one after another.
    #[inline(always)]
    unsafe fn store_four(values: [Self::Floats; 4], to: *mut i32) {
        for (i, values) in values.into_iter().enumerate() {
            // SAFETY: the trait's contract.
            unsafe { Self::store(values, to.add(i * Self::Floats::WIDTH / Self::A_WORD)) }
        }
    }
}

// SAFETY: passes on to a method with the same contract.
unsafe impl<L: FloatLanes> Bytes for L {
    type Floats = L;
    const A_WORD: usize = 4;

    #[inline(always)]
    unsafe fn store(values: L, to: *mut i32) {
        // SAFETY: the trait's contract.
        unsafe { values.store_bytes(to.cast()) }
    }
}

/// Bytes that take 16 bits each.
#[cfg(target_arch = "x86_64")]
pub(super) struct WideBytes<L>(PhantomData<L>);

#[cfg(target_arch = "x86_64")]
// SAFETY: passes on to a method with the same contract.
unsafe impl<L: FloatLanes> Bytes for WideBytes<L> {
    type Floats = L;
    const A_WORD: usize = 2;

    #[inline(always)]
    unsafe fn store(values: L, to: *mut i32) {
        let mut bytes = [0; OUTPUT_MULTIPLE];
        // SAFETY: the trait's contract; no register is wider than the array.
        unsafe {
            values.store_bytes(bytes.as_mut_ptr());
            for (lane, byte) in bytes.into_iter().enumerate().take(L::WIDTH) {
                to.cast::<u16>().add(lane).write_unaligned(u16::from(byte));
            }
        }
    }
}

/// The operations of a training step on operands beside the products. `WIDTH / PRODUCTS` words hold as many numbers as a
/// register of floats.
///
/// # Safety
/// As [`Lanes`].
pub(super) unsafe trait OperandLanes: Lanes {
    /// Rounds a register of floats and writes `WIDTH / PRODUCTS` words.
    unsafe fn pack(values: Self::Floats, to: *mut Self::Word);
    /// Reads `WIDTH / PRODUCTS` words of each of the first `PRODUCTS` rows and writes `WIDTH` words, each with a number of
    /// every row.
    unsafe fn interleave(rows: [*const Self::Word; MOST_PRODUCTS], to: *mut Self::Word);
    /// Returns zero in each lane whose number among `WIDTH / PRODUCTS` words is not above zero.
    unsafe fn where_positive(values: Self::Floats, results: *const Self::Word) -> Self::Floats;
}

/// The most numbers in a word of an [`OperandLanes`].
pub(super) const MOST_PRODUCTS: usize = 2;

// SAFETY: passes on to methods with the same contract.
unsafe impl<L: FloatLanes> OperandLanes for L {
    #[inline(always)]
    unsafe fn pack(values: L, to: *mut f32) {
        // SAFETY: the trait's contract.
        unsafe { values.store(to) }
    }
    #[inline(always)]
    unsafe fn interleave(rows: [*const f32; MOST_PRODUCTS], to: *mut f32) {
        // SAFETY: the trait's contract.
        unsafe { L::load(rows[0]).store(to) }
    }
    #[inline(always)]
    unsafe fn where_positive(values: L, results: *const f32) -> L {
        // SAFETY: the trait's contract.
        unsafe { FloatLanes::where_positive(values, L::load(results)) }
    }
}
