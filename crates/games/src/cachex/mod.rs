//! Cachex: Hex in which closing a diamond captures. Rules of the COMP30024 project of 2022, with
//! the official referee's reading where the text leaves a choice.
//!
//! Red joins row 1 to row n, Blue column a to the last column. Red moves first and may not take the
//! centre of an odd board; Blue may *swap* (steal) instead of placing a first stone. A stone that
//! completes a 2×2 diamond whose opposite corners have the same colour takes the two enemy stones.
//! A position (stones alone) that occurs for the seventh time is a draw, and so is turn 343.

mod diamonds;
mod info;
pub mod solver;

use hexzero_board::RhombusSet;

use diamonds::{capturable, captured_by, capturing};
use info::INFO;

use super::shared::rhombus::{check_swap, half_turns, stone_key};
use super::shared::rhombus_sets::{Cell, Play, Stones};
use crate::{
    Action, Change, ChangeLog, EndReason, GameInfo, GameRng, InvalidMove, Outcome, PathCosts, Rules, Seat, Solver,
    State, Transform, rules_by_fields,
};

/// A position was repeated too often.
pub(super) const REPETITION: EndReason = EndReason(1);
/// The turn limit was reached.
pub(super) const TURNS: EndReason = EndReason(2);

/// The game is drawn after this many turns.
pub const TURN_LIMIT: usize = 343;
/// A position that occurs this many times is a draw.
pub const REPETITION_LIMIT: u8 = 7;

/// Why the first move may not take the centre of an odd board.
const FORBIDDEN_CENTRE: &str = "is the centre, which the first move may not take; choose any other cell";

/// A position of Cachex with its history.
#[derive(Debug)]
pub struct Cachex {
    to_move: Seat,
    stones: Stones,
    /// Each player's stones that are connected to each of the player's sides.
    joined: [[RhombusSet; 2]; 2],
    /// The stones captured in the last turn.
    captured: RhombusSet,
    any_capture: bool,
    occurrences: u8,
    /// The highest number of occurrences of a position so far.
    most_occurrences: u8,
    outcome: Option<Outcome>,
    /// The hash key of the present stones.
    key: u64,
    /// The hash keys of all positions so far, from the first one (the empty board, unless the
    /// position was set up) to the present one.
    history: Vec<u64>,
    /// The turns before the history begins: 0, unless the position was set up.
    earlier_turns: u16,
}

impl Clone for Cachex {
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

impl Cachex {
    /// Returns the swap, if it is possible now: only Red's first stone is on the board.
    #[inline]
    fn swap(&self) -> Option<Action> {
        (self.turns() == 1 && self.stones.only_the_first_stone()).then(|| self.stones.swap_action::<Self>())
    }

    #[inline]
    fn centre(&self) -> Option<usize> {
        (self.stones.side() % 2 == 1).then_some(self.stones.cells() / 2)
    }

    /// Returns the cells where the side to move may place a stone.
    #[inline]
    fn placements(&self) -> RhombusSet {
        let mut cells = self.stones.empty();
        if let (0, Some(centre)) = (self.turns(), self.centre()) {
            cells.remove(centre / self.stones.side(), centre % self.stones.side());
        }
        cells
    }

    /// Returns the empty cells that complete a chain of the player. A capture removes no own
    /// stones, so no other cells need to be checked.
    fn completing(&self, player: Seat) -> RhombusSet {
        let ([a, b], joined) = (self.stones.edges(player), &self.joined[player.index()]);
        (joined[0].neighbours() | a) & (joined[1].neighbours() | b) & self.stones.empty()
    }

    /// Returns the empty cells where a stone of the player would capture.
    fn capturing(&self, player: Seat) -> RhombusSet {
        capturing(&self.stones.of(player), &self.stones.of(player.opponent()), self.stones.empty())
    }

    /// Returns the stones that `attacker` could capture with one placement.
    pub fn capturable(&self, attacker: Seat) -> RhombusSet {
        capturable(&self.stones.of(attacker), &self.stones.of(attacker.opponent()), self.stones.empty())
    }

    /// Places the mover's stone, removes what it captures, and returns whether it won.
    fn place(&mut self, cell: Cell, changes: &mut impl ChangeLog) -> bool {
        let (mover, enemy, (row, column)) = (self.to_move, self.to_move.opponent(), cell);
        self.stones.put(mover, cell);
        self.key ^= stone_key(mover, row, column);
        changes.note(Change::Placed(self.stones.number(cell) as u16));

        self.captured = captured_by(&self.stones.of(mover), &self.stones.of(enemy), row, column);
        if !self.captured.is_empty() {
            self.any_capture = true;
            for (row, column) in self.captured.iter() {
                self.key ^= stone_key(enemy, row, column);
                self.stones.take(enemy, (row, column));
                changes.note(Change::Removed(self.stones.number((row, column)) as u16));
            }
            self.joined[enemy.index()] = self.stones.joined(enemy);
        }
        self.join(mover, row, column)
    }

    /// Updates the connected stones after a placement, and returns whether the stone connects both
    /// sides.
    fn join(&mut self, player: Seat, row: usize, column: usize) -> bool {
        let (last, own) = (self.stones.side() - 1, self.stones.of(player));
        let along = match player {
            Seat::First => row,
            Seat::Second => column,
        };
        let mut joins_both = true;
        for (joined, edge) in self.joined[player.index()].iter_mut().zip([0, last]) {
            if along == edge || joined.touches(row, column) {
                let mut stone = RhombusSet::EMPTY;
                stone.insert(row, column);
                // The stones connected before are adjacent to the new ones through this stone only.
                *joined |= stone.flood(own & !*joined);
            } else {
                joins_both = false;
            }
        }
        joins_both
    }

    /// Computes the hash key of the stones from scratch.
    fn position_key(&self) -> u64 {
        let keys =
            |player| self.stones.of(player).iter().fold(0, |all, (row, column)| all ^ stone_key(player, row, column));
        keys(Seat::First) ^ keys(Seat::Second)
    }

    fn count_occurrences(&self) -> u8 {
        // Without a capture every position is new: a placement adds a stone, and a swap changes the
        // colour of the only one.
        if !self.any_capture {
            return 1;
        }
        self.history.iter().filter(|&&key| key == self.key).count() as u8
    }
}

impl Rules for Cachex {
    const INFO: GameInfo = INFO;
    const SOLVER: Option<Solver> = Some(solver::SOLVER);

    fn new(size: usize) -> Self {
        Self {
            to_move: Seat::First,
            stones: Stones::new(size),
            joined: [[RhombusSet::EMPTY; 2]; 2],
            captured: RhombusSet::EMPTY,
            any_capture: false,
            occurrences: 1,
            most_occurrences: 1,
            outcome: None,
            key: 0,
            history: vec![0],
            earlier_turns: 0,
        }
    }

    /// The position counts as occurring for the first time, and its turn is the earliest that the number of stones and
    /// the side to move allow. After a single stone the second player may swap.
    fn arranged(size: usize, stones: &[Option<Seat>], to_move: Seat) -> Option<Self> {
        let mut game = Self::new(size);
        for (cell, player) in stones.iter().enumerate() {
            if let Some(player) = *player {
                game.stones.put(player, game.stones.at(cell));
            }
        }
        let count = Seat::BOTH.map(|player| game.stones.of(player).count()).iter().sum::<usize>();
        game.earlier_turns = (count + (count % 2 + to_move.index()) % 2) as u16;
        game.to_move = to_move;
        game.key = game.position_key();
        game.history[0] = game.key;
        game.joined = Seat::BOTH.map(|player| game.stones.joined(player));
        // Captures may have happened, so a later position may equal this one.
        game.any_capture = true;
        let winner = Seat::BOTH.into_iter().find(|&player| {
            let [from_one, from_other] = game.joined[player.index()];
            !(from_one & from_other).is_empty()
        });
        game.outcome = winner.map(Outcome::connection);
        Some(game)
    }

    rules_by_fields!(to_move, outcome, frame, piece, frames);

    #[inline]
    fn turns(&self) -> usize {
        self.earlier_turns as usize + self.history.len() - 1
    }

    fn turn_limit(_size: usize) -> usize {
        TURN_LIMIT
    }

    fn check(&self, action: Action) -> Result<(), InvalidMove> {
        match self.stones.read::<Self>(action) {
            Some(Play::Swap) => check_swap(INFO.id, true, self.swap().is_some(), self.turns()),
            Some(Play::Place(cell)) if self.turns() == 0 && self.centre() == Some(action.index()) => {
                Err(InvalidMove::refused(format!("{} {FORBIDDEN_CENTRE}", self.stones.name(cell))))
            }
            Some(Play::Place(cell)) => self.stones.check_empty(cell),
            _ => Err(self.stones.no_such_action::<Self>(action)),
        }
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        self.stones.push_actions(0, self.placements(), actions);
        actions.extend(self.swap());
    }

    fn random_action(&self, rng: &mut GameRng) -> Option<Action> {
        self.stones.draw(self.placements(), self.swap(), rng)
    }

    fn play(&mut self, action: Action, changes: &mut impl ChangeLog) {
        let won = if action == self.stones.swap_action::<Self>() {
            self.stones.swap(changes);
            self.joined = Seat::BOTH.map(|player| self.stones.joined(player));
            self.key = self.position_key();
            false
        } else {
            self.place(self.stones.at(action.index()), changes)
        };
        self.history.push(self.key);
        self.occurrences = self.count_occurrences();
        self.most_occurrences = self.most_occurrences.max(self.occurrences);
        // The order in which the endings are checked is part of the rules.
        self.outcome = if won {
            Some(Outcome::connection(self.to_move))
        } else if self.occurrences >= REPETITION_LIMIT {
            Some(Outcome { winner: None, reason: REPETITION })
        } else if self.turns() >= TURN_LIMIT {
            Some(Outcome { winner: None, reason: TURNS })
        } else {
            None
        };
        self.to_move = self.to_move.opponent();
    }

    fn winning_action(&self) -> Option<Action> {
        self.completing(self.to_move).iter().next().map(|cell| Action(self.stones.number(cell) as u16))
    }

    fn winning_chain(&self) -> Vec<usize> {
        // Only the winner has stones that are connected to both sides.
        let [first, second] = self.joined.map(|[from_one, from_other]| from_one & from_other);
        (first | second).iter().map(|cell| self.stones.number(cell)).collect()
    }

    fn path_costs(&self, player: Seat) -> Option<PathCosts> {
        // One capture removes two stones and leaves a stone nearby, so it is cheaper than two stones; but while the
        // enemy is to move it is only a threat.
        Some(self.stones.path_costs(player, self.to_move, |seat| self.capturable(seat), [3, 4]))
    }

    fn state(&self) -> Option<State> {
        // Only the first turns differ from later ones, because of the swap and the forbidden centre.
        self.stones.state(self.to_move, &[self.turns() == 0, self.swap().is_some()])
    }

    fn forget_history(&mut self) {
        self.earlier_turns = self.turns().min(2) as u16;
        self.history.clear();
        self.history.push(self.key);
        (self.occurrences, self.most_occurrences) = (1, 1);
    }

    /// A stone pattern may occur twice more, once with each side to move.
    fn history_counts(&self) -> bool {
        self.most_occurrences + 2 >= REPETITION_LIMIT
    }

    fn repeats_within(&self, plies: usize) -> bool {
        let same_mover = self.history.iter().rev().take(plies + 1).step_by(2).skip(1);
        self.any_capture && same_mover.into_iter().any(|&key| key == self.key)
    }

    fn encode(&self, cells: &mut [f32], globals: &mut [f32]) {
        info::encode(self, cells, globals);
    }

    fn symmetries(size: usize) -> Vec<Transform> {
        half_turns(size, &INFO.view, 6..14).into()
    }
}
