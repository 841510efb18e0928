//! Exact values of Cachex on boards so small that all their positions fit into memory, by
//! retrograde analysis: from the finished games backwards, one ply at a time. Shares no code with
//! the search.
//!
//! The table is indexed by stones and side to move, without history. The rules that depend on the
//! turn (the forbidden centre, the swap) are applied by looking ahead move by move. Repetition and
//! the turn limit are left out: a player who can force neither a win nor a loss plays on forever,
//! which is a draw.

mod boards;
mod retrograde;

use std::ops::RangeInclusive;

use crate::{Cachex, Position, Rules, Seat, Solution, Solver, Verdict};

use boards::Boards;
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
        assert_eq!(game.side(), self.size, "a position on the board that was solved");
        let mover = game.to_move();
        let stones = |seat: Seat| (0..self.boards.cells()).filter(move |&cell| game.owner(cell) == Some(seat));
        let in_frame = |cell: usize| match mover {
            Seat::First => cell,
            Seat::Second => cell % self.size * self.size + cell / self.size,
        };
        let mask = |seat| stones(seat).fold(0, |mask, cell| mask | 1 << in_frame(cell));
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
