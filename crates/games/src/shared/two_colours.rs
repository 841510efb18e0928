//! Code shared by Chameleon and Imnyss: stones of two colours without owners on a rhombus.

use crate::shared::rhombus::{half_turns, in_frame_of};
use crate::shared::rhombus_chains::{RhombusStones, joins_sides_of, sides_of_cell, write_sides};
use crate::shared::words::joined;
use crate::{NetworkView, Outcome, Picture, Piece, Seat, SeatInfo, Transform, flag};

/// The names of the colours.
pub const COLOURS: [char; 2] = ['x', 'o'];

/// An x.
pub const X: Piece = stone(0);
/// An o.
pub const O: Piece = stone(1);

/// The seats: Vert connects row 1 to the last row, Horz column a to the last column.
pub const SEATS: [SeatInfo; 2] = [
    SeatInfo::new("vert", "connects the first and last row", "Connect the first and last row."),
    SeatInfo::new("horz", "connects the first and last column", "Connect the first and last column."),
];

/// A picture of a chain between the sides of Vert.
pub const JOINED: Picture = Picture {
    pieces: &[("c1 c2 b3 b4", O), ("a2 b2 d3", X)],
    chain: "c1 c2 b3 b4",
    label: "A chain of o from row 1 to row 4",
    caption: "Vert wins with a chain of o",
    ..Picture::empty(4)
};

/// The names of the input planes of the cells. Sides are the mover's two, then the opponent's.
pub const CELL_INPUTS: [&str; 19] = joined(&[
    &["x", "o", "empty"],
    &["own_side_1", "own_side_2", "enemy_side_1", "enemy_side_2"],
    &["x_joined_own_1", "x_joined_own_2", "x_joined_enemy_1", "x_joined_enemy_2"],
    &["o_joined_own_1", "o_joined_own_2", "o_joined_enemy_1", "o_joined_enemy_2"],
    &["x_joins_own", "x_joins_enemy", "o_joins_own", "o_joins_enemy"],
]);

/// Returns a stone of a colour.
pub const fn stone(colour: usize) -> Piece {
    Piece { owner: None, kind: Some(COLOURS[colour]), number: 0 }
}

/// Returns the colour that a word of one letter names.
pub fn colour_named(word: &str) -> Option<usize> {
    COLOURS.iter().position(|colour| word.len() == 1 && word.starts_with([*colour, colour.to_ascii_uppercase()]))
}

/// Returns the owner of a cell as a training target: the cells of the winning chain belong to the
/// winner, all others to nobody.
pub fn owner<const CELLS: usize>(stones: &RhombusStones<CELLS>, outcome: Option<Outcome>, cell: usize) -> Option<Seat> {
    outcome.and_then(|outcome| outcome.winner).filter(|&winner| joins_sides_of(winner, stones.sides(cell)))
}

/// Returns the mover's advantage in paths from side to side, in points: the weighted sum over the
/// colours. Each stone that a path lacks halves its value.
pub fn prospects<const CELLS: usize>(stones: &RhombusStones<CELLS>, mover: Seat, weights: [i32; 2]) -> i32 {
    let worth = |seat, colour| stones.distance(seat, colour).map_or(0, |distance| (1 << 13) >> distance.min(30));
    let lead = |colour: u8| worth(mover, colour) - worth(mover.opponent(), colour);
    weights[0] * lead(0) + weights[1] * lead(1)
}

/// Writes the planes [`CELL_INPUTS`] of a position in the mover's frame.
pub fn encode<const CELLS: usize>(stones: &RhombusStones<CELLS>, mover: Seat, cells: &mut [f32]) {
    let side = stones.side();
    for cell in 0..stones.cells() {
        let inputs = &mut cells[in_frame_of(side, mover, cell) * CELL_INPUTS.len()..][..CELL_INPUTS.len()];
        inputs.fill(0.0);
        write_sides(&mut inputs[3..7], mover, sides_of_cell(side, cell));
        let Some(colour) = stones.kind(cell) else {
            inputs[2] = 1.0;
            for colour in 0..2 {
                let sides = stones.sides_with(cell, colour as u8);
                inputs[15 + 2 * colour] = flag(joins_sides_of(mover, sides));
                inputs[16 + 2 * colour] = flag(joins_sides_of(mover.opponent(), sides));
            }
            continue;
        };
        let colour = usize::from(colour);
        inputs[colour] = 1.0;
        write_sides(&mut inputs[7 + 4 * colour..][..4], mover, stones.sides(cell));
    }
}

/// Returns the half turn, the exchange of the colours, and both together. `exchanged` exchanges the
/// colours in what a game adds to the cells: its actions and its global inputs.
pub fn symmetries(size: usize, view: &NetworkView, exchanged: impl Fn(Transform) -> Transform) -> Vec<Transform> {
    let exchanged_plane = |plane: usize| match plane {
        0 | 1 => 1 - plane,
        7..11 => plane + 4,
        11..15 => plane - 4,
        15..19 => (plane - 15 + 2) % 4 + 15,
        _ => plane,
    };
    let [same, turned] = half_turns(size, view, 3..15);
    let turn = turned.inputs.clone();
    vec![
        same.clone(),
        turned.clone(),
        exchanged(same).with_inputs(exchanged_plane),
        exchanged(turned).with_inputs(|plane| exchanged_plane(turn.apply(plane))),
    ]
}
