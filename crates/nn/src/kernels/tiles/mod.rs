//! Matrix products on a processor's tile unit (AMX), which multiplies 16 × 64 bytes with 64 × 16 in
//! sixteen cycles.
//!
//! A [`TileUnit`] has registers of 16 rows of 64 bytes. In the left operand of a product, the
//! numbers to sum are contiguous in each row; in the right one, they are grouped in words of four
//! bytes or two bf16, as all kernels here pack their weights. So a layer multiplies rows of inputs,
//! 32 cells at a time, with the weights as they are. On a board laid flat those rows are read in
//! place from the activations, otherwise they are gathered. The unit is a trait, so that tests can
//! run the same loops on an emulation of its instructions.

#[cfg(test)]
mod emulation;
mod gather;
mod gradient;
#[cfg(target_arch = "x86_64")]
mod instructions;
mod layer;
mod results;

#[cfg(test)]
pub(super) use emulation::Emulation;
pub(super) use gradient::tile_gradient;
#[cfg(target_arch = "x86_64")]
pub(super) use instructions::{Amx, is_available};
pub(super) use layer::tile_layer;

use super::panels::SIDE;

/// Number of bytes in a row of a tile.
const ROW: usize = 64;

/// A unit with two tiles of a left operand (`I` of 0 and 1), two of a right one (`J` of 0 and 1),
/// and the four sums of their products. Strides are in bytes, from one row in memory to the next.
///
/// # Safety
/// The methods may only be called on a machine that has the unit. Pointers must lead to 16 rows of 64 bytes.
pub(super) unsafe trait TileUnit: Sized {
    /// Configures the unit. Dropping the value releases the unit, unless the thread has another.
    /// The values of a thread share its registers, so only one may be used at a time.
    unsafe fn new() -> Self;
    /// Sets the sums of a pair of operands to zero.
    unsafe fn zero<const I: usize, const J: usize>(&mut self);
    /// Reads the sums of a pair of operands, as 32-bit numbers.
    unsafe fn load_sums<const I: usize, const J: usize>(&mut self, from: *const f32, stride: usize);
    /// Writes the sums of a pair of operands, as 32-bit numbers.
    unsafe fn store_sums<const I: usize, const J: usize>(&mut self, to: *mut u32, stride: usize);
    /// Reads a left operand.
    unsafe fn load_left<const I: usize>(&mut self, from: *const u32, stride: usize);
    /// Reads a right operand.
    unsafe fn load_right<const J: usize>(&mut self, from: *const u32, stride: usize);
    /// Adds the product of unsigned bytes on the left and signed bytes on the right to 32-bit
    /// integers.
    unsafe fn add_bytes<const I: usize, const J: usize>(&mut self);
    /// Adds the product of bf16 to 32-bit floats.
    unsafe fn add_pairs<const I: usize, const J: usize>(&mut self);
}

/// Work for the vector units while the tile unit multiplies.
trait Meanwhile {
    /// Does a share of the work, after each step of products.
    ///
    /// # Safety
    /// As the implementation says.
    unsafe fn step(&mut self);
}

impl Meanwhile for () {
    #[inline(always)]
    unsafe fn step(&mut self) {}
}

/// The operands of a block of products: `I` × `J` pairs of tiles over `steps` steps of 16 words.
#[derive(Clone, Copy)]
struct Block {
    left: [*const u32; 2],
    /// Number of words from one row of the left operands to the next.
    left_row: usize,
    right: [*const u32; 2],
    /// Number of words from one row of the right operands to the next.
    right_row: usize,
    steps: usize,
    /// True if a word holds four bytes, unsigned on the left and signed on the right; otherwise it holds two bf16. A
    /// constant, so that the compiler drops the other case.
    bytes: bool,
}

impl Block {
    /// Adds the products of the first `I` left and `J` right operands, 1 or 2 of each.
    ///
    /// # Safety
    /// As [`TileUnit`], for each step.
    #[inline(always)]
    unsafe fn add<U: TileUnit, const I: usize, const J: usize>(&self, unit: &mut U, meanwhile: &mut impl Meanwhile) {
        let Self { left, left_row, right, right_row, steps, .. } = *self;
        for step in 0..steps {
            // SAFETY: passed on.
            unsafe {
                let right_step = step * SIDE * right_row;
                unit.load_left::<0>(left[0].add(step * SIDE), left_row * 4);
                unit.load_right::<0>(right[0].add(right_step), right_row * 4);
                self.add_product::<U, 0, 0>(unit);
                if J == 2 {
                    unit.load_right::<1>(right[1].add(right_step), right_row * 4);
                    self.add_product::<U, 0, 1>(unit);
                }
                if I == 2 {
                    unit.load_left::<1>(left[1].add(step * SIDE), left_row * 4);
                    self.add_product::<U, 1, 0>(unit);
                    if J == 2 {
                        self.add_product::<U, 1, 1>(unit);
                    }
                }
                meanwhile.step();
            }
        }
    }

    /// # Safety
    /// As [`TileUnit`].
    #[inline(always)]
    unsafe fn add_product<U: TileUnit, const I: usize, const J: usize>(&self, unit: &mut U) {
        // SAFETY: passed on.
        unsafe { if self.bytes { unit.add_bytes::<I, J>() } else { unit.add_pairs::<I, J>() } }
    }
}

/// Calls `$function::<…, I, J>` with the constants 1 or 2 that equal `$i` and `$j`.
macro_rules! with_tiles {
    ($i:expr, $j:expr, $function:ident::<$($generic:ident),*>($($argument:expr),*)) => {
        match ($i, $j) {
            (1, 1) => $function::<$($generic),*, 1, 1>($($argument),*),
            (1, _) => $function::<$($generic),*, 1, 2>($($argument),*),
            (_, 1) => $function::<$($generic),*, 2, 1>($($argument),*),
            (_, _) => $function::<$($generic),*, 2, 2>($($argument),*),
        }
    };
}
use with_tiles;

/// Calls a method of a unit for each pair of `$i` left and `$j` right operands. If it takes a place in memory with rows
/// of `$row` words, it gets that of the pair's sums.
macro_rules! each_pair {
    ($i:ident, $j:ident, $unit:ident.$method:ident($($place:expr, $row:expr)?)) => {
        $unit.$method::<0, 0>($($place, $row * 4)?);
        if $j == 2 {
            $unit.$method::<0, 1>($($place.add(SIDE), $row * 4)?);
        }
        if $i == 2 {
            $unit.$method::<1, 0>($($place.add(SIDE * $row), $row * 4)?);
            if $j == 2 {
                $unit.$method::<1, 1>($($place.add(SIDE * $row + SIDE), $row * 4)?);
            }
        }
    };
}
use each_pair;
