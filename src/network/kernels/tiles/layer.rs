//! A layer on a tile unit: 32 cells at a time.

use std::cell::Cell;
use std::ops::Range;

use super::{Block, SIDE, TileProduct, TileUnit, with_tiles};
use crate::network::kernels::NO_TAP;
use crate::network::kernels::aligned::Aligned;
use crate::network::kernels::lanes::Lanes;
use crate::network::kernels::tile::{Job, Scaled};

/// Words of four bytes: unsigned on the left, signed on the right.
pub(in crate::network::kernels) struct TileBytes;

impl TileProduct for TileBytes {
    #[inline(always)]
    unsafe fn add<U: TileUnit, const I: usize, const J: usize>(unit: &mut U) {
        // SAFETY: passed on.
        unsafe { unit.add_bytes::<I, J>() }
    }
}

/// Words of two bf16.
pub(in crate::network::kernels) struct TilePairs;

impl TileProduct for TilePairs {
    #[inline(always)]
    unsafe fn add<U: TileUnit, const I: usize, const J: usize>(unit: &mut U) {
        // SAFETY: passed on.
        unsafe { unit.add_pairs::<I, J>() }
    }
}

/// Cells whose rows are multiplied at a time.
const CELLS: usize = 2 * SIDE;

thread_local! {
    /// The gathered rows of the last layer, whose memory serves again.
    static GATHERED: Cell<Aligned<u32>> = Cell::default();
}

/// Computes a layer whose weights are in panels of [`SIDE`] outputs, filled up with zeros to a multiple of [`SIDE`] words.
/// `S` is a register of its sums.
///
/// # Safety
/// As [`TileUnit`] and [`Lanes`]; lengths as in [`crate::network::kernels::tile::layer_tiles`].
#[inline(always)]
pub(in crate::network::kernels) unsafe fn tile_layer<U: TileUnit, P: TileProduct, S: Lanes, W, const T: usize>(
    job: &mut Job<'_, W, T>,
) {
    const { assert!(size_of::<S::Word>() == 4 && size_of::<W>() == 4) };
    let words = T * job.operands.inputs;
    let row = words.next_multiple_of(SIDE);
    let mut gathered = GATHERED.take();
    if gathered.len() < CELLS * row {
        gathered.resize(CELLS * row);
    }
    gathered.chunks_exact_mut(row).take(CELLS).for_each(|row| row[words..].fill(0));
    // SAFETY: there is room for the rows of `CELLS` cells; the rest is passed on.
    unsafe {
        let (mut unit, mut sums) = (U::new(), Sums([[0; 2 * SIDE]; CELLS]));
        for first in (0..job.taps.cells()).step_by(CELLS) {
            let cells = first..job.taps.cells().min(first + CELLS);
            gather(job, cells.clone(), gathered.as_mut_ptr(), row);
            for output in (0..job.outputs).step_by(2 * SIDE) {
                let (i, j) = (cells.len().div_ceil(SIDE), (job.outputs - output) / SIDE);
                let (unit, rows) = (&mut unit, (gathered.as_ptr(), row));
                with_tiles!(i, j, add_block::<U, P, S, W, T>(unit, job, &mut sums, rows, (cells.clone(), output)));
            }
        }
    }
    GATHERED.set(gathered);
}

/// Copies what these cells read, tap after tap, into rows of `row` words.
///
/// # Safety
/// As [`tile_layer`]; there must be room for so many rows.
#[inline(always)]
unsafe fn gather<W, const T: usize>(job: &Job<'_, W, T>, cells: Range<usize>, to: *mut u32, row: usize) {
    let inputs = job.operands.inputs;
    // SAFETY: passed on. Copies of a fixed length are a few moves each.
    unsafe {
        match inputs {
            8 => gather_words::<W, T, 8>(job, cells, to, row),
            16 => gather_words::<W, T, 16>(job, cells, to, row),
            32 => gather_words::<W, T, 32>(job, cells, to, row),
            64 => gather_words::<W, T, 64>(job, cells, to, row),
            _ => {
                for (cell, taps) in job.taps.rows()[cells].iter().enumerate() {
                    for (t, &tap) in taps.iter().enumerate() {
                        let to = to.add(cell * row + t * inputs);
                        to.copy_from_nonoverlapping(source(job, tap, inputs), inputs);
                    }
                }
            }
        }
    }
}

/// [`gather`] for `N` inputs.
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
    for taps in &job.taps.rows()[cells] {
        // SAFETY: a row has room for all taps.
        unsafe {
            for (t, &tap) in taps.iter().enumerate() {
                let words = source(job, tap, N).cast::<[u32; N]>().read_unaligned();
                to.add(t * N).cast::<[u32; N]>().write_unaligned(words);
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
    // A choice without a branch: which taps are missing is hard to foresee.
    std::hint::select_unpredictable(tap == NO_TAP, job.operands.off_board.as_ptr().cast(), read)
}

/// Sums of a block, on a line of the cache.
#[repr(align(64))]
struct Sums([[u32; 2 * SIDE]; CELLS]);

/// Computes `I` tiles of cells × `J` tiles of outputs from gathered rows.
///
/// # Safety
/// As [`tile_layer`]; cells and outputs must lie inside the layer.
#[inline(always)]
unsafe fn add_block<U: TileUnit, P: TileProduct, S: Lanes, W, const T: usize, const I: usize, const J: usize>(
    unit: &mut U,
    job: &mut Job<'_, W, T>,
    sums: &mut Sums,
    (rows, row): (*const u32, usize),
    (cells, output): (Range<usize>, usize),
) {
    let to = sums.0.as_mut_ptr().cast::<u32>();
    // SAFETY: passed on; the block lies inside rows, weights and sums.
    unsafe {
        let weights = job.operands.weights.as_ptr().cast::<u32>().add(output * row);
        let left = [rows, rows.add(SIDE * row)];
        let right = [weights, weights.add(SIDE * row)];
        let block = Block { left, left_row: row, right, right_row: SIDE, steps: row / SIDE };
        unit.zero::<0, 0>();
        if J == 2 {
            unit.zero::<0, 1>();
        }
        if I == 2 {
            unit.zero::<1, 0>();
            if J == 2 {
                unit.zero::<1, 1>();
            }
        }
        block.add::<P, U, I, J>(unit);
        let stride = 2 * SIDE * 4;
        unit.store_sums::<0, 0>(to, stride);
        if J == 2 {
            unit.store_sums::<0, 1>(to.add(SIDE), stride);
        }
        if I == 2 {
            unit.store_sums::<1, 0>(to.add(SIDE * 2 * SIDE), stride);
            if J == 2 {
                unit.store_sums::<1, 1>(to.add(SIDE * 2 * SIDE + SIDE), stride);
            }
        }
        for at in (0..J * SIDE).step_by(S::WIDTH) {
            let scaled = Scaled::<S::Floats>::new(job, output + at);
            for (sums, cell) in sums.0.iter().zip(cells.clone()) {
                let sum = S::load(sums.as_ptr().add(at).cast()).to_floats();
                scaled.write(job, cell, output + at, sum);
            }
        }
    }
}
