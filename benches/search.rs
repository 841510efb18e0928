//! The cost of a visit apart from the network: searches whose evaluator costs next to nothing. And the visits of
//! several threads, which depend on the evaluator's cost, as they take turns at the tree.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use hexzero::benchmark::{Standard, random_parameters, standard_networks};
use hexzero::games::{Action, Evaluation, Evaluator, Position, WinDrawLoss, default_game};
use hexzero::network::kernels::{Kernel, Precision};
use hexzero::network::{Inference, NetworkEvaluator};
use hexzero::search::{Limits, Search, SearchSettings};

/// Visits of a measured search: as many as a full search of self-play makes, and a good many more.
const VISITS: [u32; 2] = [128, 1000];

/// An evaluator that only copies numbers. Some moves are likelier than others, as with a network, so that
/// trees grow deep as well as wide.
fn lopsided(_: &Position, legal: &[Action]) -> Evaluation {
    let priors = legal.iter().map(|action| if action.index() % 8 == 3 { 0.08 } else { 0.004 });
    Evaluation { priors: priors.collect(), outcome: WinDrawLoss::EVEN }
}

fn visits(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("visits with a free evaluator");
    for size in [7, 9, 11] {
        for visits in VISITS {
            let game = default_game().start(size).expect("a size of the game");
            group.throughput(Throughput::Elements(visits.into()));
            group.bench_function(format!("{size}x{size}, {visits} visits"), |bencher| {
                bencher.iter(|| {
                    let mut search = Search::new(game.clone(), SearchSettings::default());
                    search.run(&mut lopsided, &Limits::visits(visits));
                    black_box(search.best_action())
                });
            });
        }
    }
    group.finish();
}

/// The time of an evaluation that only waits or only keeps a core busy: about that of a network of six blocks of 64
/// channels.
const PAUSE: Duration = Duration::from_micros(200);

/// Visits of a search on several threads.
const SHARED_VISITS: u32 = 2_000;

/// As for a network on another device: any number of threads wait at the same time.
fn sleeping(game: &Position, legal: &[Action]) -> Evaluation {
    std::thread::sleep(PAUSE);
    lopsided(game, legal)
}

fn spinning(game: &Position, legal: &[Action]) -> Evaluation {
    let start = Instant::now();
    while start.elapsed() < PAUSE {
        std::hint::spin_loop();
    }
    lopsided(game, legal)
}

fn search_on<E: Evaluator + Clone + Send>(criterion: &mut Criterion, name: &str, evaluator: &E, threads: &[usize]) {
    let mut group = criterion.benchmark_group(format!("threads, {name}"));
    group.throughput(Throughput::Elements(SHARED_VISITS.into())).sample_size(10);
    let game = default_game().start(9).expect("a size of the game");
    for &count in threads {
        group.bench_function(format!("{count}"), |bencher| {
            let start = || (Search::new(game.clone(), SearchSettings::default()), vec![evaluator.clone(); count]);
            let run = |(mut search, mut evaluators): (Search, Vec<E>)| {
                search.run_on(&mut evaluators, &Limits::visits(SHARED_VISITS));
                black_box(search.best_action())
            };
            bencher.iter_batched(start, run, BatchSize::PerIteration);
        });
    }
    group.finish();
}

fn threads(criterion: &mut Criterion) {
    for (name, evaluator) in [("sleeping", sleeping as fn(&Position, &[Action]) -> _), ("spinning", spinning)] {
        search_on(criterion, name, &evaluator, &[1, 2, 4, 8, 16]);
    }
    search_on(criterion, "free", &lopsided, &[1, 2, 4, 8, 16]);
    for Standard { architecture, .. } in standard_networks() {
        let tensors = random_parameters(default_game(), &architecture).expect("parameters");
        let inference =
            Inference::new(&architecture, &default_game().view, &tensors, Kernel::best(), Precision::best());
        search_on(criterion, &architecture.to_string(), &NetworkEvaluator::from(inference), &[1, 2]);
    }
}

criterion_group!(benches, visits, threads);
criterion_main!(benches);
