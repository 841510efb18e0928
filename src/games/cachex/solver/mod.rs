//! Exact values of Cachex on boards so small that all their positions fit into memory, by retrograde
//! analysis: from the finished games backwards, one ply at a time. Shares nothing with the search.
//!
//! The table knows stones and the player to move, no history. What depends on the turn (the forbidden
//! centre, the swap) is looked at ahead of it, move by move. Repetition and the turn limit are left out:
//! who can be forced neither to lose nor to win plays for ever, and that is a draw.

mod boards;
mod diamonds;
mod retrograde;

use std::ops::RangeInclusive;

use crate::games::{Cachex, Position, Rules, Seat, Solution, Solver, Verdict};

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
    /// Solves a board of 3×3, at once, or 4×4, within seconds and in 43 MB: a byte for each of the 3^(size × size)
    /// boards. Uses rayon's threads.
    ///
    /// # Panics
    /// If the size is not one of these.
    pub fn new(size: usize) -> Self {
        assert!(SIZES.contains(&size), "boards of 3×3 and 4×4 can be solved");
        let boards = Boards::new(size);
        let table = Table::solved(&boards);
        Self { size, boards, table }
    }

    /// Returns the number of unfinished positions with each value, the player to move taken for Red.
    pub fn counts(&self) -> Counts {
        self.table.counts()
    }

    /// The result of a position's stones, as if neither swap nor forbidden centre
    /// were in question. None if the game is over.
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
                // Turns are single plies.
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
        // The swap and the forbidden centre count for two turns.
        let solution: &dyn Solution = self;
        solution.verdict_by_moves(position)
    }
}
