//! The evaluation of Infexion for alpha-beta: power, the best spreads of each side, and reach over
//! empty cells.
//!
//! The weights were tuned by matches of `alphabeta:2` against a network with one visit a move.

use crate::Seat;
use hexzero_board::DIRECTIONS;

use super::InfexionRules;
use super::spreading::landings;

/// Points for a power of 1.
const POWER: i32 = 100;
/// Points for each power that the mover's best spread gains: less than the power itself, because
/// the enemy may reply.
const OWN_BEST: i32 = 60;
/// Points for each power that the mover's second-best spread, and the enemy's best two, gain.
const OTHER_SPREADS: i32 = 20;
/// Points for an empty cell that a spread reaches.
const REACHED: i32 = 10;

/// The prospects of one side's spreads.
#[derive(Default)]
struct Prospects {
    /// The greatest gain of a spread, and below it the second greatest; 0 if no spread gains.
    best: i32,
    second: i32,
    /// The number of empty cells within reach.
    reached: i32,
}

impl<const SPEC: bool> InfexionRules<SPEC> {
    /// Evaluates the position for the side to move.
    pub(super) fn points(&self) -> i32 {
        let (mover, enemy) = (self.to_move, self.to_move.opponent());
        let lead = i32::from(self.power[mover.index()]) - i32::from(self.power[enemy.index()]);
        let (own, others) = (self.prospects(mover), self.prospects(enemy));
        POWER * lead
            + OWN_BEST * own.best
            + OTHER_SPREADS * (own.second - others.best - others.second)
            + REACHED * (own.reached - others.reached)
    }

    fn prospects(&self, seat: Seat) -> Prospects {
        let mut all = Prospects::default();
        let landing = self.landing(seat);
        let mut reached = 0u64;
        for (cell, power) in self.stacks_of(seat) {
            for direction in 0..DIRECTIONS {
                let gain = landing.gain(cell, direction, power);
                if gain > all.best {
                    all.second = all.best;
                    all.best = gain;
                } else {
                    all.second = all.second.max(gain);
                }
                reached |= landings(cell, direction, power).iter().fold(0, |cells, &at| cells | 1 << at);
            }
        }
        let empty = self.stacks.iter().enumerate().filter(|(_, stack)| stack.is_none());
        all.reached = empty.filter(|&(cell, _)| reached >> cell & 1 == 1).count() as i32;
        all
    }
}
