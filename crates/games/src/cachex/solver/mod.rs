//! Exact values of Cachex on boards so small that all their positions fit into memory, by
//! retrograde analysis: from the finished games backwards, one ply at a time. Shares no code with
//! the search.
//!
//! The table is indexed by stones and side to move, without history. The rules that depend on the
//! turn (the forbidden centre, the swap) are applied by looking ahead move by move. Repetition and
//! the turn limit are left out: a player who can force neither a win nor a loss plays on forever,
//! which is a draw.

mod retrograde;

use std::ops::RangeInclusive;

use crate::shared::rhombus::{in_frame_of, transposed};
use crate::{Cachex, Position, Rules, Seat, Solution, Solver, Verdict};
use hexzero_board::{Topology, rhombus};

use retrograde::{Entry, Table};

pub use retrograde::Counts;

/// The boards that are solved.
const SIZES: RangeInclusive<usize> = 3..=4;
/// Solves 3×3 and 4×4.
pub(super) const SOLVER: Solver = Solver { sizes: SIZES, solve: |size| Box::new(ExactValues::new(size)) };

/// The values of all positions of Cachex on one board.
#[derive(Debug)]
pub struct ExactValues {
    boards: Boards,
    table: Table,
    size: usize,
}

impl ExactValues {
    /// Solves a board of 3×3, instantly, or 4×4, within seconds and in 43 MB: a byte for each of
    /// the 3^(size × size) boards. Uses rayon's threads.
    ///
    /// # Panics
    /// If the size is not one of these.
    pub fn new(size: usize) -> Self {
        assert!(SIZES.contains(&size), "boards of 3×3 and 4×4 can be solved");
        let boards = Boards::new(size);
        let table = Table::solved(&boards);
        Self { size, boards, table }
    }

    /// Returns the number of unfinished positions with each value, with Red as the side to move.
    pub fn counts(&self) -> Counts {
        self.table.counts()
    }

    /// Returns the value of a position's stones, ignoring the swap and the forbidden centre, or
    /// `None` if the game is over.
    ///
    /// # Panics
    /// If the position is on a board of another size.
    pub fn verdict_of_stones(&self, game: &Cachex) -> Option<Verdict> {
        assert_eq!(game.stones.side(), self.size, "a position on the board that was solved");
        let mover = game.to_move();
        let stones = |seat: Seat| (0..self.boards.cells).filter(move |&cell| game.owner(cell) == Some(seat));
        let mask = |seat| stones(seat).fold(0, |mask, cell| mask | 1 << in_frame_of(self.size, mover, cell));
        match self.table.entry(self.boards.index(mask(mover), mask(mover.opponent()))) {
            Entry::Solved(0) | Entry::Never => None,
            Entry::Solved(plies) => {
                // A turn is one ply.
                let winner = if plies % 2 == 1 { mover } else { mover.opponent() };
                Some(Verdict { winner: Some(winner), plies: Some(plies) })
            }
            Entry::Unsolved => Some(Verdict { winner: None, plies: Some(0) }),
        }
    }
}

impl Solution for ExactValues {
    fn verdict(&self, position: &Position) -> Option<Verdict> {
        let game: &Cachex = position.rules().expect("a position of this game");
        if game.turns() >= 2 {
            return self.verdict_of_stones(game);
        }
        // The swap and the forbidden centre matter for two turns.
        let solution: &dyn Solution = self;
        solution.verdict_by_moves(position)
    }
}

/// Number of cells whose digits are decoded by one table lookup.
const LOW_CELLS: usize = 8;
/// The number of boards with this many cells.
const LOW_BOARDS: usize = 3usize.pow(LOW_CELLS as u32);

/// Indexes the boards of one size. A board is seen by the side to move, which connects the first
/// row with the last: cell `i` is the digit of 3^i, 0 if empty, 1 for an own stone, 2 for an enemy
/// stone.
#[derive(Debug)]
struct Boards {
    cells: usize,
    /// All diamonds of the board, by the cell that closes them.
    closings: Vec<Closings>,
    /// For each board of [`LOW_CELLS`] cells, its own and enemy stones.
    decoded: Vec<(Mask, Mask)>,
    /// The index of a set of own stones, by its low byte and high byte.
    ternary: [[u32; 256]; 2],
    /// As `ternary`, for the other player, who sees the board transposed.
    transposed: [[u32; 256]; 2],
    /// For each set of stones, whether it connects the first and the last row (bit 0) or column
    /// (bit 1).
    joined: Vec<u8>,
}

impl Boards {
    fn new(side: usize) -> Self {
        let around = neighbours(rhombus(side));
        let cells = around.len();
        let digits = |half: usize, cell_of: &dyn Fn(usize) -> usize| {
            let digit = |bit: usize| {
                let cell = half * LOW_CELLS + bit;
                if cell < cells { 3u32.pow(cell_of(cell) as u32) } else { 0 }
            };
            std::array::from_fn(|byte| (0..LOW_CELLS).filter(|bit| byte >> bit & 1 != 0).map(digit).sum())
        };
        Self {
            cells,
            closings: closings(&around),
            decoded: (0..LOW_BOARDS).map(decode).collect(),
            ternary: [0, 1].map(|half| digits(half, &|cell| cell)),
            transposed: [0, 1].map(|half| digits(half, &|cell| transposed(side, cell))),
            joined: joined_sides(&around, side),
        }
    }

    fn count(&self) -> usize {
        3usize.pow(self.cells as u32)
    }

    fn full(&self) -> Mask {
        ((1u32 << self.cells) - 1) as Mask
    }

    /// Returns the index of the board with these stones.
    #[inline]
    fn index(&self, own: Mask, enemy: Mask) -> usize {
        (number(&self.ternary, own) + 2 * number(&self.ternary, enemy)) as usize
    }

    /// Returns the index of the board with these stones as the enemy sees it, transposed.
    #[inline]
    fn index_to_enemy(&self, own: Mask, enemy: Mask) -> usize {
        (number(&self.transposed, enemy) + 2 * number(&self.transposed, own)) as usize
    }

    /// Returns the own and enemy stones of a board, from the two parts of its index.
    #[inline]
    fn stones(&self, high: usize, low: usize) -> (Mask, Mask) {
        let (above, below) = (self.decoded[high], self.decoded[low]);
        (above.0 << LOW_CELLS | below.0, above.1 << LOW_CELLS | below.1)
    }

    /// Returns the enemy stones that the own stone on a cell captures, all diamonds judged on the
    /// same board.
    #[inline]
    fn captured(&self, placed: usize, own: Mask, enemy: Mask) -> Mask {
        let closed =
            self.closings[placed].iter().filter(|(pair, opposite)| enemy & pair == *pair && own & opposite != 0);
        closed.fold(0, |taken, (pair, _)| taken | pair)
    }
}

#[inline]
fn number(digits: &[[u32; 256]; 2], stones: Mask) -> u32 {
    digits[0][stones as usize & 255] + digits[1][stones as usize >> 8]
}

fn decode(mut number: usize) -> (Mask, Mask) {
    let (mut own, mut enemy) = (0, 0);
    for bit in 0..LOW_CELLS {
        match number % 3 {
            0 => {}
            1 => own |= 1 << bit,
            _ => enemy |= 1 << bit,
        }
        number /= 3;
    }
    (own, enemy)
}

fn neighbours(board: &Topology) -> Vec<Mask> {
    (0..board.cells()).map(|cell| board.around(cell).fold(0, |mask, other| mask | 1 << other)).collect()
}

/// Computes which sides each set of stones connects, by flooding from one to the other.
fn joined_sides(around: &[Mask], side: usize) -> Vec<u8> {
    let set = |holds: &dyn Fn(usize) -> bool| {
        (0..around.len()).filter(|&cell| holds(cell)).fold(0, |mask: Mask, cell| mask | 1 << cell)
    };
    let sides = [
        (set(&|cell| cell / side == 0), set(&|cell| cell / side == side - 1)),
        (set(&|cell| cell % side == 0), set(&|cell| cell % side == side - 1)),
    ];
    let joins = |stones: Mask, (from, to): (Mask, Mask)| {
        let (mut reached, mut frontier) = (from & stones, from & stones);
        while frontier != 0 {
            let cell = frontier.trailing_zeros() as usize;
            frontier &= frontier - 1;
            let new = around[cell] & stones & !reached;
            reached |= new;
            frontier |= new;
        }
        reached & to != 0
    };
    let bits = |stones: u32| {
        let stones = stones as Mask;
        u8::from(joins(stones, sides[0])) | u8::from(joins(stones, sides[1])) << 1
    };
    (0..1u32 << around.len()).map(bits).collect()
}

/// A set of cells.
type Mask = u16;

/// The ways to close a diamond with a stone on one cell: the two enemy stones, and the own stone opposite.
type Closings = Vec<(Mask, Mask)>;

/// Returns the diamonds of a board, from the neighbours of each cell: a diamond consists of two
/// neighbouring cells and the two cells adjacent to both.
fn closings(around: &[Mask]) -> Vec<Closings> {
    let mut closings = vec![Closings::new(); around.len()];
    for a in 0..around.len() {
        for b in (a + 1..around.len()).filter(|b| around[a] >> b & 1 != 0) {
            let tips = around[a] & around[b];
            if tips.count_ones() < 2 {
                continue;
            }
            let (c, d) = (tips.trailing_zeros() as usize, 15 - tips.leading_zeros() as usize);
            for (placed, opposite, pair) in [(a, b, [c, d]), (b, a, [c, d]), (c, d, [a, b]), (d, c, [a, b])] {
                closings[placed].push((1 << pair[0] | 1 << pair[1], 1 << opposite));
            }
        }
    }
    closings
}
