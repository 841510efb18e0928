//! What a visit of the search costs apart from the network: searches whose evaluator costs next to nothing.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hexzero::games::{Action, Cachex, Evaluation, Game, WinDrawLoss};
use hexzero::search::{Limits, Search, SearchSettings};

/// Visits of a measured search: as many as a full search of self-play makes, and a good many more.
const VISITS: [u32; 2] = [128, 1000];

/// An evaluator that only copies numbers. Some moves are likelier than others, as with a network, so that
/// trees grow deep as well as wide.
fn lopsided(_: &Cachex, legal: &[Action]) -> Evaluation {
    let priors = legal.iter().map(|action| if action.index() % 8 == 3 { 0.08 } else { 0.004 });
    Evaluation { priors: priors.collect(), outcome: WinDrawLoss::EVEN }
}

fn visits(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("visits with a free evaluator");
    for size in [7, 9, 11] {
        for visits in VISITS {
            let game = Cachex::new(size).expect("a size of Cachex");
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

criterion_group!(benches, visits);
criterion_main!(benches);
