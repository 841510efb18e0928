//! The tile unit in plain Rust, following the pseudocode of Intel's manual, so that its loops can
//! be tested on any processor.

use super::TileUnit;
use crate::kernels::panels::SIDE;

/// The words of a tile.
type Tile = [[u32; SIDE]; SIDE];

/// A tile unit whose registers are in memory.
pub(crate) struct Emulation {
    sums: [[Tile; 2]; 2],
    left: [Tile; 2],
    right: [Tile; 2],
}

unsafe fn load(from: *const u32, stride: usize) -> Tile {
    // SAFETY: the caller's 16 rows of 16 words, at any address.
    std::array::from_fn(|row| unsafe { from.byte_add(row * stride).cast::<[u32; SIDE]>().read_unaligned() })
}

/// Converts a bf16 to a float; the unit flushes denormal numbers to zero.
fn widened(half: u32) -> f32 {
    let value = f32::from_bits(half << 16);
    if value.is_normal() || !value.is_finite() { value } else { 0.0 }
}

impl Emulation {
    /// Adds `product(word of the left, word of the right)` to each sum, over all matching words.
    fn add(&mut self, i: usize, j: usize, add_product: impl Fn(u32, u32, u32) -> u32) {
        for row in 0..SIDE {
            for column in 0..SIDE {
                let sum = &mut self.sums[i][j][row][column];
                *sum = (0..SIDE).fold(*sum, |sum, k| add_product(sum, self.left[i][row][k], self.right[j][k][column]));
            }
        }
    }
}

// SAFETY: reads and writes what the trait's contract says.
unsafe impl TileUnit for Emulation {
    unsafe fn new() -> Self {
        let none = [[0; SIDE]; SIDE];
        Self { sums: [[none; 2]; 2], left: [none; 2], right: [none; 2] }
    }
    unsafe fn zero<const I: usize, const J: usize>(&mut self) {
        self.sums[I][J] = [[0; SIDE]; SIDE];
    }
    unsafe fn load_sums<const I: usize, const J: usize>(&mut self, from: *const f32, stride: usize) {
        // SAFETY: passed on.
        self.sums[I][J] = unsafe { load(from.cast(), stride) };
    }
    unsafe fn store_sums<const I: usize, const J: usize>(&mut self, to: *mut u32, stride: usize) {
        for (row, words) in self.sums[I][J].iter().enumerate() {
            // SAFETY: the trait's contract.
            unsafe { to.byte_add(row * stride).cast::<[u32; SIDE]>().write_unaligned(*words) }
        }
    }
    unsafe fn load_left<const I: usize>(&mut self, from: *const u32, stride: usize) {
        // SAFETY: passed on.
        self.left[I] = unsafe { load(from, stride) };
    }
    unsafe fn load_right<const J: usize>(&mut self, from: *const u32, stride: usize) {
        // SAFETY: passed on.
        self.right[J] = unsafe { load(from, stride) };
    }
    unsafe fn add_bytes<const I: usize, const J: usize>(&mut self) {
        self.add(I, J, |sum, left, right| {
            let products = left.to_le_bytes().into_iter().zip(right.to_le_bytes());
            products.fold(sum, |sum, (left, right)| {
                sum.wrapping_add_signed(i32::from(left) * i32::from(right.cast_signed()))
            })
        });
    }
    unsafe fn add_pairs<const I: usize, const J: usize>(&mut self) {
        self.add(I, J, |sum, left, right| {
            let first = widened(left & 0xFFFF) * widened(right & 0xFFFF);
            let second = widened(left >> 16) * widened(right >> 16);
            (f32::from_bits(sum) + (first + second)).to_bits()
        });
    }
}
