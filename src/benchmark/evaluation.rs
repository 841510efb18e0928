//! The network by itself, with every kernel and precision of this machine.

use std::hint::black_box;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use crate::games::{Game, SizeError};
use crate::network::kernels::Kernel;
use crate::network::{Inference, Precision, TAPS, Workspace};

use super::report::{EvaluationSpeed, PeakSpeed};
use super::timing::{most_per_second, per_second};
use super::{A_MOMENT, BenchmarkError, Standard, random_parameters, standard_networks};

/// Products that each measured round of a peak computes.
const PRODUCTS: u64 = 1_000_000;

/// A batch of this many positions is timed beside single ones.
const BATCH: usize = 64;

fn kernels() -> impl Iterator<Item = (Kernel, Precision)> {
    Kernel::available()
        .into_iter()
        .flat_map(|kernel| kernel.fast_precisions().into_iter().map(move |precision| (kernel, precision)))
}

pub(super) fn peaks() -> Vec<PeakSpeed> {
    let peak = |(kernel, precision): (Kernel, Precision)| {
        let operations = kernel.multiply_and_add(precision, PRODUCTS) as f64;
        let rate = most_per_second(A_MOMENT, || {
            black_box(kernel.multiply_and_add(precision, PRODUCTS));
        });
        let gigaops_per_second = rate * operations / 1e9;
        PeakSpeed { kernel: kernel.name(), precision: precision.name(), gigaops_per_second }
    };
    kernels().map(peak).collect()
}

/// Multiplications and additions of the convolutions of one position.
fn operations(game: Game, standard: &Standard, cells: usize) -> f64 {
    let (blocks, channels) = (standard.architecture.blocks, standard.architecture.channels);
    2.0 * (cells * TAPS * channels * (game.view.cell_inputs + 2 * blocks * channels)) as f64
}

/// Different positions of a game, each with the inputs of the network.
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

/// One thread with single positions and with batches for every kernel, and all threads for the best. `peaks`
/// are those of [`peaks`].
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
                    per_second(A_MOMENT, || {
                        inputs[..batch].iter_mut().for_each(|input| inference.evaluate(input, topology));
                    })
                } else {
                    per_second(A_MOMENT, || {
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
            // A batch of plain Rust would take too long for what it shows.
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
