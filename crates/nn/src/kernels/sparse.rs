//! A layer whose inputs are mostly zero, like the one-hot planes of a position.

use super::activations::Seen;
use super::lanes::{FloatLanes, OVERRUN};
use super::panels::NO_TAP;
use super::tile::{Job, Scaled};

/// Number of values copied at once, needed or not, since most rows have fewer non-zeros.
const AT_ONCE: usize = 4;

/// The non-zero inputs of a layer.
#[derive(Debug, Clone, Default)]
pub struct NonZeros {
    /// The number of non-zeros in each row.
    counts: Vec<usize>,
    /// The columns and values of the non-zeros, with room for whole rows and [`OVERRUN`] more.
    columns: Vec<u32>,
    values: Vec<f32>,
    /// The rows of the weights and the values that one cell reads.
    rows: Vec<u32>,
    factors: Vec<f32>,
}

impl NonZeros {
    /// Finds the non-zeros in rows of `inputs` values. `reads` is the most values that a cell
    /// reads.
    ///
    /// # Safety
    /// As [`super::lanes::Lanes`].
    #[inline(always)]
    unsafe fn find<L: FloatLanes>(&mut self, x: &[f32], inputs: usize, reads: usize) {
        let room = inputs + OVERRUN;
        self.counts.clear();
        self.columns.resize(x.len() / inputs * room, 0);
        self.values.resize(x.len() / inputs * room, 0.0);
        self.rows.resize(reads + AT_ONCE, 0);
        self.factors.resize(reads + AT_ONCE, 0.0);
        let (mut columns, mut values) = (self.columns.as_mut_ptr(), self.values.as_mut_ptr());
        for row in x.chunks_exact(inputs) {
            // SAFETY: passed on; there is room for a whole row and what is written in vain.
            let count = unsafe { L::non_zeros(row.as_ptr(), inputs, columns, values) };
            self.counts.push(count);
            (columns, values) = (columns.wrapping_add(room), values.wrapping_add(room));
        }
    }

    /// Lists the values that a cell reads through these taps, and returns how many.
    ///
    /// # Safety
    /// The taps must name rows in which [`Self::find`] has looked, and be no more than it was told.
    #[inline(always)]
    unsafe fn collect(&mut self, taps: &[u32], inputs: usize) -> usize {
        let room = inputs + OVERRUN;
        let mut end = 0;
        for (tap, &row) in taps.iter().enumerate().filter(|&(_, &row)| row != NO_TAP) {
            // SAFETY: the caller's promise; behind each list there is room for what is copied in vain.
            unsafe {
                let (count, first) = (*self.counts.get_unchecked(row as usize), row as usize * room);
                let (columns, values) = (self.columns.as_ptr().add(first), self.values.as_ptr().add(first));
                let (rows, factors) = (self.rows.as_mut_ptr().add(end), self.factors.as_mut_ptr().add(end));
                let mut done = 0;
                loop {
                    let columns = columns.add(done).cast::<[u32; AT_ONCE]>().read_unaligned();
                    let values = values.add(done).cast::<[f32; AT_ONCE]>().read_unaligned();
                    let columns = columns.map(|column| column.wrapping_add((tap * inputs) as u32));
                    rows.add(done).cast::<[u32; AT_ONCE]>().write_unaligned(columns);
                    factors.add(done).cast::<[f32; AT_ONCE]>().write_unaligned(values);
                    done += AT_ONCE;
                    if done >= count {
                        break;
                    }
                }
                end += count;
            }
        }
        end
    }
}

/// Computes a layer of the first `reads` taps without the products of zeros.
///
/// # Safety
/// As [`super::tile::layer_tiles`], with weights `reads × inputs × outputs`.
#[inline(always)]
pub(super) unsafe fn sparse_layer<L: FloatLanes, const T: usize>(
    job: &mut Job<'_, f32, T>,
    reads: usize,
    non_zeros: &mut NonZeros,
) {
    let inputs = job.operands.inputs;
    let rows = reads * inputs;
    // SAFETY: passed on; registers lie inside the outputs of a panel, and rows of weights inside the panel.
    unsafe {
        non_zeros.find::<L>(job.operands.x, inputs, rows);
        let mut seen = Seen::nothing();
        for cell in 0..job.taps.cells() {
            let count = non_zeros.collect(&job.taps.rows()[cell][..reads], inputs);
            let mut output = 0;
            while output < job.outputs {
                let panel = output / job.panels.outputs * job.panels.outputs;
                let width = job.panels.outputs.min(job.outputs - panel);
                let first = job.operands.weights.as_ptr().add(panel * rows + output - panel);
                let weights = PanelRows { first, width };
                let (listed, factors) = (&non_zeros.rows[..count], &non_zeros.factors[..count]);
                let left = (panel + width - output) / L::WIDTH;
                output += L::WIDTH
                    * match left {
                        1 => add_rows::<L, T, 1>(job, cell, output, weights, listed, factors, &mut seen),
                        2 | 3 => add_rows::<L, T, 2>(job, cell, output, weights, listed, factors, &mut seen),
                        _ => add_rows::<L, T, 4>(job, cell, output, weights, listed, factors, &mut seen),
                    };
            }
        }
        job.extremes = Some(seen.extremes());
    }
}

/// The rows of a panel's weights, from some output on.
#[derive(Clone, Copy)]
struct PanelRows {
    first: *const f32,
    /// The distance from one row to the next.
    width: usize,
}

/// Computes `V` registers of outputs of a cell; returns `V`.
///
/// # Safety
/// As [`sparse_layer`].
#[inline(always)]
unsafe fn add_rows<L: FloatLanes, const T: usize, const V: usize>(
    job: &mut Job<'_, f32, T>,
    cell: usize,
    output: usize,
    weights: PanelRows,
    rows: &[u32],
    factors: &[f32],
    seen: &mut Seen<L>,
) -> usize {
    // SAFETY: passed on.
    unsafe {
        let mut sums = [L::splat(0.0); V];
        for (&row, &factor) in rows.iter().zip(factors) {
            let (weights, factor) = (weights.first.add(row as usize * weights.width), L::splat(factor));
            for (v, sum) in sums.iter_mut().enumerate() {
                *sum = sum.add_product(factor, L::load(weights.add(v * L::WIDTH)));
            }
        }
        for (v, sum) in sums.into_iter().enumerate() {
            let at = output + v * L::WIDTH;
            seen.add(Scaled::<L>::new(job, at).write(job, cell, at, sum));
        }
    }
    V
}
