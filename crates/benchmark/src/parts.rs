//! Measures where the time of one evaluation goes.

use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use hexzero_games::{Evaluator, Game};
use hexzero_nn::kernels::Kernel;
use hexzero_nn::{Inference, NetworkEvaluator, Stage, Workspace};

use super::report::EvaluationParts;
use super::timing::{Clock, per_second};
use super::{BenchmarkError, MEASURING_TIME, random_parameters, standard_networks};

/// The evaluations of a round.
const EVALUATIONS: u32 = 20;

/// Returns the microseconds that `work` takes.
fn microseconds(work: impl FnMut()) -> f64 {
    1e6 / per_second(Clock::Thread, MEASURING_TIME / 4, work)
}

/// Measures the parts of an evaluation in the middle of a game, on one thread, with every kernel in the precision that
/// is fastest there.
pub(super) fn measure(game: Game) -> Result<Vec<EvaluationParts>, BenchmarkError> {
    let mut measured = Vec::new();
    for standard in standard_networks() {
        let tensors = random_parameters(game, &standard.architecture)?;
        let size = standard.size_in(game);
        let mut position = game.start(size)?;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for _ in 0..position.topology().cells() / 3 {
            let Some(action) = position.random_action(&mut rng) else { break };
            position.play(action);
        }
        let (topology, mut legal) = (position.topology(), position.legal());
        // Plain Rust takes long and spends nearly all of it in the tower.
        for kernel in Kernel::available().into_iter().filter(|&kernel| kernel != Kernel::Portable) {
            let Some(&precision) = kernel.fast_precisions().first() else { continue };
            let inference = Inference::new(&standard.architecture, &game.view, &tensors, kernel, precision);
            let mut workspace = Workspace::default();
            inference.prepare(&mut workspace, topology);
            let encoding = microseconds(|| position.encode(&mut workspace.cells, &mut workspace.globals));
            let stages = of_stages(|after| inference.evaluate_noting(&mut workspace, topology, after));
            let [first_layer, tower, pooling, policy, outcome] = stages;
            let mut evaluator = NetworkEvaluator::from(inference).with_cache(1);
            let hit = microseconds(|| {
                std::hint::black_box(evaluator.evaluate(&position, &legal));
            });
            measured.push(EvaluationParts {
                network: standard.architecture.to_string(),
                size,
                kernel: kernel.name(),
                precision: precision.name(),
                legal_actions: microseconds(|| position.legal_actions(&mut legal)),
                encoding,
                cache_and_softmax: (hit - encoding).max(0.0),
                first_layer,
                tower,
                pooling,
                policy,
                outcome,
            });
        }
    }
    Ok(measured)
}

/// Returns the microseconds of each stage of an evaluation: the least of some rounds, as clocks that count processor
/// time alone are too slow for such short stages.
fn of_stages(mut evaluate: impl FnMut(&mut dyn FnMut(Stage))) -> [f64; Stage::ALL.len()] {
    let mut least = [Duration::MAX; Stage::ALL.len()];
    let start = Instant::now();
    while start.elapsed() < MEASURING_TIME {
        let mut round = [Duration::ZERO; Stage::ALL.len()];
        for _ in 0..EVALUATIONS {
            let mut last = Instant::now();
            evaluate(&mut |stage| {
                let now = Instant::now();
                round[stage as usize] += now - std::mem::replace(&mut last, now);
            });
        }
        for (least, round) in least.iter_mut().zip(round) {
            *least = round.min(*least);
        }
    }
    least.map(|time| 1e6 * (time / EVALUATIONS).as_secs_f64())
}
