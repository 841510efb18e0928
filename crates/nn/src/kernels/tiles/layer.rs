//! A layer on a tile unit: 32 cells at a time.

use std::cell::Cell;

use super::gather::gather;
use super::results::{Cells, ROW_OF_SUMS, Results, SUMS};
use super::{Block, TileUnit, each_pair, with_tiles};
use crate::kernels::activations::Aligned;
use crate::kernels::flat::Flat;
use crate::kernels::lanes::Lanes;
use crate::kernels::panels::{Panels, SIDE, Strip};
use crate::kernels::tile::Job;

/// Number of cells whose rows are multiplied at a time.
const CELLS: usize = 2 * SIDE;

/// Buffers of a thread that are reused.
#[derive(Default)]
struct Memory {
    /// The sums of two blocks.
    sums: Aligned<u32>,
    /// The gathered rows.
    gathered: Aligned<u32>,
}

thread_local! {
    static MEMORY: Cell<Memory> = Cell::default();
}

/// Computes a layer whose weights are in strips of [`SIDE`] outputs. `S` is a register of its sums: of
/// integers if the operands are bytes, of floats if they are bf16.
///
/// # Safety
/// As [`TileUnit`] and [`Lanes`]; lengths as in [`crate::kernels::tile::layer_tiles`]. With a layout, `x` must have a
/// row for each of its positions.
#[inline(always)]
pub(crate) unsafe fn tile_layer<U: TileUnit, S: Lanes, W, const T: usize>(job: &mut Job<'_, W, T>) {
    const { assert!(size_of::<S::Word>() == 4 && size_of::<W>() == 4) };
    let mut memory = MEMORY.take();
    memory.sums.resize(2 * SUMS);
    // SAFETY: passed on.
    unsafe {
        match job.flat {
            Some(flat) => flat_layer::<U, S, W, T>(job, flat, &mut memory),
            None => gathered_layer::<U, S, W, T>(job, &mut memory),
        }
    }
    MEMORY.set(memory);
}

/// Computes a layer whose cells find their inputs at fixed distances.
///
/// # Safety
/// As [`tile_layer`].
#[inline(always)]
unsafe fn flat_layer<'a, U: TileUnit, S: Lanes, W, const T: usize>(
    job: &mut Job<'a, W, T>,
    flat: &'a Flat,
    memory: &mut Memory,
) {
    let (inputs, outputs) = (job.operands.inputs, job.outputs);
    let x = job.operands.x.as_ptr().cast::<u32>();
    let mut strips = [0; MAX_STRIPS];
    for (to, strip) in strips.iter_mut().zip(Strip::of(T)) {
        *to = flat.distance(strip) * inputs as isize;
    }
    // SAFETY: the layout has room around its blocks for all that their cells read.
    unsafe {
        let mut layer = TileLayer::<U, S, W, T>::new(job, memory, inputs, strips);
        // All cells with some outputs, then with the next: the weights stay in the L1 cache.
        for output in (0..outputs).step_by(2 * SIDE) {
            for block in &flat.blocks {
                let left = block.positions.map(|position| x.add(position * inputs));
                layer.add((left, block.tiles), Cells::Flat(flat.cells(block)), output);
            }
        }
        layer.results.finish();
    }
}

/// Computes a layer whose inputs are gathered.
///
/// # Safety
/// As [`tile_layer`].
#[inline(always)]
unsafe fn gathered_layer<U: TileUnit, S: Lanes, W, const T: usize>(job: &mut Job<'_, W, T>, memory: &mut Memory) {
    let (inputs, outputs, cells) = (job.operands.inputs, job.outputs, job.taps.cells());
    let row = job.panels.rows(T, inputs);
    if memory.gathered.len() < CELLS * row {
        memory.gathered.resize(CELLS * row);
    }
    // Padding meets zero weights, but must not be NaN.
    if row > T * inputs {
        memory.gathered[..CELLS * row].fill(0);
    }
    let (mut strips, mut first) = ([0; MAX_STRIPS], 0);
    for (to, strip) in strips.iter_mut().zip(Strip::of(T)) {
        *to = first as isize;
        first += Panels::rows_of(strip, inputs);
    }
    let rows = memory.gathered.as_mut_ptr();
    // SAFETY: there is room for the rows of `CELLS` cells; the rest is passed on.
    unsafe {
        let mut layer = TileLayer::<U, S, W, T>::new(job, memory, row, strips);
        for first in (0..cells).step_by(CELLS) {
            let cells = first..cells.min(first + CELLS);
            gather(layer.results.job, cells.clone(), rows, row);
            let left = [rows.cast_const(), rows.add(SIDE * row).cast_const()];
            for output in (0..outputs).step_by(2 * SIDE) {
                layer.add((left, cells.len().div_ceil(SIDE)), Cells::Run(cells.clone()), output);
            }
        }
        layer.results.finish();
    }
}

/// The number of strips of a hexagonal convolution; no layer has more.
const MAX_STRIPS: usize = 3;

/// A layer in progress.
struct TileLayer<'j, 'a, U, S: Lanes, W, const T: usize> {
    unit: U,
    results: Results<'j, 'a, S, W, T>,
    /// Buffers for the sums of the next block, and of the block being written.
    sums: [*mut u32; 2],
    weights: *const u32,
    /// Number of words from one row of the left operands to the next.
    left_row: usize,
    /// Number of words from the beginning of a row to the inputs of each strip.
    strips: [isize; MAX_STRIPS],
}

impl<'j, 'a, U: TileUnit, S: Lanes, W, const T: usize> TileLayer<'j, 'a, U, S, W, T> {
    /// # Safety
    /// As [`tile_layer`]; the memory must have room for two blocks of sums, and stay as it is to the layer's end.
    #[inline(always)]
    unsafe fn new(
        job: &'j mut Job<'a, W, T>,
        memory: &mut Memory,
        left_row: usize,
        strips: [isize; MAX_STRIPS],
    ) -> Self {
        let weights = job.operands.weights.as_ptr().cast();
        let sums = memory.sums.as_mut_ptr();
        // SAFETY: passed on.
        unsafe {
            Self { unit: U::new(), results: Results::new(job), sums: [sums, sums.add(SUMS)], weights, left_row, strips }
        }
    }

    /// Computes one or two tiles of cells, and two tiles of outputs if there are enough, otherwise
    /// one.
    ///
    /// # Safety
    /// As [`tile_layer`]; cells and outputs must lie inside the layer.
    #[inline(always)]
    unsafe fn add(&mut self, left: ([*const u32; 2], usize), cells: Cells<'a>, output: usize) {
        let ((left, i), j) = (left, (self.results.job.outputs - output) / SIDE);
        // SAFETY: passed on.
        unsafe { with_tiles!(i, j, add_block::<U, S, W, T>(self, left, cells, output)) }
    }
}

/// Computes `I` tiles of cells × `J` tiles of outputs.
///
/// # Safety
/// As [`TileLayer::add`].
#[inline(always)]
unsafe fn add_block<'a, U: TileUnit, S: Lanes, W, const T: usize, const I: usize, const J: usize>(
    layer: &mut TileLayer<'_, 'a, U, S, W, T>,
    left: [*const u32; 2],
    cells: Cells<'a>,
    output: usize,
) {
    let (panels, inputs) = (layer.results.job.panels, layer.results.job.operands.inputs);
    let rows = panels.rows(T, inputs);
    let [sums, other] = layer.sums;
    let unit = &mut layer.unit;
    // SAFETY: passed on; the block lies inside operands and sums.
    unsafe {
        let weights = layer.weights.add(output * rows);
        let mut right = [weights, weights.wrapping_add(SIDE * rows)];
        each_pair!(I, J, unit.zero());
        for (strip, offset) in Strip::of(T).iter().zip(layer.strips) {
            let steps = Panels::rows_of(strip, inputs) / SIDE;
            let left = left.map(|left| left.wrapping_offset(offset));
            let block = Block { left, left_row: layer.left_row, right, right_row: SIDE, steps, bytes: S::BYTES };
            block.add::<U, I, J>(unit, &mut layer.results);
            right = right.map(|right| right.wrapping_add(steps * SIDE * SIDE));
        }
        each_pair!(I, J, unit.store_sums(sums, ROW_OF_SUMS));
        layer.results.take::<J>(sums, cells, output, rows / SIDE);
    }
    layer.sums = [other, sums];
}
