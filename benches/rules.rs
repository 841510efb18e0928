//! The speed of the rules: random play of every game in moves per second, with every test for captures, wins and
//! repetitions of a move.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hexzero::games::{GameRng, Position, all_games};
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

fn rules(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("random play");
    group.throughput(Throughput::Elements(MOVES));
    for game in all_games() {
        let size = game.boards.default;
        let start = game.start(size).expect("the default size");
        let mut rng = GameRng::seed_from_u64(1);
        let name = format!("{} {}", game.name(), game.board_name(size));
        group.bench_function(name, |bencher| bencher.iter(|| random_play(&start, &mut rng)));
    }
    group.finish();
}

criterion_group!(benches, rules);
criterion_main!(benches);
