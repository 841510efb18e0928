//! The roofline: what the arithmetic unit does when nothing is loaded or stored.

use std::hint::black_box;

use super::lanes::Lanes;

/// Sums that do not wait for each other: more than the latency of a product times the units.
const SUMS: usize = 12;

/// Multiplies and adds in `products` registers, rounded up, and gives the number of products.
///
/// # Safety
/// As [`Lanes`].
#[inline(always)]
pub(super) unsafe fn multiply_and_add<L: Lanes>(products: u64) -> u64 {
    let rounds = products.div_ceil(SUMS as u64);
    // SAFETY: no memory is touched.
    unsafe {
        let (input, weights) = (black_box(L::splat(L::Word::default())), black_box(L::splat(L::Word::default())));
        let mut sums = [black_box(L::splat(L::Word::default())); SUMS];
        for _ in 0..rounds {
            for sum in &mut sums {
                *sum = sum.add_product(input, weights);
            }
        }
        black_box(sums);
    }
    rounds * SUMS as u64
}
