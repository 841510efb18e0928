//! Measures the speed of every part of the program on this machine, and the accuracy of faster
//! evaluation.
//!
//! Networks are the standard ones of the documents, with random weights: the time of an evaluation does
//! not depend on what the network has learned.

mod agreement;
mod device;
mod evaluation;
mod play;
mod report;
mod rules;
mod timing;
mod training;

use std::time::Duration;

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::games::{Game, SizeError};
use crate::network::kernels::Kernel;
use crate::network::{Architecture, Card, CheckpointError, NamedTensors, Network};
use crate::threads::start_shared;

pub use agreement::{Agreement, agreement};
pub use report::{
    DeviceEvaluationSpeed, DeviceReport, DeviceSelfPlaySpeed, EvaluationSpeed, PeakSpeed, Report, RulesSpeed,
    SearchSpeed, SelfPlaySpeed, TrainingSpeed,
};

/// Why a measurement failed.
#[derive(Debug, thiserror::Error)]
pub enum BenchmarkError {
    /// The game is not played on a standard board.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The network.
    #[error(transparent)]
    Network(#[from] candle_core::Error),
    /// The network cannot be put on the card.
    #[error(transparent)]
    Card(#[from] CheckpointError),
    /// Threads could not be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The threads that all parts share could not be started.
    #[error(transparent)]
    SharedThreads(#[from] std::io::Error),
}

/// A part of the benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Random play: moves a second.
    Rules,
    /// The network by itself: positions a second, and the peak of the arithmetic unit.
    Evaluations,
    /// The search with a network: visits a second.
    Search,
    /// Games an hour.
    SelfPlay,
    /// Positions trained on a second.
    Training,
}

impl Part {
    /// All parts in the order in which they are measured.
    pub const ALL: [Self; 5] = [Self::Rules, Self::Evaluations, Self::Search, Self::SelfPlay, Self::Training];
}

/// A network and the board that its figures are given for.
#[derive(Debug, Clone)]
pub struct Standard {
    /// Size and depth of the network.
    pub architecture: Architecture,
    /// The side of the board.
    pub size: usize,
}

impl Standard {
    /// The board's size in a game: its default where it has no board of the standard one.
    pub fn size_in(&self, game: Game) -> usize {
        if game.boards.sizes.contains(&self.size) { self.size } else { game.boards.default }
    }
}

/// The networks that figures are given for: b4c32 on 7×7, b6c64 on 9×9 and b10c128 on 11×11.
pub fn standard_networks() -> [Standard; 3] {
    [(4, 32, 7), (6, 64, 9), (10, 128, 11)].map(|(blocks, channels, size)| {
        let policy_channels = channels.min(32);
        let sizes = Architecture { blocks, channels, policy_channels, value_channels: 64, ..Architecture::default() };
        Standard { architecture: sizes, size }
    })
}

/// The parameters of a network with random weights, all of them other than zero.
fn random_parameters(game: Game, architecture: &Architecture) -> candle_core::Result<NamedTensors> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (_, parameters) = Network::random(architecture, &game.view, &mut rng)?;
    let mut tensors = parameters.to_named()?;
    // The layers that training starts at zero would leave whole blocks without effect.
    for tensor in tensors.values_mut().filter(|tensor| tensor.data.iter().all(|&value| value == 0.0)) {
        tensor.data.fill_with(|| rng.random_range(-0.03..0.03));
    }
    Ok(tensors)
}

/// Measures the parts that are asked for, each in a few seconds, with this game wherever one is played.
/// `on_part` is called before each. With a card only what it computes is measured, and there.
///
/// # Errors
/// If candle fails, threads cannot be started, or the game is not played on a standard board.
pub fn measure(
    game: Game,
    parts: &[Part],
    card: Option<&Card>,
    on_part: impl Fn(Part),
) -> Result<Report, BenchmarkError> {
    start_shared()?;
    let threads = rayon::current_num_threads();
    let mut report = Report::new(threads, Kernel::best());
    if let Some(card) = card {
        report.device = Some(device::measure(game, parts, card, on_part)?);
        return Ok(report);
    }
    for &part in Part::ALL.iter().filter(|part| parts.contains(part)) {
        on_part(part);
        match part {
            Part::Rules => report.rules = rules::measure(game)?,
            Part::Evaluations => {
                report.peaks = evaluation::peaks();
                report.evaluations = evaluation::measure(game, threads, &report.peaks)?;
            }
            Part::Search => report.search = play::search(game)?,
            Part::SelfPlay => report.self_play = play::self_play(game, threads)?,
            Part::Training => report.training = training::measure(game, threads)?,
        }
    }
    Ok(report)
}

/// How long one figure is measured.
const A_MOMENT: Duration = Duration::from_millis(400);
