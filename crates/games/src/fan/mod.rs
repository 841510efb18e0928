//! Fan (Michael Howe, 1995): Hex in which a turn may end with a capturing step of another stone.
//!
//! Black moves first and connects row 1 to the last row, White column a to the last column. A turn
//! consists of two plies: a stone is placed, and then, if one is possible, a different own stone
//! may make a capturing step. The stone moves to an adjacent empty cell and captures the enemy
//! stone directly ahead of its new cell (by approach) and the one directly behind its old cell (by
//! withdrawal). Captured stones change hands. Without a capture there is no step.

mod info;
mod steps;

use crate::shared::rhombus::check_swap;
use crate::shared::rhombus_sets as stones;
use crate::shared::rhombus_sets::{Cell, Play, Stones};
use crate::{
    Action, Change, ChangeLog, GameInfo, GameRng, InvalidMove, Outcome, PathCosts, Rules, Seat, Solver, State, flag,
    rules_by_fields,
};
use hexzero_board::{Board, DIRECTIONS, RhombusSet};

use steps::{captured_by, capturing, reach};

const MAX_SIZE: usize = 11;
const INPUTS: usize = stones::PLANES + 5;

/// A position of Fan, with or without the swap.
#[derive(Debug, Clone, Copy)]
pub struct FanRules<const SWAP: bool> {
    stones: Stones,
    to_move: Seat,
    turns: u16,
    outcome: Option<Outcome>,
    /// The stone placed this turn, if a step may follow. That stone may not step itself.
    placed: Option<(u8, u8)>,
}

/// Fan as published: without the swap.
pub type Fan = FanRules<false>;
/// Fan in which White may take over the first stone.
pub type FanWithSwap = FanRules<true>;

impl<const SWAP: bool> FanRules<SWAP> {
    /// Returns the swap, if it is possible now.
    fn swap(&self) -> Option<Action> {
        let now = SWAP && self.turns == 1 && self.to_move == Seat::Second && self.stones.only_the_first_stone();
        now.then(|| self.stones.swap_action::<Self>())
    }

    /// Returns the stone placed this turn, if a step may follow.
    fn just_placed(&self) -> RhombusSet {
        let mut set = RhombusSet::EMPTY;
        if let Some((row, column)) = self.placed {
            set.insert(row.into(), column.into());
        }
        set
    }

    /// Returns the steps of the side to move, by direction; none before the placement.
    fn steps(&self) -> [RhombusSet; DIRECTIONS] {
        match self.placed {
            Some(_) => capturing(&self.stones, self.to_move, self.just_placed()),
            None => [RhombusSet::EMPTY; DIRECTIONS],
        }
    }

    fn step(&mut self, from: Cell, direction: usize, changes: &mut impl ChangeLog) {
        let to = self.stones.away(from, direction, 1);
        let captured = captured_by(&self.stones, self.to_move, from, direction);
        self.stones.take(self.to_move, from);
        self.stones.put(self.to_move, to);
        let [from, to] = [from, to].map(|cell| self.stones.number(cell) as u16);
        changes.note(Change::Moved(from, to));
        for cell in captured.into_iter().flatten() {
            self.stones.take(self.to_move.opponent(), cell);
            self.stones.put(self.to_move, cell);
            changes.note(Change::Recoloured(self.stones.number(cell) as u16));
        }
    }

    fn check_step(&self, from: Cell, direction: usize) -> Result<(), InvalidMove> {
        let name = |cell: Cell| self.stones.name(cell);
        let refused = |reason: String| Err(InvalidMove::refused(reason));
        if self.placed.is_none() {
            return refused("place a stone first; a step may follow".to_owned());
        }
        if !self.stones.has(self.to_move, from) {
            return refused(format!("{} holds no stone of yours to move", name(from)));
        }
        if self.just_placed().contains(from.0, from.1) {
            return refused(format!("{} has just been placed; only another stone may step", name(from)));
        }
        match self.stones.next(from, direction) {
            Some(to) if self.stones.owner(to).is_some() => Err(InvalidMove::Occupied { cell: name(to) }),
            Some(_) if captured_by(&self.stones, self.to_move, from, direction) != [None; 2] => Ok(()),
            Some(to) => refused(format!("a step from {} to {} captures nothing", name(from), name(to))),
            None => refused(format!("a step from {} in this direction leads off the board", name(from))),
        }
    }
}

impl<const SWAP: bool> Rules for FanRules<SWAP> {
    const INFO: GameInfo = if SWAP { info::WITH_SWAP } else { info::WITHOUT_SWAP.without_swap() };
    const SOLVER: Option<Solver> = Some(Solver::exhaustive::<Self>(3..=3));

    fn new(size: usize) -> Self {
        Self { stones: Stones::new(size), to_move: Seat::First, turns: 0, outcome: None, placed: None }
    }

    rules_by_fields!(to_move, turns, outcome, frame, piece, winning_chain, action_name, picks, symmetries);

    /// Each turn adds a stone and has at most two plies.
    fn turn_limit(size: usize) -> usize {
        2 * size * size + usize::from(SWAP)
    }

    fn check(&self, action: Action) -> Result<(), InvalidMove> {
        let refused = |reason: &str| Err(InvalidMove::refused(reason));
        match self.stones.read::<Self>(action) {
            None => Err(self.stones.no_such_action::<Self>(action)),
            Some(Play::Swap) => check_swap(Self::INFO.id, SWAP, self.swap().is_some(), self.turns()),
            Some(Play::Stay) if self.placed.is_none() => refused("place a stone; no step is to be made now"),
            Some(Play::Stay) => Ok(()),
            Some(Play::Place(_)) if self.placed.is_some() => {
                refused("a stone has been placed; capture with a step of another stone, or move nothing ('-')")
            }
            Some(Play::Place(cell)) => self.stones.check_empty(cell),
            Some(Play::Move(from, direction, _)) => self.check_step(from, direction),
        }
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        if self.placed.is_none() {
            self.stones.push_actions(0, self.stones.empty(), actions);
            actions.extend(self.swap());
            return;
        }
        self.stones.push_moves(&self.steps(), actions);
        actions.push(self.stones.first_global::<Self>());
    }

    fn random_action(&self, rng: &mut GameRng) -> Option<Action> {
        if self.placed.is_none() {
            return self.stones.draw(self.stones.empty(), self.swap(), rng);
        }
        let step = self.stones.draw_move(&self.steps(), 1, rng);
        Some(step.unwrap_or_else(|| self.stones.first_global::<Self>()))
    }

    fn play(&mut self, action: Action, changes: &mut impl ChangeLog) {
        let mover = self.to_move;
        self.placed = None;
        match self.stones.read::<Self>(action) {
            Some(Play::Place(cell)) => {
                self.stones.put(mover, cell);
                self.placed = Some((cell.0 as u8, cell.1 as u8));
                changes.note(Change::Placed(action.0));
            }
            Some(Play::Move(from, direction, _)) => self.step(from, direction, changes),
            Some(Play::Swap) => self.stones.swap(changes),
            Some(Play::Stay) | None => (),
        }
        self.turns += 1;
        if self.stones.joins(mover) {
            self.outcome = Some(Outcome::connection(mover));
        }
        if self.outcome.is_some() || self.steps().iter().all(RhombusSet::is_empty) {
            self.placed = None;
        }
        if self.placed.is_none() {
            self.to_move = mover.opponent();
        }
    }

    fn winning_action(&self) -> Option<Action> {
        if self.placed.is_none() {
            let cell = self.stones.completing(self.to_move).iter().next()?;
            return Some(Action(self.stones.number(cell) as u16));
        }
        let steps = self.steps();
        let steps = steps.iter().enumerate();
        steps.flat_map(|(direction, from)| from.iter().map(move |cell| (cell, direction))).find_map(
            |(cell, direction)| {
                let mut after = *self;
                after.step(cell, direction, &mut ());
                after.stones.joins(self.to_move).then(|| self.stones.action(cell, direction, 1))
            },
        )
    }

    fn hand_turn_to(&mut self, player: Seat) -> bool {
        // The turn is not over between the placement and the step.
        let may = self.placed.is_none() || player == self.to_move;
        if may {
            self.to_move = player;
        }
        may
    }

    fn parse_action(&self, board: &Board, text: &str) -> Result<Action, InvalidMove> {
        self.stones.parse_action::<Self>(board, text, |distance| match distance {
            Some(_) => Err(format!("a step leads to the next cell: '{text}' has no distance")),
            None => Ok(1),
        })
    }

    fn path_costs(&self, player: Seat) -> Option<PathCosts> {
        let but = if self.to_move == player { self.just_placed() } else { RhombusSet::EMPTY };
        Some(self.stones.path_costs(player, self.to_move, |seat| reach(&self.stones, seat, but).1, [2, 3]))
    }

    fn state(&self) -> Option<State> {
        let placed = self.placed.map(|(row, column)| self.stones.number((row.into(), column.into())));
        let state = self.stones.state(self.to_move, &[self.swap().is_some()]);
        state.map(|state| state.with_marked(placed))
    }

    /// Planes after the common ones: the stone placed this turn, if a step may follow; the stones
    /// that the mover and that the enemy could step with; the enemy stones that the mover could
    /// capture by a step, and vice versa.
    ///
    /// Globals: a step may follow, swap possible, the reply may be a swap, size / 11.
    fn encode(&self, cells: &mut [f32], globals: &mut [f32]) {
        let (mover, enemy) = (self.to_move, self.to_move.opponent());
        let (own_steps, own_captures) = reach(&self.stones, mover, self.just_placed());
        let (enemy_steps, enemy_captures) = reach(&self.stones, enemy, RhombusSet::EMPTY);
        let planes = [self.just_placed(), own_steps, enemy_steps, own_captures, enemy_captures];
        self.stones.encode::<INPUTS>(mover, &planes, cells);
        globals.copy_from_slice(&[
            flag(self.placed.is_some()),
            flag(self.swap().is_some()),
            flag(SWAP && self.turns == 0 && mover == Seat::First),
            self.stones.side() as f32 / MAX_SIZE as f32,
        ]);
    }
}
