//! The network inputs of Infexion: stacks, and what each spread would gain.

use crate::{Rules, Seat, Transform, flag};
use hexzero_board::{DIRECTIONS, Symmetry};

use super::spreading::landings;
use super::{CELLS, HIGHEST, InfexionRules, PLANES, TURN_LIMIT};

/// The first plane of the stacks: the mover's of power 1; those of higher powers and the enemy's
/// follow.
const STACKS: usize = 0;
const EMPTY: usize = STACKS + 2 * HIGHEST as usize;
/// The plane that counts how many spreads of the mover reach a cell; the next plane counts the
/// enemy's.
const REACH: usize = EMPTY + 1;
/// The first plane of gains: by how much a spread from a cell raises its player's lead, one plane
/// for each direction, first the mover's spreads, then the enemy's.
const GAINS: usize = REACH + 2;
/// The plane of the greatest gain in lead among the mover's spreads that land on a cell; the next
/// plane is the enemy's.
const BEST: usize = GAINS + 2 * DIRECTIONS;
pub(super) const CELL_INPUTS: usize = BEST + 2;

/// Divisors of the reach planes and the gain planes.
const REACH_SCALE: f32 = 6.0;
const GAIN_SCALE: f32 = 8.0;

impl<const SPEC: bool> InfexionRules<SPEC> {
    /// Writes the planes above, and the globals: the mover's power, the enemy's power and the lead,
    /// divided by 49; plies / 343; whether a spawn is possible.
    pub(super) fn encode_view(&self, cells: &mut [f32], globals: &mut [f32]) {
        let mover = self.to_move;
        let landing = Seat::BOTH.map(|seat| self.landing(seat));
        cells.fill(0.0);
        for (cell, stack) in self.stacks.iter().enumerate() {
            let Some((owner, power)) = *stack else {
                cells[cell * CELL_INPUTS + EMPTY] = 1.0;
                continue;
            };
            let enemy = usize::from(owner != mover);
            cells[cell * CELL_INPUTS + STACKS + usize::from(HIGHEST) * enemy + usize::from(power) - 1] = 1.0;
            for direction in 0..DIRECTIONS {
                let gain = landing[owner.index()].gain(cell, direction, power) as f32 / GAIN_SCALE;
                cells[cell * CELL_INPUTS + GAINS + DIRECTIONS * enemy + direction] = gain;
                for &at in landings(cell, direction, power) {
                    let inputs = &mut cells[usize::from(at) * CELL_INPUTS..][..CELL_INPUTS];
                    inputs[REACH + enemy] += 1.0 / REACH_SCALE;
                    inputs[BEST + enemy] = inputs[BEST + enemy].max(gain);
                }
            }
        }
        let [own, enemy] = [mover, mover.opponent()].map(|seat| f32::from(self.power[seat.index()]) / CELLS as f32);
        globals.copy_from_slice(&[
            own,
            enemy,
            own - enemy,
            f32::from(self.turns) / f32::from(TURN_LIMIT),
            flag(self.spawn_is_possible()),
        ]);
    }
}

/// Applies a symmetry to the view: the direction planes are permuted with the board, in the policy
/// as in the inputs.
pub(super) fn transform(symmetry: &Symmetry) -> Transform {
    let turned = |direction: usize| symmetry.direction(0, direction);
    let policy = |plane: usize| plane.checked_sub(1).map_or(0, |direction| 1 + turned(direction));
    let input = |plane: usize| match plane.checked_sub(GAINS) {
        Some(gain) if gain < 2 * DIRECTIONS => GAINS + gain / DIRECTIONS * DIRECTIONS + turned(gain % DIRECTIONS),
        _ => plane,
    };
    let view = &InfexionRules::<false>::INFO.view;
    Transform::of(symmetry, view).with_planes(PLANES, policy).with_inputs(input)
}
