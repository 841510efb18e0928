//! Training steps of the standard networks on one thread and on all.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use hexzero::benchmark::standard_networks;
use hexzero::games::{WinDrawLoss, default_game};
use hexzero::replay::{GameRecord, GameStart, SearchRecord, TurnRecord, Window};
use hexzero::training::{ExactTargets, Recipe, StepParts, Trainer};
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

criterion_group!(benches, training_steps);
criterion_main!(benches);
