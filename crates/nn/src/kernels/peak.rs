//! The roofline: the speed of the arithmetic units when nothing is loaded or stored.

use std::hint::black_box;

use super::lanes::Lanes;
use super::{Kernel, Precision, TrainingPrecision, dispatch};

/// Upper bound on [`Lanes::PEAK_SUMS`].
pub(super) const MAX_SUMS: usize = 12;

/// Multiplies and adds in at least `registers` registers, and returns the number of multiplications
/// and additions.
///
/// # Safety
/// As [`Lanes`].
#[inline(always)]
pub(super) unsafe fn multiply_and_add<L: Lanes>(registers: u64) -> u64 {
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

impl Kernel {
    /// Multiplies and adds in at least `registers` registers and does nothing else. Returns the
    /// number of scalar multiplications and additions performed, to measure a core's peak
    /// throughput.
    ///
    /// # Panics
    /// If the machine cannot run the kernel.
    pub fn multiply_and_add(self, precision: Precision, registers: u64) -> u64 {
        assert!(self.is_available(), "this machine cannot run the kernel {self:?}");
        // SAFETY: the kernel is available.
        unsafe { dispatch::multiply_and_add(self, precision, registers) }
    }

    /// Does the same as [`Kernel::multiply_and_add`] in a training precision.
    ///
    /// # Panics
    /// If the machine cannot run the kernel.
    pub fn multiply_and_add_in_training(self, precision: TrainingPrecision, registers: u64) -> u64 {
        assert!(self.is_available(), "this machine cannot run the kernel {self:?}");
        match precision {
            TrainingPrecision::F32 => self.multiply_and_add(Precision::F32, registers),
            // SAFETY: the kernel is available.
            TrainingPrecision::Bf16 => unsafe { dispatch::multiply_and_add_pairs(self, registers) },
        }
    }
}
