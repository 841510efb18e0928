//! The most recent games, to sample positions from.

use std::collections::VecDeque;
use std::sync::Arc;

use rand::Rng;

use super::record::GameRecord;

/// A position to learn from: the one before a turn of a game.
#[derive(Debug, Clone)]
pub struct Position {
    /// The game.
    pub record: Arc<GameRecord>,
    /// The turn, from 0.
    pub turn: usize,
}

/// The most recent games, as many as hold a given number of positions with a policy target.
#[derive(Debug, Clone)]
pub struct Window {
    capacity: usize,
    games: VecDeque<Arc<GameRecord>>,
    /// For each position with a policy target the number of its game, counted from the first ever
    /// added, and its turn.
    positions: VecDeque<(u64, u16)>,
    dropped_games: u64,
}

impl Window {
    /// An empty window of at most `capacity` positions.
    pub fn new(capacity: usize) -> Self {
        Self { capacity: capacity.max(1), games: VecDeque::new(), positions: VecDeque::new(), dropped_games: 0 }
    }

    /// Changes the capacity; positions beyond it go with the next game that is added.
    pub fn set_capacity(&mut self, capacity: usize) {
        self.capacity = capacity.max(1);
    }

    /// Adds a game and drops the oldest beyond the capacity. Gives the number of positions added.
    pub fn add(&mut self, record: GameRecord) -> usize {
        let game = self.dropped_games + self.games.len() as u64;
        let turns = (0..record.turns.len()).filter(|&turn| record.has_policy(turn));
        let before = self.positions.len();
        self.positions.extend(turns.map(|turn| (game, turn as u16)));
        let added = self.positions.len() - before;
        self.games.push_back(Arc::new(record));
        while self.positions.len() > self.capacity && self.games.len() > 1 {
            let oldest = self.dropped_games;
            while self.positions.front().is_some_and(|position| position.0 == oldest) {
                self.positions.pop_front();
            }
            self.games.pop_front();
            self.dropped_games += 1;
        }
        added
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Draws a position, each with the same probability. None from an empty window.
    pub fn sample(&self, rng: &mut impl Rng) -> Option<Position> {
        if self.positions.is_empty() {
            return None;
        }
        let (game, turn) = self.positions[rng.random_range(0..self.positions.len())];
        let record = self.games[(game - self.dropped_games) as usize].clone();
        Some(Position { record, turn: turn as usize })
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::{SearchRecord, TurnRecord};
    use super::*;
    use crate::games::{Action, EndReason, Outcome, WinDrawLoss};
    use rand::SeedableRng;

    /// A game whose turns are full searches where `full` says so; its size tells it apart.
    fn game(size: u8, full: &[bool]) -> GameRecord {
        let turn = |&full: &bool| TurnRecord {
            action: Action(0),
            search: Some(SearchRecord {
                full,
                visits: 1,
                policy: if full { vec![(Action(0), 1)] } else { Vec::new() },
                outcome: WinDrawLoss::EVEN,
                proven: false,
                surprise: 0.0,
            }),
        };
        let outcome = Outcome { winner: None, reason: EndReason::Repetition };
        GameRecord { size, turns: full.iter().map(turn).collect(), outcome, evaluations: 0, played_out: true }
    }

    #[test]
    fn the_oldest_games_go_and_only_full_searches_are_drawn() {
        let mut window = Window::new(4);
        assert!(window.sample(&mut rand::rng()).is_none());
        assert_eq!(window.add(game(3, &[true, true, true])), 3);
        assert_eq!(window.add(game(4, &[false, true])), 1);
        assert_eq!(window.len(), 4);
        assert_eq!(window.add(game(5, &[true, false, true])), 2);
        assert_eq!(window.len(), 3);
        let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
        let mut drawn: Vec<(u8, usize)> = (0..200)
            .map(|_| window.sample(&mut rng).unwrap())
            .map(|position| (position.record.size, position.turn))
            .collect();
        drawn.sort_unstable();
        drawn.dedup();
        assert_eq!(drawn, [(4, 1), (5, 0), (5, 2)]);
    }
}
