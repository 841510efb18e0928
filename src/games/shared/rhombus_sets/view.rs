//! The network inputs that these games share.

use crate::board::{Board, DIRECTIONS, RhombusSet, Shape, Symmetry};
use crate::games::{NetworkView, Seat, Transform};

use super::Stones;

/// The planes of [`Stones::planes`].
pub const PLANES: usize = 13;

/// The planes of sides and of what is joined to them, two by two: a half turn exchanges the two.
const SIDES: std::ops::Range<usize> = 3..11;

impl Stones {
    /// The planes that come first: own stones, enemy stones, empty; the mover's two sides and the enemy's two; stones
    /// joined to each of these four; cells where a stone of the mover, of the enemy completes a chain. Those of the
    /// game itself are empty as yet.
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

    /// Writes planes as the mover sees them: the second player sees the board transposed.
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

/// The policy plane of moves in a direction over a distance from 1; placements are on the first plane.
#[inline]
pub fn on_plane(direction: usize, distance: usize) -> usize {
    1 + DIRECTIONS * (distance - 1) + direction
}

/// A symmetry that takes policy planes of directions along.
fn directed(size: usize, number: usize, view: &NetworkView) -> Transform {
    let symmetry: &Symmetry = &Board::of(&Shape::Rhombus { side: size }).symmetries()[number];
    let plane_to = |plane: usize| match plane.checked_sub(1) {
        None => 0,
        Some(rest) => 1 + rest / DIRECTIONS * DIRECTIONS + symmetry.direction(0, rest % DIRECTIONS),
    };
    Transform::of(symmetry, view).with_planes(view.policy_planes, plane_to)
}

/// The frames of the two seats: the second player sees the board transposed.
pub fn frames(size: usize, view: &NetworkView) -> Vec<Transform> {
    vec![directed(size, 0, view), directed(size, 2, view)]
}

/// The board as it is and turned by half, which exchanges the two sides of each player and what is joined to them.
pub fn symmetries(size: usize, view: &NetworkView) -> Vec<Transform> {
    let exchanged =
        |plane: usize| if SIDES.contains(&plane) { ((plane - SIDES.start) ^ 1) + SIDES.start } else { plane };
    vec![directed(size, 0, view), directed(size, 1, view).with_inputs(exchanged)]
}
