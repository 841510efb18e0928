//! Evaluations a second on one thread, with every kernel in both precisions: in WebAssembly, or in the program for comparison.
//!
//! ```sh
//! cargo bench --bench play -- [SIZE [CHECKPOINT...]]
//! RUSTFLAGS=-Ctarget-feature=+simd128,+relaxed-simd CARGO_TARGET_WASM32_WASIP1_RUNNER="node .ci/wasi-runner.mjs" \
//!     cargo bench --bench play --target wasm32-wasip1 -- [SIZE [CHECKPOINT...]]
//! ```
//!
//! Criterion, which the other benchmarks use, does not compile to WebAssembly.

use std::hint::black_box;
use std::time::{Duration, Instant};

use hexzero::games::{Position, game_named};
use hexzero::models::{SHIPPED, shipped};
use hexzero::network::kernels::Kernel;
use hexzero::network::{Checkpoint, Inference, Precision, Workspace};

/// The number of rounds. Each measures every kernel once.
const ROUNDS: usize = 31;

const ROUND: Duration = Duration::from_millis(60);

fn main() {
    // Cargo adds `--bench`.
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let size = arguments.next().map_or(9, |size| size.parse().expect("a size"));
    let game = game_named("cachex").expect("the game");
    let start = game.start(size).expect("a size of the game");
    measure(SHIPPED, &shipped(game).expect("the shipped checkpoint"), &start, size);
    for path in arguments {
        let bytes = std::fs::read(&path).expect("the checkpoint");
        measure(&path, &Checkpoint::from_bytes(&bytes, &path).expect("a checkpoint"), &start, size);
    }
}

/// Measures a network at the start of a game, and prints medians over all rounds.
fn measure(name: &str, checkpoint: &Checkpoint, start: &Position, size: usize) {
    let architecture = &checkpoint.metadata.architecture;
    let mut variants = Vec::new();
    for kernel in Kernel::available() {
        for precision in [Precision::F32, Precision::Int8] {
            let view = &checkpoint.metadata.view;
            let inference = Inference::new(architecture, view, &checkpoint.tensors, kernel, precision);
            let mut workspace = Workspace::default();
            inference.prepare(&mut workspace, start.topology());
            start.encode(&mut workspace.cells, &mut workspace.globals);
            variants.push((kernel, precision, inference, workspace, Vec::new()));
        }
    }
    // In the first round the code of the module is compiled.
    for round in 0..=ROUNDS {
        for (_, _, inference, workspace, rates) in &mut variants {
            let (began, mut evaluations) = (Instant::now(), 0u32);
            while began.elapsed() < ROUND {
                (0..10).for_each(|_| inference.evaluate(black_box(workspace), start.topology()));
                evaluations += 10;
            }
            if round > 0 {
                rates.push(f64::from(evaluations) / began.elapsed().as_secs_f64());
            }
        }
    }
    println!("{architecture} {size}×{size}, {name}");
    for (kernel, precision, _, _, mut rates) in variants {
        rates.sort_by(f64::total_cmp);
        println!("{:>12} {:<4} {:>7.0} a second", kernel.name(), precision.name(), rates[ROUNDS / 2]);
    }
}
