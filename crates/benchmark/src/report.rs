//! The figures of a benchmark.

use serde::Serialize;

use hexzero_nn::kernels::{KERNEL_VARIABLE, Kernel, PRECISION_VARIABLE, TRAINING_PRECISION_VARIABLE};
use hexzero_nn::{Precision, TrainingPrecision};

/// A default may be slower than the best by this share, as timings vary by as much.
const TOLERANCE: f64 = 0.05;

/// The speed of this machine.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The program's version.
    pub version: &'static str,
    /// The threads used to measure all cores.
    pub threads: usize,
    /// The kernel used by self-play.
    pub kernel: &'static str,
    /// The processor; empty if a device was measured.
    #[serde(flatten)]
    pub speeds: Speeds,
    /// Whether the defaults of evaluations and training are the fastest here, if those were measured.
    pub defaults: Vec<DefaultChoice>,
    /// The GPU, if one was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<DeviceReport>,
}

/// The speed of a GPU.
#[derive(Debug, Clone, Serialize)]
pub struct DeviceReport {
    /// The name of the device.
    pub device: String,
    /// The precision of the products in evaluations.
    pub precision: &'static str,
    /// The figures.
    #[serde(flatten)]
    pub speeds: Speeds,
}

/// The speed of a processor or a device. Parts that were not measured are empty.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Speeds {
    /// The network alone, on a device including transfers.
    pub evaluations: Vec<NetworkSpeed>,
    /// Where the time of one evaluation goes; empty on a device.
    pub evaluation_parts: Vec<EvaluationParts>,
    /// Self-play.
    pub self_play: Vec<SelfPlaySpeed>,
    /// Training steps: forward, backward and optimiser.
    pub training: Vec<NetworkSpeed>,
}

/// Evaluations or training steps by the whole network, pooling and heads included.
#[derive(Debug, Clone, Serialize)]
pub struct NetworkSpeed {
    /// Blocks and channels, such as `b6c64`.
    pub network: String,
    /// The board size.
    pub size: usize,
    /// The number of positions computed one after another.
    pub batch: usize,
    /// The number of threads; those of an evaluation have their own positions.
    pub threads: usize,
    /// The kernel, or `candle` on a device.
    pub kernel: &'static str,
    /// The precision of the products in the tower.
    pub precision: &'static str,
    /// Positions per second, over all threads.
    #[serde(flatten)]
    pub rate: Rate,
}

/// The parts of one evaluation of a position by a search, in microseconds.
#[derive(Debug, Clone, Serialize)]
pub struct EvaluationParts {
    /// Blocks and channels.
    pub network: String,
    /// The board size.
    pub size: usize,
    /// The kernel.
    pub kernel: &'static str,
    /// The precision of the products in the tower.
    pub precision: &'static str,
    /// The list of legal actions.
    pub legal_actions: f64,
    /// The inputs of the network.
    pub encoding: f64,
    /// The key and the lookup in the cache, and the logits of legal actions turned into probabilities.
    pub cache_and_softmax: f64,
    /// The first layer.
    pub first_layer: f64,
    /// The convolutions of the blocks.
    pub tower: f64,
    /// The pooled board in the blocks.
    pub pooling: f64,
    /// The policy of the cells.
    pub policy: f64,
    /// The outcome and the global actions.
    pub outcome: f64,
}

/// Positions per second; the name in JSON says what was done with them.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rate {
    /// Positions evaluated.
    PositionsPerSecond(f64),
    /// Positions trained on.
    SamplesPerSecond(f64),
}

impl Rate {
    /// Returns the positions per second.
    pub fn per_second(self) -> f64 {
        match self {
            Self::PositionsPerSecond(rate) | Self::SamplesPerSecond(rate) => rate,
        }
    }
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
    /// The number of games played at the same time, each on a thread.
    pub threads: usize,
    /// The precision of the products in the tower.
    pub precision: &'static str,
    /// The mean number of positions per batch of a device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions_per_batch: Option<f64>,
    /// Games per hour.
    pub games_per_hour: f64,
    /// The mean number of moves of these games.
    pub moves_per_game: f64,
}

/// A kernel with a precision, by their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct KernelAndPrecision {
    /// The kernel.
    pub kernel: &'static str,
    /// The precision of its products.
    pub precision: &'static str,
}

/// The default kernel and precision of a part of the program, compared with the fastest where they are furthest behind.
#[derive(Debug, Clone, Serialize)]
pub struct DefaultChoice {
    /// The part of the program that was measured.
    pub part: &'static str,
    /// The default.
    pub default: KernelAndPrecision,
    /// The network with which the default is furthest behind.
    pub network: String,
    /// The fastest with that network.
    pub best: KernelAndPrecision,
    /// The rate of the default as a share of the best.
    pub share_of_best: f64,
}

impl DefaultChoice {
    /// Compares the defaults of evaluations and of training with what else was measured on one thread. Returns nothing
    /// where the user has chosen the kernel or the precision.
    pub(super) fn of(speeds: &Speeds) -> Vec<Self> {
        let of = |part, precision, variable, speeds: &[NetworkSpeed]| {
            let is_chosen = [KERNEL_VARIABLE, variable].iter().any(|name| std::env::var_os(name).is_some());
            let default = KernelAndPrecision { kernel: Kernel::best().name(), precision };
            if is_chosen { None } else { Self::new(part, default, speeds) }
        };
        [
            of("evaluations", Precision::best().name(), PRECISION_VARIABLE, &speeds.evaluations),
            of("training", TrainingPrecision::best().name(), TRAINING_PRECISION_VARIABLE, &speeds.training),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// Compares the default with all that was measured on one thread with the first batch size; none if the default was
    /// not measured.
    fn new(part: &'static str, default: KernelAndPrecision, speeds: &[NetworkSpeed]) -> Option<Self> {
        let way = |speed: &NetworkSpeed| KernelAndPrecision { kernel: speed.kernel, precision: speed.precision };
        let single = || speeds.iter().filter(|speed| speed.threads == 1 && speed.batch == speeds[0].batch);
        let compared = single().filter(|own| way(own) == default).filter_map(|own| {
            let rivals = single().filter(|rival| rival.network == own.network);
            let best = rivals.max_by(|a, b| a.rate.per_second().total_cmp(&b.rate.per_second()))?;
            let share_of_best = own.rate.per_second() / best.rate.per_second();
            Some(Self { part, default, network: own.network.clone(), best: way(best), share_of_best })
        });
        compared.min_by(|a, b| a.share_of_best.total_cmp(&b.share_of_best))
    }

    /// Says in a sentence whether the default is the fastest, as far as timings can tell.
    pub fn in_words(&self) -> String {
        let Self { part, default, network, best, share_of_best } = self;
        let used = format!("Default of {part}: {} {}", default.kernel, default.precision);
        if *share_of_best >= 1.0 - TOLERANCE {
            return format!("{used}, within {:.0}% of the fastest", 100.0 * TOLERANCE);
        }
        let times = 1.0 / share_of_best;
        format!("{used}, but {} {} is {times:.2} times as fast with {network}", best.kernel, best.precision)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slowest_network_decides() {
        let measured = |rates: [f64; 4]| {
            let names = [("small", "avx512"), ("small", "avx2"), ("large", "avx512"), ("large", "avx2")];
            let speeds = names.into_iter().zip(rates).map(|((network, kernel), rate)| {
                let rate = Rate::SamplesPerSecond(rate);
                NetworkSpeed {
                    network: network.into(),
                    size: 7,
                    batch: 256,
                    threads: 1,
                    kernel,
                    precision: "f32",
                    rate,
                }
            });
            speeds.collect::<Vec<_>>()
        };
        let default = KernelAndPrecision { kernel: "avx512", precision: "f32" };
        let good = DefaultChoice::new("training", default, &measured([96.0, 100.0, 50.0, 20.0])).unwrap();
        assert!((good.share_of_best - 0.96).abs() < 1e-9);
        assert_eq!(good.in_words(), "Default of training: avx512 f32, within 5% of the fastest");
        let bad = DefaultChoice::new("training", default, &measured([96.0, 100.0, 40.0, 50.0])).unwrap();
        let words = "Default of training: avx512 f32, but avx2 f32 is 1.25 times as fast with large";
        assert_eq!((bad.best.kernel, bad.in_words().as_str()), ("avx2", words));
        let unmeasured = KernelAndPrecision { precision: "bf16", ..default };
        assert!(DefaultChoice::new("training", unmeasured, &measured([1.0; 4])).is_none());
        assert!(DefaultChoice::new("training", default, &[]).is_none());
    }
}
