//! Winners of positions on boards with too many positions to visit them all, in games that always
//! end.

use std::cmp::Reverse;
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashSet;

use super::exhaustive::key;
use crate::{Action, Position, Seat, Solution, Verdict};

/// The winners of the positions searched on one board, where `None` is a draw.
///
/// A depth-first search stops at a position's first winning move and remembers each result. It does
/// not count plies, which would require all moves of every position.
#[derive(Debug, Default)]
pub struct Winners {
    search: Mutex<Search>,
}

/// The winner of the positions in each set of [`Search::decided`].
const OUTCOMES: [Option<Seat>; 3] = [Some(Seat::First), Some(Seat::Second), None];

#[derive(Debug, Default)]
struct Search {
    /// The keys of positions won by the first seat, won by the second, and drawn. Three sets take
    /// half the memory of a map with values.
    decided: [FxHashSet<u64>; 3],
    /// The number of wins of each action, by seat and action: moves that won elsewhere are tried
    /// first (the history heuristic; Schaeffer, 1983).
    wins: [Vec<u32>; 2],
    /// Memory for legal moves, by depth.
    legal: Vec<Vec<Action>>,
}

impl Search {
    /// Returns the winner of a position that is not over.
    fn winner(&mut self, position: &Position, depth: usize) -> Option<Seat> {
        let number = number(position);
        if let Some(index) = self.decided.iter().position(|keys| keys.contains(&number)) {
            return OUTCOMES[index];
        }
        let mover = position.to_move();
        let winner = if position.winning_action().is_some() { Some(mover) } else { self.searched(position, depth) };
        let index = winner.map_or(2, Seat::index);
        self.decided[index].insert(number);
        winner
    }

    fn searched(&mut self, position: &Position, depth: usize) -> Option<Seat> {
        let mover = position.to_move();
        if self.legal.len() <= depth {
            self.legal.resize_with(depth + 1, Vec::new);
        }
        let mut legal = std::mem::take(&mut self.legal[depth]);
        position.legal_actions(&mut legal);
        let wins = &mut self.wins[mover.index()];
        if let Some(last) = legal.last().filter(|last| last.index() >= wins.len()) {
            wins.resize(last.index() + 1, 0);
        }
        legal.sort_by_key(|action| Reverse(wins[action.index()]));
        let mut best = Some(mover.opponent());
        let mut after = position.clone();
        for &action in &legal {
            after.clone_from(position);
            after.play(action);
            let winner = match after.outcome() {
                Some(outcome) => outcome.winner,
                None => self.winner(&after, depth + 1),
            };
            if winner == Some(mover) {
                self.wins[mover.index()][action.index()] += 1;
                best = winner;
                break;
            }
            if winner.is_none() {
                best = None;
            }
        }
        self.legal[depth] = legal;
        best
    }
}

impl Solution for Winners {
    fn verdict(&self, position: &Position) -> Option<Verdict> {
        // A search that panicked has left no wrong results, because results are entered only once
        // known.
        let winner = self.search.lock().unwrap_or_else(PoisonError::into_inner).winner(position, 0);
        Some(Verdict { winner, plies: None })
    }
}

/// Returns a position's key. Boards solved in this way are small enough for 64 bits.
fn number(position: &Position) -> u64 {
    u64::try_from(key(position)).expect("a board whose positions have keys of 64 bits")
}
