//! Evaluations a second on one thread, for the standard networks and every kernel of this machine.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use hexzero::benchmark::{Standard, standard_networks};
use hexzero::games::default_game;
use hexzero::network::kernels::Kernel;
use hexzero::network::{Inference, Network, Workspace};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

fn evaluations(c: &mut Criterion) {
    let mut group = c.benchmark_group("evaluations");
    group.throughput(Throughput::Elements(1));
    for Standard { architecture, size } in standard_networks() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let (_, parameters) = Network::random(&architecture, &default_game().view, &mut rng).expect("a network");
        let tensors = parameters.to_named().expect("its parameters");
        let game = default_game().start(size).expect("a size of the game");
        for kernel in Kernel::available() {
            for precision in kernel.fast_precisions() {
                let inference = Inference::new(&architecture, &default_game().view, &tensors, kernel, precision);
                let mut workspace = Workspace::default();
                inference.prepare(&mut workspace, game.topology());
                game.encode(&mut workspace.cells, &mut workspace.globals);
                let name = format!("{architecture} {size}x{size}");
                group.bench_function(BenchmarkId::new(name, format!("{} {}", kernel.name(), precision.name())), |b| {
                    b.iter(|| inference.evaluate(&mut workspace, game.topology()));
                });
            }
        }
    }
    group.finish();
}

criterion_group!(benches, evaluations);
criterion_main!(benches);
