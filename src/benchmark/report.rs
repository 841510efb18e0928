//! What was measured.

use serde::Serialize;

use crate::network::kernels::Kernel;

/// How fast this machine is; the parts that were not measured are empty.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The program's version.
    pub version: &'static str,
    /// Threads of the measurements that use all cores.
    pub threads: usize,
    /// The kernel of search, self-play and training.
    pub kernel: &'static str,
    /// Random play.
    pub rules: Vec<RulesSpeed>,
    /// What one core could do at best.
    pub peaks: Vec<PeakSpeed>,
    /// The network by itself.
    pub evaluations: Vec<EvaluationSpeed>,
    /// The search with a network.
    pub search: Vec<SearchSpeed>,
    /// Games of self-play.
    pub self_play: Vec<SelfPlaySpeed>,
    /// Steps of training.
    pub training: Vec<TrainingSpeed>,
    /// A card, if one was measured; everything above is then empty.
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
            device: None,
        }
    }
}

/// Random play on one thread.
#[derive(Debug, Clone, Serialize)]
pub struct RulesSpeed {
    /// The game's name.
    pub game: &'static str,
    /// The board's side.
    pub size: usize,
    /// Moves a second.
    pub moves_per_second: f64,
}

/// The peak of the unit that multiplies and adds, on one core: products of registers with nothing to load.
#[derive(Debug, Clone, Serialize)]
pub struct PeakSpeed {
    /// The instructions.
    pub kernel: &'static str,
    /// What is multiplied.
    pub precision: &'static str,
    /// Thousand million multiplications and additions a second.
    pub gigaops_per_second: f64,
}

/// The whole network, heads and pooling included.
#[derive(Debug, Clone, Serialize)]
pub struct EvaluationSpeed {
    /// Blocks and channels, such as `b6c64`.
    pub network: String,
    /// The board's side.
    pub size: usize,
    /// Different positions, one after another.
    pub batch: usize,
    /// Threads, each with positions of its own.
    pub threads: usize,
    /// The instructions.
    pub kernel: &'static str,
    /// What is multiplied in the tower.
    pub precision: &'static str,
    /// Positions a second, of all threads together.
    pub positions_per_second: f64,
    /// Multiplications and additions of the convolutions, seven taps a cell, as a share of the peak.
    pub share_of_peak: f64,
}

/// The search on one thread, from the first move of a game.
#[derive(Debug, Clone, Serialize)]
pub struct SearchSpeed {
    /// The game's name.
    pub game: &'static str,
    /// Blocks and channels.
    pub network: String,
    /// The board's side.
    pub size: usize,
    /// What is multiplied in the tower.
    pub precision: &'static str,
    /// Visits a second.
    pub visits_per_second: f64,
}

/// Whole games of self-play.
#[derive(Debug, Clone, Serialize)]
pub struct SelfPlaySpeed {
    /// The game's name.
    pub game: &'static str,
    /// Blocks and channels.
    pub network: String,
    /// The board's side.
    pub size: usize,
    /// Visits of each move.
    pub visits: u32,
    /// Workers.
    pub threads: usize,
    /// What is multiplied in the tower.
    pub precision: &'static str,
    /// Games an hour.
    pub games_per_hour: f64,
    /// Mean number of moves of those games.
    pub moves_per_game: f64,
}

/// Steps of training: forward, backward and optimiser.
#[derive(Debug, Clone, Serialize)]
pub struct TrainingSpeed {
    /// Blocks and channels.
    pub network: String,
    /// The board's side.
    pub size: usize,
    /// Positions of a step.
    pub batch: usize,
    /// Threads.
    pub threads: usize,
    /// Positions a second.
    pub samples_per_second: f64,
}

/// How fast a card is.
#[derive(Debug, Clone, Serialize)]
pub struct DeviceReport {
    /// The device.
    pub device: String,
    /// What it multiplies in evaluations.
    pub precision: &'static str,
    /// The peak: thousand million multiplications and additions a second of the product of two large matrices.
    pub peak_gigaops_per_second: f64,
    /// The network by itself, inputs and answers carried to and from the card.
    pub evaluations: Vec<DeviceEvaluationSpeed>,
    /// Steps of training.
    pub training: Vec<TrainingSpeed>,
    /// Games of self-play.
    pub self_play: Vec<DeviceSelfPlaySpeed>,
}

/// Evaluations on a card.
#[derive(Debug, Clone, Serialize)]
pub struct DeviceEvaluationSpeed {
    /// Blocks and channels.
    pub network: String,
    /// The board's side.
    pub size: usize,
    /// Positions of a batch.
    pub batch: usize,
    /// Positions a second.
    pub positions_per_second: f64,
    /// Multiplications and additions of the convolutions, seven taps a cell, as a share of the peak.
    pub share_of_peak: f64,
}

/// Whole games of self-play with a card.
#[derive(Debug, Clone, Serialize)]
pub struct DeviceSelfPlaySpeed {
    /// The game's name.
    pub game: &'static str,
    /// Blocks and channels.
    pub network: String,
    /// The board's side.
    pub size: usize,
    /// Visits of each move.
    pub visits: u32,
    /// Games under way at once.
    pub games_at_once: usize,
    /// Mean number of positions of a batch.
    pub positions_per_batch: f64,
    /// Games an hour.
    pub games_per_hour: f64,
    /// Mean number of moves of those games.
    pub moves_per_game: f64,
}
