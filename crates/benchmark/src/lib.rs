//! Measures the speed of every part of the program on this machine, and the accuracy of int8 evaluation.
//!
//! The networks are the standard ones of the documents, with random weights: the time of an evaluation does not depend on
//! the weights.

mod agreement;
mod choice;
mod device;
mod evaluation;
mod play;
mod report;
mod timing;
mod training;

use std::time::Duration;

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use hexzero_games::{Game, SizeError};
use hexzero_graph::{CandleDevice, Network};
use hexzero_nn::kernels::{KERNEL_VARIABLE, Kernel, PRECISION_VARIABLE};
use hexzero_nn::{Architecture, CheckpointError, NamedTensors, Precision, TrainingPrecision};
use hexzero_system::threads::start_shared;

pub use agreement::{Agreement, agreement};
use choice::Measured;
pub use choice::{DefaultChoice, KernelAndPrecision};
pub use report::{
    DeviceEvaluationSpeed, DeviceReport, DeviceSelfPlaySpeed, EvaluationSpeed, PeakSpeed, Report, RulesSpeed,
    SearchSpeed, SelfPlaySpeed, TrainingSpeed,
};

/// An error of a measurement.
#[derive(Debug, thiserror::Error)]
pub enum BenchmarkError {
    /// The game is not played on a standard board.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The network cannot be built or trained.
    #[error(transparent)]
    Network(#[from] candle_core::Error),
    /// The network cannot be put on the device.
    #[error(transparent)]
    Device(#[from] CheckpointError),
    /// The threads of a pool could not be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The shared threads could not be started.
    #[error(transparent)]
    SharedThreads(#[from] std::io::Error),
}

/// A part of the benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Random play: moves per second.
    Rules,
    /// The network alone: positions per second, and the peak of the arithmetic unit.
    Evaluations,
    /// Search with a network: visits per second.
    Search,
    /// Self-play: games per hour.
    SelfPlay,
    /// Training: positions per second.
    Training,
}

impl Part {
    /// All parts, in the order of measurement.
    pub const ALL: [Self; 5] = [Self::Rules, Self::Evaluations, Self::Search, Self::SelfPlay, Self::Training];
}

/// A network and the board size that it is measured on.
#[derive(Debug, Clone)]
pub struct Standard {
    /// The shape of the network.
    pub architecture: Architecture,
    /// The board size.
    pub size: usize,
}

impl Standard {
    /// Returns the board size to use in a game: the game's default if it has no board of size `self.size`.
    pub fn size_in(&self, game: Game) -> usize {
        if game.boards.sizes.contains(&self.size) { self.size } else { game.boards.default }
    }
}

/// Returns the measured networks: b4c32 on 7×7, b6c64 on 9×9 and b10c128 on 11×11.
pub fn standard_networks() -> [Standard; 3] {
    [(4, 32, 7), (6, 64, 9), (10, 128, 11)].map(|(blocks, channels, size)| {
        let policy_channels = channels.min(32);
        let architecture =
            Architecture { blocks, channels, policy_channels, value_channels: 64, ..Architecture::default() };
        Standard { architecture, size }
    })
}

/// Returns random parameters of a network, none of them zero.
fn random_parameters(game: Game, architecture: &Architecture) -> candle_core::Result<NamedTensors> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (_, parameters) = Network::random(architecture, &game.view, &mut rng)?;
    let mut tensors = parameters.to_named()?;
    // Layers that training starts at zero would switch off whole blocks.
    for tensor in tensors.values_mut().filter(|tensor| tensor.data.iter().all(|&value| value == 0.0)) {
        tensor.data.fill_with(|| rng.random_range(-0.03..0.03));
    }
    Ok(tensors)
}

/// Measures `parts`, each in a few seconds, in `game` where a game is needed. Calls `on_part` before each. With a device,
/// measures only the parts that run on it.
///
/// # Errors
/// If candle fails, threads cannot be started, or the game is not played on a standard board.
pub fn measure(
    game: Game,
    parts: &[Part],
    device: Option<&CandleDevice>,
    on_part: impl Fn(Part),
) -> Result<Report, BenchmarkError> {
    start_shared()?;
    let threads = rayon::current_num_threads();
    let mut report = Report::new(threads, Kernel::best());
    if let Some(device) = device {
        report.device = Some(device::measure(game, parts, device, on_part)?);
        return Ok(report);
    }
    for &part in Part::ALL.iter().filter(|part| parts.contains(part)) {
        on_part(part);
        match part {
            Part::Rules => report.rules = play::random_moves(game)?,
            Part::Evaluations => {
                report.peaks = evaluation::peaks();
                report.evaluations = evaluation::measure(game, threads, &report.peaks)?;
            }
            Part::Search => report.search = play::search(game)?,
            Part::SelfPlay => report.self_play = play::self_play(game, threads)?,
            Part::Training => report.training = training::measure(game, threads)?,
        }
    }
    report.defaults = defaults(&report);
    Ok(report)
}

/// Compares the defaults of evaluations and of training with what else was measured on one thread. Returns nothing where the user has
/// chosen the kernel or the precision.
fn defaults(report: &Report) -> Vec<DefaultChoice> {
    if [KERNEL_VARIABLE, PRECISION_VARIABLE].iter().any(|name| std::env::var_os(name).is_some()) {
        return Vec::new();
    }
    let single = report.evaluations.iter().filter(|speed| speed.threads == 1 && speed.batch == 1);
    let evaluations = single.map(|speed| Measured {
        network: &speed.network,
        way: KernelAndPrecision { kernel: speed.kernel, precision: speed.precision },
        per_second: speed.positions_per_second,
    });
    let training = report.training.iter().filter(|speed| speed.threads == 1).map(|speed| Measured {
        network: &speed.network,
        way: KernelAndPrecision { kernel: speed.kernel, precision: speed.precision },
        per_second: speed.samples_per_second,
    });
    let kernel = Kernel::best().name();
    let of_evaluations = KernelAndPrecision { kernel, precision: Precision::best().name() };
    let of_training = KernelAndPrecision { kernel, precision: TrainingPrecision::best().name() };
    [
        DefaultChoice::new("evaluations", of_evaluations, &evaluations.collect::<Vec<_>>()),
        DefaultChoice::new("training", of_training, &training.collect::<Vec<_>>()),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The time spent on one figure.
const MEASURING_TIME: Duration = Duration::from_millis(400);
