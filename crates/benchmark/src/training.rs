//! Measures training steps, with every kernel and precision of this machine.

use std::hint::black_box;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use hexzero_games::{Action, Evaluation, Game, Position};
use hexzero_graph::CandleDevice;
use hexzero_nn::kernels::Kernel;
use hexzero_nn::{TAPS, TrainingPrecision};
use hexzero_selfplay::shards::Window;
use hexzero_selfplay::{Pool, SelfPlaySettings, SizeWeight};
use hexzero_system::stop::StopSignal;
use hexzero_train::{ExactTargets, Recipe, StepParts, Trainer};

use super::report::TrainingSpeed;
use super::timing::{Clock, most_per_second, per_second};
use super::{BenchmarkError, MEASURING_TIME, Standard, standard_networks};

/// Positions per step.
const BATCH: usize = 256;

/// The number of games to train on.
const GAMES: u64 = 16;

/// The products computed in each round of measuring a peak.
const PRODUCTS: u64 = 1_000_000;

/// The backend that computes the steps.
enum Place<'a> {
    Kernel { kernel: Kernel, precision: TrainingPrecision, gigaops_per_second: f64 },
    Device(&'a CandleDevice),
}

/// Lists the kernels with the precisions of training that they have instructions for, the default first.
fn kernels() -> Vec<(Kernel, TrainingPrecision)> {
    let of = |kernel: Kernel| {
        let pairs = kernel.has_pair_products().then_some((kernel, TrainingPrecision::Bf16));
        pairs.into_iter().chain([(kernel, TrainingPrecision::F32)])
    };
    let mut all: Vec<_> = Kernel::available().into_iter().flat_map(of).collect();
    let default = (Kernel::best(), TrainingPrecision::best());
    all.sort_by_key(|&way| way != default);
    all
}

/// Measures the two smaller networks, as a step of the largest would take most of the benchmark's time: on one thread with
/// every kernel and precision, and on all threads with the default.
pub(super) fn measure(game: Game, threads: usize) -> Result<Vec<TrainingSpeed>, BenchmarkError> {
    let [small, middle, _] = standard_networks();
    let mut speeds = Vec::new();
    for (number, (kernel, precision)) in kernels().into_iter().enumerate() {
        let operations = kernel.multiply_and_add_in_training(precision, PRODUCTS) as f64;
        let rate = most_per_second(Clock::Thread, MEASURING_TIME, || {
            black_box(kernel.multiply_and_add_in_training(precision, PRODUCTS));
        });
        let by = Place::Kernel { kernel, precision, gigaops_per_second: rate * operations / 1e9 };
        // Steps of the larger network in plain Rust would take long and show nothing new.
        let networks: &[&Standard] = if kernel == Kernel::Portable { &[&small] } else { &[&small, &middle] };
        for standard in networks {
            speeds.push(speed(game, 1, &by, standard)?);
            if number == 0 && threads > 1 {
                speeds.push(speed(game, threads, &by, standard)?);
            }
        }
    }
    Ok(speeds)
}

/// Measures `networks` on a device, with inputs prepared on all threads.
pub(super) fn measure_on(
    game: Game,
    device: &CandleDevice,
    networks: &[Standard],
) -> Result<Vec<TrainingSpeed>, BenchmarkError> {
    networks
        .iter()
        .map(|standard| speed(game, rayon::current_num_threads(), &Place::Device(device), standard))
        .collect()
}

/// Counts the multiplications and additions in the convolutions of a step for one position: forward, and backward for
/// the weights and, but for the first layer, for the inputs.
fn operations(game: Game, standard: &Standard, cells: usize) -> f64 {
    let (blocks, channels) = (standard.architecture.blocks, standard.architecture.channels);
    2.0 * (cells * TAPS * channels * (2 * game.view.cell_inputs + 3 * 2 * blocks * channels)) as f64
}

fn speed(game: Game, threads: usize, by: &Place<'_>, standard: &Standard) -> Result<TrainingSpeed, BenchmarkError> {
    let pool = Pool::new(threads)?;
    let size = standard.size_in(game);
    let mut recipe = Recipe { network: standard.architecture.clone(), ..Recipe::default() };
    recipe.training.batch = BATCH;
    recipe.selfplay = SelfPlaySettings {
        sizes: vec![SizeWeight::of(size)],
        full_visits: 8,
        full_share: 1.0,
        ..SelfPlaySettings::default()
    };
    let guess = |_: &Position, legal: &[Action]| Evaluation::uniform(legal.len());
    let never = StopSignal::new();
    let games = pool.play(game, &guess, &recipe.selfplay, 1, 0..GAMES, &never, |_, _| ()).unwrap_or_default();
    let mut window = Window::new(usize::MAX);
    games.into_iter().for_each(|record| {
        window.add(record);
    });
    let mut trainer = Trainer::new(game, &recipe)?;
    trainer = match *by {
        Place::Kernel { kernel, precision, .. } => trainer.computed_by(kernel, precision),
        Place::Device(device) => trainer.on_device(game, &recipe, device.clone())?,
    };
    let (clock, device) = match by {
        Place::Kernel { .. } => (Clock::of(threads), None),
        Place::Device(device) => (Clock::Wall, Some(&device.device)),
    };
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut problem = None;
    let rate = pool.install(|| {
        per_second(clock, 2 * MEASURING_TIME, || {
            let exact = ExactTargets::default();
            let parts = StepParts::draw(game, &recipe, &window, &exact, device, &mut rng);
            if let Err(error) = parts.and_then(|parts| trainer.train_step(&parts)) {
                problem = Some(error);
            }
        })
    });
    if let Some(error) = problem {
        return Err(error.into());
    }
    let samples_per_second = rate * BATCH as f64;
    let (kernel, precision, share_of_peak) = match *by {
        Place::Kernel { kernel, precision, gigaops_per_second } => {
            let needed = samples_per_second * operations(game, standard, game.start(size)?.topology().cells());
            let share_of_peak = needed / (1e9 * gigaops_per_second * threads as f64);
            (kernel.name(), precision.name(), Some(share_of_peak))
        }
        Place::Device(device) => ("candle", device.precision.name(), None),
    };
    Ok(TrainingSpeed {
        network: standard.architecture.to_string(),
        size,
        batch: BATCH,
        threads,
        kernel,
        precision,
        samples_per_second,
        share_of_peak,
    })
}
