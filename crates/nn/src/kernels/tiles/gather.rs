//! Copies the inputs of cells, where a board has no layout that makes copying unnecessary.

use std::ops::Range;

use crate::kernels::panels::NO_TAP;
use crate::kernels::tile::Job;

/// Copies the inputs of these cells, each tap to its place, into rows of `row` words.
///
/// # Safety
/// As [`super::tile_layer`]; `to` must have room for a row of each cell.
#[inline(always)]
pub(super) unsafe fn gather<W, const T: usize>(job: &Job<'_, W, T>, cells: Range<usize>, to: *mut u32, row: usize) {
    let inputs = job.operands.inputs;
    // SAFETY: passed on. Copies of a fixed length are a few moves each.
    unsafe {
        match inputs {
            4 => gather_words::<W, T, 4>(job, cells, to, row),
            8 => gather_words::<W, T, 8>(job, cells, to, row),
            12 => gather_words::<W, T, 12>(job, cells, to, row),
            16 => gather_words::<W, T, 16>(job, cells, to, row),
            32 => gather_words::<W, T, 32>(job, cells, to, row),
            64 => gather_words::<W, T, 64>(job, cells, to, row),
            _ => {
                let places = job.panels.places(T, inputs);
                for (cell, taps) in job.taps.rows()[cells].iter().enumerate() {
                    for (&tap, place) in taps.iter().zip(places) {
                        to.add(cell * row + place).copy_from_nonoverlapping(source(job, tap, inputs), inputs);
                    }
                }
            }
        }
    }
}

/// Does the same as [`gather`] for `N` inputs.
///
/// # Safety
/// As [`gather`].
#[inline(always)]
unsafe fn gather_words<W, const T: usize, const N: usize>(
    job: &Job<'_, W, T>,
    cells: Range<usize>,
    mut to: *mut u32,
    row: usize,
) {
    let places = job.panels.places(T, N);
    for taps in &job.taps.rows()[cells] {
        // SAFETY: a row has room for all taps.
        unsafe {
            for (&tap, place) in taps.iter().zip(places) {
                let words = source(job, tap, N).cast::<[u32; N]>().read_unaligned();
                to.add(place).cast::<[u32; N]>().write_unaligned(words);
            }
            to = to.add(row);
        }
    }
}

/// Returns the words that a tap reads.
///
/// # Safety
/// As [`gather`].
#[inline(always)]
unsafe fn source<W, const T: usize>(job: &Job<'_, W, T>, tap: u32, inputs: usize) -> *const u32 {
    // SAFETY: no tap reads past `x`.
    let read =
        unsafe { job.operands.x.as_ptr().cast::<u32>().add(if tap == NO_TAP { 0 } else { tap as usize * inputs }) };
    // Select without a branch, because missing taps are hard to predict.
    std::hint::select_unpredictable(tap == NO_TAP, job.operands.off_board.as_ptr().cast(), read)
}
