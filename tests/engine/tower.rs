//! The tower of the network in a training step against the same from candle's own operations, and in bf16 against floats.

use std::collections::HashMap;

use candle_core::{D, DType, Device, Result, Tensor, Var};
use hexzero::board::{STEPS, Topology, rhombus};
use hexzero::games::NetworkView;
use hexzero::network::kernels::Kernel;
use hexzero::network::{Architecture, Boards, Heads, Network, Parameters, TrainingPrecision};

use crate::games::cachex;
use crate::network::{random, random_network, rng, values, weighted_gradients};

/// A batch, and a network of which no parameter is zero.
struct Case {
    boards: Vec<&'static Topology>,
    cells: Tensor,
    globals: Tensor,
    network: Network,
    parameters: Parameters,
}

impl Case {
    fn random(architecture: &Architecture, view: &NetworkView, sides: &[usize], seed: u64) -> Self {
        let mut rng = rng(seed);
        let boards: Vec<&Topology> = sides.iter().map(|&side| rhombus(side)).collect();
        let cells: usize = boards.iter().map(|board| board.cells()).sum();
        let (network, parameters) = random_network(architecture, view, &mut rng);
        let globals = random(&mut rng, &[sides.len(), view.global_inputs]);
        Self { boards, cells: random(&mut rng, &[cells, view.cell_inputs]), globals, network, parameters }
    }

    /// Computes the network's outputs as the program does.
    fn found(&self, precision: TrainingPrecision) -> Tensor {
        let network = self.network.clone().computed_by(Kernel::best(), precision);
        outputs(&network.forward(&self.cells, &self.globals, &Boards::new(&self.boards)).unwrap())
    }

    /// Computes the network's outputs, one operation of candle after another.
    fn expected(&self, blocks: usize) -> Result<Tensor> {
        let named: HashMap<&str, Var> = self.parameters.iter().collect();
        let stem = self.convolution(&self.cells, &named, "stem")?;
        let globals = self.globals.matmul(named["stem.globals"].as_tensor())?;
        let mut x = (stem + self.on_cells(&globals)?)?.relu()?;
        for block in 0..blocks {
            let name = |layer: &str| format!("blocks.{block}.{layer}");
            let mut y = self.convolution(&x, &named, &name("first"))?.relu()?;
            if named.contains_key(&*name("pool.weight")) {
                y = (&y + self.on_cells(&layer(&self.pooled(&y)?, &named, &name("pool"))?)?)?;
            }
            x = (x + self.convolution(&y, &named, &name("second"))?)?.relu()?;
        }
        let pooled = self.pooled(&x)?;
        let addend = self.on_cells(&pooled.matmul(named["policy.pool"].as_tensor())?)?;
        let policy = layer(&(layer(&x, &named, "policy")? + addend)?.relu()?, &named, "policy.out")?;
        let position = layer(&layer(&pooled, &named, "position")?.relu()?, &named, "position.out")?;
        let ownership = layer(&x, &named, "ownership")?;
        Tensor::cat(&[policy.flatten_all()?, ownership.flatten_all()?, position.flatten_all()?], 0)
    }

    fn convolution(&self, x: &Tensor, named: &HashMap<&str, Var>, name: &str) -> Result<Tensor> {
        let (weight, bias) = (&named[&*format!("{name}.weight")], &named[&*format!("{name}.bias")]);
        // A row of zeros after the last cell stands for cells off the board.
        let padded = x.pad_with_zeros(0, 0, 1)?;
        let cells = x.dim(0)? as u32;
        let steps = [(0, 0)].into_iter().chain(STEPS);
        let mut sum = bias.broadcast_as((x.dim(0)?, bias.dim(0)?))?;
        for (tap, (down, right)) in steps.enumerate() {
            let mut read = Vec::new();
            for board in &self.boards {
                let (start, side) = (read.len() as u32, board.cells().isqrt() as isize);
                let inside = 0..side;
                let cell = |(row, column)| {
                    let is_cell = inside.contains(&row) && inside.contains(&column);
                    if is_cell { start + (row * side + column) as u32 } else { cells }
                };
                read.extend((0..side * side).map(|i| cell((i / side + down, i % side + right))));
            }
            let neighbours = padded.index_select(&Tensor::new(read, &Device::Cpu)?, 0)?;
            sum = (sum + neighbours.matmul(&weight.get(tap)?)?)?;
        }
        Ok(sum)
    }

    /// Rows of positions as rows of their cells.
    fn on_cells(&self, rows: &Tensor) -> Result<Tensor> {
        let positions: Vec<u32> = (0..).zip(&self.boards).flat_map(|(p, board)| vec![p; board.cells()]).collect();
        rows.index_select(&Tensor::new(positions, &Device::Cpu)?, 0)
    }

    fn pooled(&self, y: &Tensor) -> Result<Tensor> {
        let mut start = 0;
        let mut pools = Vec::new();
        for board in &self.boards {
            let cells = y.narrow(0, start, board.cells())?;
            pools.push(Tensor::cat(&[cells.mean(0)?, cells.max(0)?], D::Minus1)?);
            start += board.cells();
        }
        Tensor::stack(&pools, 0)
    }
}

/// A dense layer from candle's own operations.
fn layer(x: &Tensor, named: &HashMap<&str, Var>, name: &str) -> Result<Tensor> {
    let (weight, bias) = (&named[&*format!("{name}.weight")], &named[&*format!("{name}.bias")]);
    x.matmul(weight.as_tensor())?.broadcast_add(bias.as_tensor())
}

/// All outputs of a network, in one row.
fn outputs(heads: &Heads) -> Tensor {
    let columns = |tensors: &[&Tensor]| Tensor::cat(tensors, 1).unwrap().flatten_all().unwrap();
    let policy = heads.cell_policy.flatten_all().unwrap();
    let moves_left = heads.moves_left.unsqueeze(1).unwrap();
    let position = columns(&[&heads.outcome, &moves_left, &heads.global_policy]);
    Tensor::cat(&[policy, heads.ownership.flatten_all().unwrap(), position], 0).unwrap()
}

/// The length of `a - b` as a share of that of `b`.
pub fn error(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    let length = |values: &mut dyn Iterator<Item = f32>| values.map(|v| v * v).sum::<f32>().sqrt();
    length(&mut a.iter().zip(b).map(|(a, b)| a - b)) / length(&mut b.iter().copied())
}

/// The error of the outputs, and the greatest error of a parameter's gradient for a random sum of the outputs.
fn errors(case: &Case, found: &Tensor, expected: &Tensor) -> (f32, f32) {
    let weights = random(&mut rng(5), expected.dims());
    let [ours, theirs] = [found, expected].map(|said| weighted_gradients(said, &weights));
    let each = case.parameters.iter().map(|(name, var)| {
        let [ours, theirs] = [&ours, &theirs].map(|store| values(store.get(&var).unwrap_or_else(|| panic!("{name}"))));
        error(&ours, &theirs)
    });
    (error(&values(found), &values(expected)), each.fold(0.0, f32::max))
}

fn architecture(blocks: usize, channels: usize, pool_every: usize) -> Architecture {
    Architecture { blocks, channels, pool_every, policy_channels: 16, value_channels: 16 }
}

/// Boards of all sizes in one batch, and inputs that fill no whole register.
#[test]
fn tower_agrees_with_candle_operations() {
    let odd = NetworkView { cell_inputs: 13, global_inputs: 3, ..cachex().view.clone() };
    for (architecture, view) in [
        (architecture(2, 32, 1), &cachex().view),
        (architecture(3, 48, 2), &odd),
        (architecture(0, 16, 0), &cachex().view),
    ] {
        let case = Case::random(&architecture, view, &[3, 9, 4, 5, 1, 9, 2], 1);
        let expected = case.expected(architecture.blocks).unwrap();
        let (features, gradients) = errors(&case, &case.found(TrainingPrecision::F32), &expected);
        assert!(features < 1e-5 && gradients < 1e-5, "{architecture:?}: {features}, gradients {gradients}");
        // A bf16 is off by a 512th at most. Gradients are by more: another cell of a pool may be the largest.
        let (features, gradients) = errors(&case, &case.found(TrainingPrecision::Bf16), &expected);
        assert!(features < 5e-3 && gradients < 0.25, "bf16, {architecture:?}: {features}, gradients {gradients}");
        assert!(features > 1e-5, "both were computed with the same precision");
    }
}

/// Towers share their memory one after the other: a large batch and then a small one, and two at a time.
#[test]
fn towers_forget_earlier_batches() {
    let architecture = architecture(2, 16, 1);
    let large = Case::random(&architecture, &cachex().view, &[9, 9, 9], 1);
    let small = Case::random(&architecture, &cachex().view, &[4, 6], 2);
    let gradient = |features: &Tensor| {
        let gradients = features.sqr().unwrap().sum_all().unwrap().backward().unwrap();
        values(gradients.get(&large.parameters.variables()[0]).unwrap())
    };
    for precision in [TrainingPrecision::F32, TrainingPrecision::Bf16] {
        let network = large.network.clone().computed_by(Kernel::best(), precision);
        let features =
            |case: &Case| outputs(&network.forward(&case.cells, &case.globals, &Boards::new(&case.boards)).unwrap());
        let alone = gradient(&features(&small));
        let (before, again) = (features(&large), features(&small));
        let of_large = gradient(&before);
        assert_eq!(gradient(&again), alone, "{precision:?}");
        drop((before, again));
        assert_eq!(gradient(&features(&small)), alone, "{precision:?}");
        assert_eq!(gradient(&features(&large)), of_large, "{precision:?}");
        assert_ne!(values(&features(&small)), values(&small.found(precision)), "two networks");
    }
}

#[test]
fn mismatched_inputs_are_refused() {
    let case = Case::random(&architecture(1, 16, 0), &cachex().view, &[3, 4], 1);
    let refused = |cells: &[usize], globals: &[usize]| {
        let zeros = |shape: &[usize]| Tensor::zeros(shape, DType::F32, &Device::Cpu).unwrap();
        case.network.forward(&zeros(cells), &zeros(globals), &Boards::new(&case.boards)).is_err()
    };
    assert!(!refused(&[25, 16], &[2, 5]));
    assert!(refused(&[24, 16], &[2, 5]));
    assert!(refused(&[25, 15], &[2, 5]));
    assert!(refused(&[25, 16], &[3, 5]));
    assert!(refused(&[25, 16], &[2, 4]));
}
