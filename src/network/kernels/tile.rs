//! The tiled loops, generic over [`Lanes`], and their entry points for each instruction set.
#![expect(clippy::needless_range_loop, reason = "loops of constant length over several arrays kept in registers")]

use super::lanes::{Lanes, Portable};
use super::{Kernel, Layer, NO_TAP};

/// More input channels than any layer has; taps off the board read from here.
const MOST_INPUTS: usize = 4096;
static ZEROS: [f32; MOST_INPUTS] = [0.0; MOST_INPUTS];

/// Rows that a pass over the weight gradient takes at a time, so that they stay in the cache.
const GRADIENT_BLOCK: usize = 384;

/// The rows of one layer and where its results go.
struct Job<'a, const T: usize> {
    layer: &'a Layer<'a, T>,
    x: &'a [f32],
    taps: &'a [[u32; T]],
    residual: Option<&'a [f32]>,
    out: &'a mut [f32],
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

/// The widest tile, in registers of outputs, that divides what is left of them.
fn registers<L: Lanes>(outputs_left: usize) -> usize {
    (1..L::CELLS.len()).rev().find(|&v| L::CELLS[v] > 0 && outputs_left >= v * L::WIDTH).unwrap_or(1)
}

/// `total` in as few parts of at most `most` as possible, as equal as possible.
fn equal_parts(total: usize, most: usize) -> impl Iterator<Item = usize> {
    let parts = total.div_ceil(most);
    (0..parts).map(move |part| total * (part + 1) / parts - total * part / parts)
}

/// # Safety
/// As [`Lanes`]; the lengths must have been checked as in [`Layer::run`].
#[inline(always)]
unsafe fn layer_tiles<L: Lanes, const T: usize>(job: &mut Job<'_, T>) {
    let outputs = job.layer.outputs;
    let mut output = 0;
    while output < outputs {
        let v = registers::<L>(outputs - output);
        let mut cell = 0;
        for cells in equal_parts(job.taps.len(), L::CELLS[v]) {
            // SAFETY: passed on; the tile lies inside the layer.
            unsafe {
                match v {
                    1 => with_cells!(cells, layer_tile, L, T, 1, (job, cell, output)),
                    2 => with_cells!(cells, layer_tile, L, T, 2, (job, cell, output)),
                    3 => with_cells!(cells, layer_tile, L, T, 3, (job, cell, output)),
                    _ => with_cells!(cells, layer_tile, L, T, 4, (job, cell, output)),
                }
            }
            cell += cells;
        }
        output += v * L::WIDTH;
    }
}

/// `M` cells from `cell` on × `V` registers of outputs from `output` on.
///
/// # Safety
/// As [`layer_tiles`]; the tile must lie inside the layer.
#[inline(always)]
unsafe fn layer_tile<L: Lanes, const T: usize, const M: usize, const V: usize>(
    job: &mut Job<'_, T>,
    cell: usize,
    output: usize,
) {
    let (inputs, outputs) = (job.layer.inputs, job.layer.outputs);
    // SAFETY: taps were checked against the rows of `x`, `inputs` against the zeros, and all other
    // lengths against cells × channels by the caller; the tile lies inside.
    unsafe {
        let mut sums = [[L::splat(0.0); V]; M];
        if let Some(bias) = job.layer.bias {
            for v in 0..V {
                let bias = L::load(bias.as_ptr().add(output + v * L::WIDTH));
                for row in &mut sums {
                    row[v] = bias;
                }
            }
        }
        for t in 0..T {
            let mut rows = [ZEROS.as_ptr(); M];
            let mut on_board = false;
            for m in 0..M {
                let tap = job.taps.get_unchecked(cell + m)[t];
                if tap != NO_TAP {
                    rows[m] = job.x.as_ptr().add(tap as usize * inputs);
                    on_board = true;
                }
            }
            if !on_board {
                continue;
            }
            let mut weights = job.layer.weights.as_ptr().add(t * inputs * outputs + output);
            for c in 0..inputs {
                let mut row: [L; V] = [L::splat(0.0); V];
                for v in 0..V {
                    row[v] = L::load(weights.add(v * L::WIDTH));
                }
                for m in 0..M {
                    let input = L::splat(*rows[m].add(c));
                    for v in 0..V {
                        sums[m][v] = sums[m][v].add_product(input, row[v]);
                    }
                }
                weights = weights.add(outputs);
            }
        }
        for m in 0..M {
            for v in 0..V {
                let at = (cell + m) * outputs + output + v * L::WIDTH;
                let mut sum = sums[m][v];
                if let Some(residual) = job.residual {
                    sum = sum.plus(L::load(residual.as_ptr().add(at)));
                }
                if job.layer.relu {
                    sum = sum.relu();
                }
                sum.store(job.out.as_mut_ptr().add(at));
            }
        }
    }
}

/// The operands of a weight gradient.
struct GradientJob<'a, const T: usize> {
    x: &'a [f32],
    inputs: usize,
    taps: &'a [[u32; T]],
    out_gradient: &'a [f32],
    outputs: usize,
    gradient: &'a mut [f32],
}

/// # Safety
/// As [`Lanes`]; the lengths must have been checked as in [`super::add_weight_gradient`].
#[inline(always)]
unsafe fn gradient_tiles<L: Lanes, const T: usize>(job: &mut GradientJob<'_, T>) {
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
unsafe fn gradient_tile<L: Lanes, const T: usize, const M: usize, const V: usize>(
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

/// The same two loops compiled for an instruction set.
#[cfg(target_arch = "x86_64")]
macro_rules! compiled_for {
    ($module:ident, $lanes:ident, $features:literal) => {
        mod $module {
            use super::super::lanes::$lanes;
            use super::{GradientJob, Job, gradient_tiles, layer_tiles};

            /// # Safety
            /// The machine must have the features; lengths as in [`layer_tiles`].
            #[target_feature(enable = $features)]
            pub(super) unsafe fn layer<const T: usize>(job: &mut Job<'_, T>) {
                // SAFETY: passed on.
                unsafe { layer_tiles::<$lanes, T>(job) }
            }

            /// # Safety
            /// The machine must have the features; lengths as in [`gradient_tiles`].
            #[target_feature(enable = $features)]
            pub(super) unsafe fn gradient<const T: usize>(job: &mut GradientJob<'_, T>) {
                // SAFETY: passed on.
                unsafe { gradient_tiles::<$lanes, T>(job) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
compiled_for!(avx512, Avx512, "avx512f");
#[cfg(target_arch = "x86_64")]
compiled_for!(avx2, Avx2, "avx2,fma");

pub(super) fn run_layer<const T: usize>(
    layer: &Layer<'_, T>,
    kernel: Kernel,
    x: &[f32],
    taps: &[[u32; T]],
    residual: Option<&[f32]>,
    out: &mut [f32],
) {
    assert!(layer.inputs <= MOST_INPUTS, "{} input channels are more than {MOST_INPUTS}", layer.inputs);
    assert!(kernel.is_available(), "this machine cannot run the kernel {kernel:?}");
    let mut job = Job { layer, x, taps, residual, out };
    // SAFETY: the machine has the instructions, and `Layer::run` has checked the lengths.
    unsafe {
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => avx512::layer(&mut job),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => avx2::layer(&mut job),
            _ => layer_tiles::<Portable, T>(&mut job),
        }
    }
}

pub(super) fn add_weight_gradient<const T: usize>(
    kernel: Kernel,
    x: &[f32],
    inputs: usize,
    taps: &[[u32; T]],
    out_gradient: &[f32],
    outputs: usize,
    gradient: &mut [f32],
) {
    assert!(kernel.is_available(), "this machine cannot run the kernel {kernel:?}");
    let mut job = GradientJob { x, inputs, taps, out_gradient, outputs, gradient };
    // SAFETY: as in `run_layer`, the lengths checked by the public function.
    unsafe {
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => avx512::gradient(&mut job),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => avx2::gradient(&mut job),
            _ => gradient_tiles::<Portable, T>(&mut job),
        }
    }
}
