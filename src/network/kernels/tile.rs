//! The loop of a layer over tiles of cells × outputs, generic over [`Lanes`].
#![expect(clippy::needless_range_loop, reason = "loops of constant length over several arrays kept in registers")]

use super::lanes::{FloatLanes, Lanes};
use super::taps::Taps;
use super::{NO_TAP, Operand};

/// The operands of a product, in words.
pub(in crate::network) struct Operands<'a, W> {
    /// Panels of `[T × inputs × panel]`, one after another; the last may be narrower.
    pub weights: &'a [W],
    /// Words of a row of `x`.
    pub inputs: usize,
    pub x: &'a [W],
    /// The row that a tap off the board reads.
    pub off_board: &'a [W],
    /// True if that row adds nothing.
    pub off_board_is_zero: bool,
    /// The scaling from sums of bytes to floats.
    pub scaling: Option<Scaling<'a>>,
}

/// More input channels than any layer has.
const MOST_INPUTS: usize = 4096;
static ZEROS: [f32; MOST_INPUTS] = [0.0; MOST_INPUTS];

impl<'a, W: Operand> Operands<'a, W> {
    /// Operands of which those off the board are zero.
    pub fn zero_off_board(weights: &'a [W], inputs: usize, x: &'a [W]) -> Self {
        assert!(inputs <= MOST_INPUTS, "{inputs} input channels are more than {MOST_INPUTS}");
        let off_board = bytemuck::cast_slice(&ZEROS[..inputs]);
        Self { weights, inputs, x, off_board, off_board_is_zero: true, scaling: None }
    }
}

/// Copies `[rows × width]` as panels of `[rows × panel]`, the last panel as wide as what is left.
pub(super) fn in_panels<W: Copy>(rows: &[W], width: usize, panel: usize, panels: &mut Vec<W>) {
    panels.clear();
    for first in (0..width).step_by(panel) {
        for row in rows.chunks_exact(width) {
            panels.extend_from_slice(&row[first..width.min(first + panel)]);
        }
    }
}

/// A layer to be run.
pub(in crate::network) struct Job<'a, W, const T: usize> {
    pub operands: Operands<'a, W>,
    /// Outputs of a panel.
    pub panel: usize,
    pub outputs: usize,
    pub taps: &'a Taps<'a, T>,
    /// `[outputs]`.
    pub bias: Option<&'a [f32]>,
    /// `[cells × outputs]`.
    pub residual: Option<&'a [f32]>,
    pub relu: bool,
    /// `[cells × outputs]`.
    pub out: &'a mut [f32],
}

/// The scaling from sums of products of quantised values to floats. The value of an input byte `b` is
/// `step · b - offset`.
#[derive(Clone, Copy)]
pub(in crate::network) struct Scaling<'a> {
    pub step: f32,
    pub offset: f32,
    /// The value of a weight of one, `[outputs]`.
    pub scales: &'a [f32],
    /// The sum of the weights that an output multiplies with inputs, `[outputs]`.
    pub weight_sums: &'a [f32],
}

/// Calls `$function::<L, T, M, V>` with the constant `M` that equals `$cells`.
macro_rules! with_cells {
    ($cells:expr, $function:ident, $lanes:ident, $taps:ident, $v:literal, $arguments:tt) => {
        with_cells_among!($cells, $function, $lanes, $taps, $v, $arguments, 1 2 3 4 5 6 7 8 9 10 11 12 13 14)
    };
}
macro_rules! with_cells_among {
    ($cells:expr, $function:ident, $lanes:ident, $taps:ident, $v:literal, $arguments:tt, $($m:literal)*) => {
        match $cells {
            // The condition is constant, so that tiles too large for the registers are not compiled.
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

/// Returns the widest tile, in registers of outputs, that is no wider than what is left of them.
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
    let mut output = 0;
    while output < job.outputs {
        let panel = output / job.panel * job.panel;
        let panel_end = (panel + job.panel).min(job.outputs);
        let v = registers::<L>(panel_end - output);
        let first = panel * T * job.operands.inputs + output - panel;
        let weights = Weights { first, row: panel_end - panel };
        let mut cell = 0;
        for &group in job.taps.groups() {
            for cells in equal_parts(group, L::CELLS[v]) {
                // SAFETY: passed on; the tile lies inside the layer.
                unsafe {
                    match v {
                        1 => with_cells!(cells, layer_tile, L, T, 1, (job, weights, cell, output)),
                        2 => with_cells!(cells, layer_tile, L, T, 2, (job, weights, cell, output)),
                        3 => with_cells!(cells, layer_tile, L, T, 3, (job, weights, cell, output)),
                        _ => with_cells!(cells, layer_tile, L, T, 4, (job, weights, cell, output)),
                    }
                }
                cell += cells;
            }
        }
        output += v * L::WIDTH;
    }
}

/// The position of a tile's weights: the index of the first, and the stride from one input to the next.
#[derive(Clone, Copy)]
struct Weights {
    first: usize,
    row: usize,
}

/// Sums of one output of a cell that stands alone.
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
) {
    // SAFETY: passed on.
    unsafe {
        // In one sum each product would wait for the one before it; the cells of a larger tile fill that time.
        if M == 1 {
            layer_tile_in_chains::<L, T, M, V, CHAINS_OF_ONE>(job, weights, cell, output);
        } else {
            layer_tile_in_chains::<L, T, M, V, 1>(job, weights, cell, output);
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

/// Computes a tile whose sums are made of `K` parts.
///
/// # Safety
/// As [`layer_tile`].
#[inline(always)]
unsafe fn layer_tile_in_chains<L: Lanes, const T: usize, const M: usize, const V: usize, const K: usize>(
    job: &mut Job<'_, L::Word, T>,
    weights: Weights,
    cell: usize,
    output: usize,
) {
    let Operands { inputs, off_board, off_board_is_zero, .. } = job.operands;
    // SAFETY: the lengths are as the caller promised, and the tile lies inside.
    unsafe {
        let mut sums = [[[L::splat(L::Word::default()); V]; M]; K];
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
            let mut row_of_weights = job.operands.weights.as_ptr().add(weights.first + t * inputs * weights.row);
            let mut c = 0;
            while c < inputs {
                // The rest of the inputs goes into the first part.
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
        let zero = L::Floats::splat(0.0);
        let (mut biases, mut scales) = ([zero; V], [L::Floats::splat(1.0); V]);
        for v in 0..V {
            let channel = output + v * L::WIDTH;
            if let Some(bias) = job.bias {
                biases[v] = L::Floats::load(bias.as_ptr().add(channel));
            }
            if let Some(scaling) = &job.operands.scaling {
                let scale = L::Floats::load(scaling.scales.as_ptr().add(channel));
                scales[v] = zero.add_product(L::Floats::splat(scaling.step), scale);
                let offset = zero.add_product(L::Floats::splat(-scaling.offset), scale);
                biases[v] = biases[v].add_product(offset, L::Floats::load(scaling.weight_sums.as_ptr().add(channel)));
            }
        }
        for m in 0..M {
            for v in 0..V {
                let at = (cell + m) * job.outputs + output + v * L::WIDTH;
                let mut sum = sums[0][m][v].to_floats();
                for k in 1..K {
                    sum = sum.plus(sums[k][m][v].to_floats());
                }
                let mut value = biases[v].add_product(sum, scales[v]);
                if let Some(residual) = job.residual {
                    value = value.plus(L::Floats::load(residual.as_ptr().add(at)));
                }
                if job.relu {
                    value = value.max(zero);
                }
                value.store(job.out.as_mut_ptr().add(at));
            }
        }
    }
}
