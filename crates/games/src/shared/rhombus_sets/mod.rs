//! Stones of two players who connect opposite sides of a rhombus, as two sets of cells: code for
//! games in which stones move or change hands, so that chains have to be recomputed after each
//! move.
//!
//! | file | subject |
//! |---|---|
//! | here | [`Stones`]: their cells, what they join, how they change |
//! | `directions` | steps in the six directions, names of moves (`p:c3-ne`); input planes, frames and symmetries |
//! | `plays` | the actions of games with such moves |

mod directions;
mod plays;

pub use directions::{Cell, DIRECTION_NAMES, Directed, PLANES, frames, moved, symmetries};
pub use plays::Play;

use rand::Rng;

use crate::shared::rhombus::sides_of;
use crate::{Action, CellCost, Change, ChangeLog, GameRng, InvalidMove, Outcome, PathCosts, Piece, Seat, State};
use hexzero_board::{RhombusSet, cell_name};

/// The stones of both players on a rhombus with a side of at most [`RhombusSet::MAX_SIDE`]. The
/// first player connects row 1 to the last row, the second column a to the last column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stones {
    size: u8,
    sets: [RhombusSet; 2],
}

impl Stones {
    /// Creates an empty board.
    pub fn new(size: usize) -> Self {
        Self { size: size as u8, sets: [RhombusSet::EMPTY; 2] }
    }

    /// Returns the number of cells on a side.
    #[inline]
    pub fn side(&self) -> usize {
        self.size as usize
    }

    /// Returns the number of cells.
    #[inline]
    pub fn cells(&self) -> usize {
        self.side() * self.side()
    }

    /// Returns the row and column of a cell.
    #[inline]
    pub fn at(&self, cell: usize) -> Cell {
        (cell / self.side(), cell % self.side())
    }

    /// Returns the index of the cell in a row and column.
    #[inline]
    pub fn number(&self, (row, column): Cell) -> usize {
        row * self.side() + column
    }

    /// Returns the name of a cell.
    pub fn name(&self, cell: Cell) -> String {
        cell_name(self.side(), self.number(cell))
    }

    /// Returns the piece on the cell with this index.
    pub fn piece(&self, number: usize) -> Option<Piece> {
        self.owner(self.at(number)).map(Piece::stone)
    }

    /// Returns a player's stones.
    #[inline]
    pub fn of(&self, player: Seat) -> RhombusSet {
        self.sets[player.index()]
    }

    /// Returns true if a player has a stone on a cell.
    #[inline]
    pub fn has(&self, player: Seat, (row, column): Cell) -> bool {
        self.sets[player.index()].contains(row, column)
    }

    /// Returns the owner of the stone on a cell.
    #[inline]
    pub fn owner(&self, cell: Cell) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|&player| self.has(player, cell))
    }

    /// Returns the empty cells.
    #[inline]
    pub fn empty(&self) -> RhombusSet {
        !(self.sets[0] | self.sets[1]) & RhombusSet::full(self.side())
    }

    /// Puts a player's stone on an empty cell.
    #[inline]
    pub fn put(&mut self, player: Seat, (row, column): Cell) {
        self.sets[player.index()].insert(row, column);
    }

    /// Removes a player's stone from a cell.
    #[inline]
    pub fn take(&mut self, player: Seat, (row, column): Cell) {
        self.sets[player.index()].remove(row, column);
    }

    /// Turns stones of the other player into this player's.
    #[inline]
    pub fn give(&mut self, player: Seat, stones: RhombusSet) {
        self.sets[player.index()] |= stones;
        self.sets[player.opponent().index()] &= !stones;
    }

    /// Returns the cells along a player's two sides.
    #[inline]
    pub fn edges(&self, player: Seat) -> [RhombusSet; 2] {
        let (side, last) = (self.side(), self.side() - 1);
        match player {
            Seat::First => [RhombusSet::row(side, 0), RhombusSet::row(side, last)],
            Seat::Second => [RhombusSet::column(side, 0), RhombusSet::column(side, last)],
        }
    }

    /// Returns a player's stones that are connected to each of the player's sides.
    pub fn joined(&self, player: Seat) -> [RhombusSet; 2] {
        self.edges(player).map(|edge| edge.flood(self.of(player)))
    }

    /// Returns true if a player has connected their sides.
    #[inline]
    pub fn joins(&self, player: Seat) -> bool {
        let ([near, far], own) = (self.edges(player), self.of(player));
        // A chain across has a stone in every line, which rules out most boards quickly.
        !(near & own).is_empty() && !(far & own).is_empty() && !((near & own).flood(own) & far).is_empty()
    }

    /// Returns the empty cells where a player's stone completes a chain from side to side.
    pub fn completing(&self, player: Seat) -> RhombusSet {
        let ([near, far], joined) = (self.edges(player), self.joined(player));
        (joined[0].neighbours() | near) & (joined[1].neighbours() | far) & self.empty()
    }

    /// Returns the indices of the winner's stones that are connected to both sides; none while no
    /// player has won.
    pub fn winning_chain(&self, outcome: Option<Outcome>) -> Vec<usize> {
        let Some(winner) = outcome.and_then(|outcome| outcome.winner) else { return Vec::new() };
        let [near, far] = self.joined(winner);
        (near & far).iter().map(|cell| self.number(cell)).collect()
    }

    /// Returns true if the first player's stone is the only one on the board, so that a swap is
    /// possible.
    pub fn only_the_first_stone(&self) -> bool {
        self.sets[1].is_empty() && self.sets[0].count() == 1
    }

    /// Swaps: the only stone becomes the second player's, on the cell with row and column
    /// exchanged.
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

    /// Adds an action for each of some cells, in order; `first` is the action of the board's first
    /// cell.
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

    /// Draws uniformly from the placements on some cells and the swap, if it is possible. There must be at least one
    /// thing to draw.
    #[inline]
    pub fn draw(&self, cells: RhombusSet, swap: Option<Action>, rng: &mut GameRng) -> Option<Action> {
        let cell = cells.nth(rng.random_range(0..cells.count() + usize::from(swap.is_some())));
        cell.map(|cell| Action(self.number(cell) as u16)).or(swap)
    }

    /// Checks that a stone may be placed on a cell.
    ///
    /// # Errors
    /// If the cell is occupied.
    pub fn check_empty(&self, cell: Cell) -> Result<(), InvalidMove> {
        match self.owner(cell) {
            Some(_) => Err(InvalidMove::Occupied { cell: self.name(cell) }),
            None => Ok(()),
        }
    }

    /// Returns the costs of cells for a player's paths, where `takes` returns the stones that a player could take. Own
    /// stones cost nothing, or 1 if they could be taken now. A path may cross enemy stones that the player could take,
    /// at the first of `costs` if the player is to move, otherwise at the second.
    pub fn path_costs(
        &self,
        player: Seat,
        to_move: Seat,
        takes: impl Fn(Seat) -> RhombusSet,
        costs: [u8; 2],
    ) -> PathCosts {
        let threatened = if to_move == player { RhombusSet::EMPTY } else { takes(to_move) };
        let (takeable, cost_of_taking) = (takes(player), costs[usize::from(to_move != player)]);
        let step = |number: usize| {
            let cell = self.at(number);
            let cost = match self.owner(cell) {
                None => Some(CellCost::STONE),
                Some(owner) if owner == player => Some(u8::from(threatened.contains(cell.0, cell.1))),
                Some(_) => takeable.contains(cell.0, cell.1).then_some(cost_of_taking),
            };
            CellCost { cost, sides: sides_of(self.side(), player, number) }
        };
        (0..self.cells()).map(step).collect()
    }

    /// Returns the state of a position with these stones, or `None` if the board is too large.
    pub fn state(&self, to_move: Seat, flags: &[bool]) -> Option<State> {
        let state = State::of_owners(self.cells(), to_move, |cell| self.owner(self.at(cell)));
        state.map(|state| state.with_flags(flags))
    }
}

#[cfg(test)]
impl Stones {
    /// Returns a board with stones, x and o, in its first rows.
    pub fn of_rows(size: usize, rows: &[&str]) -> Self {
        let mut stones = Self::new(size);
        for (row, text) in rows.iter().enumerate() {
            for (column, symbol) in text.bytes().enumerate() {
                match symbol {
                    b'x' => stones.put(Seat::First, (row, column)),
                    b'o' => stones.put(Seat::Second, (row, column)),
                    _ => (),
                }
            }
        }
        stones
    }

    /// Returns a board with stones in its second row alone.
    pub fn of_row(text: &str) -> Self {
        Self::of_rows(text.len(), &["", text])
    }

    /// Returns the row of [`Stones::of_row`] as text.
    pub fn row_text(&self) -> String {
        let symbol = |column| self.owner((1, column)).map_or('.', |owner| ['x', 'o'][owner.index()]);
        (0..self.side()).map(symbol).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swap_mirrors_the_stone_across_the_diagonal() {
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
        let won = Outcome::connection(Seat::First);
        assert_eq!(stones.winning_chain(Some(won)), [1, 3, 6]);
        assert!(stones.winning_chain(None).is_empty());
    }
}
