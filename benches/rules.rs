//! The speed of the rules: random play in moves per second, with every test for captures, wins and
//! repetitions of a move.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hexzero::games::{GameRng, Position, game_named};
use rand::SeedableRng;

/// Moves in one measured pass. Games differ in length, so a pass is a number of moves and not of
/// games; a game that is under way when it ends is dropped.
const MOVES: u64 = 20_000;

fn random_play(start: &Position, rng: &mut GameRng) {
    let mut position = start.clone();
    for _ in 0..MOVES {
        match position.random_action(rng) {
            Some(action) => position.play(action),
            None => {
                position = start.clone();
                position.play(position.random_action(rng).expect("a game has a first move"));
            }
        }
    }
    black_box(position);
}

fn random_games(criterion: &mut Criterion, name: &str, sizes: [usize; 3]) {
    let game = game_named(name).expect("a game that the program knows");
    let mut group = criterion.benchmark_group(format!("{name} random play"));
    group.throughput(Throughput::Elements(MOVES));
    for size in sizes {
        let start = game.start(size).expect("a size that the rules allow");
        let mut rng = GameRng::seed_from_u64(1);
        group.bench_function(format!("{size}x{size}"), |bencher| bencher.iter(|| random_play(&start, &mut rng)));
    }
    group.finish();
}

fn rules(criterion: &mut Criterion) {
    random_games(criterion, "cachex", [5, 9, 15]);
    random_games(criterion, "hex", [5, 11, 19]);
}

criterion_group!(benches, rules);
criterion_main!(benches);
