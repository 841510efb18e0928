//! Measures what a user of this machine waits for: evaluations, self-play and training, by network, kernel and
//! precision. The rules and the search are measured by the benchmarks in `benches/`.
//!
//! The networks are the standard ones of the documents, with random weights: the time of an evaluation does not depend
//! on the weights.

mod evaluation;
mod parts;
mod report;
mod self_play;
mod timing;
mod training;

use std::time::Duration;

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use hexzero_games::Game;
use hexzero_graph::{CandleDevice, Network};
use hexzero_nn::kernels::Kernel;
use hexzero_nn::{Architecture, NamedTensors};
use hexzero_system::threads::start_shared;

pub use report::{
    DefaultChoice, DeviceReport, EvaluationParts, KernelAndPrecision, NetworkSpeed, Rate, Report, SelfPlaySpeed, Speeds,
};

/// An error of a measurement.
pub type BenchmarkError = Box<dyn std::error::Error + Send + Sync>;

/// A part of the benchmark, in the order of measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The network alone: positions per second.
    Evaluations,
    /// Self-play: games per hour.
    SelfPlay,
    /// Training: positions per second.
    Training,
}

impl Part {
    /// All parts.
    pub const ALL: [Self; 3] = [Self::Evaluations, Self::SelfPlay, Self::Training];
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
///
/// # Errors
/// If candle fails.
pub fn random_parameters(game: Game, architecture: &Architecture) -> candle_core::Result<NamedTensors> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (_, parameters) = Network::random(architecture, &game.view, &mut rng)?;
    let mut tensors = parameters.to_named()?;
    // Layers that training starts at zero would switch off whole blocks.
    for tensor in tensors.values_mut().filter(|tensor| tensor.data.iter().all(|&value| value == 0.0)) {
        tensor.data.fill_with(|| rng.random_range(-0.03..0.03));
    }
    Ok(tensors)
}

/// Returns the networks to measure on a device: b6c64 on 9×9, b10c128 on 11×11 and b20c256 on 13×13. On the processor
/// only b4c32: the others would take minutes.
fn networks_of(device: &CandleDevice) -> Vec<Standard> {
    let [small, middle, large] = standard_networks();
    if device.device.is_cpu() {
        return vec![small];
    }
    let architecture = Architecture { blocks: 20, channels: 256, ..large.architecture.clone() };
    vec![middle, large, Standard { architecture, size: 13 }]
}

/// Measures `parts`, each in a few seconds, on this machine's processor or on a device. Calls `on_part` before each.
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
    let mut speeds = Speeds::default();
    for &part in Part::ALL.iter().filter(|part| parts.contains(part)) {
        on_part(part);
        match (part, device) {
            (Part::Evaluations, None) => {
                speeds.evaluations = evaluation::measure(game, threads)?;
                speeds.evaluation_parts = parts::measure(game)?;
            }
            (Part::SelfPlay, None) => speeds.self_play = self_play::measure(game, threads)?,
            (Part::Training, None) => speeds.training = training::measure(game, threads)?,
            (Part::Evaluations, Some(device)) => {
                for standard in networks_of(device) {
                    speeds.evaluations.extend(evaluation::measure_on(game, &standard, device)?);
                }
            }
            (Part::SelfPlay, Some(device)) => {
                if let Some(standard) = networks_of(device).into_iter().take(2).next_back() {
                    speeds.self_play.push(self_play::measure_on(game, &standard, device)?);
                }
            }
            (Part::Training, Some(device)) => {
                for standard in networks_of(device) {
                    speeds.training.push(training::measure_on(game, &standard, device)?);
                }
            }
        }
    }
    let (version, kernel) = (env!("CARGO_PKG_VERSION"), Kernel::best().name());
    Ok(match device {
        None => Report { version, threads, kernel, defaults: DefaultChoice::of(&speeds), speeds, device: None },
        Some(CandleDevice { name, precision, .. }) => {
            let device = DeviceReport { device: name.clone(), precision: precision.name(), speeds };
            Report { version, threads, kernel, speeds: Speeds::default(), defaults: Vec::new(), device: Some(device) }
        }
    })
}

/// The time spent on one figure.
const MEASURING_TIME: Duration = Duration::from_millis(400);
