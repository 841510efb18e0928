//! Dozer Hex (Bill Taylor and João Neto, 2008): Hex in which a line of stones may push a shorter enemy line.
//!
//! Black moves first and connects row 1 to the last row, White column a to the last column. A turn
//! is a stone placed on an empty cell, or a push: a whole straight line of own stones moves along
//! itself by as many cells as it has more stones than the enemy line directly in front, and shoves
//! that line along. The push stops early at any other stone, or when the front of the own line is
//! at the edge. Enemy stones pushed over the edge are removed. White may *swap* instead of placing
//! a first stone.
//!
//! If both players are connected after a push, the player who pushed has won. The third occurrence
//! of a position with the same side to move is a draw, and so is the end of ply 4n².

mod info;
mod push;

use crate::shared::rhombus::{check_swap, stone_key};
use crate::shared::rhombus_sets as stones;
use crate::shared::rhombus_sets::{Cell, Play, Stones};
use crate::{
    Action, Change, ChangeLog, EndReason, GameInfo, GameRng, InvalidMove, Outcome, PathCosts, Pick, Rules, Seat,
    Solver, State, flag, rules_by_fields,
};
use hexzero_board::{Board, DIRECTIONS};

use push::{Push, pushable, pushes, reach, tails};

const MAX_SIZE: usize = 11;
const INPUTS: usize = stones::PLANES + 4;

/// A position was repeated too often.
const REPETITION: EndReason = EndReason(1);
/// The turn limit was reached.
const TURNS: EndReason = EndReason(2);
/// A position that occurs this many times, with the same side to move, is a draw.
const REPETITION_LIMIT: u8 = 3;
/// Added to the hash keys of positions with the second player to move.
const SECOND_TO_MOVE: u64 = 0x646f_7a65_722d_6b65;

/// A position of Dozer Hex with its history, with or without the swap.
#[derive(Debug)]
pub struct DozerRules<const SWAP: bool> {
    stones: Stones,
    to_move: Seat,
    turns: u16,
    outcome: Option<Outcome>,
    any_push: bool,
    occurrences: u8,
    /// The highest number of occurrences of a position so far.
    most_occurrences: u8,
    /// The hash key of the present stones.
    key: u64,
    /// The hash keys of all positions so far, including the side to move; the present one is the
    /// last.
    history: Vec<u64>,
}

/// Dozer Hex as it is usually played: with the swap.
pub type Dozer = DozerRules<true>;
/// Dozer Hex without the swap. Networks of [`Dozer`] play it.
pub type DozerWithoutSwap = DozerRules<false>;

impl<const SWAP: bool> Clone for DozerRules<SWAP> {
    fn clone(&self) -> Self {
        Self { history: self.history.clone(), ..*self }
    }

    /// Reuses the memory of the history, since a search copies positions again and again.
    fn clone_from(&mut self, other: &Self) {
        let mut history = std::mem::take(&mut self.history);
        history.clone_from(&other.history);
        *self = Self { history, ..*other };
    }
}

impl<const SWAP: bool> DozerRules<SWAP> {
    /// Returns the swap, if it is possible now.
    fn swap(&self) -> Option<Action> {
        let now = SWAP && self.turns == 1 && self.to_move == Seat::Second && self.stones.only_the_first_stone();
        now.then(|| self.stones.swap_action::<Self>())
    }

    /// Returns the cell behind the last stone of a line if it holds another stone of the side to
    /// move.
    fn behind(&self, tail: Cell, direction: usize) -> Option<Cell> {
        let opposite = (direction + DIRECTIONS / 2) % DIRECTIONS;
        self.stones.next(tail, opposite).filter(|&cell| self.stones.has(self.to_move, cell))
    }

    /// Returns the push of a line of the side to move that ends on `tail`, if there is one.
    fn push(&self, tail: Cell, direction: usize) -> Option<Push> {
        let whole = self.behind(tail, direction).is_none();
        whole.then(|| Push::of(&self.stones, self.to_move, tail, direction)).flatten()
    }

    fn why_no_push(&self, tail: Cell, direction: usize) -> InvalidMove {
        let name = self.stones.name(tail);
        let (own, front) = self.stones.run(self.to_move, tail, direction);
        let enemies = front.map_or(0, |front| self.stones.run(self.to_move.opponent(), front, direction).0);
        let reason = if own == 0 {
            format!("{name} holds no stone of yours to push with")
        } else if let Some(behind) = self.behind(tail, direction) {
            format!(
                "only whole lines push, and this one begins further back, at {} or before",
                self.stones.name(behind)
            )
        } else if own <= enemies {
            format!("the line from {name} has no more stones ({own}) than the enemy line in front of it ({enemies})")
        } else {
            format!("the line from {name} has no room in this direction")
        };
        InvalidMove::refused(reason)
    }

    /// Returns the hash key of the stones and the side to move.
    fn situation(&self) -> u64 {
        match self.to_move {
            Seat::First => self.key,
            Seat::Second => self.key ^ SECOND_TO_MOVE,
        }
    }

    /// Updates the hash key after a change of the stones.
    fn update_key(&mut self, before: &Stones) {
        for player in Seat::BOTH {
            let (old, new) = (before.of(player), self.stones.of(player));
            for (row, column) in (old & !new | new & !old).iter() {
                self.key ^= stone_key(player, row, column);
            }
        }
    }

    fn count_occurrences(&self) -> u8 {
        // Without a push every ply makes a new position.
        if !self.any_push {
            return 1;
        }
        self.history.iter().filter(|&key| Some(key) == self.history.last()).count() as u8
    }

    fn outcome_after(&self, mover: Seat, pushed: bool) -> Option<Outcome> {
        // The player who has just moved comes first; only a push can connect the other.
        let winner = [mover, mover.opponent()].into_iter().take(1 + usize::from(pushed));
        let winner = winner.into_iter().find(|&player| self.stones.joins(player));
        let reason = match winner {
            Some(_) => EndReason::CONNECTION,
            None if self.occurrences >= REPETITION_LIMIT => REPETITION,
            None if self.turns() >= Self::turn_limit(self.stones.side()) => TURNS,
            None => return None,
        };
        Some(Outcome { winner, reason })
    }
}

impl<const SWAP: bool> Rules for DozerRules<SWAP> {
    const INFO: GameInfo = if SWAP { info::WITH_SWAP } else { info::WITHOUT_SWAP.without_swap() };
    const SOLVER: Option<Solver> = Some(Solver::exhaustive::<Self>(3..=3));

    fn new(size: usize) -> Self {
        Self {
            stones: Stones::new(size),
            to_move: Seat::First,
            turns: 0,
            outcome: None,
            any_push: false,
            occurrences: 1,
            most_occurrences: 1,
            key: 0,
            history: vec![0],
        }
    }

    rules_by_fields!(to_move, turns, outcome, frame, piece, winning_chain, action_name, symmetries);

    fn turn_limit(size: usize) -> usize {
        4 * size * size
    }

    fn check(&self, action: Action) -> Result<(), InvalidMove> {
        match self.stones.read::<Self>(action) {
            Some(Play::Swap) => check_swap(Self::INFO.id, SWAP, self.swap().is_some(), self.turns()),
            Some(Play::Place(cell)) => self.stones.check_empty(cell),
            Some(Play::Move(tail, direction, _)) => match self.push(tail, direction) {
                Some(_) => Ok(()),
                None => Err(self.why_no_push(tail, direction)),
            },
            Some(Play::Stay) | None => Err(self.stones.no_such_action::<Self>(action)),
        }
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        self.stones.push_actions(0, self.stones.empty(), actions);
        self.stones.push_moves(&pushable(&self.stones, self.to_move), actions);
        actions.extend(self.swap());
    }

    fn random_action(&self, rng: &mut GameRng) -> Option<Action> {
        let (empty, swap) = (self.stones.empty(), self.swap());
        let others = empty.count() + usize::from(swap.is_some());
        let push = self.stones.draw_move(&pushable(&self.stones, self.to_move), others, rng);
        push.or_else(|| self.stones.draw(empty, swap, rng))
    }

    fn play(&mut self, action: Action, changes: &mut impl ChangeLog) {
        let (mover, before) = (self.to_move, self.stones);
        let mut pushed = false;
        match self.stones.read::<Self>(action) {
            Some(Play::Place(cell)) => {
                self.stones.put(mover, cell);
                self.key ^= stone_key(mover, cell.0, cell.1);
                changes.note(Change::Placed(action.0));
            }
            Some(Play::Move(tail, direction, _)) => {
                if let Some(push) = Push::of(&before, mover, tail, direction) {
                    push.make(&mut self.stones, changes);
                }
                self.update_key(&before);
                (pushed, self.any_push) = (true, true);
            }
            Some(Play::Swap | Play::Stay) | None => {
                self.stones.swap(changes);
                self.update_key(&before);
            }
        }
        self.turns += 1;
        self.to_move = mover.opponent();
        self.history.push(self.situation());
        self.occurrences = self.count_occurrences();
        self.most_occurrences = self.most_occurrences.max(self.occurrences);
        self.outcome = self.outcome_after(mover, pushed);
    }

    fn winning_action(&self) -> Option<Action> {
        if self.stones.of(self.to_move).count() + 1 < self.stones.side() {
            return None;
        }
        if let Some(cell) = self.stones.completing(self.to_move).iter().next() {
            return Some(Action(self.stones.number(cell) as u16));
        }
        let wins = |push: &Push| {
            let mut after = self.stones;
            push.make(&mut after, &mut ());
            after.joins(self.to_move)
        };
        let lines = tails(&self.stones, self.to_move);
        let push = pushes(&self.stones, self.to_move, &lines).find(wins);
        push.map(|push| self.stones.action(push.tail, push.direction, 1))
    }

    fn hand_turn_to(&mut self, player: Seat) -> bool {
        self.to_move = player;
        let now = self.situation();
        if let Some(last) = self.history.last_mut() {
            *last = now;
        }
        true
    }

    fn parse_action(&self, board: &Board, text: &str) -> Result<Action, InvalidMove> {
        self.stones.parse_action::<Self>(board, text, |distance| match distance {
            Some(_) => Err(format!("a push goes as far as it can: write '{text}' without a distance")),
            None => Ok(1),
        })
    }

    /// A push is entered as the place of its last stone and the place where that stone ends up.
    fn picks(&self, _board: &Board, action: Action) -> Vec<Pick> {
        let place = |cell: Cell| Pick::Place(self.stones.number(cell) as u16);
        match self.stones.read::<Self>(action) {
            Some(Play::Move(tail, direction, _)) => match self.push(tail, direction) {
                Some(push) => vec![place(tail), place(push.target(&self.stones))],
                None => vec![place(tail), Pick::Direction(direction as u8)],
            },
            _ => self.stones.picks::<Self>(action),
        }
    }

    fn path_costs(&self, player: Seat) -> Option<PathCosts> {
        Some(self.stones.path_costs(player, self.to_move, |seat| reach(&self.stones, seat).1, [3, 4]))
    }

    fn state(&self) -> Option<State> {
        self.stones.state(self.to_move, &[self.swap().is_some()])
    }

    fn forget_history(&mut self) {
        self.history.clear();
        self.history.push(self.situation());
        (self.occurrences, self.most_occurrences) = (1, 1);
        // Only the first plies differ from later ones, because of the swap.
        self.turns = self.turns.min(2);
    }

    fn history_counts(&self) -> bool {
        self.most_occurrences + 1 >= REPETITION_LIMIT
    }

    fn repeats_within(&self, plies: usize) -> bool {
        let now = self.situation();
        self.history.iter().rev().skip(1).take(plies).any(|&earlier| earlier == now)
    }

    /// Planes after the common ones: the last stones of lines that the mover and that the enemy
    /// could push; the enemy stones that the mover could push off the board, and vice versa.
    ///
    /// Globals: swap possible, the reply may be a swap, turn / 4n², occurrences / 3, size / 11.
    fn encode(&self, cells: &mut [f32], globals: &mut [f32]) {
        let (mover, enemy) = (self.to_move, self.to_move.opponent());
        let (own_lines, own_falling) = reach(&self.stones, mover);
        let (enemy_lines, enemy_falling) = reach(&self.stones, enemy);
        let planes = [own_lines, enemy_lines, own_falling, enemy_falling];
        self.stones.encode::<INPUTS>(mover, &planes, cells);
        globals.copy_from_slice(&[
            flag(self.swap().is_some()),
            flag(SWAP && self.turns == 0 && mover == Seat::First),
            self.turns() as f32 / Self::turn_limit(self.stones.side()) as f32,
            f32::from(self.occurrences) / f32::from(REPETITION_LIMIT),
            self.stones.side() as f32 / MAX_SIZE as f32,
        ]);
    }
}
