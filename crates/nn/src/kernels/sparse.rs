//! A layer whose inputs are mostly zero and repeat, like the one-hot planes of a position.

use super::activations::{Aligned, Seen};
use super::lanes::{FloatLanes, OVERRUN};
use super::panels::NO_TAP;
use super::tile::{Job, Scaled};

/// Number of known rows, of this board and of earlier ones, beyond which all are forgotten.
const MAX_KNOWN: usize = 512;

/// A slot of [`KnownRows`] without a row.
const FREE: u32 = u32::MAX;

/// The rows of inputs that a layer has met, with what each contributes to the cells that read it:
/// few differ, and the next position has mostly the same ones.
#[derive(Debug, Clone, Default)]
pub struct KnownRows {
    /// The layer: the address of its weights, and its inputs and outputs.
    layer: [usize; 3],
    /// Hashes of rows with their numbers, by open addressing; a power of two of them.
    slots: Vec<(u64, u32)>,
    /// The number of known rows.
    known: usize,
    /// The contributions of each known row through each tap, `[known × taps × outputs]`.
    sums: Aligned<f32>,
    /// Where the contributions of each row of the inputs begin.
    places: Vec<usize>,
    /// The columns and values of the non-zeros of one row, with room for [`OVERRUN`] more.
    columns: Vec<u32>,
    values: Vec<f32>,
}

impl KnownRows {
    /// Makes room for a position with this many rows. Forgets all known rows if they are of another layer, or too many.
    fn prepare(&mut self, layer: [usize; 3], rows: usize) {
        let [_, inputs, _] = layer;
        let slots = (2 * (MAX_KNOWN + rows)).next_power_of_two();
        let is_same = std::mem::replace(&mut self.layer, layer) == layer;
        if !is_same || self.known > MAX_KNOWN || self.slots.len() < slots {
            self.slots.clear();
            self.slots.resize(slots, (0, FREE));
            self.known = 0;
        }
        self.places.clear();
        self.columns.resize(inputs + OVERRUN, 0);
        self.values.resize(inputs + OVERRUN, 0.0);
    }

    /// Returns the slot of a row with this hash, which is free if the row is not known.
    #[inline(always)]
    fn slot(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        // The upper bits of a product are the better ones.
        let mut at = (hash >> 32) as usize & mask;
        while self.slots[at].1 != FREE && self.slots[at].0 != hash {
            at = (at + 1) & mask;
        }
        at
    }

    /// Finds the place of each row of a job's inputs. Computes the contributions of rows that are new.
    ///
    /// # Safety
    /// As [`sparse_layer`].
    #[inline(always)]
    unsafe fn find<L: FloatLanes, const T: usize>(&mut self, job: &Job<'_, f32, T>) {
        let inputs = job.operands.inputs;
        let layer = [job.operands.weights.as_ptr().addr(), inputs, job.outputs];
        self.prepare(layer, job.operands.x.len() / inputs);
        for row in job.operands.x.chunks_exact(inputs) {
            // SAFETY: passed on; there is room for a whole row and the overrun.
            let count =
                unsafe { L::non_zeros(row.as_ptr(), inputs, self.columns.as_mut_ptr(), self.values.as_mut_ptr()) };
            let slot = self.slot(hash(&self.columns[..count], &self.values[..count]));
            if self.slots[slot].1 == FREE {
                // SAFETY: passed on.
                unsafe { self.learn::<L, T>(job, slot, count) }
            }
            self.places.push(self.slots[slot].1 as usize * T * job.outputs);
        }
    }

    /// Computes the contributions of the row whose `count` non-zeros were just found, and puts it in a free slot.
    ///
    /// # Safety
    /// As [`sparse_layer`].
    #[inline(always)]
    unsafe fn learn<L: FloatLanes, const T: usize>(&mut self, job: &Job<'_, f32, T>, slot: usize, count: usize) {
        let (inputs, outputs) = (job.operands.inputs, job.outputs);
        let (columns, values) = (&self.columns[..count], &self.values[..count]);
        self.slots[slot] = (hash(columns, values), self.known as u32);
        let first = self.known * T * outputs;
        self.known += 1;
        self.sums.resize(self.known * T * outputs);
        for tap in 0..T {
            for output in (0..outputs).step_by(L::WIDTH) {
                let panel = output / job.panels.outputs * job.panels.outputs;
                let width = job.panels.outputs.min(outputs - panel);
                // SAFETY: passed on; the register lies inside a panel, and every column is one of the inputs.
                unsafe {
                    let weights = job.operands.weights.as_ptr().add(panel * T * inputs + output - panel);
                    let mut sum = L::splat(0.0);
                    for (&column, &value) in columns.iter().zip(values) {
                        let row = tap * inputs + column as usize;
                        sum = sum.add_product(L::splat(value), L::load(weights.add(row * width)));
                    }
                    sum.store(self.sums.as_mut_ptr().add(first + tap * outputs + output));
                }
            }
        }
    }
}

/// Returns a hash of a row. Rows are told apart by it alone: among the few hundred that are kept, two
/// share one with a probability of about 10⁻¹⁴.
#[inline(always)]
fn hash(columns: &[u32], values: &[f32]) -> u64 {
    let mix = |hash: u64, (&column, &value): (&u32, &f32)| {
        let number = u64::from(column) << 32 | u64::from(value.to_bits());
        (hash ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_right(29)
    };
    columns.iter().zip(values).fold(columns.len() as u64, mix)
}

/// Computes a layer as sums of what known rows contribute.
///
/// # Safety
/// As [`super::tile::layer_tiles`]; `x` must have whole rows.
#[inline(always)]
pub(super) unsafe fn sparse_layer<L: FloatLanes, const T: usize>(job: &mut Job<'_, f32, T>, rows: &mut KnownRows) {
    // SAFETY: passed on; the registers lie inside the outputs.
    unsafe {
        rows.find::<L, T>(job);
        let mut seen = Seen::nothing();
        for cell in 0..job.taps.cells() {
            let mut output = 0;
            while output < job.outputs {
                output += L::WIDTH
                    * match (job.outputs - output) / L::WIDTH {
                        1 => add_rows::<L, T, 1>(job, cell, output, rows, &mut seen),
                        2 | 3 => add_rows::<L, T, 2>(job, cell, output, rows, &mut seen),
                        _ => add_rows::<L, T, 4>(job, cell, output, rows, &mut seen),
                    };
            }
        }
        job.extremes = Some(seen.extremes());
    }
}

/// Computes `V` registers of outputs of a cell; returns `V`.
///
/// # Safety
/// As [`sparse_layer`]; the places of all rows must have been found.
#[inline(always)]
unsafe fn add_rows<L: FloatLanes, const T: usize, const V: usize>(
    job: &mut Job<'_, f32, T>,
    cell: usize,
    output: usize,
    rows: &KnownRows,
    seen: &mut Seen<L>,
) -> usize {
    // SAFETY: passed on.
    unsafe {
        let mut sums = [L::splat(0.0); V];
        for (tap, &row) in job.taps.rows().get_unchecked(cell).iter().enumerate() {
            if row != NO_TAP {
                let place = rows.places.get_unchecked(row as usize) + tap * job.outputs + output;
                let from = rows.sums.as_ptr().add(place);
                for (v, sum) in sums.iter_mut().enumerate() {
                    *sum = sum.plus(L::load(from.add(v * L::WIDTH)));
                }
            }
        }
        for (v, sum) in sums.into_iter().enumerate() {
            let at = output + v * L::WIDTH;
            seen.add(Scaled::<L>::new(job, at).write(job, cell, at, sum));
        }
    }
    V
}
