//! Tack (Michael Howe, 1995): Hex in which a stone that brackets two or three enemy stones in a
//! line captures them.
//!
//! Black moves first and connects row 1 to the last row, White column a to the last column. If the
//! stone just placed and another own stone enclose an unbroken straight line of exactly two or
//! three enemy stones, these change hands, in all six directions at once. Stones that changed hands
//! do not bracket others, and a stone placed inside a bracket is safe.

mod brackets;
mod info;

use crate::shared::rhombus::check_swap;
use crate::shared::rhombus_sets as stones;
use crate::shared::rhombus_sets::Stones;
use crate::{
    Action, Change, ChangeLog, GameInfo, GameRng, InvalidMove, Outcome, PathCosts, Rules, Seat, Solver, Transform,
    flag, rules_by_fields,
};

use brackets::{bracketed_by, bracketing};

/// The largest board size.
const MAX_SIZE: usize = 13;
/// Number of input planes.
const INPUTS: usize = stones::PLANES + 4;

/// A position of Tack, with or without the swap.
#[derive(Debug, Clone, Copy)]
pub struct TackRules<const SWAP: bool> {
    stones: Stones,
    to_move: Seat,
    turns: u16,
    outcome: Option<Outcome>,
}

/// Tack as published: without the swap.
pub type Tack = TackRules<false>;
/// Tack in which White may take over the first stone.
pub type TackWithSwap = TackRules<true>;

impl<const SWAP: bool> TackRules<SWAP> {
    fn swap_action(&self) -> Action {
        Action(self.stones.cells() as u16)
    }

    fn swap_is_possible(&self) -> bool {
        SWAP && self.turns == 1 && self.to_move == Seat::Second && self.stones.only_the_first_stone()
    }

    /// Returns a cell where a player's stone wins at once, by itself or through the stones it
    /// brackets.
    fn winning_cell(&self, player: Seat) -> Option<usize> {
        if let Some(cell) = self.stones.completing(player).iter().next() {
            return Some(self.stones.number(cell));
        }
        let (starts, _) = bracketing(&self.stones, player);
        let wins = |&cell: &(usize, usize)| {
            let mut after = self.stones;
            after.put(player, cell);
            after.give(player, bracketed_by(&self.stones, player, cell));
            after.joins(player)
        };
        starts.iter().find(wins).map(|cell| self.stones.number(cell))
    }
}

impl<const SWAP: bool> Rules for TackRules<SWAP> {
    const INFO: GameInfo = info::info(SWAP);
    const SOLVER: Option<Solver> = Some(Solver::exhaustive_to::<Self, 3>(3..=4));

    fn new(size: usize) -> Self {
        Self { stones: Stones::new(size), to_move: Seat::First, turns: 0, outcome: None }
    }

    rules_by_fields!(to_move, turns, outcome, frame, piece, winning_chain);

    fn check(&self, action: Action) -> Result<(), InvalidMove> {
        let (index, cells) = (action.index(), self.stones.cells());
        if self.outcome.is_some() {
            return Err(InvalidMove::GameOver);
        }
        if action == self.swap_action() {
            return check_swap(Self::INFO.id, SWAP, self.swap_is_possible(), self.turns());
        }
        if index > cells {
            return Err(InvalidMove::NoSuchAction { index, actions: cells + 1 });
        }
        self.stones.check_empty(self.stones.at(index))
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        actions.clear();
        if self.outcome.is_some() {
            return;
        }
        self.stones.push_actions(0, self.stones.empty(), actions);
        if self.swap_is_possible() {
            actions.push(self.swap_action());
        }
    }

    fn random_action(&self, rng: &mut GameRng) -> Option<Action> {
        if self.outcome.is_some() {
            return None;
        }
        let cell = self.stones.draw(self.stones.empty(), usize::from(self.swap_is_possible()), rng);
        Some(cell.map_or(self.swap_action(), |cell| Action(cell as u16)))
    }

    fn play(&mut self, action: Action, changes: &mut impl ChangeLog) {
        debug_assert_eq!(self.check(action), Ok(()));
        if action == self.swap_action() {
            self.stones.swap(changes);
        } else {
            let cell = self.stones.at(action.index());
            let bracketed = bracketed_by(&self.stones, self.to_move, cell);
            self.stones.put(self.to_move, cell);
            changes.note(Change::Placed(action.0));
            if !bracketed.is_empty() {
                self.stones.give(self.to_move, bracketed);
                bracketed.iter().for_each(|cell| changes.note(Change::Recoloured(self.stones.number(cell) as u16)));
            }
            if self.stones.joins(self.to_move) {
                self.outcome = Some(Outcome::connection(self.to_move));
            }
        }
        self.turns += 1;
        self.to_move = self.to_move.opponent();
    }

    fn winning_action(&self) -> Option<Action> {
        if self.outcome.is_some() {
            return None;
        }
        self.winning_cell(self.to_move).map(|cell| Action(cell as u16))
    }

    fn hand_turn_to(&mut self, player: Seat) -> bool {
        self.to_move = player;
        true
    }

    fn path_costs(&self, player: Seat) -> Option<PathCosts> {
        // The side to move can save threatened stones, and capture those it threatens.
        let to_move = self.to_move == player;
        let (_, threatened) = bracketing(&self.stones, player.opponent());
        let (_, takeable) = bracketing(&self.stones, player);
        let own = |(row, column)| u8::from(!to_move && threatened.contains(row, column));
        let enemy =
            |(row, column): (usize, usize)| takeable.contains(row, column).then_some(if to_move { 1 } else { 3 });
        Some(self.stones.path_costs(player, own, enemy))
    }

    fn key(&self) -> Option<u128> {
        let swap = u128::from(self.swap_is_possible());
        self.stones.key().map(|stones| stones << 2 | swap << 1 | self.to_move.index() as u128)
    }

    /// Planes after the common ones: cells where the mover and where the enemy brackets; the enemy
    /// stones that the mover could capture now, and vice versa.
    ///
    /// Globals: swap possible, the reply may be a swap, size / 13.
    fn encode(&self, cells: &mut [f32], globals: &mut [f32]) {
        let mut planes = self.stones.planes::<INPUTS>(self.to_move);
        for (index, player) in [self.to_move, self.to_move.opponent()].into_iter().enumerate() {
            let (starts, taken) = bracketing(&self.stones, player);
            planes[stones::PLANES + index] = starts;
            planes[stones::PLANES + 2 + index] = taken;
        }
        self.stones.write(self.to_move, &planes, cells);
        globals.copy_from_slice(&[
            flag(self.swap_is_possible()),
            flag(SWAP && self.turns == 0 && self.to_move == Seat::First),
            self.stones.side() as f32 / MAX_SIZE as f32,
        ]);
    }

    fn frames(size: usize) -> Vec<Transform> {
        stones::frames(size, &Self::INFO.view)
    }

    fn symmetries(size: usize) -> Vec<Transform> {
        stones::symmetries(size, &Self::INFO.view)
    }
}
