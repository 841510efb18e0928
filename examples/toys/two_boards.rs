//! Twins: two boards of Hex side by side. A turn is a stone on the left board, then one on the right; the first turn is
//! on the left board alone. The first player to join their sides on either board wins.

use hexzero::board::{Board, Chains, Shape};
use hexzero::games::{
    Action, ActionKind, Boards, Change, ChangeLog, EndReason, Ending, GameInfo, GlobalAction, InvalidMove, LessonPart,
    Outcome, Piece, Rules, Seat, SeatInfo, Transform,
};

const MAX_SIZE: usize = 4;
const MAX_CELLS: usize = 2 * MAX_SIZE * MAX_SIZE;
const DRAW: EndReason = EndReason(1);

/// A position of Twins.
#[derive(Debug, Clone)]
pub struct Twins {
    size: usize,
    stones: Vec<Option<Seat>>,
    chains: Chains<MAX_CELLS>,
    to_move: Seat,
    /// True if the next stone goes on the right board.
    right: bool,
    turns: usize,
    outcome: Option<Outcome>,
}

impl Twins {
    fn cells(&self) -> usize {
        self.size * self.size
    }

    fn pass(&self) -> Action {
        Action(self.stones.len() as u16)
    }

    /// Returns the cells of the board that the next stone goes on.
    fn now(&self) -> std::ops::Range<usize> {
        let first = if self.right { self.cells() } else { 0 };
        first..first + self.cells()
    }

    /// Returns the sides of a seat that a cell lies on, one bit each.
    fn sides(&self, seat: Seat, cell: usize) -> u8 {
        let cell = cell % self.cells();
        let line = [cell / self.size, cell % self.size][seat.index()];
        u8::from(line == 0) | u8::from(line == self.size - 1) << 1
    }
}

impl Rules for Twins {
    const INFO: GameInfo = GameInfo::new(
        "toy-two-boards",
        "Twins",
        "Hex on two boards at once; connecting your sides on either wins",
        Boards::new(2..=MAX_SIZE, 3, "cells on a side of each board"),
        [
            SeatInfo::new("black", "joins top and bottom of a board", "Join the black sides of a board."),
            SeatInfo::new("white", "joins left and right of a board", "Join the white sides of a board."),
        ],
    )
    .actions(&[GlobalAction {
        word: "pass",
        aliases: &["-"],
        foreign: "pass",
        kind: ActionKind::Pass,
        label: "No second stone",
        offer: "Place a second stone, or leave it at that.",
        done: "places no second stone",
        suffered: "Your opponent placed no second stone. Now it is your turn.",
    }])
    .endings(&[Ending::CONNECTION, Ending::new(DRAW, "full", "a board is full")])
    .inputs(&["own", "enemy", "playable"], &["right"])
    .usual_plies(|cells| 2 * cells / 3)
    .lesson(&[LessonPart {
        title: "Two boards",
        text: "A turn is a stone on the left board, then one on the right.",
        pictures: &[],
    }]);

    fn board(size: usize) -> &'static Board {
        let side = Shape::Rhombus { side: size };
        Board::of(&Shape::several([("L", side.clone()), ("R", side)]))
    }

    fn new(size: usize) -> Self {
        Self {
            size,
            stones: vec![None; 2 * size * size],
            chains: Chains::default(),
            to_move: Seat::First,
            right: false,
            turns: 0,
            outcome: None,
        }
    }

    fn to_move(&self) -> Seat {
        self.to_move
    }

    fn turns(&self) -> usize {
        self.turns
    }

    /// A stone on every cell of the left board, each but the first followed by a stone on the right board or a pass.
    fn turn_limit(size: usize) -> usize {
        2 * size * size
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn check(&self, action: Action) -> Result<(), InvalidMove> {
        let (cell, actions) = (action.index(), self.stones.len() + 1);
        let refused = |reason: &str| Err(InvalidMove::Refused { reason: reason.to_owned() });
        if action == self.pass() {
            return if self.right { Ok(()) } else { refused("only the stone on the right board may be left out") };
        }
        match self.stones.get(cell) {
            None => Err(InvalidMove::NoSuchAction { index: cell, actions }),
            Some(Some(_)) => Err(InvalidMove::Occupied { cell: Self::board(self.size).label(cell).to_owned() }),
            Some(None) if self.now().contains(&cell) => Ok(()),
            Some(None) if self.right => refused("this stone goes on the right board"),
            Some(None) => refused("this stone goes on the left board"),
        }
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        let all = 0..=self.stones.len() as u16;
        actions.extend(all.map(Action).filter(|&action| self.check(action).is_ok()));
    }

    fn play(&mut self, action: Action, changes: &mut impl ChangeLog) {
        let mover = self.to_move;
        let mut won = false;
        if action != self.pass() {
            let cell = action.index();
            self.stones[cell] = Some(mover);
            changes.note(Change::Placed(action.0));
            self.chains.place(cell, self.sides(mover, cell));
            for neighbour in Self::board(self.size).topology().around(cell) {
                if self.stones[neighbour] == Some(mover) {
                    self.chains.join(cell, neighbour);
                }
            }
            won = self.chains.sides(cell) == 0b11;
        }
        let turn_is_over = self.right || self.turns == 0;
        self.turns += 1;
        self.right = !turn_is_over;
        if turn_is_over {
            self.to_move = mover.opponent();
        }
        if won {
            self.outcome = Some(Outcome { winner: Some(mover), reason: EndReason::CONNECTION });
        } else if self.now().all(|cell| self.stones[cell].is_some()) {
            self.outcome = Some(Outcome { winner: None, reason: DRAW });
        }
    }

    fn winning_chain(&self) -> Vec<usize> {
        let won = |&cell: &usize| self.stones[cell].is_some() && self.chains.sides(cell) == 0b11;
        (0..self.stones.len()).filter(won).collect()
    }

    fn piece(&self, place: usize) -> Option<Piece> {
        self.stones[place].map(Piece::stone)
    }

    fn encode(&self, cells: &mut [f32], globals: &mut [f32]) {
        let (frame, now) = (&Self::frames(self.size)[self.frame()], self.now());
        for (cell, stone) in self.stones.iter().enumerate() {
            let inputs = &mut cells[3 * frame.cells.apply(cell)..][..3];
            let values = [*stone == Some(self.to_move), *stone == Some(self.to_move.opponent()), now.contains(&cell)];
            inputs.copy_from_slice(&values.map(|value| f32::from(u8::from(value))));
        }
        globals[0] = f32::from(u8::from(self.right));
    }

    /// The second player sees both boards transposed.
    fn frames(size: usize) -> Vec<Transform> {
        let view = &Self::INFO.view;
        let transposed = |cell: usize| {
            let (board, cell) = (cell / (size * size), cell % (size * size));
            board * size * size + cell % size * size + cell / size
        };
        let board = Self::board(size);
        let is_transposition = |symmetry: &&hexzero::board::Symmetry| {
            (0..board.topology().cells()).all(|cell| symmetry.cells.apply(cell) == transposed(cell))
        };
        let symmetry = board.symmetries().iter().find(is_transposition).expect("each board has a transposition");
        vec![Transform::of(&board.symmetries()[0], view), Transform::of(symmetry, view)]
    }

    fn frame(&self) -> usize {
        self.to_move.index()
    }

    /// Returns the symmetries that keep the boards and each player's sides: half turns of either board.
    fn symmetries(size: usize) -> Vec<Transform> {
        let board = Self::board(size);
        let stays = |symmetry: &&hexzero::board::Symmetry| {
            board.keeps_owners(symmetry) && board.part_of_cell(symmetry.cells.apply(0)) == 0
        };
        board.symmetries().iter().filter(stays).map(|symmetry| Transform::of(symmetry, &Self::INFO.view)).collect()
    }
}
