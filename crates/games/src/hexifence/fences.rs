//! Evaluates a position by counting cells, chains and safe moves.
//!
//! Sooner or later every move gives a cell away. Cells that fall one after another form a *chain*.
//! The player who has to open a chain gives away all of it, and the player who takes it may leave
//! its last two cells to the opponent, who then has to open the next one (Berlekamp, *The Dots and
//! Boxes Game*, 2000). What matters is therefore who runs out of safe moves first.

use super::HexiFence;
use super::geometry::{CELLS, EDGES, Geometry, NONE};

/// Points for a captured cell.
const CELL: i32 = 100;
/// With more safe moves than this, it is open which player runs out of them.
const SETTLED: i32 = 4;
/// In a chain of at least this many cells, the taker can leave two of them.
const LONG: i32 = 3;

/// A position in which variations are played out.
#[derive(Clone)]
struct Draft<'a> {
    geometry: &'a Geometry,
    filled: [bool; EDGES],
    missing: [u8; CELLS],
}

impl Draft<'_> {
    fn fill(&mut self, edge: usize) {
        self.filled[edge] = true;
        let cells = self.geometry.edges[edge].cells;
        cells.into_iter().filter(|&cell| cell != NONE).for_each(|cell| self.missing[usize::from(cell)] -= 1);
    }

    /// Returns the empty edges around a cell.
    fn open(&self, cell: usize) -> impl Iterator<Item = usize> + '_ {
        self.geometry.cells[cell].iter().map(|&edge| usize::from(edge)).filter(|&edge| !self.filled[edge])
    }

    /// Returns the cell on the other side of an edge.
    fn beyond(&self, edge: usize, cell: usize) -> Option<usize> {
        let other = self.geometry.edges[edge].cells.into_iter().find(|&other| usize::from(other) != cell);
        other.filter(|&other| other != NONE).map(usize::from)
    }

    fn lacks(&self, cell: Option<usize>, edges: u8) -> bool {
        cell.is_some_and(|cell| self.missing[cell] == edges)
    }

    /// Takes cells along a chain, from one that lacks a single edge, as far as it goes. Returns how
    /// many, and whether the last two could have been left, which is not so if they shared their
    /// last edge.
    fn take_from(&mut self, first: usize) -> (i32, bool) {
        let (mut cell, mut length) = (first, 0);
        loop {
            let Some(edge) = self.open(cell).next() else { return (length, false) };
            let next = self.beyond(edge, cell);
            let both = self.lacks(next, 1);
            self.fill(edge);
            length += 1 + i32::from(both);
            match next.filter(|&next| self.missing[next] == 1) {
                Some(next) => cell = next,
                None => return (length, length > 2 || length == 2 && !both),
            }
        }
    }

    /// Takes all cells that can be taken. Returns how many, and whether the last two could have been left.
    fn take_all(&mut self) -> (i32, bool) {
        let (mut taken, mut leavable) = (0, false);
        let cells = self.geometry.cells.len();
        while let Some(first) = (0..cells).find(|&cell| self.missing[cell] == 1) {
            let (length, end) = self.take_from(first);
            (taken, leavable) = (taken + length, end);
        }
        (taken, leavable)
    }

    /// Plays safe moves in this order until none is left, and returns how many.
    fn play_safe(&mut self, edges: impl Iterator<Item = usize>) -> i32 {
        let mut moves = 0;
        for edge in edges {
            let cells = self.geometry.edges[edge].cells;
            let safe = |cell: u8| cell == NONE || self.missing[usize::from(cell)] >= 3;
            if !self.filled[edge] && cells.into_iter().all(safe) {
                self.fill(edge);
                moves += 1;
            }
        }
        moves
    }

    /// Returns the lengths of the chains, shortest first.
    fn chains(&self) -> ([i32; CELLS], usize) {
        let (mut lengths, mut chains) = ([0; CELLS], 0);
        let mut seen = [false; CELLS];
        let mut line = [0; CELLS];
        for start in 0..self.geometry.cells.len() {
            if seen[start] || self.missing[start] != 2 {
                continue;
            }
            seen[start] = true;
            let (mut at, mut end) = (0, 1);
            line[0] = start;
            while at < end {
                let cell = line[at];
                at += 1;
                for edge in self.open(cell) {
                    let Some(next) = self.beyond(edge, cell).filter(|&next| self.missing[next] == 2) else { continue };
                    if !seen[next] {
                        seen[next] = true;
                        line[end] = next;
                        end += 1;
                    }
                }
            }
            lengths[chains] = end as i32;
            chains += 1;
        }
        lengths[..chains].sort_unstable();
        (lengths, chains)
    }
}

/// Returns the margin in cells, which is negative, of the player who has to open the first of these
/// chains.
fn opening(chains: &[i32]) -> i32 {
    chains.iter().rev().fold(0, |rest, &length| {
        let all = length + rest;
        let leave = if length >= LONG { length - 4 - rest } else { i32::MIN };
        -all.max(leave)
    })
}

/// Returns the margin of the side to move in points when nothing can be taken and safe moves are
/// played in this order, reduced while much can still change; and whether there is a chain to open.
fn prospects(mut draft: Draft, edges: impl Iterator<Item = usize>) -> (i32, bool) {
    let safe = draft.play_safe(edges);
    let (lengths, count) = draft.chains();
    // The side to move after the safe moves must open a chain.
    let opened = opening(&lengths[..count]);
    let rest = if safe % 2 == 0 { opened } else { -opened };
    (rest * CELL * SETTLED / safe.max(SETTLED), count > 0)
}

/// Returns the evaluation for the side to move, in points.
pub(super) fn heuristic(position: &HexiFence) -> i32 {
    let filled = position.edges.map(|owner| owner.is_some());
    let mut draft = Draft { geometry: position.geometry(), filled, missing: position.missing };
    let lead = position.lead(position.to_move) * CELL;
    let (taken, leavable) = draft.take_all();
    // The order of the edges decides which player makes the last safe move, so two orders are
    // tried.
    let edges = 0..draft.geometry.edges.len();
    let (one, chained) = prospects(draft.clone(), edges.clone());
    let (other, _) = prospects(draft, edges.rev());
    let rest = (one + other) / 2;
    // Take everything and move on, or leave the last two cells so that the opponent has to move.
    let all = taken * CELL + rest;
    let leave = (taken - 4) * CELL - rest;
    lead + if leavable && chained { all.max(leave) } else { all }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, Position, Rules};

    fn after(moves: &str) -> Position {
        crate::position::after(Game::new::<HexiFence>(), 2, moves)
    }

    #[test]
    fn opening_chains_loses_them() {
        // One chain: all of it goes. Two long ones: the taker leaves two cells of the first and
        // gets the second.
        assert_eq!((opening(&[]), opening(&[3]), opening(&[1, 3])), (0, -3, 2));
        assert_eq!(opening(&[3, 4]), -3);
        assert_eq!(opening(&[4, 5, 6]), -7);
    }

    #[test]
    fn open_cells_count_for_the_player_to_move() {
        // All edges of the middle cell but one.
        let five = after("2,2 2,3 3,2 3,4 4,3");
        let four = after("2,2 2,3 3,2 3,4");
        assert!(five.heuristic().unwrap() > four.heuristic().unwrap());
        let rules: &HexiFence = five.rules().unwrap();
        let mut draft = Draft {
            geometry: rules.geometry(),
            filled: rules.edges.map(|owner| owner.is_some()),
            missing: rules.missing,
        };
        assert_eq!(draft.take_all(), (1, false));
        assert_eq!(draft.chains().1, 0, "every other cell lacks at least four edges");
        assert!(rules.heuristic().unwrap() < 100_000);
    }
}
