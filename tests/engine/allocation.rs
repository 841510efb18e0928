//! Evaluating a position allocates nothing once the workspace is prepared for its board.

use hexzero::network::kernels::Kernel;
use hexzero::network::{Architecture, Inference, Network, Precision, Workspace};

use crate::games::cachex;
use crate::network::rng;

#[test]
fn evaluation_allocates_nothing() {
    let architecture = Architecture::default();
    let mut rng = rng(1);
    let (_, parameters) = Network::random(&architecture, &cachex().view, &mut rng).unwrap();
    let tensors = parameters.to_named().unwrap();
    let game = cachex().start(7).unwrap();
    for precision in [Precision::F32, Precision::Int8] {
        for kernel in Kernel::available() {
            let inference = Inference::new(&architecture, &cachex().view, &tensors, kernel, precision);
            let mut workspace = Workspace::default();
            let mut evaluate = || {
                inference.prepare(&mut workspace, game.topology());
                game.encode(&mut workspace.cells, &mut workspace.globals);
                inference.evaluate(&mut workspace, game.topology());
            };
            evaluate();
            let allocations = allocation_counter::measure(evaluate);
            assert_eq!(allocations.count_total, 0, "{kernel:?}, {precision:?}");
        }
    }
}
