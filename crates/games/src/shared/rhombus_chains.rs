//! Stones of a few kinds that never move on a rhombus, and the sides that their chains touch.

use crate::shared::rhombus::BOTH_SIDES;
use crate::{GameRng, InvalidMove, Outcome, Seat, State, draw_until_legal};
use hexzero_board::{Chains, NO_CELL, RhombusSet, cell_name, rhombus};

/// Marks an empty cell.
const EMPTY: u8 = u8::MAX;
const KINDS: usize = 3;

/// The stones of a board with at most `CELLS` cells and a side of at most [`RhombusSet::MAX_SIDE`].
/// Kinds are numbers below 3, for seats or colours. A stone is joined only to stones of its own
/// kind.
///
/// Sides are four bits: the first seat's two in bits 0 and 1, the second's in bits 2 and 3.
#[derive(Debug, Clone)]
pub struct RhombusStones<const CELLS: usize> {
    side: u8,
    kinds: [u8; CELLS],
    sets: [RhombusSet; KINDS],
    chains: Chains<CELLS>,
}

/// Returns whether a chain that touches these sides connects a seat's two.
#[inline]
pub fn joins_sides_of(seat: Seat, sides: u8) -> bool {
    sides >> (2 * seat.index()) & BOTH_SIDES == BOTH_SIDES
}

/// Returns the sides from a seat's point of view: its own in bits 0 and 1, the opponent's in bits 2
/// and 3.
#[inline]
pub fn sides_seen_by(seat: Seat, sides: u8) -> u8 {
    match seat {
        Seat::First => sides,
        Seat::Second => sides >> 2 | (sides & BOTH_SIDES) << 2,
    }
}

/// Writes sides as inputs, in the order of [`sides_seen_by`] a seat.
#[inline]
pub fn write_sides(inputs: &mut [f32], seat: Seat, sides: u8) {
    let seen = sides_seen_by(seat, sides);
    inputs.iter_mut().enumerate().for_each(|(bit, input)| *input = f32::from(seen >> bit & 1));
}

/// Returns the sides that a cell lies on.
#[inline]
pub fn sides_of_cell(side: usize, cell: usize) -> u8 {
    let (row, column) = (cell as u32 / side as u32, cell as u32 % side as u32);
    let last = side as u32 - 1;
    u8::from(row == 0) | u8::from(row == last) << 1 | u8::from(column == 0) << 2 | u8::from(column == last) << 3
}

impl<const CELLS: usize> RhombusStones<CELLS> {
    /// Creates an empty board.
    ///
    /// # Panics
    /// If the board has more than `CELLS` cells.
    pub fn new(side: usize) -> Self {
        assert!(side * side <= CELLS, "a board of {side} × {side} cells is too large");
        Self { side: side as u8, kinds: [EMPTY; CELLS], sets: [RhombusSet::EMPTY; KINDS], chains: Chains::default() }
    }

    /// Returns the number of cells along a side.
    #[inline]
    pub fn side(&self) -> usize {
        self.side as usize
    }

    /// Returns the number of cells.
    #[inline]
    pub fn cells(&self) -> usize {
        self.side() * self.side()
    }

    /// Returns the kind of the stone on a cell.
    #[inline]
    pub fn kind(&self, cell: usize) -> Option<u8> {
        (self.kinds[cell] != EMPTY).then_some(self.kinds[cell])
    }

    /// Returns whether a cell is empty.
    #[inline]
    pub fn is_empty(&self, cell: usize) -> bool {
        self.kinds[cell] == EMPTY
    }

    /// Checks that a stone may be placed on a cell.
    ///
    /// # Errors
    /// If the cell is occupied.
    pub fn check_empty(&self, cell: usize) -> Result<(), InvalidMove> {
        if self.is_empty(cell) { Ok(()) } else { Err(InvalidMove::Occupied { cell: cell_name(self.side(), cell) }) }
    }

    /// Returns the empty cells in ascending order.
    #[inline]
    pub fn empty_cells(&self) -> impl Iterator<Item = usize> + '_ {
        let kinds = self.kinds[..self.cells()].iter().enumerate();
        kinds.filter(|&(_, &kind)| kind == EMPTY).map(|(cell, _)| cell)
    }

    /// Draws an empty cell uniformly. Never returns if there is none.
    #[inline]
    pub fn random_empty_cell(&self, rng: &mut GameRng) -> usize {
        draw_until_legal(rng, 0..self.cells() as u32, |cell| self.is_empty(cell)).index()
    }

    /// Places a stone on an empty cell and returns the sides that its chain touches.
    #[inline]
    pub fn place(&mut self, cell: usize, kind: u8) -> u8 {
        self.kinds[cell] = kind;
        self.sets[usize::from(kind)].insert(cell / self.side(), cell % self.side());
        self.chains.place(cell, sides_of_cell(self.side(), cell));
        for &neighbour in &rhombus(self.side()).neighbours()[cell] {
            if neighbour != NO_CELL && self.kinds[neighbour as usize] == kind {
                self.chains.join(cell, neighbour as usize);
            }
        }
        self.chains.sides(cell)
    }

    /// Returns the sides that the chain of the stone on a cell touches, or none if the cell is
    /// empty.
    #[inline]
    pub fn sides(&self, cell: usize) -> u8 {
        if self.is_empty(cell) { 0 } else { self.chains.sides(cell) }
    }

    /// Returns the sides that the chain of a stone of this kind on an empty cell would touch.
    #[inline]
    pub fn sides_with(&self, cell: usize, kind: u8) -> u8 {
        let neighbours = rhombus(self.side()).around(cell).filter(|&neighbour| self.kinds[neighbour] == kind);
        neighbours.fold(sides_of_cell(self.side(), cell), |sides, neighbour| sides | self.chains.sides(neighbour))
    }

    /// Returns the cells of the chains that connect the winner's sides; none while no player has won.
    pub fn winning_chain(&self, outcome: Option<Outcome>) -> Vec<usize> {
        let Some(winner) = outcome.and_then(|outcome| outcome.winner) else { return Vec::new() };
        (0..self.cells()).filter(|&cell| joins_sides_of(winner, self.sides(cell))).collect()
    }

    /// Returns the state of a position with these stones, or `None` if the board is too large. Kinds are `owned` if
    /// they are seats.
    pub fn state(&self, to_move: Seat, owned: bool) -> Option<State> {
        State::new(self.cells(), to_move, owned, |cell| self.kind(cell))
    }

    /// Returns how many stones a chain of a kind lacks to connect a seat's sides, or `None` if
    /// every path is blocked.
    pub fn distance(&self, seat: Seat, kind: u8) -> Option<u32> {
        let stones = self.sets[usize::from(kind)];
        let [first, second, third] = self.sets;
        let empty = RhombusSet::full(self.side()) & !(first | second | third);
        let line = |line| match seat {
            Seat::First => RhombusSet::row(self.side(), line),
            Seat::Second => RhombusSet::column(self.side(), line),
        };
        let (near, far) = (line(0), line(self.side() - 1));
        let mut reached = (near & stones).flood(stones);
        for distance in 0.. {
            if !(reached & far).is_empty() {
                return Some(distance);
            }
            // One more stone, and then along the existing chains.
            let next = reached | (near | reached.neighbours()) & empty;
            if next == reached {
                break;
            }
            reached = next.flood(next | stones);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_and_distances() {
        let mut stones = RhombusStones::<25>::new(5);
        assert_eq!(stones.distance(Seat::First, 0), Some(5));
        // c2, b3: a chain that touches no side; c1 and b4 connect it to the top and bring it near
        // the bottom.
        assert_eq!([stones.place(7, 0), stones.place(11, 0)], [0, 0]);
        assert_eq!((stones.distance(Seat::First, 0), stones.distance(Seat::Second, 0)), (Some(3), Some(3)));
        assert_eq!(stones.sides_with(2, 0), 0b0001);
        assert_eq!(stones.place(2, 0), 0b0001);
        assert_eq!((stones.place(16, 0), stones.distance(Seat::First, 0)), (0b0001, Some(1)));
        assert!(joins_sides_of(Seat::First, stones.sides_with(20, 0)), "a5 joins both");
        stones.place(20, 0);
        let chain_of = |seat| stones.winning_chain(Some(Outcome::connection(seat)));
        assert_eq!(chain_of(Seat::First), [2, 7, 11, 16, 20]);
        assert!(chain_of(Seat::Second).is_empty());
        // The chain blocks another kind from left to right.
        for cell in [0, 1, 3, 4] {
            stones.place(cell, 1);
        }
        assert_eq!((stones.distance(Seat::First, 1), stones.distance(Seat::Second, 1)), (Some(4), None));
        assert_eq!((stones.kind(3), stones.kind(12)), (Some(1), None));
        assert_eq!(stones.empty_cells().count(), 16);
        assert_eq!((sides_seen_by(Seat::First, 0b0110), sides_seen_by(Seat::Second, 0b0110)), (0b0110, 0b1001));
    }
}
