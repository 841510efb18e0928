//! Measures evaluations by the network alone: with every kernel and precision of this machine, or on a device.

use candle_core::Tensor;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use hexzero_games::{Game, SizeError};
use hexzero_graph::{Boards, CandleDevice, Network};
use hexzero_nn::kernels::Kernel;
use hexzero_nn::{Inference, Workspace};

use super::report::{NetworkSpeed, Rate};
use super::timing::{Clock, per_second};
use super::{BenchmarkError, MEASURING_TIME, Standard, random_parameters, standard_networks};

/// The batch size, measured beside single positions.
const BATCH: usize = 64;

/// The batch sizes on a device; those larger than the device's are left out.
const DEVICE_BATCHES: [usize; 7] = [1, 8, 32, 64, 128, 256, 1024];

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

/// Measures evaluations on one thread with every kernel, of single positions and of batches, and on all threads with
/// the best kernel.
pub(super) fn measure(game: Game, threads: usize) -> Result<Vec<NetworkSpeed>, BenchmarkError> {
    let mut speeds = Vec::new();
    for standard in standard_networks() {
        let tensors = random_parameters(game, &standard.architecture)?;
        let size = standard.size_in(game);
        let topology = game.start(size)?.topology();
        let fast = |kernel: Kernel| kernel.fast_precisions().into_iter().map(move |precision| (kernel, precision));
        for (number, (kernel, precision)) in Kernel::available().into_iter().flat_map(fast).enumerate() {
            let inference = Inference::new(&standard.architecture, &game.view, &tensors, kernel, precision);
            let mut inputs = positions(game, size, &inference)?;
            let mut speed = |batch: usize, threads: usize| {
                let inputs = &mut inputs[..batch];
                let rate = per_second(Clock::of(threads), MEASURING_TIME, || match threads {
                    1 => inputs.iter_mut().for_each(|input| inference.evaluate(input, topology)),
                    _ => inputs.par_iter_mut().for_each(|input| inference.evaluate(input, topology)),
                });
                NetworkSpeed {
                    network: standard.architecture.to_string(),
                    size,
                    batch,
                    threads,
                    kernel: kernel.name(),
                    precision: precision.name(),
                    rate: Rate::PositionsPerSecond(rate * batch as f64),
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

/// Measures evaluations by a network on a device, transfers included, by the size of the batch.
pub(super) fn measure_on(
    game: Game,
    standard: &Standard,
    device: &CandleDevice,
) -> Result<Vec<NetworkSpeed>, BenchmarkError> {
    let (view, architecture, size) = (&game.view, &standard.architecture, standard.size_in(game));
    let tensors = random_parameters(game, architecture)?;
    let dtype = device.precision.of_evaluation();
    let network = Network::on_device(architecture, view, &tensors, &device.device, dtype)?.0.for_evaluation()?;
    let topology = game.start(size)?.topology();
    let mut speeds = Vec::new();
    for batch in DEVICE_BATCHES.into_iter().filter(|&batch| batch == 1 || batch <= device.batch) {
        let boards = Boards::new(&vec![topology; batch]).put_on(&device.device)?;
        let (cells, globals) =
            (vec![0.5f32; boards.cells() * view.cell_inputs], vec![0.5f32; batch * view.global_inputs]);
        let evaluate = || -> candle_core::Result<Vec<f32>> {
            let cells = Tensor::from_slice(&cells, (boards.cells(), view.cell_inputs), &device.device)?;
            let globals = Tensor::from_slice(&globals, (batch, view.global_inputs), &device.device)?;
            let heads = network.forward(&cells, &globals, &boards)?;
            heads.outcome.flatten_all()?.to_vec1::<f32>()?;
            heads.cell_policy.flatten_all()?.to_vec1()
        };
        let mut problem = evaluate().map(|_| ());
        let rate = per_second(Clock::Wall, MEASURING_TIME, || problem = evaluate().map(|_| ()));
        problem?;
        speeds.push(NetworkSpeed {
            network: architecture.to_string(),
            size,
            batch,
            threads: 1,
            kernel: "candle",
            precision: device.precision.name(),
            rate: Rate::PositionsPerSecond(rate * batch as f64),
        });
    }
    Ok(speeds)
}
