//! Vector registers as the kernels use them, one type for each instruction set.

#[cfg(target_arch = "x86_64")]
use std::marker::PhantomData;

/// The number of outputs is always a multiple of this, so that every instruction set divides it.
pub const OUTPUT_MULTIPLE: usize = 16;

/// Defines a register type and its [`Lanes`]: the constants, and methods as in [`simd_methods`].
macro_rules! lanes {
    (
        $(#[$attribute:meta])*
        $name:ident $(<const $parameter:ident>)? ($register:ty): $word:ty => $floats:ty;
        $(const $constant:ident = $value:expr;)*
        $(fn $method:ident($($argument:ident $(: $of:ty)?),*) $(-> $result:ty)? = $body:expr;)*
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy)]
        pub(super) struct $name $(<const $parameter: bool>)? ($register);

        // SAFETY: every method is a few instructions of the register's set, which the trait's contract allows.
        unsafe impl $(<const $parameter: bool>)? Lanes for $name $(<$parameter>)? {
            type Word = $word;
            type Floats = $floats;
            $(const $constant: lanes!(type $constant) = $value;)*
            simd_methods! { $(fn $method($($argument $(: $of)?),*) $(-> $result)? = $body;)* }
        }
    };
    (type CELLS) => { [usize; 5] };
    (type OMITS) => { bool };
    (type BYTES) => { bool };
    (type $constant:ident) => { usize };
}

/// Defines methods of these traits, each an expression of a few instructions, which the traits' contracts allow.
macro_rules! simd_methods {
    ($(fn $name:ident($($argument:ident $(: $of:ty)?),*) $(-> $result:ty)? = $body:expr;)*) => { $(
        #[inline(always)]
        #[allow(unused_unsafe, reason = "some bodies are safe")]
        unsafe fn $name($($argument $(: $of)?),*) $(-> $result)? {
            // SAFETY: the trait's contract.
            unsafe { $body }
        }
    )* };
}

pub(super) use {lanes, simd_methods};

/// A register of sums, and the products added to it: of floats, of pairs of bf16, or of groups of
/// bytes.
///
/// Operands come in words of four bytes. A word of a float kernel is one channel. A word of an int8
/// kernel is four channels, unsigned for the inputs and signed for the weights, or two channels
/// where the processor multiplies 16-bit numbers. A word of a bf16 kernel is two channels, the
/// first in the lower half.
///
/// # Safety
/// The methods of an implementation may only be called on a machine that has its instructions, and
/// must be inlined into a function compiled for them.
pub(super) unsafe trait Lanes: Copy {
    /// The type of a lane, and of a word of the operands.
    type Word: Copy + Default;
    /// A register of floats with the same number of lanes.
    type Floats: FloatLanes;
    /// Number of lanes in a register.
    const WIDTH: usize;
    /// Number of multiplications in a lane.
    const PRODUCTS: usize = 1;
    /// True if the sums lack the part described at [`super::tile::Operands::omitted`].
    const OMITS: bool = false;
    /// True if the operands are bytes, so that the next layer needs the extremes of the results.
    const BYTES: bool = false;
    /// Number of cells of a tile with `V` registers of outputs a cell, such that accumulators, one
    /// row of weights and one broadcast input fit the register file.
    const CELLS: [usize; 5];

    /// Returns a register with `value` in every lane.
    unsafe fn splat(value: Self::Word) -> Self;
    /// Reads `WIDTH` words; the address need not be aligned.
    unsafe fn load(from: *const Self::Word) -> Self;
    /// Returns `self + input · weights`, in each lane.
    unsafe fn add_product(self, input: Self, weights: Self) -> Self;
    /// Returns `self + omitted` in each lane, for registers whose products omit a part.
    unsafe fn plus_omitted(self, _omitted: Self) -> Self {
        unreachable!("nothing is omitted")
    }
    /// Converts each lane to the nearest float.
    unsafe fn to_floats(self) -> Self::Floats;
}

/// The operations on floats besides the products.
///
/// # Safety
/// As [`Lanes`].
pub(super) unsafe trait FloatLanes: Lanes<Word = f32, Floats = Self> {
    /// The bits that [`FloatLanes::store_bytes`] flips in each byte.
    const SIGN_FLIP: u8 = 0;

    /// Writes `WIDTH` floats.
    unsafe fn store(self, to: *mut f32);
    /// Returns `self + other`.
    unsafe fn plus(self, other: Self) -> Self;
    /// Returns the greater of each two lanes; unspecified if one is not a number.
    unsafe fn max(self, other: Self) -> Self;
    /// Returns the lesser of each two lanes; unspecified if one is not a number.
    unsafe fn min(self, other: Self) -> Self;
    /// Rounds each lane to the nearest integer, clamps it to 0 to 255 and writes `WIDTH` bytes.
    unsafe fn store_bytes(self, to: *mut u8);
    /// Returns zero in each lane in which `result` is not above zero.
    unsafe fn where_positive(self, result: Self) -> Self;
    /// Writes the non-zero values among `count` floats, and their indices, one after another;
    /// returns how many there are. May overwrite up to `count` and [`OVERRUN`] more elements of
    /// each.
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

/// Maximum number of elements that [`FloatLanes::non_zeros`] writes past the last non-zero.
pub(super) const OVERRUN: usize = 16;

/// A way to write activations as bytes: each is rounded to the nearest integer and clamped to 0 to
/// 255.
///
/// # Safety
/// As [`Lanes`].
pub(super) unsafe trait Bytes {
    /// The type of the registers that are written.
    type Floats: FloatLanes;
    /// Number of bytes stored in a word of four bytes.
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

/// Bytes stored in 16 bits each.
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

/// The operations of a training step on operands, besides the products. `WIDTH / PRODUCTS` words
/// hold as many numbers as a register of floats.
///
/// # Safety
/// As [`Lanes`].
pub(super) unsafe trait OperandLanes: Lanes {
    /// Rounds a register of floats and writes `WIDTH / PRODUCTS` words.
    unsafe fn pack(values: Self::Floats, to: *mut Self::Word);
    /// Reads `WIDTH / PRODUCTS` words of each of the first `PRODUCTS` rows and writes `WIDTH` words, each with a number
    /// of every row.
    unsafe fn interleave(rows: [*const Self::Word; MAX_PRODUCTS], to: *mut Self::Word);
    /// Returns zero in each lane whose corresponding number among `WIDTH / PRODUCTS` words is not
    /// above zero.
    unsafe fn where_positive(values: Self::Floats, results: *const Self::Word) -> Self::Floats;
}

/// Maximum number of numbers in a word of an [`OperandLanes`].
pub(super) const MAX_PRODUCTS: usize = 2;

// SAFETY: passes on to methods with the same contract.
unsafe impl<L: FloatLanes> OperandLanes for L {
    #[inline(always)]
    unsafe fn pack(values: L, to: *mut f32) {
        // SAFETY: the trait's contract.
        unsafe { values.store(to) }
    }
    #[inline(always)]
    unsafe fn interleave(rows: [*const f32; MAX_PRODUCTS], to: *mut f32) {
        // SAFETY: the trait's contract.
        unsafe { L::load(rows[0]).store(to) }
    }
    #[inline(always)]
    unsafe fn where_positive(values: L, results: *const f32) -> L {
        // SAFETY: the trait's contract.
        unsafe { FloatLanes::where_positive(values, L::load(results)) }
    }
}
