//! Code shared by games on a rhombus: the first player connects row 1 to the last row, the second
//! column a to the last column and sees the board transposed.

use std::ops::Range;

use crate::{CellCost, InvalidMove, NetworkView, PathCosts, Seat, Transform};
use hexzero_board::{Board, Shape};

/// The sides of a chain or path that touches both sides of its player.
pub const BOTH_SIDES: u8 = 0b11;

/// Returns the sides of a seat that a cell lies on, as a bit mask.
#[inline]
pub fn sides_of(size: usize, seat: Seat, cell: usize) -> u8 {
    let line = match seat {
        Seat::First => cell / size,
        Seat::Second => cell % size,
    };
    u8::from(line == 0) | u8::from(line == size - 1) << 1
}

/// Returns the cell with row and column exchanged.
#[inline]
pub fn transposed(size: usize, cell: usize) -> usize {
    cell % size * size + cell / size
}

/// Returns the index of a cell in a seat's frame: the second seat sees the board transposed.
#[inline]
pub fn in_frame_of(size: usize, seat: Seat, cell: usize) -> usize {
    match seat {
        Seat::First => cell,
        Seat::Second => transposed(size, cell),
    }
}

/// Returns the costs of a seat's paths where stones stay for good; `is_own` tells whose stone is on a cell.
pub fn path_costs(size: usize, seat: Seat, is_own: impl Fn(usize) -> Option<bool>) -> PathCosts {
    let cost = |cell| match is_own(cell) {
        None => Some(CellCost::STONE),
        Some(own) => own.then_some(0),
    };
    (0..size * size).map(|cell| CellCost { cost: cost(cell), sides: sides_of(size, seat, cell) }).collect()
}

/// Checks that the swap may be played, in a game that has one or whose variant does.
///
/// # Errors
/// If the game has no swap, or a swap is not possible now; `turns` have been played.
pub fn check_swap(game: &str, exists: bool, is_possible: bool, turns: usize) -> Result<(), InvalidMove> {
    if !exists {
        return Err(InvalidMove::refused(format!("there is no swap in {game}")));
    }
    if is_possible { Ok(()) } else { Err(InvalidMove::swap_not_now(turns + 1)) }
}

/// Returns the frames of the two seats, for input planes that mean the same in both.
pub fn frames(size: usize, view: &NetworkView) -> Vec<Transform> {
    let symmetries = board(size).symmetries();
    vec![Transform::of(&symmetries[0], view), Transform::of(&symmetries[2], view)]
}

/// Returns the identity and the half turn, which exchanges the two sides of each player and the
/// stones connected to them: the input planes `sides`, in pairs. The caller must still exchange
/// planes of directions.
pub fn half_turns(size: usize, view: &NetworkView, sides: Range<usize>) -> [Transform; 2] {
    let symmetries = board(size).symmetries();
    let exchanged =
        |plane: usize| if sides.contains(&plane) { ((plane - sides.start) ^ 1) + sides.start } else { plane };
    [Transform::of(&symmetries[0], view), Transform::of(&symmetries[1], view).with_inputs(exchanged)]
}

fn board(size: usize) -> &'static Board {
    Board::of(&Shape::Rhombus { side: size })
}

/// A random number for each player's stone on each cell (row × 16 + column); their exclusive or is
/// the position's key (Zobrist 1970).
static STONE_KEYS: [[u64; 256]; 2] = {
    // The splitmix64 sequence (Steele, Lea and Flood 2014).
    let mut keys = [[0; 256]; 2];
    let mut state = 0x6865_787a_6572_6f00u64;
    let mut i = 0;
    while i < 512 {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        keys[i / 256][i % 256] = z ^ (z >> 31);
        i += 1;
    }
    keys
};

/// Returns the random number of a player's stone on a cell.
#[inline]
pub fn stone_key(player: Seat, row: usize, column: usize) -> u64 {
    STONE_KEYS[player.index()][row << 4 | column]
}
