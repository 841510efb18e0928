//! Endgame solver of HexiFence: who wins when few edges are left.
//!
//! The margin among the cells still to be taken depends only on the empty edges. Where cells can be
//! taken there is at most one decision, [`graph::Taken`], so the search visits only positions
//! without such cells, and asks whether the side to move there reaches a given margin (alpha-beta
//! with a null window and a table).

mod graph;

use crate::{EndgameResult, EndgameSolver, Position};

use super::HexiFence;
use graph::{Edges, Graph, MAX_EDGES};

/// The most positions visited for one answer: about a millisecond, as long as the network takes for
/// a few positions.
const BUDGET: u32 = 1_000;
/// An answer that took at most this many visits counts as easy.
const EASY: u32 = BUDGET / 8;

/// Solves the positions that follow from one.
#[derive(Debug, Clone)]
pub(super) struct Ends {
    graph: Graph,
    table: Table,
    /// The number of positions that may still be visited for this answer.
    left: u32,
    /// The most empty edges in a position to solve. The limit falls after a position that was too
    /// much work, and grows after an easy one at the limit.
    reach: usize,
}

impl Ends {
    /// Returns a solver for the positions that follow from this one, or `None` if it is too far
    /// from the end.
    pub fn of(position: &HexiFence) -> Option<Self> {
        let graph = Graph::new(position.geometry(), position.empty_edges())?;
        Some(Self { graph, table: Table::default(), left: 0, reach: MAX_EDGES })
    }

    /// Returns whether the side to move wins, or `None` if finding out takes more than `budget`
    /// visits.
    fn wins(&mut self, position: &HexiFence, budget: u32) -> Option<bool> {
        let open = self.graph.set(position.empty_edges())?;
        self.left = budget;
        let taken = self.graph.take(open, open);
        // The margin needed beyond the cells taken for certain. The number of cells is odd, so a
        // lead of one is enough.
        let goal = 1 - position.lead(position.to_move) - taken.cells;
        let last = taken.leavable;
        // Take the last cells too and move on, or leave them so that the opponent has to move.
        Some(self.reaches(taken.open, goal - last)? || last > 0 && !self.reaches(taken.open, 1 - goal - last)?)
    }

    /// Returns whether the side to move, without cells to take, can win at least `goal` more cells
    /// than the opponent (`goal` may be negative), or `None` if the visits do not suffice.
    fn reaches(&mut self, open: Edges, goal: i32) -> Option<bool> {
        let cells = self.graph.cells(open);
        // The margin has the same parity as the number of cells.
        let goal = goal + (goal - cells).rem_euclid(2);
        if goal.abs() > cells || goal == -cells {
            return Some(goal <= 0);
        }
        let mut bounds = self.table.get(open);
        if goal <= i32::from(bounds.least) || goal > i32::from(bounds.most) {
            return Some(goal <= i32::from(bounds.least));
        }
        self.left = self.left.checked_sub(1)?;
        let moves = self.graph.moves(open);
        let hit = (bounds.least > i8::MIN).then_some(usize::from(bounds.best));
        let mut reaches = false;
        for edge in hit.into_iter().chain(moves.edges().filter(|&edge| Some(edge) != hit)) {
            let taken = self.graph.take(open & !(1 << edge), 1 << edge);
            let last = taken.leavable;
            // The opponent must not exceed `-goal` either by taking all cells and moving on, or by
            // leaving the last ones.
            let goal = goal + taken.cells;
            if !self.reaches(taken.open, 1 - goal - last)? && (last == 0 || self.reaches(taken.open, goal - last)?) {
                (reaches, bounds.best) = (true, edge as u8);
                break;
            }
        }
        if reaches {
            bounds.least = goal as i8;
        } else {
            bounds.most = goal as i8 - 2;
        }
        self.table.put(open, bounds);
        Some(reaches)
    }
}

impl EndgameSolver for Ends {
    fn solve(&mut self, position: &Position) -> Option<EndgameResult> {
        let rules: &HexiFence = position.rules()?;
        let plies = rules.empty_edges().len();
        if plies > self.reach {
            return None;
        }
        let Some(wins) = self.wins(rules, BUDGET) else {
            self.reach = plies - 1;
            return None;
        };
        self.reach += usize::from(plies == self.reach && BUDGET - self.left <= EASY);
        let winner = if wins { rules.to_move } else { rules.to_move.opponent() };
        // Every game fills all edges.
        Some(EndgameResult { winner: Some(winner), plies: plies as u16 })
    }

    fn boxed(&self) -> Box<dyn EndgameSolver> {
        Box::new(self.clone())
    }
}

/// Number of entries, a power of two: one mebibyte.
const ENTRIES: usize = 1 << 16;

/// Bounds of the margin of the side to move among the cells still to be taken.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    least: i8,
    most: i8,
    /// The move that proved the lower bound.
    best: u8,
}

/// Bounds of positions, by their open edges. A new entry overwrites the one in its slot.
#[derive(Debug, Clone, Default)]
struct Table {
    entries: Vec<(Edges, Bounds)>,
}

impl Bounds {
    const UNKNOWN: Self = Self { least: i8::MIN, most: i8::MAX, best: 0 };
}

impl Table {
    fn slot(open: Edges) -> usize {
        // Fibonacci hashing (Knuth, *The Art of Computer Programming*, volume 3, 6.4).
        (open.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (Edges::BITS - ENTRIES.trailing_zeros())) as usize
    }

    fn get(&self, open: Edges) -> Bounds {
        let entry = self.entries.get(Self::slot(open)).filter(|(known, _)| *known == open);
        entry.map_or(Bounds::UNKNOWN, |&(_, bounds)| bounds)
    }

    fn put(&mut self, open: Edges, bounds: Bounds) {
        // Allocated at the first use, since most games never need it. A position without open edges
        // is never looked up.
        self.entries.resize(ENTRIES, (0, Bounds::UNKNOWN));
        self.entries[Self::slot(open)] = (open, bounds);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use rand::{Rng, SeedableRng};

    use super::*;
    use crate::{Action, Game, GameRng, Rules, Seat};

    /// Returns the margin among the cells still to be taken for the side to move, by trying every
    /// move.
    fn margin(position: &HexiFence, known: &mut HashMap<Vec<u8>, i32>) -> i32 {
        let mut empty = position.empty_edges().to_vec();
        empty.sort_unstable();
        if let Some(&margin) = known.get(&empty) {
            return margin;
        }
        let (mut legal, mut best) = (Vec::new(), i32::MIN);
        position.legal_actions(&mut legal);
        for action in legal {
            let mut next = position.clone();
            next.play(action, &mut ());
            let gain = next.lead(position.to_move) - position.lead(position.to_move);
            let rest = margin(&next, known);
            best = best.max(if next.to_move == position.to_move { gain + rest } else { -rest });
        }
        let best = if empty.is_empty() { 0 } else { best };
        known.insert(empty, best);
        best
    }

    /// Plays until `left` edges are empty, at random; if `careful`, avoids making cells available
    /// as long as possible.
    fn nearly_over(side: usize, left: usize, careful: bool, rng: &mut GameRng) -> HexiFence {
        let mut position = HexiFence::new(side);
        while position.empty_edges().len() > left {
            let draw = |rng: &mut GameRng| position.random_action(rng).unwrap();
            let gives = |action: &Action| position.effects(position.edge(*action).unwrap()).1;
            let action = (0..20).map(|_| draw(rng)).find(|action| !careful || !gives(action));
            let action = action.unwrap_or_else(|| draw(rng));
            position.play(action, &mut ());
        }
        position
    }

    fn agree(seed: u64, positions: usize, most: usize) {
        let mut rng = GameRng::seed_from_u64(seed);
        for number in 0..positions {
            let (side, left, careful) = (rng.random_range(2..=4), rng.random_range(1..=most), rng.random_bool(0.7));
            let position = nearly_over(side, left, careful, &mut rng);
            let margin = margin(&position, &mut HashMap::new());
            let mut ends = Ends::of(&position).unwrap();
            // Try every lead of the side to move.
            for lead in -9..=9 {
                let mut other = position.clone();
                // Margins are odd, as in every game.
                let lead = 2 * lead + 1 + margin.rem_euclid(2);
                other.cells = [lead.max(0) as u8, (-lead).max(0) as u8];
                other.to_move = Seat::First;
                let found = ends.wins(&other, u32::MAX);
                assert_eq!(found, Some(lead + margin > 0), "number {number}, {lead} + {margin}: {position:?}");
            }
        }
    }

    #[test]
    fn ends_are_those_of_trying_every_move() {
        agree(1, 400, 12);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn many_ends_are_those_of_trying_every_move() {
        agree(2, 3_000, 16);
    }

    #[test]
    fn positions_beyond_the_budget_have_no_answer() {
        let mut rng = GameRng::seed_from_u64(3);
        let far = nearly_over(3, 50, true, &mut rng);
        let mut ends = Ends::of(&far).unwrap();
        assert_eq!(ends.wins(&far, BUDGET), None);
        // Shallower positions of the same game, from the end backwards.
        let near = nearly_over(3, 10, true, &mut rng);
        let on = Game::new::<HexiFence>().game_board(3).unwrap();
        let position = |rules: &HexiFence| Position::of(on, Box::new(rules.clone()));
        let mut ends = Ends::of(&near).unwrap();
        assert_eq!(ends.solve(&position(&near)).unwrap().plies, 10);
        assert_eq!(ends.reach, MAX_EDGES);
        let mut ends = Ends::of(&far).unwrap();
        assert_eq!((ends.solve(&position(&far)), ends.reach), (None, 49));
        // This position is not of the same game.
        assert_eq!(ends.solve(&position(&HexiFence::new(3))), None);
    }
}
