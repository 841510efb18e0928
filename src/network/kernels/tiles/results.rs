//! From the sums of a block to results, while the next block is multiplied.

use std::ops::Range;

use super::{Meanwhile, SIDE};
use crate::network::kernels::flat::FlatCell;
use crate::network::kernels::lanes::{FloatLanes, Lanes};
use crate::network::kernels::quantise::Extremes;
use crate::network::kernels::tile::{Job, Scaled};

/// Words of a row of sums: two tiles side by side.
pub(super) const ROW_OF_SUMS: usize = 2 * SIDE;
/// Words of the sums of a block: two tiles by two.
pub(super) const SUMS: usize = 2 * SIDE * ROW_OF_SUMS;

/// The cells of a block.
#[derive(Clone)]
pub(super) enum Cells<'a> {
    /// One after another in its rows.
    Run(Range<usize>),
    /// In some of its rows.
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

    /// Returns the row among the block's sums, and the cell.
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

/// The sums of a block that wait to be written. The tile unit takes sixteen cycles a product and leaves the vectors idle; so
/// with each step of the next block a share of this one is written.
pub(super) struct Results<'j, 'a, S: Lanes, W, const T: usize> {
    pub job: &'j mut Job<'a, W, T>,
    /// What each result is added to, or null.
    residual: *const f32,
    relu: bool,
    out: *mut f32,
    outputs: usize,
    sums: *const u32,
    cells: Cells<'a>,
    output: usize,
    /// Registers of outputs of a cell.
    registers: usize,
    scaled: [Scaled<S::Floats>; MOST_REGISTERS],
    /// The extremes of what was written, in each lane.
    least: S::Floats,
    most: S::Floats,
    /// Cells written.
    written: usize,
    /// Cells to be written with each step.
    share: usize,
}

/// Registers of the narrowest vectors in a row of sums.
const MOST_REGISTERS: usize = 4;

impl<'j, 'a, S: Lanes, W, const T: usize> Results<'j, 'a, S, W, T> {
    /// Begins without a block.
    ///
    /// # Safety
    /// As [`super::tile_layer`].
    #[inline(always)]
    pub unsafe fn new(job: &'j mut Job<'a, W, T>) -> Self {
        const { assert!(ROW_OF_SUMS / S::WIDTH <= MOST_REGISTERS) };
        // SAFETY: passed on; a layer has outputs.
        let (zero, scaled) = unsafe { (S::Floats::splat(0.0), [Scaled::new(job, 0); MOST_REGISTERS]) };
        Self {
            residual: job.residual.map_or(std::ptr::null(), <[f32]>::as_ptr),
            relu: job.relu,
            out: job.out.as_mut_ptr(),
            outputs: job.outputs,
            job,
            sums: std::ptr::null(),
            cells: Cells::Run(0..0),
            output: 0,
            registers: 0,
            scaled,
            least: zero,
            most: zero,
            written: 0,
            share: 0,
        }
    }

    /// Writes what is left of the block before, and takes a new one with `J` tiles of outputs, to be written in so many steps.
    ///
    /// # Safety
    /// As [`super::tile_layer`]; the sums must stay where they are until the next block is taken, and cells and outputs must lie
    /// inside the layer.
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

    /// Writes all that waits.
    ///
    /// # Safety
    /// As [`Results::take`].
    #[inline(always)]
    unsafe fn write_all(&mut self) {
        // SAFETY: passed on.
        unsafe { self.write_until(self.cells.len()) }
    }

    /// Writes what is left after the last block.
    ///
    /// # Safety
    /// As [`Results::take`].
    #[inline(always)]
    pub unsafe fn finish(mut self) {
        // SAFETY: passed on.
        unsafe {
            self.write_all();
            self.job.extremes = Some(Extremes::of(self.least, self.most));
        }
    }

    /// # Safety
    /// As [`Results::take`]; there must be so many cells.
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

    /// [`Self::write_until`] with `V` registers a cell.
    ///
    /// # Safety
    /// As there.
    #[inline(always)]
    unsafe fn write_registers<const V: usize>(&mut self, end: usize) {
        let (mut least, mut most) = (self.least, self.most);
        let (sums, residual, out, relu) = (self.sums, self.residual, self.out, self.relu);
        let (first, outputs) = (self.output, self.outputs);
        for i in self.written..end {
            // SAFETY: passed on; cells and outputs lie inside the layer.
            unsafe {
                let (row, cell) = self.cells.get(i);
                let (sums, at) = (sums.add(row * ROW_OF_SUMS), cell * outputs + first);
                for v in 0..V {
                    let at = at + v * S::WIDTH;
                    let sum = S::load(sums.add(v * S::WIDTH).cast()).to_floats();
                    let mut value = self.scaled[v].of(sum);
                    if !residual.is_null() {
                        value = value.plus(S::Floats::load(residual.add(at)));
                    }
                    if relu {
                        value = value.max(S::Floats::splat(0.0));
                    }
                    value.store(out.add(at));
                    (least, most) = (least.min(value), most.max(value));
                }
            }
        }
        (self.least, self.most) = (least, most);
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
