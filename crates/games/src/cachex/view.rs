//! The network inputs of Cachex.

use crate::{Rules, Seat, Transform, flag};
use hexzero_board::{Board, RhombusSet, Shape};

use super::info::INFO;
use super::{Cachex, REPETITION_LIMIT, TURN_LIMIT};

const CELL_INPUTS: usize = INFO.view.cell_inputs;

/// Planes: own stones, enemy stones, empty cells; cells where the mover and where the enemy would
/// capture; cells just captured; the mover's two sides and the enemy's two; stones connected to
/// each of these four; cells where the mover and where the enemy completes a chain.
///
/// Globals: swap possible, first move, turn / 343, occurrences / 7, size / 15.
pub(super) fn encode(game: &Cachex, cells: &mut [f32], globals: &mut [f32]) {
    let n = game.side();
    let (mover, enemy) = (game.to_move, game.to_move.opponent());
    let (own_joined, enemy_joined) = (game.joined[mover.index()], game.joined[enemy.index()]);
    let (own_edges, enemy_edges) = (game.edges(mover), game.edges(enemy));
    let planes: [RhombusSet; CELL_INPUTS] = [
        game.stones[mover.index()],
        game.stones[enemy.index()],
        game.empty_cells(),
        game.capturing(mover),
        game.capturing(enemy),
        game.captured,
        own_edges[0],
        own_edges[1],
        enemy_edges[0],
        enemy_edges[1],
        own_joined[0],
        own_joined[1],
        enemy_joined[0],
        enemy_joined[1],
        game.completing(mover),
        game.completing(enemy),
    ];
    // In the mover's frame, the first player's rows are the second player's columns.
    let (next_row, next_column) = match mover {
        Seat::First => (n, 1),
        Seat::Second => (1, n),
    };
    for row in 0..n {
        let bits = planes.each_ref().map(|plane| plane.row_bits(row));
        for column in 0..n {
            let cell = row * next_row + column * next_column;
            let inputs = &mut cells[cell * bits.len()..][..bits.len()];
            for (input, bits) in inputs.iter_mut().zip(bits) {
                *input = f32::from(bits >> column & 1);
            }
        }
    }
    globals.copy_from_slice(&[
        flag(game.turns() == 1),
        flag(game.turns() == 0),
        game.turns() as f32 / TURN_LIMIT as f32,
        f32::from(game.occurrences) / f32::from(REPETITION_LIMIT),
        n as f32 / *INFO.boards.sizes.end() as f32,
    ]);
}

/// Returns the frames: the second player sees the board transposed.
pub(super) fn frames(size: usize) -> Vec<Transform> {
    let symmetries = Board::of(&Shape::Rhombus { side: size }).symmetries();
    vec![Transform::of(&symmetries[0], &INFO.view), Transform::of(&symmetries[2], &INFO.view)]
}

/// Returns the identity and the half turn, which exchanges the two sides of each player and the
/// stones connected to them.
pub(super) fn symmetries(size: usize) -> Vec<Transform> {
    let symmetries = Board::of(&Shape::Rhombus { side: size }).symmetries();
    let exchanged = |plane: usize| if (6..14).contains(&plane) { plane ^ 1 } else { plane };
    vec![Transform::of(&symmetries[0], &INFO.view), Transform::of(&symmetries[1], &INFO.view).with_inputs(exchanged)]
}
