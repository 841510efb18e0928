//! Spreads: their directions, where they land, what they gain, which one ends the game; the evaluation for alpha-beta.

use std::sync::LazyLock;

use crate::{Action, Rules, Seat};
use hexzero_board::{Board, DIRECTIONS, Shape};

use super::{InfexionRules, MAX_CELLS, SIDES};

/// The course's names of the directions, in the order of [`hexzero_board::STEPS`]. The course draws
/// row 0 at the bottom left.
pub(super) const DIRECTION_NAMES: [&str; DIRECTIONS] = ["Up", "UpRight", "DownRight", "Down", "DownLeft", "UpLeft"];

/// A spread lands on at most this many cells, so it cannot capture more stacks.
const MAX_REACH: usize = *SIDES.end() - 1;

/// A board, and where spreads land on it.
#[derive(Debug)]
pub(super) struct Torus {
    /// The cells in a row.
    pub side: usize,
    pub cells: usize,
    /// The greatest power of a stack.
    pub highest: u8,
    /// The cells in each direction from each cell, nearest first. The torus is wider than the longest spread, so no
    /// cell occurs twice among those that a spread reaches.
    rays: Vec<[[u8; MAX_REACH]; DIRECTIONS]>,
}

static TORI: LazyLock<Vec<Torus>> = LazyLock::new(|| SIDES.map(Torus::new).collect());

impl Torus {
    /// Returns the board of a size.
    pub fn of(side: usize) -> &'static Self {
        &TORI[side - SIDES.start()]
    }

    fn new(side: usize) -> Self {
        let neighbours = Board::of(&Shape::Torus { side }).topology().neighbours();
        let ray = |cell: usize, direction: usize| {
            let mut at = cell;
            std::array::from_fn(|_| {
                at = usize::from(neighbours[at][direction]);
                at as u8
            })
        };
        let cells = side * side;
        let rays = (0..cells).map(|cell| std::array::from_fn(|direction| ray(cell, direction))).collect();
        Self { side, cells, highest: side as u8 - 1, rays }
    }

    /// Returns the cells on which a stack of `power` at `cell` would land.
    pub fn landings(&self, cell: usize, direction: usize, power: u8) -> &[u8] {
        &self.rays[cell][direction][..power.into()]
    }
}

pub(super) fn direction_named(name: &str) -> Option<usize> {
    DIRECTION_NAMES.iter().position(|known| known.eq_ignore_ascii_case(name))
}

/// The gain in lead when tokens of a seat land on each cell.
pub(super) struct Landing {
    torus: &'static Torus,
    gains: [i8; MAX_CELLS],
}

impl Landing {
    /// Returns by how much a spread raises its player's lead in power.
    pub fn gain(&self, cell: usize, direction: usize, power: u8) -> i32 {
        let landings = self.torus.landings(cell, direction, power);
        let gains = landings.iter().map(|&at| i32::from(self.gains[usize::from(at)]));
        gains.sum::<i32>() - i32::from(power)
    }
}

impl<const SPEC: bool> InfexionRules<SPEC> {
    /// Returns, for each cell, what the landing of a token of `seat` adds to that seat's lead.
    pub(super) fn landing(&self, seat: Seat) -> Landing {
        let gain = |(owner, height)| {
            let (lost, kept) = (height as i8, height < self.torus.highest);
            match (owner == seat, kept) {
                (true, true) => 1,
                (true, false) => -lost,
                (false, true) => 2 * lost + 1,
                (false, false) => lost,
            }
        };
        Landing { torus: self.torus, gains: self.stacks.map(|stack| stack.map_or(1, gain)) }
    }

    /// Iterates over the cells and powers of the stacks of `seat`.
    pub(super) fn stacks_of(&self, seat: Seat) -> impl Iterator<Item = (usize, u8)> + '_ {
        let stacks = self.on_board().iter().enumerate();
        stacks.filter_map(move |(cell, stack)| stack.filter(|stack| stack.0 == seat).map(|(_, power)| (cell, power)))
    }

    /// Returns a spread that captures all the enemy's stacks and wins.
    pub(super) fn finishing_spread(&self) -> Option<Action> {
        let (mover, enemy) = (self.to_move, self.to_move.opponent());
        let stacks = self.stacks_of(enemy).take(MAX_REACH + 1).count();
        if self.outcome.is_some() || stacks == 0 || stacks > MAX_REACH {
            return None;
        }
        let is_enemy = |&&at: &&u8| self.stacks[usize::from(at)].is_some_and(|(owner, _)| owner == enemy);
        let takes_all = |&(cell, direction, power): &(usize, usize, u8)| {
            usize::from(power) >= stacks
                && self.torus.landings(cell, direction, power).iter().filter(is_enemy).count() == stacks
        };
        let spreads = self
            .stacks_of(mover)
            .flat_map(|(cell, power)| (0..DIRECTIONS).map(move |direction| (cell, direction, power)));
        let finishing = spreads.filter(takes_all).map(|(cell, direction, _)| self.action(1 + direction, cell));
        // Tokens that land on a full stack are lost, so too little power may be left to win.
        let wins = |&action: &Action| {
            let mut after = self.clone();
            after.play(action, &mut ());
            after.outcome.and_then(|outcome| outcome.winner) == Some(mover)
        };
        finishing.into_iter().find(wins)
    }
}

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
    /// Evaluates the position for the side to move: power, the best spreads of each side, and reach
    /// over empty cells. The weights were tuned by matches of `alphabeta:2` against a network with
    /// one visit a move.
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
                reached |= self.torus.landings(cell, direction, power).iter().fold(0, |cells, &at| cells | 1 << at);
            }
        }
        let empty = self.on_board().iter().enumerate().filter(|(_, stack)| stack.is_none());
        all.reached = empty.filter(|&(cell, _)| reached >> cell & 1 == 1).count() as i32;
        all
    }
}
