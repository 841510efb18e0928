//! The roofline: the speed of the arithmetic units when nothing is loaded or stored.

use std::hint::black_box;

use super::lanes::Lanes;
#[cfg(target_arch = "x86_64")]
use super::panels::SIDE;
#[cfg(target_arch = "x86_64")]
use super::tiles::{TileProduct, TileUnit};

/// Upper bound on [`Lanes::PEAK_SUMS`].
pub(super) const MAX_SUMS: usize = 12;

/// Multiplies and adds in at least `registers` registers, and returns the number of multiplications
/// and additions.
///
/// # Safety
/// As [`Lanes`].
#[inline(always)]
pub(super) unsafe fn multiply_and_add_lanes<L: Lanes>(registers: u64) -> u64 {
    let rounds = registers.div_ceil(L::PEAK_SUMS as u64);
    // SAFETY: no memory is touched.
    unsafe {
        let input = black_box(L::splat(L::Word::default()));
        let weights: [L; MAX_SUMS] = std::array::from_fn(|_| black_box(L::splat(L::Word::default())));
        let mut sums = [black_box(L::splat(L::Word::default())); MAX_SUMS];
        for _ in 0..rounds {
            // Where a product is an instruction of its own, the compiler would otherwise compute it
            // once for all rounds.
            let input = if L::PEAK_OPERANDS > 1 { black_box(input) } else { input };
            for (i, sum) in sums[..L::PEAK_SUMS].iter_mut().enumerate() {
                *sum = sum.add_product(input, weights[i % L::PEAK_OPERANDS]);
            }
        }
        black_box(sums);
    }
    2 * rounds * (L::PEAK_SUMS * L::WIDTH * L::PRODUCTS) as u64
}

/// Multiplies and adds at least `products` pairs of tiles with `N` numbers a word, and returns the
/// number of scalar multiplications and additions.
///
/// # Safety
/// As [`TileUnit`].
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) unsafe fn multiply_and_add_tiles<U: TileUnit, P: TileProduct, const N: usize>(products: u64) -> u64 {
    let rounds = products.div_ceil(4);
    let zeros = [[0u32; SIDE]; SIDE];
    // SAFETY: passed on; a tile's words lie one after another.
    unsafe {
        let mut unit = U::new();
        unit.load_left::<0>(zeros.as_ptr().cast(), SIDE * 4);
        unit.load_left::<1>(zeros.as_ptr().cast(), SIDE * 4);
        unit.load_right::<0>(zeros.as_ptr().cast(), SIDE * 4);
        unit.load_right::<1>(zeros.as_ptr().cast(), SIDE * 4);
        for _ in 0..rounds {
            P::add::<U, 0, 0>(&mut unit);
            P::add::<U, 0, 1>(&mut unit);
            P::add::<U, 1, 0>(&mut unit);
            P::add::<U, 1, 1>(&mut unit);
        }
    }
    2 * rounds * (4 * SIDE * SIDE * SIDE * N) as u64
}
