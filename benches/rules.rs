//! How fast the rules are: random play in moves per second, with every test for captures, wins and
//! repetitions that a move calls for.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hexzero::games::{Cachex, Game, Hex};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Moves in one measured pass. Games differ in length, so a pass is a number of moves and not of
/// games; a game that is under way when it ends is dropped.
const MOVES: u64 = 20_000;

fn random_play<G: Game>(start: &G, rng: &mut Xoshiro256PlusPlus) {
    let mut game = start.clone();
    for _ in 0..MOVES {
        match game.random_action(rng) {
            Some(action) => game.play(action),
            None => {
                game = start.clone();
                game.play(game.random_action(rng).expect("a game has a first move"));
            }
        }
    }
    black_box(game);
}

fn random_games<G: Game>(criterion: &mut Criterion, sizes: [usize; 3]) {
    let mut group = criterion.benchmark_group(format!("{} random play", G::NAME));
    group.throughput(Throughput::Elements(MOVES));
    for size in sizes {
        let start = G::new(size).expect("a size that the rules allow");
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        group.bench_function(format!("{size}x{size}"), |bencher| bencher.iter(|| random_play(&start, &mut rng)));
    }
    group.finish();
}

fn rules(criterion: &mut Criterion) {
    random_games::<Cachex>(criterion, [5, 9, 15]);
    random_games::<Hex>(criterion, [5, 11, 19]);
}

criterion_group!(benches, rules);
criterion_main!(benches);
