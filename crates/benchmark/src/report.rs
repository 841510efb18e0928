//! The figures of a benchmark.

use serde::Serialize;

use hexzero_nn::kernels::Kernel;

use super::choice::DefaultChoice;

/// The speed of this machine. Parts that were not measured are empty.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The program's version.
    pub version: &'static str,
    /// The threads used to measure all cores.
    pub threads: usize,
    /// The kernel used by search, self-play and training.
    pub kernel: &'static str,
    /// Random play.
    pub rules: Vec<RulesSpeed>,
    /// The peak of one core.
    pub peaks: Vec<PeakSpeed>,
    /// The network alone.
    pub evaluations: Vec<EvaluationSpeed>,
    /// Search with a network.
    pub search: Vec<SearchSpeed>,
    /// Self-play.
    pub self_play: Vec<SelfPlaySpeed>,
    /// Training steps.
    pub training: Vec<TrainingSpeed>,
    /// Whether the defaults of evaluations and training are the fastest here, if those were measured.
    pub defaults: Vec<DefaultChoice>,
    /// The GPU, if one was measured; the lists above are then empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<DeviceReport>,
}

impl Report {
    pub(super) fn new(threads: usize, kernel: Kernel) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION"),
            threads,
            kernel: kernel.name(),
            rules: Vec::new(),
            peaks: Vec::new(),
            evaluations: Vec::new(),
            search: Vec::new(),
            self_play: Vec::new(),
            training: Vec::new(),
            defaults: Vec::new(),
            device: None,
        }
    }
}

/// Random play on one thread.
#[derive(Debug, Clone, Serialize)]
pub struct RulesSpeed {
    /// The game's name.
    pub game: &'static str,
    /// The board size.
    pub size: usize,
    /// Moves per second.
    pub moves_per_second: f64,
}

/// The peak of multiplying and adding on one core: products of registers, without loads.
#[derive(Debug, Clone, Serialize)]
pub struct PeakSpeed {
    /// The kernel.
    pub kernel: &'static str,
    /// The precision of the products.
    pub precision: &'static str,
    /// Multiplications and additions per second, in thousand millions.
    pub gigaops_per_second: f64,
}

/// Evaluations by the whole network, pooling and heads included.
#[derive(Debug, Clone, Serialize)]
pub struct EvaluationSpeed {
    /// Blocks and channels, such as `b6c64`.
    pub network: String,
    /// The board size.
    pub size: usize,
    /// The number of positions evaluated one after another.
    pub batch: usize,
    /// The number of threads, each with its own positions.
    pub threads: usize,
    /// The kernel.
    pub kernel: &'static str,
    /// The precision of the products in the tower.
    pub precision: &'static str,
    /// Positions per second, over all threads.
    pub positions_per_second: f64,
    /// The multiplications and additions of the convolutions (seven taps per cell) as a share of the peak.
    pub share_of_peak: f64,
}

/// Search on one thread, from the start of a game.
#[derive(Debug, Clone, Serialize)]
pub struct SearchSpeed {
    /// The game's name.
    pub game: &'static str,
    /// Blocks and channels.
    pub network: String,
    /// The board size.
    pub size: usize,
    /// The precision of the products in the tower.
    pub precision: &'static str,
    /// Visits per second.
    pub visits_per_second: f64,
}

/// Self-play.
#[derive(Debug, Clone, Serialize)]
pub struct SelfPlaySpeed {
    /// The game's name.
    pub game: &'static str,
    /// Blocks and channels.
    pub network: String,
    /// The board size.
    pub size: usize,
    /// Visits per move.
    pub visits: u32,
    /// The number of workers, each on a thread.
    pub threads: usize,
    /// The precision of the products in the tower.
    pub precision: &'static str,
    /// Games per hour.
    pub games_per_hour: f64,
    /// The mean number of moves of these games.
    pub moves_per_game: f64,
}

/// Training steps: forward, backward and optimiser.
#[derive(Debug, Clone, Serialize)]
pub struct TrainingSpeed {
    /// Blocks and channels.
    pub network: String,
    /// The board size.
    pub size: usize,
    /// Positions per step.
    pub batch: usize,
    /// The number of threads.
    pub threads: usize,
    /// The kernel, or `candle` on a device.
    pub kernel: &'static str,
    /// The precision of the products in the tower.
    pub precision: &'static str,
    /// Positions per second.
    pub samples_per_second: f64,
    /// The multiplications and additions of the convolutions (seven taps per cell), forward and backward, as a share of the
    /// peak of this precision; none on a device.
    pub share_of_peak: Option<f64>,
}

/// The speed of a GPU.
#[derive(Debug, Clone, Serialize)]
pub struct DeviceReport {
    /// The name of the device.
    pub device: String,
    /// The precision of the products in evaluations.
    pub precision: &'static str,
    /// The peak: multiplications and additions per second of the product of two large matrices, in thousand millions.
    pub peak_gigaops_per_second: f64,
    /// The network alone, including transfers to and from the device.
    pub evaluations: Vec<DeviceEvaluationSpeed>,
    /// Training steps.
    pub training: Vec<TrainingSpeed>,
    /// Self-play.
    pub self_play: Vec<DeviceSelfPlaySpeed>,
}

/// Evaluations on a GPU.
#[derive(Debug, Clone, Serialize)]
pub struct DeviceEvaluationSpeed {
    /// Blocks and channels.
    pub network: String,
    /// The board size.
    pub size: usize,
    /// Positions per batch.
    pub batch: usize,
    /// Positions per second.
    pub positions_per_second: f64,
    /// The multiplications and additions of the convolutions (seven taps per cell) as a share of the peak.
    pub share_of_peak: f64,
}

/// Self-play with a GPU.
#[derive(Debug, Clone, Serialize)]
pub struct DeviceSelfPlaySpeed {
    /// The game's name.
    pub game: &'static str,
    /// Blocks and channels.
    pub network: String,
    /// The board size.
    pub size: usize,
    /// Visits per move.
    pub visits: u32,
    /// The number of games played at the same time.
    pub games_at_once: usize,
    /// The mean number of positions per batch.
    pub positions_per_batch: f64,
    /// Games per hour.
    pub games_per_hour: f64,
    /// The mean number of moves of these games.
    pub moves_per_game: f64,
}
