//! The empty edges and the unfinished cells as the game of *strings and coins* (Berlekamp, Conway
//! and Guy, *Winning Ways*, 1982): an edge is a string between two coins, or between a coin and the
//! ground.

use crate::shared::members;

use super::super::geometry::{CELLS, EDGES, Geometry, NONE};

/// A set of edges, by their numbers in the graph.
pub(super) type Edges = u64;
/// A set of cells, by their numbers on the board.
type Cells = u64;

/// The most edges of a graph.
pub(super) const MAX_EDGES: usize = Edges::BITS as usize;
const _: () = assert!(CELLS <= Cells::BITS as usize);

/// The graph of the edges that are empty in one position. A later position is a subset of them.
#[derive(Debug, Clone)]
pub(super) struct Graph {
    /// The index in the graph of each edge of the board; [`NONE`] for those filled.
    number: [u8; EDGES],
    /// The cells on the two sides of each edge; [`NONE`] for the ground.
    sides: Vec<[u8; 2]>,
    /// The edges around each cell.
    around: Vec<Edges>,
    /// For cells with two or more edges at the rim, those edges: they are interchangeable.
    rims: Vec<Edges>,
}

/// The situation after a player has taken all cells that can be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Taken {
    /// The edges that are empty afterwards. No cell lacks only one edge.
    pub open: Edges,
    /// The number of cells taken for certain.
    pub cells: i32,
    /// The number of last cells that may be left to the opponent, who then takes them and has to
    /// move: 0, 2 or 4.
    pub leavable: i32,
}

/// The last cells of a chain, which may be left to the opponent.
#[derive(Debug, Clone, Copy)]
struct Leavable {
    /// The edge that takes the first of these cells.
    first: usize,
    /// All edges of these cells.
    edges: Edges,
    cells: i32,
}

/// Moves in a position without cells to take, the most promising first.
pub(super) struct Moves {
    /// For each move, the least number of cells that it gives away, and its edge.
    moves: [(u8, u8); MAX_EDGES],
    count: usize,
}

impl Graph {
    /// Returns the graph of these edges of a board, or `None` if there are too many.
    pub fn new(geometry: &Geometry, empty: &[u8]) -> Option<Self> {
        if empty.len() > MAX_EDGES {
            return None;
        }
        let sides = empty.iter().map(|&edge| geometry.edges[usize::from(edge)].cells).collect();
        let mut graph = Self::between(geometry.cells.len(), sides);
        (0..).zip(empty).for_each(|(number, &edge)| graph.number[usize::from(edge)] = number);
        Some(graph)
    }

    /// Returns the graph of edges between these cells.
    fn between(cells: usize, sides: Vec<[u8; 2]>) -> Self {
        let (mut around, mut rims): (Vec<Edges>, Vec<Edges>) = (vec![0; cells], vec![0; cells]);
        for (edge, sides) in sides.iter().enumerate() {
            for cell in sides.iter().filter(|&&side| side != NONE).map(|&side| usize::from(side)) {
                around[cell] |= 1 << edge;
                rims[cell] |= Edges::from(sides.contains(&NONE)) << edge;
            }
        }
        rims.retain(|rim| rim.count_ones() > 1);
        Self { number: [NONE; EDGES], sides, around, rims }
    }

    /// Returns these edges of the board as a set, or an equivalent set, or `None` if one of them is
    /// not in the graph.
    pub fn set(&self, empty: &[u8]) -> Option<Edges> {
        let mut open = 0;
        for &edge in empty {
            let number = self.number[usize::from(edge)];
            open |= (number != NONE).then(|| 1 << number)?;
        }
        for &rim in &self.rims {
            // Of interchangeable edges the lowest are left open, which `moves` preserves.
            let lowest = members(rim).take((rim & open).count_ones() as usize);
            open = open & !rim | lowest.fold(0, |set, edge| set | 1 << edge);
        }
        Some(open)
    }

    /// Returns the number of cells with an empty edge.
    pub fn cells(&self, open: Edges) -> i32 {
        self.around.iter().filter(|&&around| around & open != 0).count() as i32
    }

    fn lacks(&self, cell: usize, open: Edges) -> u32 {
        (self.around[cell] & open).count_ones()
    }

    /// Returns the cell on the other side of an edge, or `None` for the ground.
    fn beyond(&self, edge: usize, cell: usize) -> Option<usize> {
        let [one, other] = self.sides[edge];
        let beyond = if usize::from(one) == cell { other } else { one };
        (beyond != NONE).then_some(beyond.into())
    }

    /// Takes all cells that can be taken, among those beside `edges` and those that become
    /// available, but leaves the last ones undecided if they could be left to the opponent.
    ///
    /// Taking a cell loses nothing, because the move that would have been made instead can follow.
    /// The exception is a move that leaves the cells at the end of a chain to the opponent. It is
    /// best made at the last chain, when two cells of it remain, or four of a chain with two open
    /// ends (Barker and Korf, *Solving Dots-and-Boxes*, 2012).
    pub fn take(&self, mut open: Edges, edges: Edges) -> Taken {
        let mut cells = 0;
        // Cells that may lack only a single edge.
        let mut beside = members(edges).fold(0, |beside, edge| beside | self.cells_of(edge));
        loop {
            let (mut kept, mut next) = (None::<Leavable>, None);
            for cell in members(beside) {
                let last = self.around[cell] & open;
                if last.count_ones() != 1 {
                    beside &= !(1 << cell);
                    continue;
                }
                let last = last.trailing_zeros() as usize;
                match (self.leavable(open, cell, last), kept) {
                    (None, _) => {
                        next = Some(last);
                        break;
                    }
                    (found, None) => kept = found,
                    // This is the same chain, from its other end.
                    (Some(found), Some(other)) if found.edges == other.edges => {}
                    // Leaving two cells costs less than leaving four.
                    (Some(found), Some(other)) if found.cells < other.cells => {
                        (next, kept) = (Some(other.first), Some(found))
                    }
                    (Some(_), Some(_)) => next = Some(last),
                }
            }
            let Some(edge) = next else {
                let (edges, leavable) = kept.map_or((0, 0), |kept| (kept.edges, kept.cells));
                return Taken { open: open & !edges, cells, leavable };
            };
            open &= !(1 << edge);
            cells += members(self.cells_of(edge)).filter(|&cell| self.around[cell] & open == 0).count() as i32;
            beside |= self.cells_of(edge);
        }
    }

    /// Returns the cells that could be left, beginning with the cell whose last edge is `last`.
    fn leavable(&self, open: Edges, cell: usize, last: usize) -> Option<Leavable> {
        let second = self.beyond(last, cell).filter(|&second| self.lacks(second, open) == 2)?;
        let across = (self.around[second] & open & !(1 << last)).trailing_zeros() as usize;
        let edges = 1 << last | 1 << across;
        let Some(third) = self.beyond(across, second) else { return Some(Leavable { first: last, edges, cells: 2 }) };
        match self.lacks(third, open) {
            3.. => Some(Leavable { first: last, edges, cells: 2 }),
            2 => {
                let other = (self.around[third] & open & !(1 << across)).trailing_zeros() as usize;
                let fourth = self.beyond(other, third)?;
                let closed = self.lacks(fourth, open) == 1;
                closed.then_some(Leavable { first: last, edges: edges | 1 << other, cells: 4 })
            }
            _ => None,
        }
    }

    /// Returns the moves in a position without cells to take. Of equivalent moves only one is
    /// returned, and of the ways to open a chain of two cells only the one that leaves none of them
    /// for later.
    pub fn moves(&self, open: Edges) -> Moves {
        let mut moves = Moves { moves: [(0, 0); MAX_EDGES], count: 0 };
        let lacking_two = |cell: &usize| self.lacks(*cell, open) == 2;
        let mut unseen = (0..self.around.len()).filter(lacking_two).fold(0, |set: Cells, cell| set | 1 << cell);
        let chained = unseen;
        let mut safe = open;
        // The lengths of chains and of loops that have no joints.
        let mut alone: [u64; 2] = [0; 2];
        while unseen != 0 {
            let (mut chain, mut edges, mut ahead) = (0, 0, unseen & unseen.wrapping_neg());
            let mut is_alone = true;
            while ahead != 0 {
                let cell = ahead.trailing_zeros() as usize;
                chain |= 1 << cell;
                edges |= self.around[cell] & open;
                let next = members(self.around[cell] & open).filter_map(|edge| self.beyond(edge, cell));
                let next = next.fold(0, |set, next| set | 1 << next);
                is_alone &= next & !chained == 0;
                ahead = (ahead | next & chained) & !chain;
            }
            unseen &= !chain;
            safe &= !edges;
            let length = chain.count_ones();
            let is_loop = edges.count_ones() == length;
            if is_alone {
                let seen = &mut alone[usize::from(is_loop)];
                if *seen >> length & 1 != 0 {
                    continue;
                }
                *seen |= 1 << length;
            }
            let inner = |&edge: &usize| self.cells_of(edge) & !chain == 0 && !self.sides[edge].contains(&NONE);
            let edge = if length == 2 { members(edges).find(inner) } else { members(edges).next() };
            moves.push(length as u8, edge.unwrap_or(0));
        }
        for &rim in &self.rims {
            let free = rim & safe;
            safe &= !free;
            // Play the highest, because `set` leaves the lowest open.
            if free != 0 {
                safe |= 1 << (MAX_EDGES - 1 - free.leading_zeros() as usize);
            }
        }
        members(safe).for_each(|edge| moves.push(0, edge));
        moves.moves[..moves.count].sort_unstable();
        moves
    }

    /// Returns the cells on both sides of an edge.
    fn cells_of(&self, edge: usize) -> Cells {
        self.sides[edge].into_iter().filter(|&side| side != NONE).fold(0, |set, side| set | 1 << side)
    }
}

impl Moves {
    fn push(&mut self, cost: u8, edge: usize) {
        self.moves[self.count] = (cost, edge as u8);
        self.count += 1;
    }

    /// Returns the edges to fill.
    pub fn edges(&self) -> impl Iterator<Item = usize> + '_ {
        self.moves[..self.count].iter().map(|&(_, edge)| edge.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUND: u8 = NONE;

    /// Returns the cells taken and the cells that may be left when all of these edges are open.
    fn taken(sides: &[[u8; 2]]) -> (i32, i32) {
        let graph = Graph::between(20, sides.to_vec());
        let all = (1 << sides.len()) - 1;
        let taken = graph.take(all, all);
        assert_eq!(taken.open, 0);
        (taken.cells, taken.leavable)
    }

    /// Returns a chain whose first cell can be taken and whose last one lies at the ground.
    fn half_open(first: u8, cells: u8) -> Vec<[u8; 2]> {
        let end = first + cells - 1;
        (first..end).map(|cell| [cell, cell + 1]).chain([[end, GROUND]]).collect()
    }

    /// Returns a chain that can be taken from both ends.
    fn closed(first: u8, cells: u8) -> Vec<[u8; 2]> {
        (first..first + cells - 1).map(|cell| [cell, cell + 1]).collect()
    }

    #[test]
    fn last_cells_of_the_last_chain_may_be_left() {
        assert_eq!([1, 2, 3].map(|cells| taken(&half_open(0, cells))), [(1, 0), (0, 2), (1, 2)]);
        // The last edge belongs to both cells.
        assert_eq!([2, 3, 4, 5].map(|cells| taken(&closed(0, cells))), [(2, 0), (3, 0), (0, 4), (1, 4)]);
        assert_eq!(taken(&[half_open(0, 3), half_open(5, 4)].concat()), (5, 2));
        for both in [[half_open(0, 2), closed(5, 4)], [closed(0, 4), half_open(5, 2)]] {
            assert_eq!(taken(&both.concat()), (4, 2));
        }
        assert_eq!(taken(&[closed(0, 5), closed(6, 4)].concat()), (5, 4));
        // Two cells beside one with three edges: when one of them is taken, the others form a
        // chain.
        assert_eq!(taken(&[[0, 1], [2, 1], [1, GROUND]]), (1, 2));
    }

    #[test]
    fn equivalent_moves_are_listed_once() {
        let moves = |sides: &[[u8; 2]]| {
            let graph = Graph::between(20, sides.to_vec());
            graph.moves((1 << sides.len()) - 1).edges().collect::<Vec<_>>()
        };
        // A chain of two cells by the edge between them; one of two chains of three cells; a loop.
        let two = [[0, GROUND], [0, 1], [1, GROUND]];
        let three = |first: u8| [[first, GROUND], [first, first + 1], [first + 1, first + 2], [first + 2, GROUND]];
        let ring = [[9, 10], [10, 11], [11, 9]];
        assert_eq!(moves(&[&two[..], &three(2), &three(5), &ring].concat()), [1, 3, 11]);
        // A cell with three edges at the rim and two more, one to a chain: the rim is safe once.
        assert_eq!(moves(&[[0, GROUND], [0, GROUND], [0, GROUND], [0, 1], [1, GROUND]]), [2, 3]);
    }
}
