//! Rings: on a torus, put a stone on an empty cell, or move a stone of your own one step onto a cell that is empty or
//! holds an enemy stone, which is taken. A straight line of own stones all round the torus wins; the turn limit draws.

use hexzero::board::{Board, DIRECTIONS, Shape};
use hexzero::games::{
    Action, Boards, Change, ChangeLog, Count, Counted, EndReason, Ending, GameInfo, InvalidMove, LessonPart, Outcome,
    Pick, Piece, Rules, Seat, SeatInfo, Transform, parse_placement,
};

const TURNS: EndReason = EndReason(1);
const DIRECTION_NAMES: [&str; DIRECTIONS] = ["sw", "s", "e", "ne", "n", "w"];

/// A position of Rings.
#[derive(Debug, Clone)]
pub struct Rings {
    size: usize,
    stones: Vec<Option<Seat>>,
    turns: usize,
    outcome: Option<Outcome>,
}

impl Rings {
    /// Returns the direction of a move, or `None` if a stone is placed, and the cell.
    fn parts(&self, action: Action) -> (Option<usize>, usize) {
        let (plane, cell) = (action.index() / self.stones.len(), action.index() % self.stones.len());
        (plane.checked_sub(1), cell)
    }

    fn neighbour(&self, cell: usize, direction: usize) -> usize {
        Self::board(self.size).topology().neighbours()[cell][direction] as usize
    }

    /// Returns true if a ring of the seat goes through a cell.
    fn ring(&self, seat: Seat, cell: usize) -> bool {
        (0..3).any(|direction| {
            let mut at = cell;
            (0..self.size).all(|_| {
                at = self.neighbour(at, direction);
                self.stones[at] == Some(seat)
            })
        })
    }
}

impl Rules for Rings {
    const INFO: GameInfo = GameInfo::new(
        "toy-torus",
        "Rings",
        "a line all round a torus, by stones that are placed or moved",
        Boards::new(3..=5, 3, "cells on a row"),
        [
            SeatInfo::new("green", "makes a ring", "Make a straight ring of green stones."),
            SeatInfo::new("white", "makes a ring", "Make a straight ring of white stones."),
        ],
    )
    .endings(&[
        Ending::new(EndReason(0), "ring", "a ring is closed"),
        Ending::new(TURNS, "turns", "the turn limit has been reached"),
    ])
    .counts(&[
        Count { key: "captures", title: "stones captured", what: Counted::Removed },
        Count { key: "moves", title: "stones moved", what: Counted::Moved },
    ])
    .inputs(&["own", "enemy"], &["turns/limit"])
    .policy_planes(7)
    .usual_plies(|cells| 2 * cells)
    .lesson(&[LessonPart {
        title: "A ring",
        text: "Place a stone, or move one of yours a step, onto an enemy stone too. The board has no edge.",
        pictures: &[],
    }]);

    fn board(size: usize) -> &'static Board {
        Board::of(&Shape::Torus { side: size })
    }

    fn new(size: usize) -> Self {
        Self { size, stones: vec![None; size * size], turns: 0, outcome: None }
    }

    fn to_move(&self) -> Seat {
        Seat::BOTH[self.turns % 2]
    }

    fn turns(&self) -> usize {
        self.turns
    }

    fn turn_limit(size: usize) -> usize {
        4 * size * size
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn check(&self, action: Action) -> Result<(), InvalidMove> {
        let actions = 7 * self.stones.len();
        if action.index() >= actions {
            return Err(InvalidMove::NoSuchAction { index: action.index(), actions });
        }
        let (direction, cell) = self.parts(action);
        let label = |cell| Self::board(self.size).label(cell).to_owned();
        let Some(direction) = direction else {
            let free = self.stones[cell].is_none();
            return if free { Ok(()) } else { Err(InvalidMove::Occupied { cell: label(cell) }) };
        };
        let target = self.neighbour(cell, direction);
        let refused = |reason: String| Err(InvalidMove::Refused { reason });
        match (self.stones[cell], self.stones[target]) {
            (Some(owner), target) if owner == self.to_move() && target != Some(owner) => Ok(()),
            (Some(owner), _) if owner == self.to_move() => refused(format!("{} holds a stone of yours", label(target))),
            _ => refused(format!("{} holds no stone of yours to move", label(cell))),
        }
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        let all = 0..7 * self.stones.len() as u16;
        actions.extend(all.map(Action).filter(|&action| self.check(action).is_ok()));
    }

    fn play(&mut self, action: Action, changes: &mut impl ChangeLog) {
        let (mover, (direction, cell)) = (self.to_move(), self.parts(action));
        let target = match direction {
            None => {
                changes.note(Change::Placed(cell as u16));
                cell
            }
            Some(direction) => {
                let target = self.neighbour(cell, direction);
                self.stones[cell] = None;
                if self.stones[target].is_some() {
                    changes.note(Change::Removed(target as u16));
                }
                changes.note(Change::Moved(cell as u16, target as u16));
                target
            }
        };
        self.stones[target] = Some(mover);
        self.turns += 1;
        if self.ring(mover, target) {
            self.outcome = Some(Outcome { winner: Some(mover), reason: EndReason(0) });
        } else if self.turns >= Self::turn_limit(self.size) {
            self.outcome = Some(Outcome { winner: None, reason: TURNS });
        }
    }

    fn piece(&self, place: usize) -> Option<Piece> {
        self.stones[place].map(Piece::stone)
    }

    fn parse_action(&self, board: &Board, text: &str) -> Result<Action, InvalidMove> {
        // A move is the cell and the direction, such as `1,2:ne`.
        let (cell, direction) = text.split_once(':').unwrap_or((text, ""));
        let placed = parse_placement::<Self>(board, cell)?;
        if cell == text {
            return Ok(placed);
        }
        let known = DIRECTION_NAMES.iter().position(|name| *name == direction.to_ascii_lowercase());
        let reason = || format!("'{direction}' is no direction; choose one of {}", DIRECTION_NAMES.join(", "));
        let direction = known.ok_or_else(|| InvalidMove::Refused { reason: reason() })?;
        Ok(Action(((1 + direction) * self.stones.len() + placed.index()) as u16))
    }

    fn action_name(&self, board: &Board, action: Action) -> String {
        match self.parts(action) {
            (None, cell) => board.label(cell).to_owned(),
            (Some(direction), cell) => format!("{}:{}", board.label(cell), DIRECTION_NAMES[direction]),
        }
    }

    fn picks(&self, _board: &Board, action: Action) -> Vec<Pick> {
        let (direction, cell) = self.parts(action);
        let place = Pick::Place(cell as u16);
        std::iter::once(place).chain(direction.map(|direction| Pick::Direction(direction as u8))).collect()
    }

    fn encode(&self, cells: &mut [f32], globals: &mut [f32]) {
        let mover = self.to_move();
        for (inputs, stone) in cells.chunks_exact_mut(2).zip(&self.stones) {
            inputs[0] = f32::from(u8::from(*stone == Some(mover)));
            inputs[1] = f32::from(u8::from(*stone == Some(mover.opponent())));
        }
        globals[0] = self.turns as f32 / Self::turn_limit(self.size) as f32;
    }

    /// Returns all symmetries of the torus, translations included. Each permutes the planes of directions too.
    fn symmetries(size: usize) -> Vec<Transform> {
        let turned = |symmetry: &hexzero::board::Symmetry| {
            let plane = |plane: usize| if plane == 0 { 0 } else { 1 + symmetry.direction(0, plane - 1) };
            Transform::of(symmetry, &Self::INFO.view).with_planes(7, plane)
        };
        Self::board(size).symmetries().iter().map(turned).collect()
    }
}
