//! Solves Gale: it is a Shannon switching game, which two disjoint trees decide (Lehman, *A
//! solution of the Shannon switching game*, 1964).
//!
//! The first player's dots are nodes (the top row is one node, and so is the bottom row), and empty
//! crossings are edges. Dots connected by a bridge merge into one node; crossings taken by the
//! second player are removed. With the second player to move, the first player wins if two
//! edge-disjoint trees span the same nodes, top and bottom among them: when the second player cuts
//! an edge of one tree, an edge of the other repairs it. Test: add an edge from top to bottom. If
//! two disjoint forests cannot then hold more edges than before, the first player wins. If the
//! first player is to move, add two such edges and test the second.

use std::collections::VecDeque;

use crate::{EndgameResult, EndgameSolver, Position, Rules, Seat};
use hexzero_board::{Board, Point};

use super::Gale;

/// No forest, or no edge.
const NONE: u8 = u8::MAX;

/// Solves all positions of a board.
#[derive(Debug, Clone)]
pub(super) struct Trees {
    /// The first player's dots at the ends of each crossing; the top row is 0 and the bottom row 1.
    ends: Vec<[u8; 2]>,
    dots: usize,
}

impl Trees {
    pub fn new(board: &Board) -> Self {
        let lines = || board.places().iter().map(|place| place.lines[Seat::First.index()].unwrap_or([[0.0; 2]; 2]));
        let heights = || lines().flatten().map(|end| end[1]);
        let (top, bottom) = (heights().fold(f32::MAX, f32::min), heights().fold(f32::MIN, f32::max));
        let is_near = |a: f32, b: f32| (a - b).abs() < 0.1;
        let mut dots: Vec<Point> = Vec::new();
        let mut number = |end: Point| {
            if is_near(end[1], top) || is_near(end[1], bottom) {
                return u8::from(is_near(end[1], bottom));
            }
            let known = dots.iter().position(|dot| is_near(dot[0], end[0]) && is_near(dot[1], end[1]));
            2 + known.unwrap_or_else(|| {
                dots.push(end);
                dots.len() - 1
            }) as u8
        };
        let ends = lines().map(|line| line.map(&mut number)).collect();
        Self { ends, dots: 2 + dots.len() }
    }

    /// Returns the winner of a position under perfect play.
    fn winner(&self, rules: &Gale) -> Seat {
        let mut node: Vec<u8> = (0..self.dots as u8).collect();
        let find = |node: &[u8], mut dot: u8| {
            while node[usize::from(dot)] != dot {
                dot = node[usize::from(dot)];
            }
            dot
        };
        for (cell, &[a, b]) in self.ends.iter().enumerate() {
            if rules.stones().owner(cell) == Some(Seat::First) {
                let (a, b) = (find(&node, a), find(&node, b));
                node[usize::from(a)] = b;
            }
        }
        let mut forests = Forests::new(self.dots);
        for (cell, ends) in self.ends.iter().enumerate() {
            if rules.stones().owner(cell).is_none() {
                forests.add(ends.map(|dot| find(&node, dot)));
            }
        }
        let from_top_to_bottom = [find(&node, 0), find(&node, 1)];
        if rules.to_move() == Seat::First {
            forests.add(from_top_to_bottom);
        }
        if forests.add(from_top_to_bottom) { Seat::Second } else { Seat::First }
    }
}

/// Two edge-disjoint forests with the greatest total number of edges (Edmonds, *Minimum partition
/// of a matroid into independent subsets*, 1965).
struct Forests {
    edges: Vec<[u8; 2]>,
    /// The forest that contains each edge, 0 or 1.
    forest: Vec<u8>,
    /// The edges at each node.
    at: Vec<Vec<u8>>,
}

impl Forests {
    fn new(nodes: usize) -> Self {
        Self { edges: Vec::new(), forest: Vec::new(), at: vec![Vec::new(); nodes] }
    }

    /// Adds an edge if the forests can hold it, possibly after some edges have changed forests.
    /// Returns whether it was added.
    fn add(&mut self, ends: [u8; 2]) -> bool {
        if ends[0] == ends[1] {
            return false;
        }
        let new = self.edges.len() as u8;
        self.edges.push(ends);
        self.forest.push(NONE);
        // For each edge, the edge that it makes room for.
        let mut for_edge = vec![NONE; self.edges.len()];
        let mut queue = VecDeque::from([new]);
        while let Some(edge) = queue.pop_front() {
            for forest in [0, 1] {
                if self.forest[usize::from(edge)] == forest {
                    continue;
                }
                let Some(path) = self.path(self.edges[usize::from(edge)], forest) else {
                    self.change_places(edge, forest, &for_edge);
                    ends.into_iter().for_each(|end| self.at[usize::from(end)].push(new));
                    return true;
                };
                for other in path {
                    if other != new && for_edge[usize::from(other)] == NONE {
                        for_edge[usize::from(other)] = edge;
                        queue.push_back(other);
                    }
                }
            }
        }
        self.edges.pop();
        self.forest.pop();
        false
    }

    /// Moves an edge to a forest, the edge that it made room for to its old forest, and so on.
    fn change_places(&mut self, mut edge: u8, mut forest: u8, for_edge: &[u8]) {
        loop {
            let left = std::mem::replace(&mut self.forest[usize::from(edge)], forest);
            if left == NONE {
                return;
            }
            (edge, forest) = (for_edge[usize::from(edge)], left);
        }
    }

    /// Returns the edges of a forest on the path between two nodes, or `None` if they are not
    /// connected.
    fn path(&self, [from, to]: [u8; 2], forest: u8) -> Option<Vec<u8>> {
        let mut came_by = vec![NONE; self.at.len()];
        let mut stack = vec![from];
        while let Some(node) = stack.pop() {
            if node == to {
                let mut path = Vec::new();
                let mut node = to;
                while node != from {
                    let edge = came_by[usize::from(node)];
                    path.push(edge);
                    node = self.other_end(edge, node);
                }
                return Some(path);
            }
            for &edge in &self.at[usize::from(node)] {
                let other = self.other_end(edge, node);
                if self.forest[usize::from(edge)] == forest && other != from && came_by[usize::from(other)] == NONE {
                    came_by[usize::from(other)] = edge;
                    stack.push(other);
                }
            }
        }
        None
    }

    fn other_end(&self, edge: u8, node: u8) -> u8 {
        let [a, b] = self.edges[usize::from(edge)];
        if a == node { b } else { a }
    }
}

impl EndgameSolver for Trees {
    fn solve(&mut self, position: &Position) -> Option<EndgameResult> {
        let rules: &Gale = position.rules()?;
        let empty = rules.stones().owners().iter().filter(|stone| stone.is_none()).count();
        Some(EndgameResult { winner: Some(self.winner(rules)), plies: empty as u16 })
    }

    fn boxed(&self) -> Box<dyn EndgameSolver> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::seq::IndexedRandom;

    use super::*;
    use crate::{GameRng, game_named};

    /// On every board the first player wins; the winner always has a move that keeps the win, the loser has none, and
    /// the end is as solved.
    #[test]
    fn verdicts_agree_with_later_ones_and_the_end() {
        let mut rng = GameRng::seed_from_u64(3);
        let game = game_named("gale").unwrap();
        for size in game.boards.sizes.clone() {
            let mut position = game.start(size).unwrap();
            let mut solver = position.endgame_solver().unwrap();
            assert_eq!(solver.solve(&position).unwrap().winner, Some(Seat::First), "size {size}");
            while position.outcome().is_none() {
                let (mover, winner) = (position.to_move(), solver.solve(&position).unwrap().winner);
                let legal = position.legal();
                let after = legal.iter().map(|&action| {
                    let next = position.after(action);
                    next.outcome().map_or_else(|| solver.solve(&next).unwrap().winner, |end| end.winner)
                });
                let keeps: Vec<_> = after.map(|after| after == Some(mover)).collect();
                assert_eq!(keeps.iter().any(|&keeps| keeps), winner == Some(mover), "{position:?}");
                position.play(*legal.choose(&mut rng).unwrap());
            }
        }
    }
}
