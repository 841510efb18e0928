//! Stones that stay where they are, and the chains that they form.

use crate::board::{Chains, DIRECTIONS, NO_CELL};
use crate::games::Seat;

use super::links::Links;

/// Two players' stones on a board, or on several, of at most `CELLS` cells.
#[derive(Debug, Clone)]
pub struct Stones<const CELLS: usize> {
    links: &'static Links,
    owners: [Option<Seat>; CELLS],
    /// The chains of both players: a stone is only ever joined to its own kind.
    chains: Chains<CELLS>,
}

impl<const CELLS: usize> Stones<CELLS> {
    /// An empty board.
    ///
    /// # Panics
    /// If it has more cells than there is room for.
    pub fn new(links: &'static Links) -> Self {
        assert!(links.cells() <= CELLS, "a board of at most {CELLS} cells");
        Self { links, owners: [None; CELLS], chains: Chains::default() }
    }

    /// The board.
    #[inline]
    pub fn links(&self) -> &'static Links {
        self.links
    }

    /// The number of cells.
    #[inline]
    pub fn cells(&self) -> usize {
        self.links.cells()
    }

    /// The stones of all cells.
    #[inline]
    pub fn owners(&self) -> &[Option<Seat>] {
        &self.owners[..self.cells()]
    }

    /// Returns the owner of the stone on a cell.
    #[inline]
    pub fn owner(&self, cell: usize) -> Option<Seat> {
        self.owners[cell]
    }

    /// The cells that join a cell for a seat, and hold stones of it.
    #[inline]
    fn own_neighbours(&self, seat: Seat, neighbours: [u16; DIRECTIONS]) -> impl Iterator<Item = usize> + '_ {
        let cells = neighbours.into_iter().filter(|&slot| slot != NO_CELL).map(usize::from);
        cells.filter(move |&cell| self.owners[cell] == Some(seat))
    }

    /// Places a stone and says whether its chain touches all sides of its seat. A single stone may be placed over
    /// one of the other seat, as a swap does.
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

    /// Returns true if a seat's stone on an empty cell would touch all of its sides.
    #[inline]
    pub fn would_join(&self, seat: Seat, cell: usize) -> bool {
        let (spot, seat_index) = (self.links.cell(cell), seat.index());
        let neighbours = self.own_neighbours(seat, spot.neighbours[seat_index]);
        let sides = neighbours.fold(spot.sides[seat_index], |sides, other| sides | self.chains.sides(other));
        sides == spot.goals[seat_index]
    }

    /// An empty cell among these on which a seat's stone would touch all of its sides.
    pub fn joining_cell(&self, seat: Seat, mut among: impl Iterator<Item = usize>) -> Option<usize> {
        among.find(|&cell| self.owners[cell].is_none() && self.would_join(seat, cell))
    }

    /// The cells of the chains that touch all sides of their seat.
    pub fn joined_chain(&self) -> Vec<usize> {
        let has_joined = |&cell: &usize| {
            let goal = |seat: Seat| self.links.cell(cell).goals[seat.index()];
            self.owners[cell].is_some_and(|seat| self.chains.sides(cell) == goal(seat))
        };
        (0..self.cells()).filter(has_joined).collect()
    }

    /// Two bits a cell; none if there are too many cells.
    pub fn key(&self) -> Option<u128> {
        let bits = |stone: &Option<Seat>| stone.map_or(0, |owner| 1 + owner.index() as u128);
        (self.cells() <= 60).then(|| self.owners().iter().fold(1, |key, stone| key << 2 | bits(stone)))
    }

    /// Writes what a network sees of the stones, in the frame of the player to move, into cells of `planes` planes
    /// each: own, enemy, empty; for each side of the board the cells on it; for each side the stones joined to it, own and
    /// enemy ones apart where it belongs to both; cells where a stone would complete an own chain, and an enemy one. The
    /// planes after these ([`Links::planes`]) become 0.
    pub fn encode(&self, mover: Seat, inputs: &mut [f32], planes: usize) {
        for cell in 0..self.cells() {
            let inputs = &mut inputs[self.links.in_frame_of(mover, cell) * planes..][..planes];
            inputs.fill(0.0);
            let spot = self.links.cell(cell);
            for bit in bits(spot.touches) {
                inputs[self.links.side_planes(mover, spot.part, bit, mover)[0]] = 1.0;
            }
            match self.owners[cell] {
                Some(owner) => {
                    inputs[usize::from(owner != mover)] = 1.0;
                    for bit in bits(self.chains.sides(cell)) {
                        inputs[self.links.side_planes(mover, spot.part, bit, owner)[1]] = 1.0;
                    }
                }
                None => {
                    inputs[2] = 1.0;
                    for (plane, seat) in self.links.completing_planes().into_iter().zip([mover, mover.opponent()]) {
                        inputs[plane] = f32::from(u8::from(self.would_join(seat, cell)));
                    }
                }
            }
        }
    }

    /// Returns the progress of a seat towards touching all of its sides of a part of the board, in points: the more, the
    /// fewer stones it needs and the more ways there are.
    pub fn points(&self, seat: Seat, part: usize) -> i32 {
        let cells = self.links.part(part);
        let goal = self.links.cell(cells.start).goals[seat.index()];
        // The sum of the costs of the paths from all sides to a cell, the cell itself counted once.
        let mut sums = [0u16; CELLS];
        let mut costs = [0u16; CELLS];
        for (nth, bit) in bits(goal).enumerate() {
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

    /// For each cell of a part how many stones a seat needs for a way to it from a side, itself included.
    fn costs_from(&self, seat: Seat, side: u8, cells: std::ops::Range<usize>, costs: &mut [u16; CELLS]) {
        let cost = |cell: usize| match self.owners[cell] {
            None => Some(1),
            Some(owner) => (owner == seat).then_some(0),
        };
        costs[cells.clone()].fill(FAR);
        // Those that cost as much as the one at hand, and those that cost a stone more.
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
            // A cell that was reached in two ways has the lower cost, and has led on from there.
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

/// Farther than any way.
const FAR: u16 = 1000;
/// Points for each stone that is needed.
const DISTANCE_POINTS: i32 = 40;
/// Points for each alternative that a shortest way has at each of its steps.
const WAYS_POINTS: i32 = 4;

/// The numbers of the bits that are set.
fn bits(mut set: u8) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (bit < u8::BITS).then_some(bit)
    })
}
