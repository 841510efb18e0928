//! Spreads: their directions, where they land, what they gain, and the one that ends the game.

use crate::board::DIRECTIONS;
use crate::games::{Action, Rules, Seat};

use super::{HIGHEST, InfexionRules, action, topology};

/// The course's names of the directions, in the order of [`crate::board::STEPS`]: it draws row 0 at the bottom left.
pub(super) const DIRECTION_NAMES: [&str; DIRECTIONS] = ["Up", "UpRight", "DownRight", "Down", "DownLeft", "UpLeft"];

/// A spread lands on at most this many cells, so it cannot take more stacks.
const LONGEST: usize = HIGHEST as usize;

pub(super) fn direction_named(name: &str) -> Option<usize> {
    DIRECTION_NAMES.iter().position(|known| known.eq_ignore_ascii_case(name))
}

impl<const SPEC: bool> InfexionRules<SPEC> {
    /// Iterates over the cells on which a stack of `power` at `cell` would land.
    pub(super) fn landings(&self, cell: usize, direction: usize, power: u8) -> impl Iterator<Item = usize> {
        let next = move |&at: &usize| Some(usize::from(topology().neighbours()[at][direction]));
        std::iter::successors(next(&cell), next).take(power.into())
    }

    /// Returns by how much a spread raises its player's lead in power.
    pub(super) fn gain(&self, seat: Seat, cell: usize, direction: usize, power: u8) -> i32 {
        let landings = self.landings(cell, direction, power);
        let gain = landings.map(|at| match self.stacks[at] {
            None => 1,
            Some((owner, height)) => {
                let (lost, kept) = (i32::from(height), height < HIGHEST);
                match (owner == seat, kept) {
                    (true, true) => 1,
                    (true, false) => -lost,
                    (false, true) => 2 * lost + 1,
                    (false, false) => lost,
                }
            }
        });
        gain.sum::<i32>() - i32::from(power)
    }

    /// Iterates over the cells and powers of the stacks of `seat`.
    pub(super) fn stacks_of(&self, seat: Seat) -> impl Iterator<Item = (usize, u8)> + '_ {
        let stacks = self.stacks.iter().enumerate();
        stacks.filter_map(move |(cell, stack)| stack.filter(|stack| stack.0 == seat).map(|(_, power)| (cell, power)))
    }

    /// Returns a spread that takes all the enemy's stacks and wins.
    pub(super) fn finishing_spread(&self) -> Option<Action> {
        let (mover, enemy) = (self.to_move, self.to_move.opponent());
        let stacks = self.stacks_of(enemy).take(LONGEST + 1).count();
        if self.outcome.is_some() || stacks == 0 || stacks > LONGEST {
            return None;
        }
        let is_enemy = |&at: &usize| self.stacks[at].is_some_and(|(owner, _)| owner == enemy);
        let takes_all = |&(cell, direction, power): &(usize, usize, u8)| {
            usize::from(power) >= stacks && self.landings(cell, direction, power).filter(is_enemy).count() == stacks
        };
        let spreads = self
            .stacks_of(mover)
            .flat_map(|(cell, power)| (0..DIRECTIONS).map(move |direction| (cell, direction, power)));
        let finishing = spreads.filter(takes_all).map(|(cell, direction, _)| action(1 + direction, cell));
        // What lands on a full stack is lost, so that too little may be left to win.
        let wins = |&action: &Action| {
            let mut after = self.clone();
            after.play(action, &mut ());
            after.outcome.and_then(|outcome| outcome.winner) == Some(mover)
        };
        finishing.into_iter().find(wins)
    }
}
