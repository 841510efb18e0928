//! Training steps of the standard networks on one thread and on all.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use hexzero::games::{Cachex, Game, WinDrawLoss};
use hexzero::network::Architecture;
use hexzero::replay::{GameRecord, SearchRecord, TurnRecord, Window};
use hexzero::training::{Recipe, Trainer};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Blocks, channels and board size of the networks that figures are given for.
const STANDARD: [(usize, usize, usize); 2] = [(4, 32, 7), (6, 64, 9)];

fn recipe(blocks: usize, channels: usize) -> Recipe {
    let network = Architecture {
        blocks,
        channels,
        policy_channels: channels.min(32),
        value_channels: 64,
        ..Architecture::default()
    };
    Recipe { network, ..Recipe::default() }
}

/// A game of random moves, each with the record of a search that visited every legal one.
fn random_game(size: usize, rng: &mut impl Rng) -> GameRecord {
    let mut game = Cachex::new(size).expect("a size of Cachex");
    let (mut turns, mut legal) = (Vec::new(), Vec::new());
    while game.outcome().is_none() {
        game.legal_actions(&mut legal);
        let policy = legal.iter().map(|&action| (action, rng.random_range(1..20))).collect();
        let search = SearchRecord { full: true, visits: 100, policy, outcome: WinDrawLoss::EVEN };
        let action = *legal.choose(rng).expect("a move");
        turns.push(TurnRecord { action, search: Some(search) });
        game.play(action);
    }
    GameRecord { size: size as u8, turns, outcome: game.outcome().expect("an outcome") }
}

fn training_steps(c: &mut Criterion) {
    let mut group = c.benchmark_group("training step");
    group.sample_size(10);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for (blocks, channels, size) in STANDARD {
        let recipe = recipe(blocks, channels);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut window = Window::new(1_000_000);
        (0..100).for_each(|_| {
            window.add(random_game(size, &mut rng));
        });
        group.throughput(Throughput::Elements(recipe.training.batch as u64));
        let mut threads = vec![1, cores];
        threads.dedup();
        for threads in threads {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let mut trainer = Trainer::new::<Cachex>(&recipe).expect("a network");
            let name = format!("{} {size}x{size}", recipe.network);
            group.bench_function(BenchmarkId::new(name, format!("threads {threads}")), |b| {
                b.iter(|| pool.install(|| trainer.train_step::<Cachex>(&window, &mut rng)).expect("a step"));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, training_steps);
criterion_main!(benches);
