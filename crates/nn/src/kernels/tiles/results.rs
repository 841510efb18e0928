//! Converts the sums of a block to results while the next block is multiplied.

use std::ops::Range;

use super::Meanwhile;
use crate::kernels::activations::Seen;
use crate::kernels::flat::FlatCell;
use crate::kernels::lanes::Lanes;
use crate::kernels::panels::SIDE;
use crate::kernels::tile::{Job, Scaled};

/// Number of words in a row of sums: two tiles side by side.
pub(super) const ROW_OF_SUMS: usize = 2 * SIDE;
/// Number of words in the sums of a block: two tiles by two.
pub(super) const SUMS: usize = 2 * SIDE * ROW_OF_SUMS;

/// The cells of a block.
#[derive(Clone)]
pub(super) enum Cells<'a> {
    /// Successive cells, one in each row of the block.
    Run(Range<usize>),
    /// Cells in some of the block's rows.
    Flat(&'a [FlatCell]),
}

impl Cells<'_> {
    #[inline(always)]
    fn len(&self) -> usize {
        match self {
            Self::Run(cells) => cells.len(),
            Self::Flat(cells) => cells.len(),
        }
    }

    /// Returns the cell and its row among the block's sums.
    ///
    /// # Safety
    /// There must be such a cell.
    #[inline(always)]
    unsafe fn get(&self, i: usize) -> (usize, usize) {
        match self {
            Self::Run(cells) => (i, cells.start + i),
            Self::Flat(cells) => {
                // SAFETY: the caller's promise.
                let FlatCell { row, cell } = *unsafe { cells.get_unchecked(i) };
                (row as usize, cell as usize)
            }
        }
    }
}

/// The sums of a block that are still to be written. The tile unit takes sixteen cycles a product
/// and leaves the vector units idle, so a share of this block is written with each step of the next
/// one.
pub(super) struct Results<'j, 'a, S: Lanes, W, const T: usize> {
    pub job: &'j mut Job<'a, W, T>,
    /// The residual to add to the results, if any.
    residual: Option<*const f32>,
    relu: bool,
    out: *mut f32,
    outputs: usize,
    sums: *const u32,
    cells: Cells<'a>,
    output: usize,
    /// Number of registers of outputs of a cell.
    registers: usize,
    scaled: [Scaled<S::Floats>; MAX_REGISTERS],
    /// The extremes of the results written.
    seen: Seen<S::Floats>,
    /// Number of cells written.
    written: usize,
    /// Number of cells to write with each step.
    share: usize,
}

/// Number of registers in a row of sums for the narrowest vectors.
const MAX_REGISTERS: usize = 4;

impl<'j, 'a, S: Lanes, W, const T: usize> Results<'j, 'a, S, W, T> {
    /// Starts without a block.
    ///
    /// # Safety
    /// As [`super::tile_layer`].
    #[inline(always)]
    pub unsafe fn new(job: &'j mut Job<'a, W, T>) -> Self {
        const { assert!(ROW_OF_SUMS / S::WIDTH <= MAX_REGISTERS) };
        // SAFETY: passed on; a layer has outputs.
        let (seen, scaled) = unsafe { (Seen::nothing(), [Scaled::new(job, 0); MAX_REGISTERS]) };
        Self {
            residual: job.residual.map(<[f32]>::as_ptr),
            relu: job.relu,
            out: job.out.as_mut_ptr(),
            outputs: job.outputs,
            job,
            sums: std::ptr::null(),
            cells: Cells::Run(0..0),
            output: 0,
            registers: 0,
            scaled,
            seen,
            written: 0,
            share: 0,
        }
    }

    /// Writes the rest of the previous block, and takes a new one with `J` tiles of outputs, to be
    /// written over `steps` steps.
    ///
    /// # Safety
    /// As [`super::tile_layer`]; the sums must stay where they are until the next block is taken, and cells and outputs
    /// must lie inside the layer.
    #[inline(always)]
    pub unsafe fn take<const J: usize>(&mut self, sums: *const u32, cells: Cells<'a>, output: usize, steps: usize) {
        // SAFETY: passed on.
        unsafe {
            self.write_all();
            self.registers = J * SIDE / S::WIDTH;
            for v in 0..self.registers {
                self.scaled[v] = Scaled::new(self.job, output + v * S::WIDTH);
            }
        }
        (self.written, self.share) = (0, cells.len().div_ceil(steps));
        (self.sums, self.cells, self.output) = (sums, cells, output);
    }

    /// Writes all pending results.
    ///
    /// # Safety
    /// As [`Results::take`].
    #[inline(always)]
    unsafe fn write_all(&mut self) {
        // SAFETY: passed on.
        unsafe { self.write_until(self.cells.len()) }
    }

    /// Writes the rest of the last block.
    ///
    /// # Safety
    /// As [`Results::take`].
    #[inline(always)]
    pub unsafe fn finish(mut self) {
        // SAFETY: passed on.
        unsafe {
            self.write_all();
            self.job.extremes = Some(self.seen.extremes());
        }
    }

    /// # Safety
    /// As [`Results::take`]; the block must have at least `end` cells.
    #[inline(always)]
    unsafe fn write_until(&mut self, end: usize) {
        // SAFETY: passed on.
        unsafe {
            match self.registers {
                4 => self.write_registers::<4>(end),
                2 => self.write_registers::<2>(end),
                _ => self.write_registers::<1>(end),
            }
        }
    }

    /// Does the same as [`Self::write_until`] with `V` registers a cell.
    ///
    /// # Safety
    /// As there.
    #[inline(always)]
    unsafe fn write_registers<const V: usize>(&mut self, end: usize) {
        let mut seen = self.seen;
        let (sums, residual, out, relu) = (self.sums, self.residual, self.out, self.relu);
        let (first, outputs) = (self.output, self.outputs);
        for i in self.written..end {
            // SAFETY: passed on; cells and outputs lie inside the layer.
            unsafe {
                let (row, cell) = self.cells.get(i);
                let (sums, at) = (sums.add(row * ROW_OF_SUMS), cell * outputs + first);
                for v in 0..V {
                    let sum = S::load(sums.add(v * S::WIDTH).cast()).to_floats();
                    seen.add(self.scaled[v].write_at(at + v * S::WIDTH, sum, residual, relu, out));
                }
            }
        }
        self.seen = seen;
        self.written = end;
    }
}

impl<S: Lanes, W, const T: usize> Meanwhile for Results<'_, '_, S, W, T> {
    #[inline(always)]
    unsafe fn step(&mut self) {
        // SAFETY: the block before promised what this needs.
        unsafe { self.write_until(self.cells.len().min(self.written + self.share)) }
    }
}
