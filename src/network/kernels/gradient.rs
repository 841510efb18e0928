//! The loop of a weight gradient over tiles of inputs × outputs, generic over [`FloatLanes`].
#![expect(clippy::needless_range_loop, reason = "loops of constant length over several arrays kept in registers")]

use super::NO_TAP;
use super::lanes::FloatLanes;
use super::tile::{call_tile, equal_parts, registers, with_cells, with_cells_among};

/// Rows that a pass over the weight gradient takes at a time, so that they stay in the cache.
const GRADIENT_BLOCK: usize = 384;

/// The operands of a weight gradient.
pub(super) struct GradientJob<'a, const T: usize> {
    pub x: &'a [f32],
    pub inputs: usize,
    pub taps: &'a [[u32; T]],
    pub out_gradient: &'a [f32],
    pub outputs: usize,
    pub gradient: &'a mut [f32],
}

/// # Safety
/// As [`Lanes`]; the lengths must have been checked as in [`super::add_weight_gradient`].
#[inline(always)]
pub(super) unsafe fn gradient_tiles<L: FloatLanes, const T: usize>(job: &mut GradientJob<'_, T>) {
    for first in (0..job.taps.len()).step_by(GRADIENT_BLOCK) {
        let cells = (first, (first + GRADIENT_BLOCK).min(job.taps.len()));
        for tap in 0..T {
            let mut output = 0;
            while output < job.outputs {
                let v = registers::<L>(job.outputs - output);
                let mut input = 0;
                for inputs in equal_parts(job.inputs, L::CELLS[v]) {
                    let at = (tap, input, output);
                    // SAFETY: passed on; the tile lies inside the gradient.
                    unsafe {
                        match v {
                            1 => with_cells!(inputs, gradient_tile, L, T, 1, (job, cells, at)),
                            2 => with_cells!(inputs, gradient_tile, L, T, 2, (job, cells, at)),
                            3 => with_cells!(inputs, gradient_tile, L, T, 3, (job, cells, at)),
                            _ => with_cells!(inputs, gradient_tile, L, T, 4, (job, cells, at)),
                        }
                    }
                    input += inputs;
                }
                output += v * L::WIDTH;
            }
        }
    }
}

/// `M` inputs × `V` registers of outputs of one tap, over a block of cells.
///
/// # Safety
/// As [`gradient_tiles`]; the tile must lie inside the gradient.
#[inline(always)]
unsafe fn gradient_tile<L: FloatLanes, const T: usize, const M: usize, const V: usize>(
    job: &mut GradientJob<'_, T>,
    (first, end): (usize, usize),
    (tap, input, output): (usize, usize, usize),
) {
    // SAFETY: as in `layer_tile`.
    unsafe {
        let mut sums = [[L::splat(0.0); V]; M];
        for cell in first..end {
            let source = job.taps.get_unchecked(cell)[tap];
            if source == NO_TAP {
                continue;
            }
            let row = job.x.as_ptr().add(source as usize * job.inputs + input);
            let out_gradient = job.out_gradient.as_ptr().add(cell * job.outputs + output);
            let mut columns = [L::splat(0.0); V];
            for v in 0..V {
                columns[v] = L::load(out_gradient.add(v * L::WIDTH));
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
                sums[m][v].plus(L::load(to)).store(to);
            }
        }
    }
}
