//! Training steps of the standard networks on one thread and on all, and of the same networks from
//! candle's own `conv2d`. candle takes as many threads as `RAYON_NUM_THREADS` says, by default all.

#[path = "peers/candle_conv2d.rs"]
mod candle_conv2d;

use candle_conv2d::Conv2dNetwork;
use candle_nn::Optimizer;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use hexzero::benchmark::standard_networks;
use hexzero::games::{WinDrawLoss, default_game};
use hexzero::network::Network;
use hexzero::replay::{GameRecord, GameStart, SearchRecord, TurnRecord, Window};
use hexzero::training::{Batch, ExactTargets, Optimiser, Recipe, SearchValue, StepParts, Trainer};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The two smaller networks, in the default recipe.
fn recipes() -> impl Iterator<Item = (Recipe, usize)> {
    let standard = standard_networks().into_iter().take(2);
    standard.map(|standard| (Recipe { network: standard.architecture, ..Recipe::default() }, standard.size))
}

/// A game of random moves, each with the record of a search that visited every legal one.
fn random_game(size: usize, rng: &mut impl Rng) -> GameRecord {
    let mut game = default_game().start(size).expect("a size of the game");
    let (mut turns, mut legal) = (Vec::new(), Vec::new());
    while game.outcome().is_none() {
        game.legal_actions(&mut legal);
        let policy = legal.iter().map(|&action| (action, rng.random_range(1..20))).collect();
        let outcome = WinDrawLoss::EVEN;
        let search = SearchRecord { full: true, visits: 100, policy, outcome, proven: false, surprise: 1.0 };
        let action = *legal.choose(rng).expect("a move");
        turns.push(TurnRecord { action, search: Some(search) });
        game.play(action);
    }
    let outcome = game.outcome().expect("an outcome");
    GameRecord { size: size as u8, turns, outcome, evaluations: 0, played_out: true, start: GameStart::Empty }
}

/// A window of a hundred random games.
fn window(size: usize, rng: &mut impl Rng) -> Window {
    let mut window = Window::new(usize::MAX);
    (0..100).for_each(|_| {
        window.add(random_game(size, rng));
    });
    window
}

fn training_steps(c: &mut Criterion) {
    let mut group = c.benchmark_group("training step");
    group.sample_size(10);
    let mut threads = vec![1, std::thread::available_parallelism().map_or(1, usize::from)];
    threads.dedup();
    for (recipe, size) in recipes() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let window = window(size, &mut rng);
        group.throughput(Throughput::Elements(recipe.training.batch as u64));
        for &threads in &threads {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let mut trainer = Trainer::new(default_game(), &recipe).expect("a network");
            let name = format!("{} {size}x{size}", recipe.network);
            group.bench_function(BenchmarkId::new(name, format!("threads {threads}")), |b| {
                b.iter(|| {
                    pool.install(|| {
                        trainer.train_step(&StepParts::draw(
                            default_game(),
                            &recipe,
                            &window,
                            &ExactTargets::default(),
                            None,
                            &mut rng,
                        )?)
                    })
                    .expect("a step")
                });
            });
        }
    }
    group.finish();
}

/// Without the choice of positions and the making of their inputs, which are in the figures above.
fn training_steps_of_conv2d(c: &mut Criterion) {
    let mut group = c.benchmark_group("training step with conv2d");
    group.sample_size(10);
    for (recipe, size) in recipes() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let window = window(size, &mut rng);
        let positions: Vec<_> =
            (0..recipe.training.batch).map(|_| (window.sample(&mut rng).expect("a position"), 0)).collect();
        let batch =
            Batch::new(default_game(), &positions, SearchValue { share: 0.25, proven: true }, &ExactTargets::default())
                .expect("tensors")
                .expect("positions");
        let (network, parameters) =
            Network::random(&recipe.network, &default_game().view, &mut rng).expect("a network");
        let peer = Conv2dNetwork::new(&recipe.network, &parameters, size);
        let (ours, theirs) = (network.forward(&batch.cells, &batch.globals, &batch.boards), peer.forward(&batch));
        let difference =
            (ours.expect("heads").outcome - theirs.expect("logits").position.narrow(1, 0, 3)).expect("same shape");
        let difference: f32 = difference.abs().and_then(|d| d.max_all()?.to_scalar()).expect("a number");
        assert!(difference < 1e-3, "the networks differ by {difference}");

        let mut optimiser =
            Optimiser::new(parameters.variables(), (recipe.training.optimiser, 150.0)).expect("an optimiser");
        group.throughput(Throughput::Elements(recipe.training.batch as u64));
        group.bench_function(format!("{} {size}x{size}", recipe.network), |b| {
            b.iter(|| candle_conv2d::train_step(&peer, &batch, &mut optimiser).expect("a step"));
        });
    }
    group.finish();
}

criterion_group!(benches, training_steps, training_steps_of_conv2d);
criterion_main!(benches);
