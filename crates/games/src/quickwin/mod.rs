//! Quickwin Hex: two boards of Hex with four stones on each from the start. On board L Black
//! connects left and right, on board R top and bottom; White connects the other two sides of each.
//! The first connection on either board wins.
//!
//! The stones at the start lie in the two obtuse corners and belong to the player who connects top
//! and bottom on that board; the other player moves first there. So Black begins with a single
//! stone, on board L. After that each turn is a stone on board L, then one on board R.

use crate::shared::joining::{Links, Stones};
use crate::shared::words::{BLACK, WHITE, joined};
use crate::{
    Action, Boards, Change, ChangeLog, Ending, GameInfo, GameRng, InvalidMove, LessonPart, Outcome, Picture, Rules,
    Seat, SeatInfo, draw_until_legal, flag, rules_by_fields,
};
use hexzero_board::{Prefixed, Shape};

/// The largest side of a board.
const MAX_SIZE: usize = 9;
/// The number of cells of both boards at the largest size.
const MAX_CELLS: usize = 2 * MAX_SIZE * MAX_SIZE;
/// The number of stones on each board at the start.
const HANDICAP: usize = 4;

/// A position of Quickwin Hex.
#[derive(Debug, Clone)]
pub struct Quickwin {
    size: u8,
    to_move: Seat,
    turns: u8,
    /// True if the next stone, the second of a turn, goes on board R.
    right: bool,
    outcome: Option<Outcome>,
    stones: Stones<MAX_CELLS>,
}

impl Quickwin {
    /// Returns both boards. On board L the players are exchanged.
    fn links(size: usize) -> &'static Links {
        let side = Shape::Rhombus { side: size };
        Links::of(&Shape::several([Prefixed::new("L", side.clone()).exchanged(), Prefixed::new("R", side)]))
    }

    /// Returns the index of the board that the next stone goes on.
    fn board_now(&self) -> usize {
        usize::from(self.right)
    }

    /// Returns the progress of a seat, in points. Winning one board is enough; the other is a
    /// second chance.
    fn prospects(&self, seat: Seat) -> i32 {
        let [left, right] = [0, 1].map(|board| self.stones.points(seat, board));
        left.max(right) + left.min(right) / 4
    }
}

impl Rules for Quickwin {
    const INFO: GameInfo = INFO;

    fn new(size: usize) -> Self {
        let mut stones = Stones::new(Self::links(size));
        for (board, owner) in [Seat::Second, Seat::First].into_iter().enumerate() {
            let cells = stones.links().part(board);
            for cell in [size - 2, size - 1, size * size - size, size * size - size + 1] {
                stones.place(owner, cells.start + cell);
            }
        }
        Self { size: size as u8, to_move: Seat::First, turns: 0, right: false, outcome: None, stones }
    }

    rules_by_fields!(to_move, turns, outcome, frame, piece, winning_chain, links);

    /// A full board has a winner, so the game ends by then.
    fn turn_limit(size: usize) -> usize {
        2 * (size * size - HANDICAP)
    }

    fn check(&self, action: Action) -> Result<(), InvalidMove> {
        let (cell, actions) = (action.index(), self.stones.cells());
        match self.stones.owners().get(cell) {
            None => Err(InvalidMove::NoSuchAction { index: cell, actions }),
            Some(Some(_)) => Err(InvalidMove::Occupied { cell: self.stones.name(cell) }),
            Some(None) if self.stones.links().part_of(cell) != self.board_now() => {
                let now = ["L", "R"][self.board_now()];
                Err(InvalidMove::refused(format!("this stone goes on board {now}")))
            }
            Some(None) => Ok(()),
        }
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        let now = self.stones.links().part(self.board_now());
        let empty = now.filter(|&cell| self.stones.owner(cell).is_none());
        actions.extend(empty.map(|cell| Action(cell as u16)));
    }

    fn random_action(&self, rng: &mut GameRng) -> Option<Action> {
        let now = self.stones.links().part(self.board_now());
        let range = now.start as u32..now.end as u32;
        Some(draw_until_legal(rng, range, |cell| self.stones.owner(cell).is_none()))
    }

    fn play(&mut self, action: Action, changes: &mut impl ChangeLog) {
        changes.note(Change::Placed(action.0));
        if self.stones.place(self.to_move, action.index()) {
            self.outcome = Some(Outcome::connection(self.to_move));
        }
        let turn_is_over = self.right || self.turns == 0;
        self.turns += 1;
        self.right = !turn_is_over;
        if turn_is_over {
            self.to_move = self.to_move.opponent();
        }
    }

    fn winning_action(&self) -> Option<Action> {
        let now = self.stones.links().part(self.board_now());
        self.stones.joining_cell(self.to_move, now).map(|cell| Action(cell as u16))
    }

    fn heuristic(&self) -> Option<i32> {
        Some(self.prospects(self.to_move) - self.prospects(self.to_move.opponent()))
    }

    /// The second player sees the boards exchanged: the mover connects left and right on the first
    /// one. Planes after those of [`Stones::encode`]: the mover connects top and bottom on this
    /// board; the stone goes on this board.
    ///
    /// Globals: this is the second stone of a turn; size / 9.
    fn encode(&self, cells: &mut [f32], globals: &mut [f32]) {
        let (planes, links) = (Self::INFO.view.cell_inputs, self.stones.links());
        self.stones.encode(self.to_move, cells, planes);
        for cell in 0..self.stones.cells() {
            let seen = links.in_frame_of(self.to_move, cell);
            let more = &mut cells[seen * planes + links.planes()..][..2];
            more[0] = links.part_of(seen) as f32;
            more[1] = flag(links.part_of(cell) == self.board_now());
        }
        globals.copy_from_slice(&[flag(self.right), f32::from(self.size) / MAX_SIZE as f32]);
    }
}

/// On the first board of the frame the mover connects left and right, on the second top and bottom.
const CELL_INPUTS: [&str; 23] = joined(&[
    &["own", "enemy", "empty"],
    &["enemy_side_1_of_1", "enemy_side_2_of_1", "own_side_1_of_1", "own_side_2_of_1"],
    &["own_side_1_of_2", "own_side_2_of_2", "enemy_side_1_of_2", "enemy_side_2_of_2"],
    &["enemy_joined_1_of_1", "enemy_joined_2_of_1", "own_joined_1_of_1", "own_joined_2_of_1"],
    &["own_joined_1_of_2", "own_joined_2_of_2", "enemy_joined_1_of_2", "enemy_joined_2_of_2"],
    &["own_wins", "enemy_wins"],
    &["own_sides_are_top_and_bottom", "stone_goes_here"],
]);

const BOARDS: LessonPart = LessonPart {
    title: "Two boards",
    text: "Each player joins two opposite sides of a board. On board L black joins left and right and white top and \
           bottom; on board R it is the other way round. Whoever joins top and bottom has four stones there from the \
           start, in the two wide corners.",
    pictures: &[Picture {
        pieces: &[("Ld1 Le1 La5 Lb5", WHITE), ("Rd1 Re1 Ra5 Rb5", BLACK)],
        label: "Four white stones on board L, four black ones on board R",
        caption: "The start on boards of side 5",
        ..Picture::empty(5)
    }],
};

const TURNS: LessonPart = LessonPart {
    title: "A stone on each board",
    text: "Black begins with one stone on board L. After that a turn is two stones: first one on board L, then one on \
           board R.",
    pictures: &[Picture {
        pieces: &[("Ld1 Le1 La5 Lb5 Lb4", WHITE), ("Lc3", BLACK), ("Rd1 Re1 Ra5 Rb5", BLACK), ("Rc3", WHITE)],
        marked: "Lc3 Lb4 Rc3",
        label: "Black has played c3 on board L, white b4 on board L and c3 on board R",
        caption: "Black's first turn, then white's: now black plays on L, then on R",
        ..Picture::empty(5)
    }],
};

const GOAL: LessonPart = LessonPart {
    title: "One board is enough",
    text: "The first to join two sides on either board wins at once, even with the first stone of a turn.",
    pictures: &[Picture {
        pieces: &[
            ("Ld1 Le1 La5 Lb5 Ld2 Lb4", WHITE),
            ("La4 Lb3 Lc3 Ld3 Le2", BLACK),
            ("Rd1 Re1 Ra5 Rb5 Rb4 Rc4 Re2", BLACK),
            ("Rb3 Rc3 Rd2 Ra4", WHITE),
        ],
        chain: "La4 Lb3 Lc3 Ld3 Le2",
        label: "A chain of black from left to right on board L",
        caption: "Black has joined left and right on board L and wins the game",
        ..Picture::empty(5)
    }],
};

const INFO: GameInfo = GameInfo::new(
    "quickwin",
    "Quickwin Hex",
    "Hex on two boards at once, with stones in the corners; connecting your sides on either wins",
    Boards::new(4..=MAX_SIZE, 7, "cells on a side of each board"),
    [
        SeatInfo::new(
            "black",
            "connects the first and last column on board L, or the first and last row on board R",
            "Connect the two black sides on either board.",
        ),
        SeatInfo::new(
            "white",
            "connects the first and last row on board L, or the first and last column on board R",
            "Connect the two white sides on either board.",
        ),
    ],
)
.endings(&[Ending::CONNECTION])
.inputs(&CELL_INPUTS, &["second_stone", "size/9"])
.usual_plies(|cells| cells / 3)
.weak_levels([2.19, 1.63, 1.2])
.lesson(&[BOARDS, TURNS, GOAL]);
