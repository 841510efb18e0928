//! Tack (Michael Howe, 1995): Hex in which a stone that brackets two or three enemy stones in a
//! line captures them.
//!
//! Black moves first and connects row 1 to the last row, White column a to the last column. If the
//! stone just placed and another own stone enclose an unbroken straight line of exactly two or
//! three enemy stones, these change hands, in all six directions at once. Stones that changed hands
//! do not bracket others, and a stone placed inside a bracket is safe.

mod brackets;

use crate::shared::rhombus::check_swap;
use crate::shared::rhombus_sets as stones;
use crate::shared::rhombus_sets::{Cell, Play, Stones};
use crate::shared::words::{BLACK, GOAL, SEATS, SWAP, SWAPPING, WHITE, input_names};
use crate::{
    Action, Boards, Change, ChangeLog, Count, Counted, Ending, GameInfo, GameRng, InvalidMove, LessonPart, Outcome,
    PathCosts, Picture, Rules, Seat, Solver, State, flag, rules_by_fields,
};

use brackets::{bracketed_by, bracketing};

const MAX_SIZE: usize = 13;
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
    /// Returns the swap, if it is possible now.
    fn swap(&self) -> Option<Action> {
        let now = SWAP && self.turns == 1 && self.to_move == Seat::Second && self.stones.only_the_first_stone();
        now.then(|| self.stones.swap_action::<Self>())
    }
}

impl<const SWAP: bool> Rules for TackRules<SWAP> {
    const INFO: GameInfo = if SWAP { WITH_SWAP } else { WITHOUT_SWAP.without_swap() };
    const SOLVER: Option<Solver> = Some(Solver::exhaustive_to::<Self, 3>(3..=4));

    fn new(size: usize) -> Self {
        Self { stones: Stones::new(size), to_move: Seat::First, turns: 0, outcome: None }
    }

    rules_by_fields!(to_move, hand_turn_to, turns, outcome, frame, piece, winning_chain, symmetries);

    fn check(&self, action: Action) -> Result<(), InvalidMove> {
        match self.stones.read::<Self>(action) {
            Some(Play::Place(cell)) => self.stones.check_empty(cell),
            Some(Play::Swap) => check_swap(Self::INFO.id, SWAP, self.swap().is_some(), self.turns()),
            _ => Err(self.stones.no_such_action::<Self>(action)),
        }
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        self.stones.push_actions(0, self.stones.empty(), actions);
        actions.extend(self.swap());
    }

    fn random_action(&self, rng: &mut GameRng) -> Option<Action> {
        self.stones.draw(self.stones.empty(), self.swap(), rng)
    }

    fn play(&mut self, action: Action, changes: &mut impl ChangeLog) {
        if let Some(Play::Place(cell)) = self.stones.read::<Self>(action) {
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
        } else {
            self.stones.swap(changes);
        }
        self.turns += 1;
        self.to_move = self.to_move.opponent();
    }

    fn winning_action(&self) -> Option<Action> {
        let wins = |&cell: &Cell| {
            let mut after = self.stones;
            after.put(self.to_move, cell);
            after.give(self.to_move, bracketed_by(&self.stones, self.to_move, cell));
            after.joins(self.to_move)
        };
        // A stone wins by itself, or through the stones that it brackets.
        let alone = self.stones.completing(self.to_move).iter().next();
        let cell = alone.or_else(|| bracketing(&self.stones, self.to_move).0.iter().find(wins))?;
        Some(Action(self.stones.number(cell) as u16))
    }

    fn path_costs(&self, player: Seat) -> Option<PathCosts> {
        // The side to move can save threatened stones, and capture those it threatens.
        Some(self.stones.path_costs(player, self.to_move, |seat| bracketing(&self.stones, seat).1, [1, 3]))
    }

    fn state(&self) -> Option<State> {
        self.stones.state(self.to_move, &[self.swap().is_some()])
    }

    /// Planes after the common ones: cells where the mover and where the enemy brackets; the enemy
    /// stones that the mover could capture now, and vice versa.
    ///
    /// Globals: swap possible, the reply may be a swap, size / 13.
    fn encode(&self, cells: &mut [f32], globals: &mut [f32]) {
        let (own_starts, own_takes) = bracketing(&self.stones, self.to_move);
        let (enemy_starts, enemy_takes) = bracketing(&self.stones, self.to_move.opponent());
        let planes = [own_starts, enemy_starts, own_takes, enemy_takes];
        self.stones.encode::<INPUTS>(self.to_move, &planes, cells);
        globals.copy_from_slice(&[
            flag(self.swap().is_some()),
            flag(SWAP && self.turns == 0 && self.to_move == Seat::First),
            self.stones.side() as f32 / MAX_SIZE as f32,
        ]);
    }
}

const NAMES: [&str; INPUTS] = input_names(["own_brackets", "enemy_brackets", "own_takes", "enemy_takes"]);

const BRACKETS: LessonPart = LessonPart {
    title: "Bracket two or three",
    text: "Enclose a straight line of exactly two or three enemy stones between the stone that you place and another \
           of yours: they become yours. This works in several directions at once.",
    pictures: &[
        Picture {
            pieces: &[("a3", BLACK), ("b3 c3", WHITE)],
            marked: "d3",
            label: "Two white stones in a row, a black one on their left",
            caption: "Black places d3 …",
            ..Picture::empty(5)
        },
        Picture {
            pieces: &[("a3 b3 c3 d3", BLACK)],
            marked: "b3 c3",
            label: "Four black stones in a row",
            caption: "… and takes b3 and c3 over",
            ..Picture::empty(5)
        },
    ],
};

const SAFE: LessonPart = LessonPart {
    title: "What is safe",
    text: "A single stone, or a line of four and more, cannot be bracketed. A stone placed between two enemy stones is \
           safe too: only the stone just placed brackets, and what it has taken brackets nothing.",
    pictures: &[Picture {
        pieces: &[("a2 c2 a4 e1", BLACK), ("b2 b4 c4", WHITE)],
        marked: "b2 d4",
        label: "A single white stone between two black ones, and a white pair beside a black stone",
        caption: "b2 is safe; b4 and c4 are not: d4 takes them",
        ..Picture::empty(5)
    }],
};

const WITHOUT_SWAP: GameInfo = GameInfo::new(
    "tack",
    "Tack",
    "connect your two sides; bracket two or three enemy stones to take them over",
    Boards::sides(3..=MAX_SIZE, 8),
    SEATS,
)
.actions(&[SWAP])
.endings(&[Ending::CONNECTION])
.counts(&[Count { key: "captures", title: "stones taken over", what: Counted::Recoloured }])
.inputs(&NAMES, &["swap_possible", "reply_may_swap", "size/13"])
.usual_plies(|cells| 2 * cells / 3)
.weak_levels([2.56, 1.76, 1.26])
.lesson(&[GOAL, BRACKETS, SAFE]);

const WITH_SWAP: GameInfo = WITHOUT_SWAP
    .variant("tack-swap", "Tack with the swap", "Tack in which the second player may take over the first stone")
    .lesson(&[GOAL, BRACKETS, SAFE, SWAPPING]);
