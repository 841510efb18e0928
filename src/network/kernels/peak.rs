//! The roofline: what the arithmetic unit does when nothing is loaded or stored.

use std::hint::black_box;

use super::lanes::Lanes;
use super::{Kernel, Precision, TrainingPrecision, dispatch};

/// Room for [`Lanes::PEAK_SUMS`].
pub(super) const MOST_SUMS: usize = 12;

/// Multiplies and adds in at least `registers` registers; gives the number of multiplications and additions.
///
/// # Safety
/// As [`Lanes`].
#[inline(always)]
pub(super) unsafe fn multiply_and_add<L: Lanes>(registers: u64) -> u64 {
    let rounds = registers.div_ceil(L::PEAK_SUMS as u64);
    // SAFETY: no memory is touched.
    unsafe {
        let input = black_box(L::splat(L::Word::default()));
        let weights: [L; MOST_SUMS] = std::array::from_fn(|_| black_box(L::splat(L::Word::default())));
        let mut sums = [black_box(L::splat(L::Word::default())); MOST_SUMS];
        for _ in 0..rounds {
            // A product that is an instruction of its own would otherwise be computed once for all rounds.
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
    /// Multiplies and adds in at least `registers` registers and does nothing else; returns the number of
    /// multiplications and additions of numbers that this makes. For measuring what a core could do at best.
    ///
    /// # Panics
    /// If the machine cannot run the kernel.
    pub fn multiply_and_add(self, precision: Precision, registers: u64) -> u64 {
        assert!(self.is_available(), "this machine cannot run the kernel {self:?}");
        // SAFETY: the kernel is available.
        unsafe { dispatch::multiply_and_add(self, precision, registers) }
    }

    /// [`Kernel::multiply_and_add`] in a precision of training.
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
