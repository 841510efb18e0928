//! Samples of network inputs and outputs, to test other implementations.

use std::collections::BTreeMap;

use candle_core::{Device, Tensor};
use rand::{Rng, SeedableRng};

use hexzero_games::{Action, Game, GameRng, Position, SizeError};
use hexzero_graph::{Boards, Heads, Network};
use hexzero_nn::Checkpoint;

use super::error::ExportError;
use super::numpy::{Array, write_arrays};
use super::onnx::rows;

/// The choice of sampled positions.
#[derive(Debug, Clone)]
pub struct Sampling {
    /// The board sizes.
    pub sizes: Vec<usize>,
    /// The number of positions on each size.
    pub positions: usize,
    /// The seed of the random moves.
    pub seed: u64,
}

/// Plays random moves and returns an unfinished position with its moves.
fn random_position(game: Game, size: usize, rng: &mut GameRng) -> Result<(Position, Vec<Action>), SizeError> {
    let start = game.start(size)?;
    let cells = start.topology().cells();
    loop {
        // Some positions very early, where special rules such as the swap apply; others anywhere.
        let plies = if rng.random_bool(0.25) { rng.random_range(0..3) } else { rng.random_range(0..cells) };
        let (mut position, mut moves) = (start.clone(), Vec::new());
        while moves.len() < plies
            && let Some(action) = position.random_action(rng)
        {
            position.play(action);
            moves.push(action);
        }
        // Under some rules few games last that long.
        if position.outcome().is_none() {
            return Ok((position, moves));
        }
    }
}

/// Transposes `[cells of all positions × planes]` to `[position × plane × cell]`.
fn per_plane(values: &[f32], positions: usize, planes: usize) -> Vec<f32> {
    let cells = values.len() / positions / planes;
    let mut out = Vec::with_capacity(values.len());
    for position in values.chunks_exact(cells * planes) {
        out.extend((0..planes).flat_map(|plane| position.iter().skip(plane).step_by(planes)));
    }
    out
}

/// Encodes samples as an `.npz` file: for each size `n` the arrays `n.cells`, `n.globals`, `n.moves`, and one per head,
/// `n.outcome` and so on, in the shapes of the ONNX file's inputs and outputs. The outputs are those of the network in candle,
/// with which the engine's `f32` kernels agree to a ten-thousandth.
///
/// # Errors
/// If the game has no board of one of the sizes, its boards have no rows and columns, or the network cannot be evaluated.
pub fn samples(game: Game, checkpoint: &Checkpoint, sampling: &Sampling) -> Result<Vec<u8>, ExportError> {
    let mut rng = GameRng::seed_from_u64(sampling.seed);
    let mut arrays = BTreeMap::new();
    for &size in &sampling.sizes {
        let positions = (0..sampling.positions).map(|_| random_position(game, size, &mut rng));
        arrays.extend(arrays_of(checkpoint, size, &positions.collect::<Result<Vec<_>, _>>()?)?);
    }
    write_arrays(&arrays)
}

/// Returns the named arrays for positions on boards of one size.
fn arrays_of(
    checkpoint: &Checkpoint,
    size: usize,
    positions: &[(Position, Vec<Action>)],
) -> Result<Vec<(String, Array)>, ExportError> {
    let view = &checkpoint.metadata.view;
    let (network, _) = Network::from_named(&checkpoint.metadata.architecture, view, &checkpoint.tensors)?;
    let Some((first, _)) = positions.first() else { return Ok(Vec::new()) };
    let side = rows(first)?;
    let (batch, cells) = (positions.len(), side * side);
    let mut inputs = vec![0.0; batch * cells * view.cell_inputs];
    let mut globals = vec![0.0; batch * view.global_inputs];
    let chunks = inputs.chunks_exact_mut(cells * view.cell_inputs).zip(globals.chunks_exact_mut(view.global_inputs));
    for ((position, _), (inputs, globals)) in positions.iter().zip(chunks) {
        position.encode(inputs, globals);
    }
    let boards: Vec<_> = positions.iter().map(|(position, _)| position.topology()).collect();
    let tensor = |values: &[f32], width| Tensor::from_slice(values, (values.len() / width, width), &Device::Cpu);
    let (x, g) = (tensor(&inputs, view.cell_inputs)?, tensor(&globals, view.global_inputs)?);
    let heads = network.forward(&x, &g, &Boards::new(&boards))?;

    let on_cells =
        |values: &[f32], planes: usize| Array::floats(&[batch, planes, side, side], &per_plane(values, batch, planes));
    let values = |tensor: &Tensor| tensor.flatten_all()?.to_vec1::<f32>();
    let mut arrays = vec![
        ("cells", on_cells(&inputs, view.cell_inputs)),
        ("globals", Array::floats(&[batch, view.global_inputs], &globals)),
        ("moves", moves(positions)),
    ];
    let Heads { cell_policy, global_policy, outcome, ownership, moves_left } = &heads;
    for (name, head) in [("cell_policy", cell_policy), ("ownership", ownership)] {
        arrays.push((name, on_cells(&values(head)?, head.dims()[1])));
    }
    for (name, head) in [("global_policy", global_policy), ("outcome", outcome)] {
        if head.elem_count() > 0 {
            arrays.push((name, Array::floats(head.dims(), &values(head)?)));
        }
    }
    arrays.push(("moves_left", Array::floats(&[batch], &values(moves_left)?)));
    Ok(arrays.into_iter().map(|(name, array)| (format!("{size}.{name}"), array)).collect())
}

/// Returns the action numbers of the moves to each position, padded with -1.
fn moves(positions: &[(Position, Vec<Action>)]) -> Array {
    let longest = positions.iter().map(|(_, moves)| moves.len()).max().unwrap_or(0);
    let padded = positions.iter().flat_map(|(_, moves)| {
        let moves = moves.iter().map(|action| action.0 as i16);
        moves.chain(std::iter::repeat(-1)).take(longest)
    });
    Array::integers(&[positions.len(), longest], &padded.collect::<Vec<_>>())
}
