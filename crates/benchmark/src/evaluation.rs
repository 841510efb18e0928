//! Measures evaluations by the network alone, with every kernel and precision of this machine.

use std::hint::black_box;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use hexzero_games::{Game, SizeError};
use hexzero_nn::kernels::Kernel;
use hexzero_nn::{Inference, Precision, TAPS, Workspace};

use super::report::{EvaluationSpeed, PeakSpeed};
use super::timing::{Clock, most_per_second, per_second};
use super::{BenchmarkError, MEASURING_TIME, Standard, random_parameters, standard_networks};

/// The products computed in each round of measuring a peak.
const PRODUCTS: u64 = 1_000_000;

/// The batch size, measured beside single positions.
const BATCH: usize = 64;

/// Lists the available kernels with the precisions that they are fast in.
fn kernels() -> impl Iterator<Item = (Kernel, Precision)> {
    Kernel::available()
        .into_iter()
        .flat_map(|kernel| kernel.fast_precisions().into_iter().map(move |precision| (kernel, precision)))
}

/// Measures the peak of one core with each kernel and precision.
pub(super) fn peaks() -> Vec<PeakSpeed> {
    let peak = |(kernel, precision): (Kernel, Precision)| {
        let operations = kernel.multiply_and_add(precision, PRODUCTS) as f64;
        let rate = most_per_second(Clock::Thread, MEASURING_TIME, || {
            black_box(kernel.multiply_and_add(precision, PRODUCTS));
        });
        let gigaops_per_second = rate * operations / 1e9;
        PeakSpeed { kernel: kernel.name(), precision: precision.name(), gigaops_per_second }
    };
    kernels().map(peak).collect()
}

/// Counts the multiplications and additions in the convolutions of one evaluation.
fn operations(game: Game, standard: &Standard, cells: usize) -> f64 {
    let (blocks, channels) = (standard.architecture.blocks, standard.architecture.channels);
    2.0 * (cells * TAPS * channels * (game.view.cell_inputs + 2 * blocks * channels)) as f64
}

/// Prepares the network inputs of `BATCH` different positions of a game.
fn positions(game: Game, size: usize, inference: &Inference) -> Result<Vec<Workspace>, SizeError> {
    let start = game.start(size)?;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut position = start.clone();
    let mut workspaces = Vec::with_capacity(BATCH);
    while workspaces.len() < BATCH {
        let mut workspace = Workspace::default();
        inference.prepare(&mut workspace, position.topology());
        position.encode(&mut workspace.cells, &mut workspace.globals);
        workspaces.push(workspace);
        match position.random_action(&mut rng) {
            Some(action) => position.play(action),
            None => position = start.clone(),
        }
    }
    Ok(workspaces)
}

/// Measures evaluations on one thread with every kernel, of single positions and of batches, and on all threads with the
/// best kernel. `peaks` come from [`peaks`].
pub(super) fn measure(game: Game, threads: usize, peaks: &[PeakSpeed]) -> Result<Vec<EvaluationSpeed>, BenchmarkError> {
    let mut speeds = Vec::new();
    for standard in standard_networks() {
        let tensors = random_parameters(game, &standard.architecture)?;
        let topology = game.start(standard.size_in(game))?.topology();
        for (number, ((kernel, precision), peak)) in kernels().zip(peaks).enumerate() {
            let inference = Inference::new(&standard.architecture, &game.view, &tensors, kernel, precision);
            let mut inputs = positions(game, standard.size_in(game), &inference)?;
            let mut speed = |batch: usize, threads: usize| {
                let rate = if threads == 1 {
                    per_second(Clock::Thread, MEASURING_TIME, || {
                        inputs[..batch].iter_mut().for_each(|input| inference.evaluate(input, topology));
                    })
                } else {
                    per_second(Clock::Wall, MEASURING_TIME, || {
                        inputs[..batch].par_iter_mut().for_each(|input| inference.evaluate(input, topology));
                    })
                };
                let rate = rate * batch as f64;
                EvaluationSpeed {
                    network: standard.architecture.to_string(),
                    size: standard.size_in(game),
                    batch,
                    threads,
                    kernel: kernel.name(),
                    precision: precision.name(),
                    positions_per_second: rate,
                    share_of_peak: rate * operations(game, &standard, topology.cells())
                        / (1e9 * peak.gigaops_per_second * threads as f64),
                }
            };
            speeds.push(speed(1, 1));
            // Batches in plain Rust would take long and show nothing new.
            if kernel != Kernel::Portable {
                speeds.push(speed(BATCH, 1));
            }
            if number == 0 && threads > 1 {
                speeds.push(speed(BATCH, threads));
            }
        }
    }
    Ok(speeds)
}
