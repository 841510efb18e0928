//! Vex: Hex in which the second player owns one neutral stone, which blocks both players.
//!
//! Michael Leigh.

mod info;

use rand::Rng;

use crate::shared::rhombus::{half_turns, in_frame_of, path_costs};
use crate::shared::rhombus_chains::{RhombusStones, joins_sides_of, sides_of_cell, write_sides};
use crate::{
    Action, Change, ChangeLog, EndReason, GameInfo, GameRng, InvalidMove, Outcome, PathCosts, Pick, Piece, Rules, Seat,
    Solver, State, Transform, flag, parse_placement, rules_by_fields,
};
use hexzero_board::Board;

const MAX_SIZE: usize = 11;
/// The owner of the neutral stone.
const BLACK: Seat = Seat::Second;
/// The kind of the neutral stone; the other stones have the index of their owner as their kind.
const NEUTRAL: u8 = 2;
/// The board is full.
const FULL: EndReason = EndReason(1);

/// A position of Vex. In the first ply Black places the neutral stone or keeps it.
#[derive(Debug, Clone)]
pub struct Vex {
    to_move: Seat,
    turns: u16,
    /// Whether Black still has the neutral stone.
    kept: bool,
    /// Whether Black has just placed the neutral stone and must now place an own stone.
    owes: bool,
    empty: u16,
    outcome: Option<Outcome>,
    stones: RhombusStones<{ MAX_SIZE * MAX_SIZE }>,
}

/// The meaning of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Play {
    Stone(usize),
    Neutral(usize),
    Keep,
}

impl Vex {
    fn read(&self, action: Action) -> Play {
        match (action.index() / self.stones.cells(), action.index() % self.stones.cells()) {
            (0, cell) => Play::Stone(cell),
            (1, cell) => Play::Neutral(cell),
            _ => Play::Keep,
        }
    }

    fn neutral_at(&self, cell: usize) -> Action {
        Action((self.stones.cells() + cell) as u16)
    }

    fn keep(&self) -> Action {
        Action(2 * self.stones.cells() as u16)
    }

    /// Returns whether Black has to decide on the neutral stone, which is before White's first
    /// stone.
    fn is_decision(&self) -> bool {
        self.turns == 0 && self.to_move == BLACK
    }

    /// Returns whether the neutral stone may be placed: not on the last empty cell, since an own
    /// stone has to follow.
    fn neutral_is_possible(&self) -> bool {
        self.kept && self.to_move == BLACK && self.empty >= 2
    }
}

impl Rules for Vex {
    const INFO: GameInfo = info::INFO;
    const SOLVER: Option<Solver> = Some(Solver::exhaustive::<Self>(3..=3));

    fn new(size: usize) -> Self {
        Self {
            to_move: BLACK,
            turns: 0,
            kept: true,
            owes: false,
            empty: (size * size) as u16,
            outcome: None,
            stones: RhombusStones::new(size),
        }
    }

    rules_by_fields!(to_move, turns, outcome, frame, winning_chain, frames);

    fn check(&self, action: Action) -> Result<(), InvalidMove> {
        if action > self.keep() {
            return Err(InvalidMove::NoSuchAction { index: action.index(), actions: self.keep().index() + 1 });
        }
        let refused = |reason: &str| Err(InvalidMove::refused(reason));
        match self.read(action) {
            Play::Keep if self.is_decision() => Ok(()),
            Play::Keep => refused("only black's decision before the first stone can be '-'; place a stone"),
            Play::Stone(_) if self.is_decision() => {
                refused("put the neutral stone down, such as 'n:c3', or keep it: '-'")
            }
            Play::Stone(cell) => self.stones.check_empty(cell),
            Play::Neutral(_) if self.to_move != BLACK => refused("the neutral stone belongs to black's turns"),
            Play::Neutral(_) if !self.kept => refused("the neutral stone is on the board; place a stone of your own"),
            Play::Neutral(_) if self.empty < 2 => refused("the last empty cell is for a stone of your own"),
            Play::Neutral(cell) => self.stones.check_empty(cell),
        }
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        if !self.is_decision() {
            actions.extend(self.stones.empty_cells().map(|cell| Action(cell as u16)));
        }
        if self.neutral_is_possible() {
            actions.extend(self.stones.empty_cells().map(|cell| self.neutral_at(cell)));
        }
        if self.is_decision() {
            actions.push(self.keep());
        }
    }

    fn random_action(&self, rng: &mut GameRng) -> Option<Action> {
        if self.is_decision() {
            // The board is empty.
            return Some(Action(self.stones.cells() as u16 + rng.random_range(0..=self.stones.cells() as u16)));
        }
        let cell = self.stones.random_empty_cell(rng);
        let neutral = self.neutral_is_possible() && rng.random();
        Some(if neutral { self.neutral_at(cell) } else { Action(cell as u16) })
    }

    fn play(&mut self, action: Action, changes: &mut impl ChangeLog) {
        let decision = self.is_decision();
        match self.read(action) {
            Play::Stone(cell) => {
                changes.note(Change::Placed(cell as u16));
                let sides = self.stones.place(cell, self.to_move.index() as u8);
                self.empty -= 1;
                if joins_sides_of(self.to_move, sides) {
                    self.outcome = Some(Outcome::connection(self.to_move));
                } else if self.empty == 0 {
                    self.outcome = Some(Outcome { winner: None, reason: FULL });
                }
                self.owes = false;
                self.to_move = self.to_move.opponent();
            }
            Play::Neutral(cell) => {
                changes.note(Change::Placed(cell as u16));
                self.stones.place(cell, NEUTRAL);
                self.empty -= 1;
                self.kept = false;
                self.owes = !decision;
            }
            Play::Keep => {}
        }
        if decision {
            self.to_move = BLACK.opponent();
        }
        self.turns += 1;
    }

    fn winning_action(&self) -> Option<Action> {
        // A chain from side to side needs as many stones as the board has rows.
        if self.is_decision() || self.turns() + 1 < self.stones.side() {
            return None;
        }
        let kind = self.to_move.index() as u8;
        let wins = |&cell: &usize| joins_sides_of(self.to_move, self.stones.sides_with(cell, kind));
        self.stones.empty_cells().find(wins).map(|cell| Action(cell as u16))
    }

    /// On an empty board, this makes Black keep the neutral stone. Between the neutral stone and
    /// Black's own stone it has no meaning.
    fn hand_turn_to(&mut self, seat: Seat) -> bool {
        if self.owes {
            return seat == self.to_move;
        }
        self.to_move = seat;
        true
    }

    fn piece(&self, place: usize) -> Option<Piece> {
        self.stones.kind(place).map(|kind| match kind {
            NEUTRAL => info::NEUTRAL,
            seat => Piece::stone(Seat::BOTH[usize::from(seat)]),
        })
    }

    /// Parses `c3`, `n:c3` and `-`.
    fn parse_action(&self, board: &Board, text: &str) -> Result<Action, InvalidMove> {
        let Some(place) = text.strip_prefix(['n', 'N']).and_then(|rest| rest.strip_prefix(':')) else {
            return parse_placement::<Self>(board, text);
        };
        let unreadable = |source| InvalidMove::unreadable(source, Self::INFO.action_words());
        Ok(self.neutral_at(board.parse(place).map_err(unreadable)?))
    }

    fn action_name(&self, board: &Board, action: Action) -> String {
        match self.read(action) {
            Play::Stone(cell) => board.label(cell).to_owned(),
            Play::Neutral(cell) => format!("n:{}", board.label(cell)),
            Play::Keep => Self::INFO.actions[0].word.to_owned(),
        }
    }

    /// Returns the place, and then which stone if Black may place either.
    fn picks(&self, _board: &Board, action: Action) -> Vec<Pick> {
        let place = |cell: usize| Pick::Place(cell as u16);
        let either = !self.is_decision() && self.neutral_is_possible();
        match self.read(action) {
            Play::Stone(cell) if either => vec![place(cell), Pick::Choice(0)],
            Play::Neutral(cell) if either => vec![place(cell), Pick::Choice(1)],
            Play::Stone(cell) | Play::Neutral(cell) => vec![place(cell)],
            Play::Keep => vec![Pick::Button(0)],
        }
    }

    /// The neutral stone blocks both players.
    fn path_costs(&self, seat: Seat) -> Option<PathCosts> {
        let is_own = |cell: usize| self.stones.kind(cell).map(|kind| usize::from(kind) == seat.index());
        Some(path_costs(self.stones.side(), seat, is_own))
    }

    fn state(&self) -> Option<State> {
        let is_black = self.kept && self.to_move == BLACK;
        let state = self.stones.state(self.to_move, true)?;
        Some(state.with_flags(&[self.kept, is_black, self.owes, self.is_decision()]))
    }

    /// Planes: own stones, enemy stones, the neutral stone, empty cells; the mover's two sides and
    /// the enemy's two; stones connected to each of these four; cells where the mover and where the
    /// enemy completes a chain.
    ///
    /// Globals: the mover has the neutral stone, the enemy has it; the mover may place it now,
    /// decides on it before the first stone, has just placed it; size / 11.
    fn encode(&self, cells: &mut [f32], globals: &mut [f32]) {
        let planes = Self::INFO.view.cell_inputs;
        let (side, mover) = (self.stones.side(), self.to_move);
        for cell in 0..self.stones.cells() {
            let inputs = &mut cells[in_frame_of(side, mover, cell) * planes..][..planes];
            inputs.fill(0.0);
            write_sides(&mut inputs[4..8], mover, sides_of_cell(side, cell));
            match self.stones.kind(cell) {
                Some(NEUTRAL) => inputs[2] = 1.0,
                Some(kind) => {
                    inputs[usize::from(usize::from(kind) != mover.index())] = 1.0;
                    write_sides(&mut inputs[8..12], mover, self.stones.sides(cell));
                }
                None => {
                    inputs[3] = 1.0;
                    let wins = |seat: Seat| joins_sides_of(seat, self.stones.sides_with(cell, seat.index() as u8));
                    (inputs[12], inputs[13]) = (flag(wins(mover)), flag(wins(mover.opponent())));
                }
            }
        }
        globals.copy_from_slice(&[
            flag(self.kept && mover == BLACK),
            flag(self.kept && mover != BLACK),
            flag(self.neutral_is_possible()),
            flag(self.is_decision()),
            flag(self.owes),
            side as f32 / MAX_SIZE as f32,
        ]);
    }

    fn symmetries(size: usize) -> Vec<Transform> {
        half_turns(size, &Self::INFO.view, 4..12).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, Position};

    fn after(moves: &str) -> Position {
        crate::position::after(Game::new::<Vex>(), 3, moves)
    }

    fn names(position: &Position) -> Vec<String> {
        let legal = position.legal();
        legal.into_iter().map(|action| position.action_name(action)).collect()
    }

    #[test]
    fn neutral_stone_comes_once_before_a_stone() {
        assert_eq!(after("").to_move(), Seat::Second);
        assert_eq!(names(&after("- b2")).iter().filter(|name| name.starts_with("n:")).count(), 8);
        let owes = after("- b2 n:c1");
        assert_eq!((owes.to_move(), names(&owes).len()), (Seat::Second, 7));
        assert!(!owes.clone().hand_turn_to(Seat::First), "black has yet to place a stone");
        assert!(names(&after("n:b2 a1")).iter().all(|name| !name.starts_with("n:")));
    }

    #[test]
    fn choice_follows_where_either_stone_fits() {
        let position = after("- b2");
        let picks = |text| position.picks(position.parse_action(text).unwrap());
        assert_eq!(picks("c3"), [Pick::Place(8), Pick::Choice(0)]);
        assert_eq!(picks("n:c3"), [Pick::Place(8), Pick::Choice(1)]);
        assert_eq!(after("").picks(Action(9 + 8)), [Pick::Place(8)], "before the first stone only the neutral one");
    }
}
