//! Stones of two players who join opposite sides of a rhombus, as two sets of cells: what the games have in common in
//! which stones move or change hands, so that chains have to be found anew after a move.
//!
//! | file | subject |
//! |---|---|
//! | here | [`Stones`]: their cells, what they join, how they change |
//! | `lines` | walks along the six directions |
//! | `notation` | names of moves with a direction, such as `p:c3-ne` |
//! | `view` | the input planes that these games share, frames and symmetries |
//! | `words` | the two seats and the swap in words |
//! | `keys` | random numbers of stones, for repetitions |

mod keys;
mod lines;
mod notation;
mod view;
pub mod words;

pub use keys::stone_key;
pub use lines::{Cell, draw_directed, moved};
pub use notation::{DIRECTION_NAMES, Directed};
pub use view::{PLANES, frames, on_plane, symmetries};

use rand::Rng;

use crate::board::{RhombusSet, cell_name};
use crate::games::shared::rhombus::{joins, sides_of};
use crate::games::{Action, CellCost, Change, ChangeLog, GameRng, InvalidMove, Outcome, PathCosts, Piece, Seat};

/// The stones of both players on a rhombus with a side of at most [`RhombusSet::LARGEST_SIDE`]. The first player joins
/// row 1 to the last row, the second column a to the last column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stones {
    size: u8,
    sets: [RhombusSet; 2],
}

impl Stones {
    /// An empty board.
    pub fn new(size: usize) -> Self {
        Self { size: size as u8, sets: [RhombusSet::EMPTY; 2] }
    }

    /// The cells on a side.
    #[inline]
    pub fn side(&self) -> usize {
        self.size as usize
    }

    /// The cells of the board.
    #[inline]
    pub fn cells(&self) -> usize {
        self.side() * self.side()
    }

    /// Row and column of a cell.
    #[inline]
    pub fn at(&self, cell: usize) -> Cell {
        (cell / self.side(), cell % self.side())
    }

    /// The number of the cell in a row and column.
    #[inline]
    pub fn number(&self, (row, column): Cell) -> usize {
        row * self.side() + column
    }

    /// The name of a cell.
    pub fn name(&self, cell: Cell) -> String {
        cell_name(self.side(), self.number(cell))
    }

    /// Returns the piece on the cell with this number.
    pub fn piece(&self, number: usize) -> Option<Piece> {
        self.owner(self.at(number)).map(Piece::stone)
    }

    /// A player's stones.
    #[inline]
    pub fn of(&self, player: Seat) -> RhombusSet {
        self.sets[player.index()]
    }

    /// Returns true if a player has a stone on a cell.
    #[inline]
    pub fn has(&self, player: Seat, (row, column): Cell) -> bool {
        self.sets[player.index()].contains(row, column)
    }

    /// The owner of the stone on a cell.
    #[inline]
    pub fn owner(&self, cell: Cell) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|&player| self.has(player, cell))
    }

    /// The empty cells.
    #[inline]
    pub fn empty(&self) -> RhombusSet {
        !(self.sets[0] | self.sets[1]) & RhombusSet::full(self.side())
    }

    /// Puts a player's stone on an empty cell.
    #[inline]
    pub fn put(&mut self, player: Seat, (row, column): Cell) {
        self.sets[player.index()].insert(row, column);
    }

    /// Takes a player's stone off a cell.
    #[inline]
    pub fn take(&mut self, player: Seat, (row, column): Cell) {
        self.sets[player.index()].remove(row, column);
    }

    /// Turns stones of the other player into this one's.
    #[inline]
    pub fn give(&mut self, player: Seat, stones: RhombusSet) {
        self.sets[player.index()] |= stones;
        self.sets[player.opponent().index()] &= !stones;
    }

    /// The cells along a player's two sides.
    pub fn edges(&self, player: Seat) -> [RhombusSet; 2] {
        let (side, last) = (self.side(), self.side() - 1);
        match player {
            Seat::First => [RhombusSet::row(side, 0), RhombusSet::row(side, last)],
            Seat::Second => [RhombusSet::column(side, 0), RhombusSet::column(side, last)],
        }
    }

    /// A player's stones that are joined to each of their sides.
    pub fn joined(&self, player: Seat) -> [RhombusSet; 2] {
        self.edges(player).map(|edge| edge.flood(self.of(player)))
    }

    /// Returns true if a player has joined their sides.
    #[inline]
    pub fn joins(&self, player: Seat) -> bool {
        joins(self.side(), player, self.of(player))
    }

    /// The empty cells where a player's stone completes a chain from side to side.
    pub fn completing(&self, player: Seat) -> RhombusSet {
        let ([near, far], joined) = (self.edges(player), self.joined(player));
        (joined[0].neighbours() | near) & (joined[1].neighbours() | far) & self.empty()
    }

    /// The numbers of the winner's stones that are joined to both sides; none while no player has won.
    pub fn winning_chain(&self, outcome: Option<Outcome>) -> Vec<usize> {
        let Some(winner) = outcome.and_then(|outcome| outcome.winner) else { return Vec::new() };
        let [near, far] = self.joined(winner);
        (near & far).iter().map(|cell| self.number(cell)).collect()
    }

    /// Returns true if the first player's stone is the only one on the board: then a swap is possible.
    pub fn only_the_first_stone(&self) -> bool {
        self.sets[1].is_empty() && self.sets[0].count() == 1
    }

    /// Swaps: the only stone becomes the second player's, on the cell with row and column exchanged.
    pub fn swap(&mut self, changes: &mut impl ChangeLog) {
        let Some((row, column)) = self.sets[0].iter().next() else { return };
        self.take(Seat::First, (row, column));
        self.put(Seat::Second, (column, row));
        let [from, to] = [(row, column), (column, row)].map(|cell| self.number(cell) as u16);
        if from != to {
            changes.note(Change::Moved(from, to));
        }
        changes.note(Change::Recoloured(to));
    }

    /// Adds an action for each of some cells, in order; that of the first cell is `first`.
    #[inline]
    pub fn push_actions(&self, first: usize, cells: RhombusSet, actions: &mut Vec<Action>) {
        for row in 0..self.side() {
            let mut bits = cells.row_bits(row);
            let start = first + row * self.side();
            while bits != 0 {
                actions.push(Action((start + bits.trailing_zeros() as usize) as u16));
                bits &= bits - 1;
            }
        }
    }

    /// One of some cells and `more` other things, each as likely as the others: a cell, or none for one of the others.
    /// There must be one.
    #[inline]
    pub fn draw(&self, cells: RhombusSet, more: usize, rng: &mut GameRng) -> Option<usize> {
        cells.nth(rng.random_range(0..cells.count() + more)).map(|cell| self.number(cell))
    }

    /// Checks that a stone may be placed on a cell.
    ///
    /// # Errors
    /// If there is a stone already.
    pub fn check_empty(&self, cell: Cell) -> Result<(), InvalidMove> {
        match self.owner(cell) {
            Some(_) => Err(InvalidMove::Occupied { cell: self.name(cell) }),
            None => Ok(()),
        }
    }

    /// The board as a player's paths see it. `own` is what a cell with an own stone costs, `enemy` one with an enemy
    /// stone, if a path can go there.
    pub fn path_costs(&self, player: Seat, own: impl Fn(Cell) -> u8, enemy: impl Fn(Cell) -> Option<u8>) -> PathCosts {
        let step = |number: usize| {
            let cell = self.at(number);
            let cost = match self.owner(cell) {
                None => Some(CellCost::STONE),
                Some(owner) if owner == player => Some(own(cell)),
                Some(_) => enemy(cell),
            };
            CellCost { cost, sides: sides_of(self.side(), player, number) }
        };
        (0..self.cells()).map(step).collect()
    }

    /// The stones as a number, which leaves room for 24 bits, or none if the board is larger than 7 × 7.
    pub fn key(&self) -> Option<u128> {
        let digit = |cell| self.owner(self.at(cell)).map_or(0, |owner| 1 + owner.index() as u128);
        (self.side() <= 7).then(|| (0..self.cells()).fold(1, |key, cell| key << 2 | digit(cell)))
    }
}

/// Checks that the swap may be played, in a game that has one, or whose variant does.
///
/// # Errors
/// If there is none in the game, or not now; `turns` have been played.
pub fn check_swap(game: &str, exists: bool, is_possible: bool, turns: usize) -> Result<(), InvalidMove> {
    if !exists {
        return Err(InvalidMove::Refused { reason: format!("there is no swap in {game}") });
    }
    if is_possible { Ok(()) } else { Err(InvalidMove::swap_not_now(turns + 1)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::EndReason;

    #[test]
    fn a_swap_takes_over_the_stone_across_the_diagonal() {
        let mut stones = Stones::new(4);
        assert!(!stones.only_the_first_stone());
        stones.put(Seat::First, (0, 2));
        assert!(stones.only_the_first_stone());
        let mut changes = Vec::new();
        stones.swap(&mut changes);
        assert_eq!(changes, [Change::Moved(2, 8), Change::Recoloured(8)]);
        assert_eq!((stones.owner((0, 2)), stones.owner((2, 0))), (None, Some(Seat::Second)));
        assert!(!stones.only_the_first_stone());
    }

    #[test]
    fn chains_and_what_completes_them() {
        let mut stones = Stones::new(3);
        [(0, 1), (2, 0)].into_iter().for_each(|cell| stones.put(Seat::First, cell));
        assert_eq!(stones.completing(Seat::First).iter().collect::<Vec<_>>(), [(1, 0), (1, 1)]);
        stones.put(Seat::Second, (1, 0));
        stones.give(Seat::First, stones.of(Seat::Second));
        assert!(stones.joins(Seat::First));
        let won = Outcome { winner: Some(Seat::First), reason: EndReason::CONNECTION };
        assert_eq!(stones.winning_chain(Some(won)), [1, 3, 6]);
        assert!(stones.winning_chain(None).is_empty());
    }
}
