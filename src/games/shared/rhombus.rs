//! Code shared by games on a rhombus: the first player joins row 1 to the last row, the second column a to the
//! last column, and the second sees the board transposed.

use crate::board::{Board, RhombusSet, Shape};

use crate::games::{NetworkView, Seat, Transform};

/// A chain, or a path, that touches both of its player's sides.
pub const BOTH_SIDES: u8 = 0b11;

/// The sides of a seat that a cell lies on, a bit each.
#[inline]
pub fn sides_of(size: usize, seat: Seat, cell: usize) -> u8 {
    sides_of_line(
        size,
        match seat {
            Seat::First => cell / size,
            Seat::Second => cell % size,
        },
    )
}

/// The sides that a row of the first player or a column of the second lies on, a bit each.
#[inline]
pub fn sides_of_line(size: usize, line: usize) -> u8 {
    u8::from(line == 0) | u8::from(line == size - 1) << 1
}

/// The cell with row and column exchanged.
#[inline]
pub fn transposed(size: usize, cell: usize) -> usize {
    cell % size * size + cell / size
}

/// Returns the number of a cell in a seat's frame: the second seat sees the board transposed.
#[inline]
pub fn in_frame_of(size: usize, seat: Seat, cell: usize) -> usize {
    match seat {
        Seat::First => cell,
        Seat::Second => transposed(size, cell),
    }
}

/// Returns true if a chain of these cells joins a seat's two sides. Sides of at most [`RhombusSet::LARGEST_SIDE`].
#[inline]
pub fn joins(size: usize, seat: Seat, cells: RhombusSet) -> bool {
    let side = |line| match seat {
        Seat::First => RhombusSet::row(size, line),
        Seat::Second => RhombusSet::column(size, line),
    };
    let (near, far) = (side(0), side(size - 1));
    // A chain across has a stone in every line, so most boards are answered at a glance.
    !(near & cells).is_empty() && !(far & cells).is_empty() && !((near & cells).flood(cells) & far).is_empty()
}

/// The frames of the two seats, where input planes mean the same in both.
pub fn frames(size: usize, view: &NetworkView) -> Vec<Transform> {
    let symmetries = board(size).symmetries();
    vec![Transform::of(&symmetries[0], view), Transform::of(&symmetries[2], view)]
}

/// The identity and the half turn, which keep both players' sides. Planes of directions or of a player's two sides must
/// still be exchanged in the second one.
pub fn half_turns(size: usize, view: &NetworkView) -> [Transform; 2] {
    let symmetries = board(size).symmetries();
    [Transform::of(&symmetries[0], view), Transform::of(&symmetries[1], view)]
}

fn board(size: usize) -> &'static Board {
    Board::of(&Shape::Rhombus { side: size })
}
