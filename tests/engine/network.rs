//! The network through its public interface: gradients, agreement of the fast path with candle.

use candle_core::backprop::GradStore;
use candle_core::{DType, Device, Tensor, Var};
use candle_nn::{Linear, Module};
use hexzero::games::{Evaluator, NetworkView, Position, Seat};
use hexzero::network::kernels::Kernel;
use hexzero::network::{
    Architecture, Boards, Checkpoint, Heads, Inference, Metadata, Network, NetworkEvaluator, Parameters, Precision,
    SegmentTargets, Workspace, dense, log_softmax_segments, segment_cross_entropy, write_safetensors,
};
use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::device::inputs;
use crate::games::{cachex, position, uniform};

pub fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

pub fn random(rng: &mut impl Rng, shape: &[usize]) -> Tensor {
    let values: Vec<f32> = (0..shape.iter().product()).map(|_| rng.random_range(-1.0..1.0)).collect();
    Tensor::from_vec(values, shape, &Device::Cpu).unwrap()
}

pub fn values(tensor: &Tensor) -> Vec<f32> {
    tensor.flatten_all().unwrap().to_vec1().unwrap()
}

#[track_caller]
pub fn assert_close(found: &[f32], expected: &[f32], tolerance: f32, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (i, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{what}, value {i}: {a}, expected {b}");
    }
}

#[test]
fn segments_by_hand() {
    let logits = Tensor::new(&[1f32, 1.0, 7.0], &Device::Cpu).unwrap();
    let log = log_softmax_segments(&logits, vec![0, 2, 3].into()).unwrap();
    assert_close(&values(&log), &[-(2f32.ln()), -(2f32.ln()), 0.0], 1e-6, "logarithms");
    assert!(log_softmax_segments(&logits, vec![0, 2].into()).is_err(), "segments must cover the vector");
}

/// The gradients of `Σ weights · out`.
pub fn weighted_gradients(out: &Tensor, weights: &Tensor) -> GradStore {
    (out * weights).unwrap().sum_all().unwrap().backward().unwrap()
}

/// Compares results and gradients of two implementations of the same function of these variables.
#[track_caller]
pub fn assert_same_function(vars: &[&Var], found: &Tensor, expected: &Tensor, rng: &mut impl Rng) {
    assert_close(&values(found), &values(expected), 1e-4, "results");
    let weights = random(rng, found.dims());
    let (found, expected) = (weighted_gradients(found, &weights), weighted_gradients(expected, &weights));
    for var in vars {
        let gradient = |store: &GradStore| values(store.get(var.as_tensor()).unwrap());
        assert_close(&gradient(&found), &gradient(&expected), 1e-3, "gradients");
    }
}

fn variable(rng: &mut impl Rng, shape: &[usize]) -> Var {
    Var::from_tensor(&random(rng, shape)).unwrap()
}

#[test]
fn segment_cross_entropy_agrees_with_its_parts() {
    let mut rng = rng(9);
    let (cells, globals) = (variable(&mut rng, &[3, 2]), variable(&mut rng, &[2, 1]));
    let shares = random(&mut rng, &[4]);
    let cross_entropy = |places: &[u32], starts: &[usize]| {
        let places = Tensor::new(places, &Device::Cpu).unwrap();
        let targets = SegmentTargets { places, starts: starts.into(), shares: shares.clone() };
        segment_cross_entropy(&cells, &globals, targets)
    };
    let all = Tensor::cat(&[&cells, &globals].map(|logits| logits.flatten_all().unwrap()), 0).unwrap();
    let picked = all.index_select(&Tensor::new(&[7u32, 0, 3, 6], &Device::Cpu).unwrap(), 0).unwrap();
    let log = log_softmax_segments(&picked, [0, 1, 4].into()).unwrap();
    let expected = (log * &shares).unwrap().sum_all().unwrap().neg().unwrap();
    let found = cross_entropy(&[7, 0, 3, 6], &[0, 1, 4]).unwrap();
    assert_same_function(&[&cells, &globals], &found, &expected, &mut rng);
    assert!(cross_entropy(&[7, 0, 3, 8], &[0, 1, 4]).is_err(), "there are eight logits");
    assert!(cross_entropy(&[7, 0, 3], &[0, 1, 3]).is_err(), "there are four shares");
    assert!(cross_entropy(&[7, 0, 3, 6], &[0, 3]).is_err(), "segments must cover the places");
}

#[test]
fn gradients_of_a_graph_are_those_of_candle() {
    let architecture = Architecture { blocks: 2, channels: 16, value_channels: 16, ..Architecture::default() };
    let mut rng = rng(10);
    let (network, parameters) = Network::random(&architecture, &cachex().view, &mut rng).unwrap();
    let topology = cachex().start(4).unwrap().topology();
    let inputs = [(topology.cells(), cachex().view.cell_inputs), (1, cachex().view.global_inputs)];
    let [cells, globals] = inputs.map(|(rows, columns)| random(&mut rng, &[rows, columns]));
    let gradients = |by_graph: bool| {
        let graph = network.in_graph().unwrap();
        let mut loss = Tensor::zeros((), DType::F32, &Device::Cpu).unwrap();
        for _ in 0..2 {
            let heads = graph.forward(&cells, &globals, &Boards::new(&[topology])).unwrap();
            for part in [&heads.cell_policy, &heads.outcome, &heads.ownership] {
                loss = (loss + part.sqr().unwrap().sum_all().unwrap()).unwrap();
            }
        }
        if by_graph { graph.backward(&loss).unwrap() } else { loss.backward().unwrap() }
    };
    let (found, expected) = (gradients(true), gradients(false));
    for (name, var) in parameters.iter() {
        let gradient = |store: &GradStore| store.get(var.as_tensor()).map(values);
        assert_eq!(gradient(&found), gradient(&expected), "{name}");
    }
    assert!(found.get(&parameters.variables()[0]).is_some_and(|gradient| values(gradient).iter().any(|v| *v != 0.0)));
}

/// Also where inputs or outputs do not fill the registers of a kernel.
#[test]
fn dense_layers_agree_with_candles_linear() {
    let mut rng = rng(7);
    for (rows, inputs, outputs) in [(1, 5, 16), (33, 32, 3), (20, 7, 50), (4100, 16, 2)] {
        let x = variable(&mut rng, &[rows, inputs]);
        let weights = variable(&mut rng, &[inputs, outputs]);
        let bias = variable(&mut rng, &[outputs]);
        let vars = [&x, &weights, &bias];
        let [x, weights, bias] = vars.map(|var| var.as_tensor());
        let linear = Linear::new(weights.t().unwrap(), Some(bias.clone())).forward(x).unwrap();
        for (relu, expected) in [(false, linear.clone()), (true, linear.relu().unwrap())] {
            assert_same_function(&vars, &dense(x, weights, bias, relu).unwrap(), &expected, &mut rng);
        }
        assert!(dense(weights, x, bias, false).is_err());
    }
}

/// The network of the first checkpoints.
const FIRST: Architecture =
    Architecture { blocks: 2, channels: 32, pool_every: 2, policy_channels: 16, value_channels: 32 };

/// A random position of this size, some moves into a game.
fn random_position(size: usize, rng: &mut impl Rng) -> Position {
    let mut game = cachex().start(size).unwrap();
    let mut legal = Vec::new();
    for _ in 0..rng.random_range(0..size * size) {
        let mut next = game.clone();
        next.legal_actions(&mut legal);
        next.play(*legal.choose(rng).unwrap());
        if next.outcome().is_some() {
            break;
        }
        game = next;
    }
    game
}

/// Returns a network whose parameters are all random, also those that start at zero, so that every path counts.
pub fn random_network(
    architecture: &Architecture,
    view: &NetworkView,
    rng: &mut (impl Rng + Send),
) -> (Network, Parameters) {
    let (network, parameters) = Network::random(architecture, view, rng).unwrap();
    for (_, var) in parameters.iter() {
        let noise = (random(rng, var.dims()) * 0.1).unwrap();
        var.set(&(var.as_tensor() + noise).unwrap()).unwrap();
    }
    (network, parameters)
}

/// Compares what a network packed for play says of positions with the heads of the same network for all of them.
#[track_caller]
pub fn assert_answers(
    inference: &Inference,
    view: &NetworkView,
    positions: &[Position],
    heads: &Heads,
    tolerance: f32,
    what: &str,
) {
    let [on_cells, global, outcome, ownership] =
        [&heads.cell_policy, &heads.global_policy, &heads.outcome, &heads.ownership].map(values);
    let (planes, actions) = (view.policy_planes, view.global_actions);
    let (mut workspace, mut start) = (Workspace::default(), 0);
    for (number, position) in positions.iter().enumerate() {
        let cells = position.topology().cells();
        inference.prepare(&mut workspace, position.topology());
        position.encode(&mut workspace.cells, &mut workspace.globals);
        inference.evaluate(&mut workspace, position.topology());
        for cell in 0..cells {
            let found: Vec<f32> = (0..planes).map(|plane| workspace.policy[plane * cells + cell]).collect();
            assert_close(&found, &on_cells[(start + cell) * planes..][..planes], tolerance, what);
        }
        assert_close(&workspace.policy[planes * cells..], &global[number * actions..][..actions], tolerance, what);
        assert_close(&workspace.outcome, &outcome[number * 3..][..3], tolerance, what);
        let owners = inference.ownership(&mut workspace).concat();
        assert_close(&owners, &ownership[start * 3..][..cells * 3], tolerance, what);
        start += cells;
    }
}

/// Compares inference with every kernel of this machine with the candle graph, on all board sizes in
/// one mixed batch.
#[test]
fn inference_agrees_with_candle_on_every_size() {
    let mut rng = rng(4);
    for architecture in [
        Architecture { pool_every: 1, ..FIRST },
        Architecture { blocks: 3, channels: 48, policy_channels: 32, value_channels: 64, ..FIRST },
        Architecture { blocks: 1, channels: 16, pool_every: 0, policy_channels: 48, value_channels: 16 },
    ] {
        let (network, parameters) = random_network(&architecture, &cachex().view, &mut rng);
        let tensors = parameters.to_named().unwrap();
        let games: Vec<Position> = (3..=15).chain(3..=15).map(|size| random_position(size, &mut rng)).collect();
        let (cells, globals, boards) = inputs(cachex(), &games, &Device::Cpu);
        let heads = network.forward(&cells, &globals, &boards).unwrap();
        for kernel in Kernel::available() {
            for (precision, tolerance) in [(Precision::F32, 1e-4), (Precision::Int8, 5e-2)] {
                let inference = Inference::new(&architecture, &cachex().view, &tensors, kernel, precision);
                assert_answers(&inference, &cachex().view, &games, &heads, tolerance, kernel.name());
            }
        }
    }
}

/// A forecast is in the frame of the board and by players, not by the player to move.
#[test]
fn forecast_tells_the_owners_of_a_full_board() {
    let checkpoint = hexzero::models::shipped(cachex()).unwrap();
    let mut evaluator = NetworkEvaluator::new(cachex(), &checkpoint, "shipped", Precision::F32).unwrap();
    // Red's column c and Blue's row 4 from the left: neither is captured any more by anything near.
    for moves in ["c1 a4 b3 a5 c2 a3", "c1 a4 b3 a5 c2 a3 e5"] {
        let game = position(cachex(), 5, moves);
        let forecast = evaluator.forecast(&game).unwrap();
        assert_eq!(forecast.len(), 25);
        let mut right = 0;
        for (cell, chances) in forecast.iter().enumerate() {
            let (first, second) = (chances.first, chances.second);
            assert!(first >= 0.0 && second >= 0.0 && first + second <= 1.0 + 1e-5, "{chances:?}");
            right += usize::from(match game.owner(cell) {
                Some(Seat::First) => first > second,
                Some(Seat::Second) => second > first,
                None => false,
            });
        }
        assert!(right + 1 >= game.turns(), "{right} of the stones");
        assert_eq!(Evaluator::forecast(&mut uniform, &game), None);
    }
}

/// Int8 evaluates real positions nearly as floats do, with every kernel.
#[test]
fn int8_judges_positions_nearly_as_floats() {
    let checkpoint = hexzero::models::shipped(cachex()).unwrap();
    let mut exact = NetworkEvaluator::new(cachex(), &checkpoint, "shipped", Precision::F32).unwrap();
    let mut quantised = NetworkEvaluator::new(cachex(), &checkpoint, "shipped", Precision::Int8).unwrap();
    let mut rng = rng(6);
    let (mut divergence, mut value_error) = (0.0, 0.0);
    let games: Vec<Position> = (3..=11).cycle().take(90).map(|size| random_position(size, &mut rng)).collect();
    let mut legal = Vec::new();
    for game in &games {
        game.legal_actions(&mut legal);
        let (a, b) = (exact.evaluate(game, &legal), quantised.evaluate(game, &legal));
        divergence += a.priors.iter().zip(&b.priors).map(|(p, q)| p * (p / q).ln()).sum::<f32>();
        value_error += (a.outcome.value() - b.outcome.value()).abs();
    }
    let count = games.len() as f32;
    assert!(divergence / count < 2e-3, "mean divergence {}", divergence / count);
    assert!(value_error / count < 2e-2, "mean error of the value {}", value_error / count);
    assert_ne!(divergence, 0.0, "both were evaluated with the same precision");
}

/// Runs repeat only if a seed gives the same network in every version of the program.
#[test]
fn seed_gives_the_same_parameters_as_ever() {
    let tensors = Network::random(&Architecture::default(), &cachex().view, &mut rng(5)).unwrap().1.to_named().unwrap();
    for (name, first) in [
        ("stem.weight", [-0.13488463, 0.022649512, -0.21866745]),
        ("stem.globals", [-0.44758007, -0.3343171, -0.7065751]),
        ("blocks.3.first.weight", [0.0015829752, -0.020517243, 0.02252972]),
        ("blocks.3.second.weight", [0.0; 3]),
        ("ownership.weight", [-0.052086577, -0.116333015, -0.24360055]),
    ] {
        assert_close(&tensors[name].data[..3], &first, 1e-6, name);
    }
}

/// Networks of 0.2.0 may name the techniques that are gone, if these are off.
#[test]
fn checkpoints_with_retired_keys() {
    let tensors = random_network(&FIRST, &cachex().view, &mut rng(3)).1.to_named().unwrap();
    let checkpoint = Checkpoint::new(Metadata::untrained(cachex(), FIRST), tensors, "made").unwrap();
    let json = serde_json::to_value(&checkpoint.metadata).unwrap();
    let read = |key: &str, value: serde_json::Value| {
        let mut json = json.clone();
        json["architecture"][key] = value;
        Checkpoint::from_bytes(&write_safetensors(&checkpoint.tensors, "hexzero", json.to_string()).unwrap(), "old")
    };
    for (key, off, on) in [
        ("pool_into", "output".into(), "bias".into()),
        ("value_convolution", false.into(), true.into()),
        ("wide_stem", false.into(), true.into()),
    ] {
        assert_eq!(read(key, off).unwrap(), checkpoint);
        let refused = read(key, on).unwrap_err().to_string();
        assert!(refused.contains(&format!("{key} is gone")) && refused.contains("hexzero 0.2.0"), "{refused}");
    }
    assert!(read("depth", 1.into()).is_err());
}

/// Checkpoints of version 1 have outputs for the opponent's reply after those that are used.
#[test]
fn outputs_for_the_reply_are_left_out() {
    let tensors = random_network(&FIRST, &cachex().view, &mut rng(3)).1.to_named().unwrap();
    let mut rng = rng(4);
    let mut earlier = tensors.clone();
    for (layer, more) in [("policy.out", cachex().view.policy_planes), ("position.out", cachex().view.global_actions)] {
        for parameter in ["weight", "bias"] {
            let tensor = earlier.get_mut(&format!("{layer}.{parameter}")).unwrap();
            let width = tensor.shape.last_mut().unwrap();
            let rows = tensor.data.chunks(*width).map(<[f32]>::to_vec);
            tensor.data = rows
                .flat_map(|row| {
                    row.into_iter().chain((0..more).map(|_| rng.random_range(-1.0..1.0))).collect::<Vec<_>>()
                })
                .collect();
            *width += more;
        }
    }
    let metadata = Metadata { format_version: 1, ..Metadata::untrained(cachex(), FIRST) };
    let checkpoint = Checkpoint::new(metadata, earlier.clone(), "earlier").unwrap();
    let read = Checkpoint::from_bytes(&checkpoint.to_bytes().unwrap(), "earlier").unwrap();
    assert_eq!((&read, read.digest().unwrap()), (&checkpoint, checkpoint.digest().unwrap()));
    let (_, parameters) = Network::from_named(&FIRST, &cachex().view, &read.tensors).unwrap();
    assert!(parameters.to_named().unwrap() == tensors);
    let made = Checkpoint::new(Metadata::untrained(cachex(), FIRST), tensors, "made").unwrap();
    let [mut before, mut now] =
        [&read, &made].map(|one| NetworkEvaluator::new(cachex(), one, "", Precision::F32).unwrap());
    for _ in 0..5 {
        let position = random_position(5, &mut rng);
        assert_eq!(before.evaluate(&position, &position.legal()), now.evaluate(&position, &position.legal()));
    }
    // One of the two layers alone is no such checkpoint.
    earlier.insert("policy.out.bias".to_owned(), made.tensors["policy.out.bias"].clone());
    assert!(Checkpoint::new(made.metadata, earlier, "mixed").is_err());
}
