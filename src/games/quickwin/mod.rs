//! Quickwin Hex: two boards of Hex with four stones on each from the start. On board L Black joins left and right, on
//! board R top and bottom; White the other two sides of each. The first to join on either board wins.
//!
//! The stones at the start lie in the two obtuse corners and belong to the player who joins top and bottom on that board;
//! the other one moves first there. So Black begins with one stone on board L alone. After that each turn is a stone on
//! board L, then one on board R.

mod info;

use rand::Rng;

use crate::board::{Board, Prefixed, Shape};
use crate::games::shared::joining::{Links, Stones};
use crate::games::{
    Action, Change, ChangeLog, EndReason, GameInfo, GameRng, InvalidMove, Outcome, Piece, Rules, Seat, Transform,
};

/// The largest side of a board.
const LARGEST: usize = 9;
/// The most cells of both boards.
const MOST_CELLS: usize = 2 * LARGEST * LARGEST;
/// The stones on each board at the start.
const HANDICAP: usize = 4;

/// A position of Quickwin Hex.
#[derive(Debug, Clone)]
pub struct Quickwin {
    size: u8,
    to_move: Seat,
    turns: u8,
    /// True if the next stone goes on board R, the second one of a turn.
    right: bool,
    outcome: Option<Outcome>,
    stones: Stones<MOST_CELLS>,
}

/// Board L belongs to the players the other way round.
fn shape(size: usize) -> Shape {
    let side = Shape::Rhombus { side: size };
    Shape::several([Prefixed::new("L", side.clone()).exchanged(), Prefixed::new("R", side)])
}

impl Quickwin {
    /// Returns the number of the board that the next stone goes on.
    fn board_now(&self) -> usize {
        usize::from(self.right)
    }

    /// Returns the progress of a seat, in points. One board is enough; the other is a second chance.
    fn prospects(&self, seat: Seat) -> i32 {
        let [left, right] = [0, 1].map(|board| self.stones.points(seat, board));
        left.max(right) + left.min(right) / 4
    }
}

impl Rules for Quickwin {
    const INFO: GameInfo = info::INFO;

    fn board(size: usize) -> &'static Board {
        Board::of(&shape(size))
    }

    fn new(size: usize) -> Self {
        let mut stones = Stones::new(Links::of(&shape(size)));
        for (board, owner) in [Seat::Second, Seat::First].into_iter().enumerate() {
            let cells = stones.links().part(board);
            for cell in [size - 2, size - 1, size * size - size, size * size - size + 1] {
                stones.place(owner, cells.start + cell);
            }
        }
        Self { size: size as u8, to_move: Seat::First, turns: 0, right: false, outcome: None, stones }
    }

    fn to_move(&self) -> Seat {
        self.to_move
    }

    fn turns(&self) -> usize {
        self.turns as usize
    }

    /// A full board has a winner.
    fn turn_limit(size: usize) -> usize {
        2 * (size * size - HANDICAP)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn check(&self, action: Action) -> Result<(), InvalidMove> {
        let (cell, actions) = (action.index(), self.stones.cells());
        if self.outcome.is_some() {
            return Err(InvalidMove::GameOver);
        }
        match self.stones.owners().get(cell) {
            None => Err(InvalidMove::NoSuchAction { index: cell, actions }),
            Some(Some(_)) => Err(InvalidMove::Occupied { cell: Self::board(self.size.into()).label(cell).to_owned() }),
            Some(None) if self.stones.links().part_of(cell) != self.board_now() => {
                let now = ["L", "R"][self.board_now()];
                Err(InvalidMove::Refused { reason: format!("this stone goes on board {now}") })
            }
            Some(None) => Ok(()),
        }
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        actions.clear();
        if self.outcome.is_none() {
            let now = self.stones.links().part(self.board_now());
            let empty = now.filter(|&cell| self.stones.owner(cell).is_none());
            actions.extend(empty.map(|cell| Action(cell as u16)));
        }
    }

    fn random_action(&self, rng: &mut GameRng) -> Option<Action> {
        if self.outcome.is_some() {
            return None;
        }
        let now = self.stones.links().part(self.board_now());
        // A board that is not won has an empty cell, and seldom few.
        loop {
            let cell = rng.random_range(now.start as u32..now.end as u32) as usize;
            if self.stones.owner(cell).is_none() {
                return Some(Action(cell as u16));
            }
        }
    }

    fn play(&mut self, action: Action, changes: &mut impl ChangeLog) {
        debug_assert_eq!(self.check(action), Ok(()));
        changes.note(Change::Placed(action.0));
        if self.stones.place(self.to_move, action.index()) {
            self.outcome = Some(Outcome { winner: Some(self.to_move), reason: EndReason::CONNECTION });
        }
        let turn_is_over = self.right || self.turns == 0;
        self.turns += 1;
        self.right = !turn_is_over;
        if turn_is_over {
            self.to_move = self.to_move.opponent();
        }
    }

    fn winning_action(&self) -> Option<Action> {
        if self.outcome.is_some() {
            return None;
        }
        let now = self.stones.links().part(self.board_now());
        self.stones.joining_cell(self.to_move, now).map(|cell| Action(cell as u16))
    }

    fn winning_chain(&self) -> Vec<usize> {
        self.stones.joined_chain()
    }

    fn piece(&self, place: usize) -> Option<Piece> {
        self.stones.owner(place).map(Piece::stone)
    }

    fn heuristic(&self) -> Option<i32> {
        Some(self.prospects(self.to_move) - self.prospects(self.to_move.opponent()))
    }

    /// The second player sees the boards exchanged: the mover joins left and right on the first one. Planes after those
    /// of [`Stones::encode`]: the mover joins top and bottom on this board; the stone goes on this board.
    ///
    /// Globals: the second stone of a turn; size / 9.
    fn encode(&self, cells: &mut [f32], globals: &mut [f32]) {
        let (planes, links) = (Self::INFO.view.cell_inputs, self.stones.links());
        self.stones.encode(self.to_move, cells, planes);
        for cell in 0..self.stones.cells() {
            let seen = links.in_frame_of(self.to_move, cell);
            let more = &mut cells[seen * planes + links.planes()..][..2];
            more[0] = links.part_of(seen) as f32;
            more[1] = f32::from(u8::from(links.part_of(cell) == self.board_now()));
        }
        globals.copy_from_slice(&[f32::from(u8::from(self.right)), f32::from(self.size) / LARGEST as f32]);
    }

    fn frames(size: usize) -> Vec<Transform> {
        Links::of(&shape(size)).frames(&Self::INFO.view)
    }

    fn frame(&self) -> usize {
        self.to_move.index()
    }

    /// Half turns of either board.
    fn symmetries(size: usize) -> Vec<Transform> {
        Links::of(&shape(size)).symmetries(&Self::INFO.view)
    }
}
