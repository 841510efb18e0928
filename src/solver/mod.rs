//! Exact values of Cachex on boards so small that all their positions fit into memory, by retrograde
//! analysis: from the finished games backwards, one ply at a time. Shares nothing with the search.
//!
//! The table knows stones and the player to move, no history. What depends on the turn (the forbidden
//! centre, the swap) is looked at ahead of it, move by move. Repetition and the turn limit are left out:
//! who can be forced neither to lose nor to win plays for ever, and that is a draw.

mod boards;
mod diamonds;
mod retrograde;
mod value;

use std::ops::RangeInclusive;

use crate::games::{Action, Cachex, EndReason, Game, Position, Seat};

use boards::Boards;
use retrograde::{Entry, Table};

pub use retrograde::Counts;
pub use value::Value;

/// The board is too large to solve, or too small to be played on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the solver takes boards of 3×3 and 4×4, not {size}×{size}: it keeps a byte for each of the 3^(size × size) boards"
)]
pub struct Unsolvable {
    /// The size that was asked for.
    pub size: usize,
}

/// The values of all positions of Cachex on one board.
#[derive(Debug)]
pub struct Solution {
    boards: Boards,
    table: Table,
    size: usize,
}

impl Solution {
    /// The sizes of the boards that can be solved.
    pub const SIZES: RangeInclusive<usize> = 3..=4;

    /// Solves a board: at once for 3×3, within seconds and in 43 MB for 4×4. Uses rayon's threads.
    ///
    /// # Errors
    /// If the size is not in [`Solution::SIZES`].
    pub fn new(size: usize) -> Result<Self, Unsolvable> {
        Self::start(size)?;
        let boards = Boards::new(size);
        let table = Table::solved(&boards);
        Ok(Self { size, boards, table })
    }

    /// The start of a game on a board that can be solved.
    ///
    /// # Errors
    /// If the size is not in [`Solution::SIZES`].
    pub fn start(size: usize) -> Result<Cachex, Unsolvable> {
        if !Self::SIZES.contains(&size) {
            return Err(Unsolvable { size });
        }
        Cachex::new(size).map_err(|_| Unsolvable { size })
    }

    /// How many positions that are not over have which value, the player to move taken for Red.
    pub fn counts(&self) -> Counts {
        self.table.counts()
    }

    /// The value of a position's stones to the player to move, as if neither swap nor forbidden centre
    /// were in question. None if the game is over.
    ///
    /// # Panics
    /// If the position is on a board of another size.
    pub fn value_of_stones(&self, game: &Cachex) -> Option<Value> {
        assert_eq!(game.size(), self.size, "a position on the board that was solved");
        let mover = game.to_move();
        let stones = |player: Seat| (0..self.boards.cells()).filter(move |&cell| game.stone(cell) == Some(player));
        let mask = |player| stones(player).fold(0, |mask, cell| mask | 1 << game.in_movers_frame(cell));
        match self.table.entry(self.boards.index(mask(mover), mask(mover.opponent()))) {
            Entry::Solved(0) | Entry::Never => None,
            Entry::Solved(plies) if plies % 2 == 1 => Some(Value::Win(plies)),
            Entry::Solved(plies) => Some(Value::Loss(plies)),
            Entry::Unsolved => Some(Value::Draw),
        }
    }

    /// The value of a position to the player to move; none if the game is over.
    ///
    /// # Panics
    /// If the position is on a board of another size.
    pub fn value(&self, game: &Cachex) -> Option<Value> {
        if game.outcome().is_some() {
            return None;
        }
        if game.turns() >= 2 {
            return self.value_of_stones(game);
        }
        self.moves(game).first().map(|&(_, value)| value)
    }

    /// All moves with their values to the player who makes them, the best ones first.
    ///
    /// # Panics
    /// If the position is on a board of another size.
    pub fn moves(&self, game: &Cachex) -> Vec<(Action, Value)> {
        let mut actions = Vec::new();
        game.legal_actions(&mut actions);
        let value_of = |action: Action| {
            let mut next = game.clone();
            next.play(action);
            match next.outcome() {
                None => self.value(&next).map_or(Value::Draw, Value::before),
                Some(outcome) if outcome.reason == EndReason::CONNECTION => Value::Win(1),
                Some(_) => Value::Draw,
            }
        };
        let mut moves: Vec<_> = actions.into_iter().map(|action| (action, value_of(action))).collect();
        moves.sort_by_key(|&(_, value)| std::cmp::Reverse(value));
        moves
    }
}
