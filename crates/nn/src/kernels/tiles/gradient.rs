//! The weight gradient on a tile unit: the outputs' gradients, transposed, times the inputs that
//! their cells read through a tap.

use super::{Block, TileUnit, each_pair, with_tiles};
use crate::kernels::gradient::{GradientJob, gather, interleave_gradient};
use crate::kernels::lanes::OperandLanes;
use crate::kernels::panels::SIDE;

/// Number of words of cells, two cells each, summed at a time: their rows stay in the L1 and L2
/// caches.
const WORDS: usize = 8 * SIDE;

/// # Safety
/// As [`TileUnit`] and [`OperandLanes`]; the lengths must have been checked as in
/// [`crate::kernels::add_weight_gradient`].
#[inline(always)]
pub(crate) unsafe fn tile_gradient<U: TileUnit, L: OperandLanes<Word = u32>, const T: usize>(
    job: &mut GradientJob<'_, u32, T>,
) {
    let (inputs, outputs) = (job.inputs, job.outputs);
    let words = job.taps.len().div_ceil(2);
    let gathered = &mut *job.gathered;
    gathered.resize(WORDS * inputs, words.next_multiple_of(SIDE) * outputs, inputs.max(outputs));
    let mut memory = std::mem::take(&mut gathered.tiles);
    memory.transposed.resize(outputs * WORDS);
    memory.sums.resize(T * outputs * inputs);
    memory.sums.fill(0.0);
    // SAFETY: passed on; there is room for all cells.
    unsafe {
        interleave_gradient::<L, T>(job);
        job.gathered.out_gradient[words * outputs..].fill(0);
        let mut unit = U::new();
        for first in (0..words).step_by(WORDS) {
            let count = (words - first).min(WORDS);
            let steps = count.div_ceil(SIDE);
            let from = &job.gathered.out_gradient[first * outputs..][..steps * SIDE * outputs];
            transpose(from, outputs, &mut memory.transposed);
            for tap in 0..T {
                gather::<L, T, true>(job, tap, 2 * first..job.taps.len().min(2 * (first + WORDS)));
                job.gathered.x[count * inputs..steps * SIDE * inputs].fill(0);
                let x = job.gathered.x.as_ptr();
                let left = memory.transposed.as_ptr();
                for output in (0..outputs).step_by(2 * SIDE) {
                    for input in (0..inputs).step_by(2 * SIDE) {
                        let (i, j) = ((outputs - output) / SIDE, (inputs - input) / SIDE);
                        let left = left.add(output * WORDS);
                        let block = Block {
                            left: [left, left.wrapping_add(SIDE * WORDS)],
                            left_row: WORDS,
                            right: [x.add(input), x.wrapping_add(input + SIDE)],
                            right_row: inputs,
                            steps,
                            bytes: false,
                        };
                        let sums = memory.sums.as_mut_ptr().add((tap * outputs + output) * inputs + input);
                        with_tiles!(i, j, add_block::<U>(&mut unit, block, sums, inputs));
                    }
                }
            }
        }
    }
    for (gradient, sums) in
        job.gradient.chunks_exact_mut(inputs * outputs).zip(memory.sums.chunks_exact(inputs * outputs))
    {
        add_transposed(sums, inputs, outputs, gradient);
    }
    job.gathered.tiles = memory;
}

/// Adds a block of products to sums with rows of `row` numbers.
///
/// # Safety
/// As [`tile_gradient`]; operands and sums must be there.
#[inline(always)]
unsafe fn add_block<U: TileUnit, const I: usize, const J: usize>(
    unit: &mut U,
    block: Block,
    sums: *mut f32,
    row: usize,
) {
    let words = sums.cast::<u32>();
    // SAFETY: passed on.
    unsafe {
        each_pair!(I, J, unit.load_sums(sums, row));
        block.add::<U, I, J>(unit, &mut ());
        each_pair!(I, J, unit.store_sums(words, row));
    }
}

/// Transposes `[words × width]` into `[width × WORDS]`, in squares that the compiler keeps in
/// registers.
#[inline(always)]
fn transpose(from: &[u32], width: usize, to: &mut [u32]) {
    for (block, rows) in from.chunks_exact(SIDE * width).enumerate() {
        for column in (0..width).step_by(SIDE) {
            let mut square = [[0; SIDE]; SIDE];
            for (row, from) in rows.chunks_exact(width).enumerate() {
                for (to, from) in square.iter_mut().zip(&from[column..column + SIDE]) {
                    to[row] = *from;
                }
            }
            for (square, to) in square.iter().zip(to[column * WORDS..].chunks_exact_mut(WORDS)) {
                to[block * SIDE..][..SIDE].copy_from_slice(square);
            }
        }
    }
}

/// Adds `[outputs × inputs]` to `[inputs × outputs]`.
#[inline(always)]
fn add_transposed(from: &[f32], inputs: usize, outputs: usize, to: &mut [f32]) {
    for (input, to) in to.chunks_exact_mut(outputs).enumerate() {
        for (to, from) in to.iter_mut().zip(from[input..].iter().step_by(inputs)) {
            *to += from;
        }
    }
}
