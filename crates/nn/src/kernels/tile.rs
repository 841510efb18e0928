//! The loop of a layer over tiles of cells × outputs, generic over [`Lanes`].
#![expect(clippy::needless_range_loop, reason = "loops of constant length over several arrays kept in registers")]

use bytemuck::Pod;

use super::activations::{Extremes, Seen};
use super::flat::Flat;
use super::lanes::{FloatLanes, Lanes};
use super::panels::{NO_TAP, Panels};
use super::taps::Taps;

/// The operands of a product, in words.
pub struct Operands<'a, W> {
    /// Panels of `[T × inputs × panel]`, one after another, as [`Panels`] says; the last may be narrower.
    pub weights: &'a [W],
    /// Number of words in a row of `x`.
    pub inputs: usize,
    pub x: &'a [W],
    /// The row that a tap off the board reads.
    pub off_board: &'a [W],
    /// True if that row contributes nothing.
    pub off_board_is_zero: bool,
    /// The part that the sums of each tap lack where products omit it ([`Lanes::OMITS`]),
    /// `[T × outputs]`; otherwise empty.
    pub omitted: &'a [W],
    /// The scaling from sums of bytes to floats.
    pub(crate) scaling: Option<Scaling<'a>>,
}

/// Upper bound on the input channels of any layer.
const MAX_INPUTS: usize = 4096;
static ZEROS: [f32; MAX_INPUTS] = [0.0; MAX_INPUTS];

impl<'a, W: Pod> Operands<'a, W> {
    /// Returns operands that are zero off the board.
    pub fn zero_off_board(weights: &'a [W], inputs: usize, x: &'a [W]) -> Self {
        assert!(inputs <= MAX_INPUTS, "{inputs} input channels are more than {MAX_INPUTS}");
        let off_board = bytemuck::cast_slice(&ZEROS[..inputs]);
        Self { weights, inputs, x, off_board, off_board_is_zero: true, omitted: &[], scaling: None }
    }
}

/// A layer to be run.
pub struct Job<'a, W, const T: usize> {
    pub operands: Operands<'a, W>,
    pub panels: Panels,
    pub outputs: usize,
    pub taps: &'a Taps<'a, T>,
    /// The flat layout of `x`, if it is ordered by positions instead of rows.
    pub(super) flat: Option<&'a Flat>,
    /// `[outputs]`.
    pub bias: Option<&'a [f32]>,
    /// `[cells × outputs]`.
    pub residual: Option<&'a [f32]>,
    pub relu: bool,
    /// `[cells × outputs]`.
    pub out: &'a mut [f32],
    /// The extremes of the results, if they were found along the way.
    pub(super) extremes: Option<Extremes>,
}

/// The scaling from sums of products of quantised values to floats. The value of an input byte `b`
/// is `step · b - offset`.
#[derive(Clone, Copy)]
pub struct Scaling<'a> {
    pub step: f32,
    pub offset: f32,
    /// The value of a quantised weight of one, `[outputs]`.
    pub scales: &'a [f32],
    /// The sum of the weights of each output, `[outputs]`.
    pub weight_sums: &'a [f32],
}

/// The bias and scale of a register of outputs, which turn sums into results.
#[derive(Clone, Copy)]
pub(super) struct Scaled<F> {
    bias: F,
    scale: F,
}

impl<F: FloatLanes> Scaled<F> {
    /// Reads the bias and scale of the outputs from `output` on.
    ///
    /// # Safety
    /// As [`layer_tiles`].
    #[inline(always)]
    pub unsafe fn new<W, const T: usize>(job: &Job<'_, W, T>, output: usize) -> Self {
        // SAFETY: passed on; the register lies inside the outputs.
        unsafe {
            let zero = F::splat(0.0);
            let (mut bias, mut scale) = (zero, F::splat(1.0));
            if let Some(biases) = job.bias {
                bias = F::load(biases.as_ptr().add(output));
            }
            if let Some(scaling) = &job.operands.scaling {
                let of_weights = F::load(scaling.scales.as_ptr().add(output));
                scale = zero.add_product(F::splat(scaling.step), of_weights);
                let offset = zero.add_product(F::splat(-scaling.offset), of_weights);
                bias = bias.add_product(offset, F::load(scaling.weight_sums.as_ptr().add(output)));
            }
            Self { bias, scale }
        }
    }

    /// Writes the results of a cell from its sums, and returns them.
    ///
    /// # Safety
    /// As [`layer_tiles`].
    #[inline(always)]
    pub unsafe fn write<W, const T: usize>(self, job: &mut Job<'_, W, T>, cell: usize, output: usize, sum: F) -> F {
        let at = cell * job.outputs + output;
        let residual = job.residual.map(<[f32]>::as_ptr);
        // SAFETY: passed on; cell and outputs lie inside the layer.
        unsafe { self.write_at(at, sum, residual, job.relu, job.out.as_mut_ptr()) }
    }

    /// Writes results from their sums at a place in `out`, and returns them.
    ///
    /// # Safety
    /// As [`Lanes`]; there must be a register at that place in `out`, and in the residual if there is one.
    #[inline(always)]
    pub unsafe fn write_at(self, at: usize, sum: F, residual: Option<*const f32>, relu: bool, out: *mut f32) -> F {
        // SAFETY: passed on.
        unsafe {
            let mut value = self.bias.add_product(sum, self.scale);
            if let Some(residual) = residual {
                value = value.plus(F::load(residual.add(at)));
            }
            if relu {
                value = value.max(F::splat(0.0));
            }
            value.store(out.add(at));
            value
        }
    }
}

/// Calls `$function::<L, T, M, V>` with the constants `M` and `V` that equal `$cells` and `$v`.
macro_rules! with_cells {
    ($v:expr, $cells:expr, $function:ident, $lanes:ident, $taps:ident, $arguments:tt) => {
        match $v {
            1 => with_cells_among!($cells, $function, $lanes, $taps, 1, $arguments, 1 2 3 4 5 6 7 8 9 10 11 12 13 14),
            2 => with_cells_among!($cells, $function, $lanes, $taps, 2, $arguments, 1 2 3 4 5 6 7 8 9 10 11 12 13 14),
            3 => with_cells_among!($cells, $function, $lanes, $taps, 3, $arguments, 1 2 3 4 5 6 7 8 9 10 11 12 13 14),
            _ => with_cells_among!($cells, $function, $lanes, $taps, 4, $arguments, 1 2 3 4 5 6 7 8 9 10 11 12 13 14),
        }
    };
}
macro_rules! with_cells_among {
    ($cells:expr, $function:ident, $lanes:ident, $taps:ident, $v:literal, $arguments:tt, $($m:literal)*) => {
        match $cells {
            // The condition is constant, so tiles too large for the registers are not compiled.
            $($m if const { $m <= $lanes::CELLS[$v] } => call_tile!($function, $lanes, $taps, $m, $v, $arguments),)*
            other => unreachable!("a tile of {other} cells"),
        }
    };
}
macro_rules! call_tile {
    ($function:ident, $lanes:ident, $taps:ident, $m:literal, $v:literal, ($($argument:expr),*)) => {
        $function::<$lanes, $taps, $m, $v>($($argument),*)
    };
}

pub(super) use {call_tile, with_cells, with_cells_among};

/// Returns the width, in registers, of the widest tile that fits the remaining outputs.
pub(super) fn registers<L: Lanes>(outputs_left: usize) -> usize {
    (1..L::CELLS.len()).rev().find(|&v| L::CELLS[v] > 0 && outputs_left >= v * L::WIDTH).unwrap_or(1)
}

/// Divides `total` into as few parts of at most `most` as possible, as equal as possible.
pub(super) fn equal_parts(total: usize, most: usize) -> impl Iterator<Item = usize> {
    let parts = total.div_ceil(most);
    (0..parts).map(move |part| total * (part + 1) / parts - total * part / parts)
}

/// # Safety
/// As [`Lanes`]. Lengths must fit: `weights` `T × inputs × outputs`, `off_board` `inputs`, `bias` and
/// the scales `outputs`, `residual` and `out` a row of `outputs` for each cell; no tap may read past `x`.
#[inline(always)]
pub(super) unsafe fn layer_tiles<L: Lanes, const T: usize>(job: &mut Job<'_, L::Word, T>) {
    // SAFETY: passed on.
    let mut seen = unsafe { Seen::nothing() };
    let mut output = 0;
    while output < job.outputs {
        let panel = output / job.panels.outputs * job.panels.outputs;
        let panel_end = (panel + job.panels.outputs).min(job.outputs);
        let v = registers::<L>(panel_end - output);
        let first = panel * job.panels.rows(T, job.operands.inputs) + output - panel;
        let weights = Weights { first, row: panel_end - panel };
        let mut cell = 0;
        for &group in &job.taps.groups {
            for cells in equal_parts(group, L::CELLS[v]) {
                // SAFETY: passed on; the tile lies inside the layer.
                unsafe { with_cells!(v, cells, layer_tile, L, T, (job, weights, cell, output, &mut seen)) }
                cell += cells;
            }
        }
        output += v * L::WIDTH;
    }
    if L::BYTES {
        // SAFETY: passed on.
        job.extremes = Some(unsafe { seen.extremes() });
    }
}

/// The position of a tile's weights: the index of the first, and the stride from one input to the next.
#[derive(Clone, Copy)]
struct Weights {
    first: usize,
    row: usize,
}

/// Number of sums for one output of a cell that forms a tile alone.
const CHAINS_OF_ONE: usize = 4;

/// Computes the tile of `M` cells from `cell` on × `V` registers of outputs from `output` on.
///
/// # Safety
/// As [`layer_tiles`]; the tile must lie inside the layer.
#[inline(always)]
unsafe fn layer_tile<L: Lanes, const T: usize, const M: usize, const V: usize>(
    job: &mut Job<'_, L::Word, T>,
    weights: Weights,
    cell: usize,
    output: usize,
    seen: &mut Seen<L::Floats>,
) {
    // SAFETY: passed on.
    unsafe {
        // With a single sum each product would wait for the previous one; in larger tiles the other
        // cells fill that time.
        if M == 1 {
            layer_tile_in_chains::<L, T, M, V, CHAINS_OF_ONE>(job, weights, cell, output, seen);
        } else {
            layer_tile_in_chains::<L, T, M, V, 1>(job, weights, cell, output, seen);
        }
    }
}

/// Adds the products of one input of each cell and the weights of the tile's outputs.
///
/// # Safety
/// As [`Lanes`]; each row must have that input, and the weights `V` registers.
#[inline(always)]
unsafe fn add_products<L: Lanes, const M: usize, const V: usize>(
    sums: &mut [[L; V]; M],
    rows: &[*const L::Word; M],
    input: usize,
    weights: *const L::Word,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut row: [L; V] = [L::splat(L::Word::default()); V];
        for v in 0..V {
            row[v] = L::load(weights.add(v * L::WIDTH));
        }
        for m in 0..M {
            let input = L::splat(*rows[m].add(input));
            for v in 0..V {
                sums[m][v] = sums[m][v].add_product(input, row[v]);
            }
        }
    }
}

/// Computes a tile in which each sum is split into `K` partial sums.
///
/// # Safety
/// As [`layer_tile`].
#[inline(always)]
unsafe fn layer_tile_in_chains<L: Lanes, const T: usize, const M: usize, const V: usize, const K: usize>(
    job: &mut Job<'_, L::Word, T>,
    weights: Weights,
    cell: usize,
    output: usize,
    seen: &mut Seen<L::Floats>,
) {
    let Operands { inputs, off_board, off_board_is_zero, .. } = job.operands;
    // SAFETY: the lengths are as the caller promised, and the tile lies inside.
    unsafe {
        let mut sums = [[[L::splat(L::Word::default()); V]; M]; K];
        let mut omitted = [L::splat(L::Word::default()); V];
        for t in 0..T {
            let mut rows = [off_board.as_ptr(); M];
            let mut reads = !off_board_is_zero;
            for m in 0..M {
                let tap = job.taps.rows().get_unchecked(cell + m)[t];
                if tap != NO_TAP {
                    rows[m] = job.operands.x.as_ptr().add(tap as usize * inputs);
                    reads = true;
                }
            }
            if !reads {
                continue;
            }
            if L::OMITS {
                let of_tap = job.operands.omitted.as_ptr().add(t * job.outputs + output);
                for v in 0..V {
                    omitted[v] = omitted[v].plus_omitted(L::load(of_tap.add(v * L::WIDTH)));
                }
            }
            let mut row_of_weights = job.operands.weights.as_ptr().add(weights.first + t * inputs * weights.row);
            let mut c = 0;
            while c < inputs {
                // The remaining inputs go into the first partial sum.
                let parts = if inputs - c >= K { K } else { 1 };
                if parts == K {
                    for k in 0..K {
                        add_products(&mut sums[k], &rows, c + k, row_of_weights.add(k * weights.row));
                    }
                } else {
                    add_products(&mut sums[0], &rows, c, row_of_weights);
                }
                row_of_weights = row_of_weights.add(parts * weights.row);
                c += parts;
            }
        }
        write_tile::<L, T, M, V, K>(job, &mut sums, omitted, cell, output, seen);
    }
}

/// Adds up the partial sums of a tile and writes its results.
///
/// # Safety
/// As [`layer_tile`].
#[inline(always)]
unsafe fn write_tile<L: Lanes, const T: usize, const M: usize, const V: usize, const K: usize>(
    job: &mut Job<'_, L::Word, T>,
    sums: &mut [[[L; V]; M]; K],
    omitted: [L; V],
    cell: usize,
    output: usize,
    seen: &mut Seen<L::Floats>,
) {
    // SAFETY: passed on; the tile lies inside the layer.
    unsafe {
        if L::OMITS {
            for m in 0..M {
                for v in 0..V {
                    sums[0][m][v] = sums[0][m][v].plus_omitted(omitted[v]);
                }
            }
        }
        let mut scaled = [Scaled { bias: L::Floats::splat(0.0), scale: L::Floats::splat(1.0) }; V];
        for v in 0..V {
            scaled[v] = Scaled::new(job, output + v * L::WIDTH);
        }
        for m in 0..M {
            for v in 0..V {
                let mut sum = sums[0][m][v].to_floats();
                for k in 1..K {
                    sum = sum.plus(sums[k][m][v].to_floats());
                }
                let written = scaled[v].write(job, cell + m, output + v * L::WIDTH, sum);
                if L::BYTES {
                    seen.add(written);
                }
            }
        }
    }
}
