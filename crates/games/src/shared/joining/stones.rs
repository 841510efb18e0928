//! Stones that never move, and the chains they form.

use crate::shared::members;
use crate::{Outcome, Piece, Seat, flag};
use hexzero_board::{Chains, DIRECTIONS, NO_CELL};

use super::links::Links;

/// Two players' stones on one board or several, with at most `CELLS` cells in total.
#[derive(Debug, Clone)]
pub struct Stones<const CELLS: usize> {
    links: &'static Links,
    owners: [Option<Seat>; CELLS],
    /// The chains of both players. A stone is only ever joined to stones of its own colour.
    chains: Chains<CELLS>,
}

impl<const CELLS: usize> Stones<CELLS> {
    /// Creates an empty board.
    ///
    /// # Panics
    /// If the board has more than `CELLS` cells.
    pub fn new(links: &'static Links) -> Self {
        assert!(links.cells() <= CELLS, "a board of at most {CELLS} cells");
        Self { links, owners: [None; CELLS], chains: Chains::default() }
    }

    /// Returns the board's links.
    #[inline]
    pub fn links(&self) -> &'static Links {
        self.links
    }

    /// Returns the number of cells.
    #[inline]
    pub fn cells(&self) -> usize {
        self.links.cells()
    }

    /// Returns the name of a cell.
    pub fn name(&self, cell: usize) -> String {
        self.links.board().label(cell).to_owned()
    }

    /// Returns the owner of the stone on each cell.
    #[inline]
    pub fn owners(&self) -> &[Option<Seat>] {
        &self.owners[..self.cells()]
    }

    /// Returns the owner of the stone on a cell.
    #[inline]
    pub fn owner(&self, cell: usize) -> Option<Seat> {
        self.owners[cell]
    }

    /// Returns the piece on a cell.
    pub fn piece(&self, cell: usize) -> Option<Piece> {
        self.owner(cell).map(Piece::stone)
    }

    /// Returns the cells linked to a cell for a seat that hold stones of the seat.
    #[inline]
    fn own_neighbours(&self, seat: Seat, neighbours: [u16; DIRECTIONS]) -> impl Iterator<Item = usize> + '_ {
        let cells = neighbours.into_iter().filter(|&slot| slot != NO_CELL).map(usize::from);
        cells.filter(move |&cell| self.owners[cell] == Some(seat))
    }

    /// Places a stone and returns whether its chain touches all sides of its seat. A stone may
    /// replace a single stone of the other seat, as a swap does.
    #[inline]
    pub fn place(&mut self, seat: Seat, cell: usize) -> bool {
        let spot = self.links.cell(cell);
        self.owners[cell] = Some(seat);
        self.chains.place(cell, spot.sides[seat.index()]);
        for &neighbour in &spot.neighbours[seat.index()] {
            if neighbour != NO_CELL && self.owners[neighbour as usize] == Some(seat) {
                self.chains.join(cell, neighbour as usize);
            }
        }
        self.chains.sides(cell) == spot.goals[seat.index()]
    }

    /// Returns true if a seat's stone on an empty cell would connect all of its sides.
    #[inline]
    pub fn would_join(&self, seat: Seat, cell: usize) -> bool {
        let (spot, seat_index) = (self.links.cell(cell), seat.index());
        let neighbours = self.own_neighbours(seat, spot.neighbours[seat_index]);
        let sides = neighbours.fold(spot.sides[seat_index], |sides, other| sides | self.chains.sides(other));
        sides == spot.goals[seat_index]
    }

    /// Returns an empty cell among these on which a seat's stone would connect all of its sides.
    pub fn joining_cell(&self, seat: Seat, mut among: impl Iterator<Item = usize>) -> Option<usize> {
        among.find(|&cell| self.owners[cell].is_none() && self.would_join(seat, cell))
    }

    /// Returns the cells of the winner's chains that connect all of its sides; none while no player has won.
    pub fn winning_chain(&self, outcome: Option<Outcome>) -> Vec<usize> {
        let Some(winner) = outcome.and_then(|outcome| outcome.winner) else { return Vec::new() };
        let has_won = |&cell: &usize| {
            let goal = self.links.cell(cell).goals[winner.index()];
            self.owners[cell] == Some(winner) && self.chains.sides(cell) == goal
        };
        (0..self.cells()).filter(has_won).collect()
    }

    /// Writes the network inputs of the stones, in the frame of the side to move, into cells of
    /// `planes` planes each: own, enemy, empty; for each side of the board, the cells on it; for
    /// each side, the stones connected to it, own and enemy stones apart where it belongs to both;
    /// cells where a stone would complete an own chain and an enemy chain. The planes after these
    /// ([`Links::planes`]) become 0.
    pub fn encode(&self, mover: Seat, inputs: &mut [f32], planes: usize) {
        for cell in 0..self.cells() {
            let inputs = &mut inputs[self.links.in_frame_of(mover, cell) * planes..][..planes];
            inputs.fill(0.0);
            let spot = self.links.cell(cell);
            for bit in members(spot.touches.into()) {
                inputs[self.links.side_planes(mover, spot.part, bit, mover)[0]] = 1.0;
            }
            match self.owners[cell] {
                Some(owner) => {
                    inputs[usize::from(owner != mover)] = 1.0;
                    for bit in members(self.chains.sides(cell).into()) {
                        inputs[self.links.side_planes(mover, spot.part, bit, owner)[1]] = 1.0;
                    }
                }
                None => {
                    inputs[2] = 1.0;
                    for (plane, seat) in self.links.completing_planes.into_iter().zip([mover, mover.opponent()]) {
                        inputs[plane] = flag(self.would_join(seat, cell));
                    }
                }
            }
        }
    }

    /// Returns a seat's progress towards connecting all of its sides of a part of the board, in
    /// points. The fewer stones it needs and the more paths there are, the higher.
    pub fn points(&self, seat: Seat, part: usize) -> i32 {
        let cells = self.links.part(part);
        let goal = self.links.cell(cells.start).goals[seat.index()];
        // For each cell, the sum of the costs of its paths from all sides, with the cell itself
        // counted once.
        let mut sums = [0u16; CELLS];
        let mut costs = [0u16; CELLS];
        for (nth, bit) in members(goal.into()).enumerate() {
            self.costs_from(seat, 1 << bit, cells.clone(), &mut costs);
            for cell in cells.clone() {
                let again = u16::from(nth > 0 && self.owners[cell].is_none());
                sums[cell] = (sums[cell] + costs[cell]).min(FAR) - again;
            }
        }
        let distance = sums[cells.clone()].iter().copied().min().unwrap_or(FAR);
        let is_way = |cell: &usize| self.owners[*cell].is_none() && sums[*cell] == distance;
        let ways = cells.filter(is_way).count() as i32;
        WAYS_POINTS * ways / i32::from(distance.max(1)) - DISTANCE_POINTS * i32::from(distance)
    }

    /// Returns, for each cell of a part, how many stones a seat needs to connect it to a side, the
    /// cell included.
    fn costs_from(&self, seat: Seat, side: u8, cells: std::ops::Range<usize>, costs: &mut [u16; CELLS]) {
        let cost = |cell: usize| match self.owners[cell] {
            None => Some(1),
            Some(owner) => (owner == seat).then_some(0),
        };
        costs[cells.clone()].fill(FAR);
        // The cells of the current cost, and those of the next.
        let (mut now, mut next) = (Vec::with_capacity(cells.len()), Vec::with_capacity(cells.len()));
        let mut reach = |at: u16, cell: usize, now: &mut Vec<usize>, next: &mut Vec<usize>| {
            let Some(step) = cost(cell) else { return };
            if at + step < costs[cell] {
                costs[cell] = at + step;
                if step == 0 { now.push(cell) } else { next.push(cell) }
            }
        };
        for cell in cells.filter(|&cell| self.links.cell(cell).sides[seat.index()] & side != 0) {
            reach(0, cell, &mut now, &mut next);
        }
        let mut at = 0;
        while !(now.is_empty() && next.is_empty()) {
            // A cell that was reached twice has the lower cost, and was expanded at that cost.
            while let Some(cell) = now.pop() {
                for &neighbour in &self.links.cell(cell).neighbours[seat.index()] {
                    if neighbour != NO_CELL {
                        reach(at, neighbour as usize, &mut now, &mut next);
                    }
                }
            }
            std::mem::swap(&mut now, &mut next);
            at += 1;
        }
    }
}

/// Longer than any path.
const FAR: u16 = 1000;
/// Points for each stone still needed.
const DISTANCE_POINTS: i32 = 40;
/// Points for each alternative at each step of a shortest path.
const WAYS_POINTS: i32 = 4;
