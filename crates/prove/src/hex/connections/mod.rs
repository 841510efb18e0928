//! Virtual connections of one player (Anshelevich, *A hierarchical approach to computer Hex*, 2002).
//!
//! A *full* connection joins two ends even if the opponent moves first, a *semi* connection if its owner does.
//! Ends are chains and empty cells. A connection's *carrier* holds the empty cells that it needs, without its ends:
//!
//! - neighbours have a full connection without a carrier;
//! - AND: full connections a–m and m–b with disjoint carriers make a–b full if m is a chain, semi if m is empty;
//! - OR: semi connections a–b without a cell that is in all of their carriers make a full one.
//!
//! In Y, a chain or an empty cell with full connections to all three sides joins them if the carriers are disjoint: a
//! full connection by way of a chain, a semi one by way of an empty cell. These are stored as connections of the first
//! two sides, as in Hex. No path leads through a side, because a side of Y does not join chains.

mod rules;

use super::geometry::{Cells, Geometry, bit, members};

/// The most full connections kept for a pair of ends.
pub(crate) const MAX_FULL: usize = 16;
/// The most semi connections kept for a pair of ends.
pub(crate) const MAX_SEMI: usize = 24;
/// The most semi connections that the OR rule combines.
pub(crate) const MAX_OR: usize = 6;
/// The most cells of a carrier.
const MAX_CARRIER: usize = 63;

/// The connections between one pair of ends, smallest first, and the numbers of their derivations.
#[derive(Debug, Clone, Default)]
struct Pair {
    full: Vec<Cells>,
    semi: Vec<Cells>,
    full_from: Vec<u32>,
    semi_from: Vec<u32>,
}

/// How a connection was derived. Numbers are those of earlier derivations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Derivation {
    /// The ends are neighbours.
    Neighbours,
    /// By two connections that meet at an end: a semi connection if this end is an empty cell.
    And {
        /// The end where the first connection begins.
        from: usize,
        /// The end between both.
        middle: usize,
        /// The connections.
        parts: [u32; 2],
    },
    /// One of these semi connections.
    Or(Vec<u32>),
}

#[derive(Debug, Clone, Copy)]
struct Found {
    ends: [u8; 2],
    is_full: bool,
    carrier: Cells,
    /// The number of its derivation, if they are kept.
    derivation: u32,
}

impl Found {
    fn of_neighbours(ends: [u8; 2]) -> Self {
        Self { ends, is_full: true, carrier: 0, derivation: 0 }
    }
}

/// When to stop before all connections are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// The sides are joined by a semi connection.
    Semi,
    /// The sides are joined by a full connection.
    Full,
}

/// Finds connections, reusing its memory.
#[derive(Debug, Clone, Default)]
pub struct Connections {
    /// The number of sides, which are the first ends.
    sides: usize,
    /// The cells of each end; none for chains.
    bits: Vec<Cells>,
    pairs: Vec<Pair>,
    touched: Vec<usize>,
    /// For each end, the ends it has full connections to.
    linked: Vec<Cells>,
    /// The connections to process, by the size of their carriers.
    queue: Vec<Vec<Found>>,
    /// The derivations of all connections found, if they are kept.
    derivations: Option<Vec<Derivation>>,
    /// A stone of each end, or its cell.
    ends: Vec<usize>,
    /// Memory of the OR rule.
    rest: Vec<Cells>,
}

impl Connections {
    /// Keeps derivations from now on, for certificates.
    pub(crate) fn recording(self) -> Self {
        Self { derivations: Some(Vec::new()), ..self }
    }

    /// Returns the derivation of a connection between the sides with this carrier, full or semi.
    pub(crate) fn derivation(&self, carrier: Cells, is_full: bool) -> Option<u32> {
        // There are none before a search: a position may be won without one.
        let pair = self.pairs.get(self.pair(0, 1))?;
        let (carriers, numbers) = if is_full { (&pair.full, &pair.full_from) } else { (&pair.semi, &pair.semi_from) };
        let at = carriers.iter().position(|&known| known == carrier)?;
        numbers.get(at).copied()
    }

    pub(crate) fn derived(&self, number: u32) -> &Derivation {
        self.derivations.as_ref().map_or(&Derivation::Neighbours, |all| &all[number as usize])
    }

    /// Returns the cell of an end, or a stone or side of its chain.
    pub(crate) fn end(&self, number: usize) -> usize {
        self.ends[number]
    }

    /// Finds the connections of the player who has `stones` (with its sides) on a board with these empty cells, and
    /// stops as soon as the sides are joined as asked. The first ends are the sides; a connection that joins all of
    /// them has the ends 0 and 1.
    ///
    /// The sides must not be joined by a chain.
    pub fn find(&mut self, board: &Geometry, stones: Cells, empty: Cells, until: Until) {
        self.clear();
        let ends = self.set_ends(board, stones, empty);
        self.join_neighbours(board, empty, &ends);
        let mut size = 0;
        while size <= MAX_CARRIER {
            let Some(found) = self.queue[size].pop() else {
                size += 1;
                continue;
            };
            // Connections found later have carriers at least as large.
            if self.keep(found) && found.ends == [0, 1] && (found.is_full || until == Until::Semi) {
                return;
            }
        }
    }

    /// Returns the carriers of full connections between the sides, smallest first.
    pub fn full(&self) -> &[Cells] {
        &self.pairs[self.pair(0, 1)].full
    }

    /// Returns the carriers of semi connections between the sides, smallest first.
    pub fn semi(&self) -> &[Cells] {
        &self.pairs[self.pair(0, 1)].semi
    }

    fn clear(&mut self) {
        for &pair in &self.touched {
            let Pair { full, semi, full_from, semi_from } = &mut self.pairs[pair];
            full.clear();
            semi.clear();
            full_from.clear();
            semi_from.clear();
        }
        if let Some(derivations) = &mut self.derivations {
            derivations.clear();
            derivations.push(Derivation::Neighbours);
        }
        self.ends.clear();
        self.touched.clear();
        self.queue.iter_mut().for_each(Vec::clear);
        self.queue.resize(MAX_CARRIER + 1, Vec::new());
        self.bits.clear();
        self.linked.clear();
    }

    /// Numbers the ends, and returns the stones of each chain: sides first, then other chains, then empty cells.
    fn set_ends(&mut self, board: &Geometry, stones: Cells, empty: Cells) -> Vec<Cells> {
        let sides = board.sides()[0];
        // A side of Y is no part of the chains that touch it.
        let of_side = |side| board.chain(bit(side), if board.is_y() { bit(side) } else { stones });
        let mut chains: Vec<Cells> = members(sides).map(of_side).collect();
        self.sides = chains.len();
        let inner = chains.iter().fold(stones, |inner, chain| inner & !chain);
        let mut rest = inner;
        while rest != 0 {
            let chain = board.chain(rest & rest.wrapping_neg(), inner);
            rest &= !chain;
            chains.push(chain);
        }
        self.bits.resize(chains.len(), 0);
        self.bits.extend(members(empty).map(bit));
        self.ends.extend(chains.iter().map(|chain| chain.trailing_zeros() as usize));
        self.ends.extend(members(empty));
        let ends = self.bits.len();
        self.linked.resize(ends, 0);
        if self.pairs.len() < ends * ends {
            self.pairs.resize(ends * ends, Pair::default());
        }
        chains
    }

    fn join_neighbours(&mut self, board: &Geometry, empty: Cells, chains: &[Cells]) {
        let cells: Vec<usize> = members(empty).collect();
        for (number, &cell) in cells.iter().enumerate() {
            let end = (chains.len() + number) as u8;
            let around = board.neighbours(cell);
            let beside = |(chain, &stones): (usize, &Cells)| (stones & around != 0).then_some(chain as u8);
            let others = cells[..number].iter().enumerate().filter(|&(_, &other)| around & bit(other) != 0);
            let others = others.map(|(other, _)| (chains.len() + other) as u8);
            let found = chains.iter().enumerate().filter_map(beside).chain(others);
            self.queue[0].extend(found.map(|other| Found::of_neighbours([other, end])));
        }
        // Chains touch sides in Y only.
        for (number, &chain) in chains.iter().enumerate().skip(self.sides) {
            let around = board.around(chain);
            let touched = (0..self.sides).filter(|&side| around & chains[side] != 0);
            self.queue[0].extend(touched.map(|side| Found::of_neighbours([side as u8, number as u8])));
        }
    }

    #[inline]
    fn pair(&self, a: usize, b: usize) -> usize {
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        low * self.bits.len() + high
    }

    /// Keeps a connection, unless the carrier of a known one is part of its own or too many are known, and queues what
    /// follows from it. Returns whether it was kept.
    fn keep(&mut self, found: Found) -> bool {
        let Found { ends: [a, b], is_full, carrier, derivation } = found;
        let (a, b) = (usize::from(a), usize::from(b));
        let index = self.pair(a, b);
        let pair = &self.pairs[index];
        let serves = |known: &Cells| known & !carrier == 0;
        if pair.full.iter().any(serves) || !is_full && pair.semi.iter().any(serves) {
            return false;
        }
        let is_between_sides = (a, b) == (0, 1);
        let (list, limit) = if is_full { (&pair.full, MAX_FULL) } else { (&pair.semi, MAX_SEMI) };
        if list.len() >= limit && !is_between_sides {
            return false;
        }
        if pair.full.is_empty() && pair.semi.is_empty() {
            self.touched.push(index);
        }
        if is_full {
            self.pairs[index].full.push(carrier);
            if self.derivations.is_some() {
                self.pairs[index].full_from.push(derivation);
            }
            self.linked[a] |= bit(b);
            self.linked[b] |= bit(a);
            self.and([a, b], carrier, derivation);
            self.and([b, a], carrier, derivation);
            if self.sides == 3 && a < 3 && b >= 3 {
                self.branch(b, a, carrier, derivation);
            }
        } else {
            self.or(found, index);
            self.pairs[index].semi.push(carrier);
            if self.derivations.is_some() {
                self.pairs[index].semi_from.push(derivation);
            }
        }
        true
    }
}
