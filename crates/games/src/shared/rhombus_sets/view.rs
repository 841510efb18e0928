//! The network inputs that games on sets of stones share.

use crate::{Action, NetworkView, Seat, Transform};
use hexzero_board::{Board, DIRECTIONS, RhombusSet, Shape, Symmetry};

use super::{Cell, Stones};

/// The number of planes that [`Stones::planes`] fills.
pub const PLANES: usize = 13;

/// The planes of sides and of the stones connected to them, in pairs that a half turn exchanges.
const SIDES: std::ops::Range<usize> = 3..11;

impl Stones {
    /// Returns the action that moves from a cell in a direction over a distance from 1.
    #[inline]
    pub fn action(&self, from: Cell, direction: usize, distance: usize) -> Action {
        Action((on_plane(direction, distance) * self.cells() + self.number(from)) as u16)
    }

    /// Returns the common planes: own stones, enemy stones, empty cells; the mover's two sides and
    /// the enemy's two; stones connected to each of these four; cells where a stone of the mover
    /// and of the enemy completes a chain. The game's own planes follow, still empty.
    ///
    /// # Panics
    /// If `N` is less than [`PLANES`].
    pub fn planes<const N: usize>(&self, mover: Seat) -> [RhombusSet; N] {
        let mut planes = [RhombusSet::EMPTY; N];
        planes[2] = self.empty();
        for (index, player) in [mover, mover.opponent()].into_iter().enumerate() {
            planes[index] = self.of(player);
            planes[3 + 2 * index..][..2].copy_from_slice(&self.edges(player));
            planes[7 + 2 * index..][..2].copy_from_slice(&self.joined(player));
            planes[11 + index] = self.completing(player);
        }
        planes
    }

    /// Writes planes from the mover's point of view: the second player sees the board transposed.
    pub fn write<const N: usize>(&self, mover: Seat, planes: &[RhombusSet; N], cells: &mut [f32]) {
        let (next_row, next_column) = match mover {
            Seat::First => (self.side(), 1),
            Seat::Second => (1, self.side()),
        };
        for row in 0..self.side() {
            let bits = planes.each_ref().map(|plane| plane.row_bits(row));
            for column in 0..self.side() {
                let inputs = &mut cells[(row * next_row + column * next_column) * N..][..N];
                for (input, bits) in inputs.iter_mut().zip(bits) {
                    *input = f32::from(bits >> column & 1);
                }
            }
        }
    }
}

/// Returns the policy plane of moves in a direction over a distance from 1; placements are on the
/// first plane.
#[inline]
pub fn on_plane(direction: usize, distance: usize) -> usize {
    1 + DIRECTIONS * (distance - 1) + direction
}

/// Returns a symmetry that also permutes the policy planes of directions.
fn directed(size: usize, number: usize, view: &NetworkView) -> Transform {
    let symmetry: &Symmetry = &Board::of(&Shape::Rhombus { side: size }).symmetries()[number];
    let plane_to = |plane: usize| match plane.checked_sub(1) {
        None => 0,
        Some(rest) => 1 + rest / DIRECTIONS * DIRECTIONS + symmetry.direction(0, rest % DIRECTIONS),
    };
    Transform::of(symmetry, view).with_planes(view.policy_planes, plane_to)
}

/// Returns the frames of the two seats: the second player sees the board transposed.
pub fn frames(size: usize, view: &NetworkView) -> Vec<Transform> {
    vec![directed(size, 0, view), directed(size, 2, view)]
}

/// Returns the identity and the half turn, which exchanges the two sides of each player and the
/// stones connected to them.
pub fn symmetries(size: usize, view: &NetworkView) -> Vec<Transform> {
    let exchanged =
        |plane: usize| if SIDES.contains(&plane) { ((plane - SIDES.start) ^ 1) + SIDES.start } else { plane };
    vec![directed(size, 0, view), directed(size, 1, view).with_inputs(exchanged)]
}
