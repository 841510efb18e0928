//! A layer whose inputs are mostly zero, as the planes of a position are: a cell holds one thing and misses all others.

use super::NO_TAP;
use super::lanes::{FloatLanes, OVERRUN};
use super::quantise::Seen;
use super::tile::{Job, Scaled, layer_tiles};

/// Numbers that are copied at once, needed or not: most rows have fewer that are not zero.
const AT_ONCE: usize = 4;

/// One number in so many may differ from zero; with more, a layer is faster by tiles.
const ONE_IN: usize = 4;

/// The inputs of a layer that are not zero.
#[derive(Debug, Clone, Default)]
pub struct NonZeros {
    /// How many each row has.
    counts: Vec<usize>,
    /// Their columns, and the numbers themselves: room for whole rows and [`OVERRUN`] more.
    columns: Vec<u32>,
    values: Vec<f32>,
    /// What one cell reads: rows of the weights, and numbers.
    rows: Vec<u32>,
    factors: Vec<f32>,
}

impl NonZeros {
    /// Finds those of rows of so many numbers; returns how many there are. `reads` is the most that a cell reads.
    ///
    /// # Safety
    /// As [`super::lanes::Lanes`].
    #[inline(always)]
    unsafe fn find<L: FloatLanes>(&mut self, x: &[f32], inputs: usize, reads: usize) -> usize {
        let room = inputs + OVERRUN;
        self.counts.clear();
        self.columns.resize(x.len() / inputs * room, 0);
        self.values.resize(x.len() / inputs * room, 0.0);
        self.rows.resize(reads + AT_ONCE, 0);
        self.factors.resize(reads + AT_ONCE, 0.0);
        let (mut columns, mut values) = (self.columns.as_mut_ptr(), self.values.as_mut_ptr());
        let mut all = 0;
        for row in x.chunks_exact(inputs) {
            // SAFETY: passed on; there is room for a whole row and what is written in vain.
            let count = unsafe { L::non_zeros(row.as_ptr(), inputs, columns, values) };
            self.counts.push(count);
            all += count;
            (columns, values) = (columns.wrapping_add(room), values.wrapping_add(room));
        }
        all
    }

    /// Lists what a cell reads by these taps; returns how many numbers.
    ///
    /// # Safety
    /// The taps must name rows in which [`Self::find`] has looked, and be no more than it was told.
    #[inline(always)]
    unsafe fn collect<const T: usize>(&mut self, taps: &[u32; T], inputs: usize) -> usize {
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

/// Computes a layer with products of zero left out. The sums are those of [`layer_tiles`], in the same order.
///
/// # Safety
/// As [`layer_tiles`].
#[inline(always)]
pub(super) unsafe fn sparse_layer<L: FloatLanes, const T: usize>(job: &mut Job<'_, f32, T>, non_zeros: &mut NonZeros) {
    let inputs = job.operands.inputs;
    let rows = T * inputs;
    // SAFETY: passed on; registers lie inside the outputs of a panel, and rows of weights inside the panel.
    unsafe {
        if non_zeros.find::<L>(job.operands.x, inputs, rows) * ONE_IN > job.operands.x.len() {
            return layer_tiles::<L, T>(job);
        }
        let mut seen = Seen::nothing();
        for cell in 0..job.taps.cells() {
            let count = non_zeros.collect(&job.taps.rows()[cell], inputs);
            let mut output = 0;
            while output < job.outputs {
                let panel = output / job.panels.outputs * job.panels.outputs;
                let width = job.panels.outputs.min(job.outputs - panel);
                let weights = job.operands.weights.as_ptr().add(panel * rows + output - panel);
                let list = (&non_zeros.rows[..count], &non_zeros.factors[..count]);
                let left = (panel + width - output) / L::WIDTH;
                output += L::WIDTH
                    * match left {
                        1 => add_rows::<L, T, 1>(job, cell, output, (weights, width), list, &mut seen),
                        2 | 3 => add_rows::<L, T, 2>(job, cell, output, (weights, width), list, &mut seen),
                        _ => add_rows::<L, T, 4>(job, cell, output, (weights, width), list, &mut seen),
                    };
            }
        }
        job.extremes = Some(seen.extremes());
    }
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
    (weights, width): (*const f32, usize),
    (rows, factors): (&[u32], &[f32]),
    seen: &mut Seen<L>,
) -> usize {
    // SAFETY: passed on.
    unsafe {
        let mut sums = [L::splat(0.0); V];
        for (&row, &factor) in rows.iter().zip(factors) {
            let (weights, factor) = (weights.add(row as usize * width), L::splat(factor));
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
