//! Exact values of all reachable positions of a small board, for any game whose positions have a state
//! ([`super::Rules::state`]).

use std::ops::RangeInclusive;

use rustc_hash::FxHashMap;

use super::winners::Winners;
use crate::{Action, Game, Position, Rules, Seat, Solution, Solver, Verdict, game_named};

impl Solver {
    /// Visits every reachable position and works backwards from the finished ones. Positions may
    /// repeat, and a player may move twice in a row.
    pub const fn exhaustive<R: Rules>(sizes: RangeInclusive<usize>) -> Self {
        Self { sizes, solve: |size| Box::new(Exhaustive::new::<R>(size)) }
    }

    /// Works as [`Solver::exhaustive`] up to the size `COUNTED`; on larger boards searches only for
    /// the winner, so that values there have no plies. For games that always end.
    pub const fn exhaustive_to<R: Rules, const COUNTED: usize>(sizes: RangeInclusive<usize>) -> Self {
        let solve = |size| -> Box<dyn Solution> {
            if size <= COUNTED { Box::new(Exhaustive::new::<R>(size)) } else { Box::new(Winners::default()) }
        };
        Self { sizes, solve }
    }
}

/// The values of all reachable positions of one board.
///
/// Retrograde analysis (Ströhlein, *Untersuchungen über kombinatorische Spiele*, 1970): a position
/// is won if a move leads to a win, lost if all moves lose, and drawn if neither can be shown, as
/// in endless play.
#[derive(Debug)]
struct Exhaustive {
    numbers: Numbers,
    found: Vec<Found>,
}

/// Indices of positions, by their keys.
type Numbers = FxHashMap<u128, u32>;

/// The winner of each position and the plies, or `None` while neither side is proven to win.
#[derive(Debug, Clone, Copy, Default)]
struct Found {
    winner: Option<Seat>,
    plies: u8,
}

/// A position under exploration, and the next of its moves to try.
struct Visit {
    position: Position,
    number: u32,
    legal: Vec<Action>,
    next: usize,
}

/// The graph of all reachable positions.
#[derive(Default)]
struct Graph {
    numbers: Numbers,
    movers: Vec<Seat>,
    moves: Vec<u16>,
    /// Moves, each from the first position to the second.
    edges: Vec<(u32, u32)>,
    /// Positions where a move ends the game at once, and the winner.
    endings: Vec<(u32, Seat)>,
}

impl Graph {
    /// Explores from a position, depth first: only as many positions are in memory as a game has
    /// plies.
    fn explore(start: &Position) -> Self {
        let mut graph = Self::default();
        let mut first = start.clone();
        first.forget_history();
        let mut line: Vec<Visit> = Vec::new();
        let mut depth = 0;
        graph.enter(&first, &mut line, &mut depth);
        let mut after = first;
        while depth > 0 {
            let visit = &mut line[depth - 1];
            let Some(&action) = visit.legal.get(visit.next) else {
                depth -= 1;
                continue;
            };
            visit.next += 1;
            let from = visit.number;
            after.clone_from(&visit.position);
            after.play(action);
            after.forget_history();
            match after.outcome() {
                Some(outcome) => graph.endings.extend(outcome.winner.map(|winner| (from, winner))),
                None => {
                    let to = match graph.numbers.get(&key(&after)) {
                        Some(&known) => known,
                        None => graph.enter(&after, &mut line, &mut depth),
                    };
                    graph.edges.push((from, to));
                }
            }
        }
        graph
    }

    /// Assigns an index to a new position and adds it to the stack.
    fn enter(&mut self, position: &Position, line: &mut Vec<Visit>, depth: &mut usize) -> u32 {
        let number = self.movers.len() as u32;
        self.numbers.insert(key(position), number);
        self.movers.push(position.to_move());
        if line.len() == *depth {
            line.push(Visit { position: position.clone(), number, legal: Vec::new(), next: 0 });
        }
        let visit = &mut line[*depth];
        visit.position.clone_from(position);
        (visit.number, visit.next) = (number, 0);
        position.legal_actions(&mut visit.legal);
        self.moves.push(visit.legal.len() as u16);
        *depth += 1;
        number
    }

    /// Returns the predecessors of all positions, concatenated, and the offset where those of each
    /// position begin.
    fn backwards(&self) -> (Vec<u32>, Vec<u32>) {
        let mut begins = vec![0; self.movers.len() + 1];
        self.edges.iter().for_each(|&(_, to)| begins[to as usize + 1] += 1);
        for index in 1..begins.len() {
            begins[index] += begins[index - 1];
        }
        let (mut before, mut filled) = (vec![0; self.edges.len()], begins.clone());
        for &(from, to) in &self.edges {
            before[filled[to as usize] as usize] = from;
            filled[to as usize] += 1;
        }
        (before, begins)
    }

    /// Works backwards from the endings, one ply at a time, so that the first win found is the
    /// fastest and the last loss the slowest.
    fn found(mut self) -> (Numbers, Vec<Found>) {
        let (before, begins) = self.backwards();
        self.edges = Vec::new();
        let mut found = vec![Found::default(); self.movers.len()];
        let mut decided = Vec::new();
        let mut plies = 1;
        let mut news = std::mem::take(&mut self.endings);
        while !news.is_empty() {
            for &(from, winner) in &news {
                let verdict = &mut found[from as usize];
                if verdict.winner.is_some() {
                    continue;
                }
                // Losing moves are counted down until none is left; a single winning move suffices.
                let open = &mut self.moves[from as usize];
                *open -= 1;
                if self.movers[from as usize] == winner || *open == 0 {
                    *verdict = Found { winner: Some(winner), plies };
                    decided.push((from, winner));
                }
            }
            news.clear();
            for (to, winner) in decided.drain(..) {
                let froms = begins[to as usize] as usize..begins[to as usize + 1] as usize;
                news.extend(before[froms].iter().map(|&from| (from, winner)));
            }
            plies = plies.saturating_add(1);
        }
        (self.numbers, found)
    }
}

impl Exhaustive {
    /// # Panics
    /// If the game's positions on this board have no key, or it has no board of the size.
    fn new<R: Rules>(size: usize) -> Self {
        // Uses the registered game, because a new one is never freed.
        let game = game_named(R::INFO.id).unwrap_or_else(|_| Game::new::<R>());
        let start = game.start(size).expect("a board of the game");
        let (numbers, found) = Graph::explore(&start).found();
        Self { numbers, found }
    }
}

impl Solution for Exhaustive {
    fn verdict(&self, position: &Position) -> Option<Verdict> {
        let Found { winner, plies } = self.found[*self.numbers.get(&key(position))? as usize];
        Some(Verdict { winner, plies: Some(plies) })
    }
}

pub(super) fn key(position: &Position) -> u128 {
    position.state().expect("a game that is solved describes its positions").key()
}
