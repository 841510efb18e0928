//! The loop of a weight gradient over tiles of inputs × outputs, generic over [`OperandLanes`].
#![expect(clippy::needless_range_loop, reason = "loops of constant length over several arrays kept in registers")]

use std::ops::Range;

use super::activations::Aligned;
use super::lanes::{FloatLanes, Lanes, MAX_PRODUCTS, OperandLanes};
use super::panels::NO_TAP;
use super::tile::{call_tile, equal_parts, registers, with_cells, with_cells_among};

/// Words of the operands of a tile's loop that stay in the L1 cache, three quarters of 32 KiB.
const CACHED: usize = 6144;

/// Minimum number of words of cells that the loops process at a time.
const MIN_DEPTH: usize = 32;

/// The operands of a weight gradient.
pub struct GradientJob<'a, W, const T: usize> {
    /// `[rows × inputs]`, in words.
    pub x: &'a [W],
    /// Numbers in a row of `x`.
    pub inputs: usize,
    pub taps: &'a [[u32; T]],
    /// `[cells × outputs]`, in words.
    pub out_gradient: &'a [W],
    /// Numbers in a row of `out_gradient`.
    pub outputs: usize,
    /// `[T × inputs × outputs]`.
    pub gradient: &'a mut [f32],
    pub gathered: &'a mut Gathered<W>,
}

/// Rows arranged for multiplication by a tile: each word holds numbers of one channel and
/// successive cells. Words of a single number need no rearrangement and are read in place.
#[derive(Debug, Default)]
pub struct Gathered<W> {
    /// For each word of cells with some input through a tap, the offsets of that input and of the
    /// cells' gradient.
    places: Vec<(usize, usize)>,
    /// The inputs that the cells read through a tap, `[words of cells × inputs]`.
    pub(super) x: Vec<W>,
    /// The gradient of all cells, `[words of cells × outputs]`.
    pub(super) out_gradient: Vec<W>,
    /// Zeros in place of a missing row.
    zeros: Vec<W>,
    pub(super) tiles: TileBuffers,
}

/// The buffers of a tile unit.
#[derive(Debug, Default)]
pub(super) struct TileBuffers {
    /// The gradient of some cells, transposed, `[outputs × words of cells]`.
    pub transposed: Aligned<u32>,
    /// `[T × outputs × inputs]`.
    pub sums: Aligned<f32>,
}

impl<W: Copy + Default> Gathered<W> {
    /// Makes room for the words of `x`, those of the gradient, and the longest row.
    pub(super) fn resize(&mut self, x: usize, out_gradient: usize, row: usize) {
        self.x.resize(x, W::default());
        self.out_gradient.resize(out_gradient, W::default());
        self.zeros.resize(row, W::default());
    }
}

/// # Safety
/// As [`Lanes`]; the lengths must have been checked as in [`super::add_weight_gradient`].
#[inline(always)]
pub(super) unsafe fn gradient_tiles<L: OperandLanes, const T: usize>(job: &mut GradientJob<'_, L::Word, T>) {
    let most = (CACHED / (job.inputs + job.outputs)).max(MIN_DEPTH);
    if L::PRODUCTS > 1 {
        let words = job.taps.len().div_ceil(L::PRODUCTS);
        job.gathered.resize(most * job.inputs, words * job.outputs, job.inputs.max(job.outputs));
        // SAFETY: passed on; there is room for all cells.
        unsafe { interleave_gradient::<L, T>(job) }
    }
    // All taps of some cells at a time: they mostly read the same rows, which stay in the L1 cache.
    let cells = most * L::PRODUCTS;
    for first in (0..job.taps.len()).step_by(cells) {
        let cells = first..job.taps.len().min(first + cells);
        for tap in 0..T {
            if L::PRODUCTS > 1 {
                // SAFETY: passed on; there is room for `most` words of cells.
                unsafe { gather::<L, T, false>(job, tap, cells.clone()) }
            } else {
                find_places(job, tap, cells.clone());
            }
            if job.gathered.places.is_empty() {
                continue;
            }
            let mut output = 0;
            while output < job.outputs {
                let v = registers::<L>(job.outputs - output);
                let mut input = 0;
                for inputs in equal_parts(job.inputs, L::CELLS[v]) {
                    // SAFETY: passed on; the tile lies inside the gradient.
                    unsafe { with_cells!(v, inputs, gradient_tile, L, T, (job, tap, input, output)) }
                    input += inputs;
                }
                output += v * L::WIDTH;
            }
        }
    }
}

/// Interleaves the gradients of all cells.
///
/// # Safety
/// As [`gradient_tiles`]; there must be room.
#[inline(always)]
pub(super) unsafe fn interleave_gradient<L: OperandLanes, const T: usize>(job: &mut GradientJob<'_, L::Word, T>) {
    for first in (0..job.taps.len()).step_by(L::PRODUCTS) {
        let mut rows = [job.gathered.zeros.as_ptr(); MAX_PRODUCTS];
        // SAFETY: the cells lie inside, and their word has its room.
        unsafe {
            for cell in first..(first + L::PRODUCTS).min(job.taps.len()) {
                rows[cell - first] = job.out_gradient.as_ptr().add(cell * (job.outputs / L::PRODUCTS));
            }
            let to = job.gathered.out_gradient.as_mut_ptr().add(first / L::PRODUCTS * job.outputs);
            interleave::<L>(rows, job.outputs, to);
        }
    }
}

/// Finds which of these cells read an input through a tap.
#[inline(always)]
fn find_places<W, const T: usize>(job: &mut GradientJob<'_, W, T>, tap: usize, cells: Range<usize>) {
    let places = &mut job.gathered.places;
    places.clear();
    for cell in cells {
        let read = job.taps[cell][tap];
        if read != NO_TAP {
            places.push((read as usize * job.inputs, cell * job.outputs));
        }
    }
}

/// Gathers the words that these cells read through a tap: `ALL` of them, or only those with an
/// input.
///
/// # Safety
/// As [`gradient_tiles`]; the first cell must begin a word, and there must be room for all.
#[inline(always)]
pub(super) unsafe fn gather<L: OperandLanes, const T: usize, const ALL: bool>(
    job: &mut GradientJob<'_, L::Word, T>,
    tap: usize,
    cells: Range<usize>,
) {
    job.gathered.places.clear();
    for cell in cells.clone().step_by(L::PRODUCTS) {
        let mut rows = [job.gathered.zeros.as_ptr(); MAX_PRODUCTS];
        let mut reads = false;
        for (row, taps) in rows.iter_mut().zip(&job.taps[cell..cells.end]).take(L::PRODUCTS) {
            if taps[tap] != NO_TAP {
                // SAFETY: the row lies inside, as the caller promised.
                *row = unsafe { job.x.as_ptr().add(taps[tap] as usize * (job.inputs / L::PRODUCTS)) };
                reads = true;
            }
        }
        if ALL || reads {
            let place = job.gathered.places.len() * job.inputs;
            job.gathered.places.push((place, cell / L::PRODUCTS * job.outputs));
            // SAFETY: the rows are as long as said, and there is room for a word of each channel.
            unsafe { interleave::<L>(rows, job.inputs, job.gathered.x.as_mut_ptr().add(place)) }
        }
    }
}

/// Interleaves rows of `numbers` numbers, a multiple of [`super::OUTPUT_MULTIPLE`].
///
/// # Safety
/// As [`Lanes`]; the rows must be as long, and there must be room for a word of each number.
#[inline(always)]
unsafe fn interleave<L: OperandLanes>(rows: [*const L::Word; MAX_PRODUCTS], numbers: usize, to: *mut L::Word) {
    for at in (0..numbers).step_by(L::WIDTH) {
        // SAFETY: the width divides the number of numbers.
        unsafe { L::interleave(rows.map(|row| row.add(at / L::PRODUCTS)), to.add(at)) }
    }
}

/// Interleaves each group of `PRODUCTS` successive rows of `numbers` numbers.
///
/// # Safety
/// As [`Lanes`]; `from` must hold a multiple of `PRODUCTS` rows, each of a multiple of [`super::OUTPUT_MULTIPLE`]
/// numbers, and `to` must be as long.
#[inline(always)]
pub(super) unsafe fn interleave_rows<L: OperandLanes>(from: &[L::Word], numbers: usize, to: &mut [L::Word]) {
    let row = numbers / L::PRODUCTS;
    for at in (0..from.len()).step_by(numbers) {
        // SAFETY: `PRODUCTS` rows lie from there on.
        unsafe {
            let rows = std::array::from_fn(|number| from.as_ptr().add(at + number % L::PRODUCTS * row));
            interleave::<L>(rows, numbers, to.as_mut_ptr().add(at));
        }
    }
}

/// Computes the tile of `M` inputs × `V` registers of outputs of one tap, over the words of cells
/// found.
///
/// # Safety
/// As [`gradient_tiles`]; the tile must lie inside the gradient, and the places must be of this job.
#[inline(always)]
unsafe fn gradient_tile<L: OperandLanes, const T: usize, const M: usize, const V: usize>(
    job: &mut GradientJob<'_, L::Word, T>,
    tap: usize,
    input: usize,
    output: usize,
) {
    // SAFETY: as in `layer_tile`.
    unsafe {
        let mut sums = [[L::splat(L::Word::default()); V]; M];
        let (x, out_gradient) = if L::PRODUCTS > 1 {
            (job.gathered.x.as_ptr(), job.gathered.out_gradient.as_ptr())
        } else {
            (job.x.as_ptr(), job.out_gradient.as_ptr())
        };
        for &(row, column) in &job.gathered.places {
            let (row, column) = (x.add(row + input), out_gradient.add(column + output));
            let mut columns = [L::splat(L::Word::default()); V];
            for v in 0..V {
                columns[v] = L::load(column.add(v * L::WIDTH));
            }
            for m in 0..M {
                let value = L::splat(*row.add(m));
                for v in 0..V {
                    sums[m][v] = sums[m][v].add_product(value, columns[v]);
                }
            }
        }
        for m in 0..M {
            for v in 0..V {
                let at = (tap * job.inputs + input + m) * job.outputs + output + v * L::WIDTH;
                let to = job.gradient.as_mut_ptr().add(at);
                sums[m][v].to_floats().plus(L::Floats::load(to)).store(to);
            }
        }
    }
}
