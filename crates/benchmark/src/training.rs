//! Measures training steps: with every kernel and precision of this machine, or on a device.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use hexzero_games::{Action, Evaluation, Game, Position};
use hexzero_graph::CandleDevice;
use hexzero_nn::TrainingPrecision;
use hexzero_nn::kernels::Kernel;
use hexzero_selfplay::Pool;
use hexzero_selfplay::shards::Window;
use hexzero_system::stop::StopSignal;
use hexzero_train::{ExactTargets, Recipe, StepParts, Trainer};

use super::report::{NetworkSpeed, Rate};
use super::self_play::settings;
use super::timing::{Clock, per_second};
use super::{BenchmarkError, MEASURING_TIME, Standard, standard_networks};

/// Positions per step.
const BATCH: usize = 256;

/// The number of games to train on.
const GAMES: u64 = 16;

/// The backend that computes the steps.
#[derive(Clone, Copy)]
enum Place<'a> {
    Kernel(Kernel, TrainingPrecision),
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

/// Measures the two smaller networks, as a step of the largest would take most of the benchmark's time: on one thread
/// with every kernel and precision, and on all threads with the default.
pub(super) fn measure(game: Game, threads: usize) -> Result<Vec<NetworkSpeed>, BenchmarkError> {
    let [small, middle, _] = standard_networks();
    let mut speeds = Vec::new();
    for (number, (kernel, precision)) in kernels().into_iter().enumerate() {
        let by = Place::Kernel(kernel, precision);
        // Steps of the larger network in plain Rust would take long and show nothing new.
        let networks: &[&Standard] = if kernel == Kernel::Portable { &[&small] } else { &[&small, &middle] };
        for standard in networks {
            speeds.push(speed(game, 1, by, standard)?);
            if number == 0 && threads > 1 {
                speeds.push(speed(game, threads, by, standard)?);
            }
        }
    }
    Ok(speeds)
}

/// Measures a network on a device, with inputs prepared on all threads.
pub(super) fn measure_on(
    game: Game,
    standard: &Standard,
    device: &CandleDevice,
) -> Result<NetworkSpeed, BenchmarkError> {
    speed(game, rayon::current_num_threads(), Place::Device(device), standard)
}

fn speed(game: Game, threads: usize, by: Place<'_>, standard: &Standard) -> Result<NetworkSpeed, BenchmarkError> {
    let pool = Pool::new(threads).map_err(|error| format!("cannot start threads: {error}"))?;
    let mut recipe = Recipe { network: standard.architecture.clone(), ..Recipe::default() };
    recipe.training.batch = BATCH;
    recipe.selfplay = settings(game, standard, 8);
    let guess = |_: &Position, legal: &[Action]| Evaluation::uniform(legal.len());
    let never = StopSignal::new();
    let games = pool.play(game, &guess, &recipe.selfplay, 1, 0..GAMES, &never, |_, _| ()).unwrap_or_default();
    let mut window = Window::new(usize::MAX);
    games.into_iter().for_each(|record| window.add(record));
    let mut trainer = Trainer::new(game, &recipe)?;
    let (clock, device, kernel, precision) = match by {
        Place::Kernel(kernel, precision) => {
            trainer = trainer.computed_by(kernel, precision);
            (Clock::of(threads), None, kernel.name(), precision.name())
        }
        Place::Device(device) => {
            trainer = trainer.on_device(game, &recipe, device.clone())?;
            (Clock::Wall, Some(&device.device), "candle", device.precision.name())
        }
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
    let network = standard.architecture.to_string();
    let (size, rate) = (standard.size_in(game), Rate::SamplesPerSecond(rate * BATCH as f64));
    Ok(NetworkSpeed { network, size, batch: BATCH, threads, kernel, precision, rate })
}
