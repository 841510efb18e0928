//! Infexion: stacks on a torus. Spawn a token, or spread a stack over the cells in a line, which
//! become yours whatever stood there.
//!
//! The project of the course COMP30024 of the University of Melbourne, 2023.

mod info;
mod spreading;

use std::ops::RangeInclusive;

use rand::Rng;

use crate::{
    Action, Change, ChangeLog, EndReason, GameInfo, GameRng, InvalidMove, Outcome, Pick, Piece, Rules, Score, Seat,
    State, Transform, parse_placement, rules_by_fields,
};
use hexzero_board::{Board, Shape};

use spreading::{DIRECTION_NAMES, Torus, direction_named};

/// The sides of the boards. On a side of n, a stack of power n disappears, no token may be spawned when both players
/// together have a power of n², and the power is compared after n³ plies.
const SIDES: RangeInclusive<usize> = 3..=SIDE;
/// The side of the course's board.
const SIDE: usize = 7;
const MAX_CELLS: usize = SIDE * SIDE;
/// The greatest power of a stack on the largest board.
const HIGHEST: u8 = SIDE as u8 - 1;
/// Policy planes: a spawn, and a spread in each direction.
const PLANES: usize = 7;

/// One colour has no power left.
const GONE: EndReason = EndReason(1);
/// The turn limit has been reached.
const TURNS: EndReason = EndReason(2);

/// A position of Infexion.
#[derive(Debug, Clone)]
pub struct InfexionRules<const SPEC: bool> {
    torus: &'static Torus,
    to_move: Seat,
    turns: u16,
    outcome: Option<Outcome>,
    /// The owner and the power of the stack on each cell of the board, and nothing beyond it.
    stacks: [Option<(Seat, u8)>; MAX_CELLS],
    /// The power of each seat.
    power: [u16; 2],
}

/// Infexion as judged by the course's referee: a lead of less than two is always a draw.
pub type Infexion = InfexionRules<false>;
/// Infexion as specified: a player who alone has tokens left wins, even with one. Networks of
/// [`Infexion`] play it too.
pub type InfexionBySpecification = InfexionRules<true>;

/// The meaning of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Play {
    Spawn(usize),
    Spread(usize, usize),
}

impl<const SPEC: bool> InfexionRules<SPEC> {
    fn on_board(&self) -> &[Option<(Seat, u8)>] {
        &self.stacks[..self.torus.cells]
    }

    fn action(&self, plane: usize, cell: usize) -> Action {
        Action((plane * self.torus.cells + cell) as u16)
    }

    fn read(&self, action: Action) -> Play {
        let (plane, cell) = (action.index() / self.torus.cells, action.index() % self.torus.cells);
        plane.checked_sub(1).map_or(Play::Spawn(cell), |direction| Play::Spread(cell, direction))
    }

    fn is_own(&self, cell: usize) -> bool {
        self.stacks[cell].is_some_and(|(owner, _)| owner == self.to_move)
    }

    fn spawn_is_possible(&self) -> bool {
        usize::from(self.power[0] + self.power[1]) < self.torus.cells
    }

    /// Lands a token of the mover on a cell.
    fn land(&mut self, cell: usize, changes: &mut impl ChangeLog) {
        let place = cell as u16;
        let before = self.stacks[cell];
        if let Some((owner, power)) = before {
            self.power[owner.index()] -= u16::from(power);
        }
        let power = 1 + before.map_or(0, |(_, power)| power);
        if power > self.torus.highest {
            self.stacks[cell] = None;
            changes.note(Change::Removed(place));
            return;
        }
        self.stacks[cell] = Some((self.to_move, power));
        self.power[self.to_move.index()] += u16::from(power);
        changes.note(if before.is_some() { Change::Recoloured(place) } else { Change::Placed(place) });
    }

    fn spread(&mut self, cell: usize, direction: usize, changes: &mut impl ChangeLog) {
        let power = self.stacks[cell].take().map_or(0, |(_, power)| power);
        self.power[self.to_move.index()] -= u16::from(power);
        changes.note(Change::Removed(cell as u16));
        for &at in self.torus.landings(cell, direction, power) {
            self.land(at.into(), changes);
        }
    }

    /// Returns how the game ends after a ply, if it does.
    fn judged(&self) -> Option<Outcome> {
        let [red, blue] = self.power;
        let gone = red == 0 || blue == 0;
        if self.turns < 2 || !gone && usize::from(self.turns) < Self::turn_limit(self.torus.side) {
            return None;
        }
        let alone = SPEC && gone && red != blue;
        let winner = match red.abs_diff(blue) {
            0 | 1 if !alone => None,
            _ if red > blue => Some(Seat::First),
            _ => Some(Seat::Second),
        };
        Some(Outcome { winner, reason: if gone { GONE } else { TURNS } })
    }
}

impl<const SPEC: bool> Rules for InfexionRules<SPEC> {
    const INFO: GameInfo = if SPEC { info::BY_SPECIFICATION } else { info::INFEXION };

    fn board(size: usize) -> &'static Board {
        Board::of(&Shape::Torus { side: size })
    }

    fn new(size: usize) -> Self {
        let torus = Torus::of(size);
        Self { torus, to_move: Seat::First, turns: 0, outcome: None, stacks: [None; MAX_CELLS], power: [0; 2] }
    }

    rules_by_fields!(to_move, turns, outcome);

    fn turn_limit(size: usize) -> usize {
        size.pow(3)
    }

    fn check(&self, action: Action) -> Result<(), InvalidMove> {
        let (cells, actions) = (self.torus.cells, PLANES * self.torus.cells);
        if action.index() >= actions {
            return Err(InvalidMove::NoSuchAction { index: action.index(), actions });
        }
        let label = |cell: usize| Self::board(self.torus.side).label(cell).to_owned();
        let refused = |reason: String| Err(InvalidMove::refused(reason));
        match self.read(action) {
            Play::Spawn(_) if !self.spawn_is_possible() => {
                refused(format!("both colours have a power of {cells} together, so none can be added; spread a stack"))
            }
            Play::Spawn(cell) if self.stacks[cell].is_some() => Err(InvalidMove::Occupied { cell: label(cell) }),
            Play::Spread(cell, _) if !self.is_own(cell) => {
                refused(format!("{} holds no stack of yours to spread", label(cell)))
            }
            _ => Ok(()),
        }
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        if self.spawn_is_possible() {
            let empty = (0..self.torus.cells).filter(|&cell| self.stacks[cell].is_none());
            actions.extend(empty.map(|cell| self.action(0, cell)));
        }
        let first = actions.len();
        actions.extend((0..self.torus.cells).filter(|&cell| self.is_own(cell)).map(|cell| self.action(1, cell)));
        // The other directions have the same stacks.
        let own = first..actions.len();
        for direction in 1..PLANES - 1 {
            for index in own.clone() {
                actions.push(self.action(direction, usize::from(actions[index].0)));
            }
        }
    }

    fn random_action(&self, rng: &mut GameRng) -> Option<Action> {
        // An unfinished game has a legal action, and rarely only a few.
        loop {
            let drawn = Action(rng.random_range(0..(PLANES * self.torus.cells) as u16));
            let legal = match self.read(drawn) {
                Play::Spawn(cell) => self.stacks[cell].is_none() && self.spawn_is_possible(),
                Play::Spread(cell, _) => self.is_own(cell),
            };
            if legal {
                return Some(drawn);
            }
        }
    }

    fn play(&mut self, action: Action, changes: &mut impl ChangeLog) {
        match self.read(action) {
            Play::Spawn(cell) => self.land(cell, changes),
            Play::Spread(cell, direction) => self.spread(cell, direction, changes),
        }
        self.turns += 1;
        self.outcome = self.judged();
        self.to_move = self.to_move.opponent();
    }

    fn winning_action(&self) -> Option<Action> {
        self.finishing_spread()
    }

    /// Allowed only while it does not end the game: from the second ply on, a colour without power
    /// has lost.
    fn hand_turn_to(&mut self, seat: Seat) -> bool {
        let meant = self.outcome.is_none() && (self.turns == 0 || !self.power.contains(&0));
        if meant {
            self.to_move = seat;
        }
        meant || seat == self.to_move
    }

    fn piece(&self, place: usize) -> Option<Piece> {
        self.stacks[place].map(|(owner, power)| Piece { number: power, ..Piece::stone(owner) })
    }

    /// Parses `s:3,4` and `m:3,4:Up`.
    fn parse_action(&self, board: &Board, text: &str) -> Result<Action, InvalidMove> {
        let mut parts = text.split(':');
        let (kind, cell, direction) = (parts.next().unwrap_or(""), parts.next(), parts.next());
        let spreads = kind.eq_ignore_ascii_case("m");
        let reason = || "write 's:3,4' to spawn, 'm:3,4:Up' to spread".to_owned();
        let Some(cell) = cell.filter(|_| (spreads || kind.eq_ignore_ascii_case("s")) && parts.next().is_none()) else {
            // A text that is not a place gets its own error.
            return parse_placement::<Self>(board, kind).and_then(|_| Err(InvalidMove::refused(reason())));
        };
        let place = parse_placement::<Self>(board, cell)?.index();
        match (spreads, direction) {
            (false, None) => Ok(self.action(0, place)),
            (true, Some(name)) => {
                let unknown = || format!("'{name}' is no direction; choose one of {}", DIRECTION_NAMES.join(", "));
                let direction = direction_named(name).ok_or_else(|| InvalidMove::refused(unknown()))?;
                Ok(self.action(1 + direction, place))
            }
            _ => Err(InvalidMove::refused(reason())),
        }
    }

    fn action_name(&self, board: &Board, action: Action) -> String {
        match self.read(action) {
            Play::Spawn(cell) => format!("s:{}", board.label(cell)),
            Play::Spread(cell, direction) => format!("m:{}:{}", board.label(cell), DIRECTION_NAMES[direction]),
        }
    }

    fn picks(&self, _board: &Board, action: Action) -> Vec<Pick> {
        match self.read(action) {
            Play::Spawn(cell) => vec![Pick::Place(cell as u16)],
            Play::Spread(cell, direction) => vec![Pick::Place(cell as u16), Pick::Direction(direction as u8)],
        }
    }

    fn score(&self) -> Option<Score> {
        Some(Score { what: "power", points: self.power.map(u32::from) })
    }

    fn heuristic(&self) -> Option<i32> {
        Some(self.points())
    }

    /// Describes boards up to 5×5. The turns belong to the state, because the power is compared at their limit.
    fn state(&self) -> Option<State> {
        State::of_stacks(self.torus.cells, self.to_move, self.torus.highest, self.turns, |cell| self.stacks[cell])
    }

    /// Writes stacks, reach and gains of spreads as planes, and power, plies and whether a spawn is
    /// possible as globals.
    fn encode(&self, cells: &mut [f32], globals: &mut [f32]) {
        self.encode_view(cells, globals);
    }

    /// Returns all symmetries of the torus, translations included. Each permutes the direction
    /// planes too.
    fn symmetries(size: usize) -> Vec<Transform> {
        Self::board(size).symmetries().iter().map(info::transform).collect()
    }
}

#[cfg(test)]
mod tests;
