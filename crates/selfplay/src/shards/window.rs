//! The replay window: the most recent games, to sample positions from.

use std::collections::VecDeque;
use std::sync::Arc;

use rand::Rng;

use super::GameRecord;

/// The mean weight of a position. Weights are integers, so that their sums are exact regardless of earlier
/// games.
const MEAN_WEIGHT: f64 = 65_536.0;

/// A position to learn from: the one before a turn of a game.
#[derive(Debug, Clone)]
pub struct SampledPosition {
    /// The game.
    pub record: Arc<GameRecord>,
    /// The turn, from 0.
    pub turn: usize,
}

/// A position with a policy target.
#[derive(Debug, Clone, Copy)]
struct Entry {
    /// The sum of the weights of all positions up to this one, from the first ever added.
    weight_sum: u64,
    /// The number of the position's game, from the first ever added.
    game: u64,
    turn: u16,
}

/// The replay window: the most recent games, as many as hold a given number of positions with a
/// policy target.
#[derive(Debug, Clone)]
pub struct Window {
    capacity: usize,
    surprise_weight: f64,
    games: VecDeque<Arc<GameRecord>>,
    positions: VecDeque<Entry>,
    dropped_games: u64,
    /// The sum of the weights of the dropped positions.
    dropped_weight: u64,
}

/// Returns the turns of a game with a policy target, each with the weight of its position: a share
/// `surprise_weight` of it is proportional to the surprise of its search relative to the game's
/// mean, the rest is uniform (policy surprise weighting, Wu, *KataGo methods*).
fn weights(record: &GameRecord, surprise_weight: f64) -> impl Iterator<Item = (usize, u64)> {
    let surprises = move || {
        let surprise =
            move |turn: usize| record.turns[turn].search.as_ref().map_or(0.0, |search| f64::from(search.surprise));
        record.policy_turns().map(move |turn| (turn, surprise(turn)))
    };
    let (count, sum) = surprises().fold((0u32, 0.0), |(count, sum), (_, surprise)| (count + 1, sum + surprise));
    let mean = sum / f64::from(count.max(1));
    surprises().map(move |(turn, surprise)| {
        let relative = if mean > 0.0 { surprise / mean } else { 1.0 };
        (turn, (MEAN_WEIGHT * (1.0 + surprise_weight * (relative - 1.0))).round() as u64)
    })
}

impl Window {
    /// Creates an empty window of at most `capacity` positions, drawn uniformly.
    pub fn new(capacity: usize) -> Self {
        Self {
            capacity: capacity.max(1),
            surprise_weight: 0.0,
            games: VecDeque::new(),
            positions: VecDeque::new(),
            dropped_games: 0,
            dropped_weight: 0,
        }
    }

    /// Changes the capacity; positions beyond it go with the next game that is added.
    pub fn set_capacity(&mut self, capacity: usize) {
        self.capacity = capacity.max(1);
    }

    /// Sets how much more often surprising positions are drawn: from 0, uniformly, to 1, in proportion to the
    /// surprise within each game.
    pub fn set_surprise_weight(&mut self, surprise_weight: f64) {
        if surprise_weight == self.surprise_weight {
            return;
        }
        let games = std::mem::take(&mut self.games);
        *self = Self { surprise_weight, ..Self::new(self.capacity) };
        games.into_iter().for_each(|game| self.append(game));
    }

    /// Adds a game and drops the oldest beyond the capacity.
    pub fn add(&mut self, record: GameRecord) {
        self.append(Arc::new(record));
        while self.positions.len() > self.capacity && self.games.len() > 1 {
            let oldest = self.dropped_games;
            while let Some(gone) = self.positions.front().filter(|position| position.game == oldest) {
                self.dropped_weight = gone.weight_sum;
                self.positions.pop_front();
            }
            self.games.pop_front();
            self.dropped_games += 1;
        }
    }

    fn append(&mut self, record: Arc<GameRecord>) {
        let game = self.dropped_games + self.games.len() as u64;
        let mut weight_sum = self.weight_sum();
        self.positions.extend(weights(&record, self.surprise_weight).map(|(turn, weight)| {
            weight_sum += weight;
            Entry { weight_sum, game, turn: turn as u16 }
        }));
        self.games.push_back(record);
    }

    /// Returns the sum of the weights of all positions ever added.
    fn weight_sum(&self) -> u64 {
        self.positions.back().map_or(self.dropped_weight, |last| last.weight_sum)
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Returns true if there is no position.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Returns the games, from the oldest.
    pub fn games(&self) -> impl DoubleEndedIterator<Item = &GameRecord> {
        self.games.iter().map(Arc::as_ref)
    }

    /// Draws a position with a probability in proportion to its weight; none from an empty window.
    pub fn sample(&self, rng: &mut impl Rng) -> Option<SampledPosition> {
        let weights = self.dropped_weight..self.weight_sum();
        if weights.is_empty() {
            return None;
        }
        let drawn = rng.random_range(weights);
        let Entry { game, turn, .. } = self.positions[self.positions.partition_point(|p| p.weight_sum <= drawn)];
        let record = self.games[(game - self.dropped_games) as usize].clone();
        Some(SampledPosition { record, turn: usize::from(turn) })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{GameStart, SearchRecord, TurnRecord};
    use super::*;
    use hexzero_games::{Action, EndReason, Outcome, WinDrawLoss};
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// A game whose turns are full searches of this surprise, or cheap ones; its size identifies it.
    fn game(size: u8, surprises: &[Option<f32>]) -> GameRecord {
        let turn = |surprise: &Option<f32>| TurnRecord {
            action: Action(0),
            search: Some(SearchRecord {
                full: surprise.is_some(),
                visits: 1,
                policy: if surprise.is_some() { vec![(Action(0), 1)] } else { Vec::new() },
                outcome: WinDrawLoss::EVEN,
                proven: false,
                surprise: surprise.unwrap_or(0.0),
            }),
        };
        let outcome = Outcome { winner: None, reason: EndReason(1) };
        let turns = surprises.iter().map(turn).collect();
        GameRecord { size, turns, outcome, evaluations: 0, played_out: true, start: GameStart::Empty }
    }

    fn window(capacity: usize, surprise_weight: f64, games: &[GameRecord]) -> Window {
        let mut window = Window::new(capacity);
        window.set_surprise_weight(surprise_weight);
        games.iter().for_each(|game| window.add(game.clone()));
        window
    }

    /// The size of the game and the turn of drawn positions.
    fn drawn(window: &Window, count: usize) -> Vec<(u8, usize)> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let positions = (0..count).map(|_| window.sample(&mut rng).unwrap());
        positions.map(|position| (position.record.size, position.turn)).collect()
    }

    #[test]
    fn drops_oldest_games_and_draws_full_searches() {
        let mut window = Window::new(4);
        assert!(window.sample(&mut rand::rng()).is_none());
        let full = Some(1.0);
        window.add(game(3, &[full, full, full]));
        window.add(game(4, &[None, full]));
        assert_eq!(window.len(), 4);
        window.add(game(5, &[full, None, full]));
        assert_eq!(window.len(), 3);
        let mut drawn = drawn(&window, 200);
        drawn.sort_unstable();
        drawn.dedup();
        assert_eq!(drawn, [(4, 1), (5, 0), (5, 2)]);
    }

    #[test]
    fn weights_by_hand() {
        let surprising = game(3, &[Some(3.0), None, Some(1.0), Some(2.0)]);
        let of = |record: &GameRecord, share: f64| -> Vec<(usize, f64)> {
            weights(record, share).map(|(turn, weight)| (turn, weight as f64 / MEAN_WEIGHT)).collect()
        };
        assert_eq!(of(&surprising, 0.0), [(0, 1.0), (2, 1.0), (3, 1.0)]);
        assert_eq!(of(&surprising, 0.5), [(0, 1.25), (2, 0.75), (3, 1.0)]);
        assert_eq!(of(&surprising, 1.0), [(0, 1.5), (2, 0.5), (3, 1.0)]);
        assert_eq!(of(&game(3, &[Some(0.0), Some(0.0)]), 1.0), [(0, 1.0), (1, 1.0)]);
        assert_eq!(of(&game(3, &[None]), 1.0), []);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        /// Positions are drawn as often as their weights say, regardless of earlier ones.
        #[test]
        fn frequencies_follow_the_weights(
            surprises in prop::collection::vec(prop::collection::vec(prop::option::weighted(0.7, 0f32..4.0), 1..6), 2..6),
            surprise_weight in 0f64..=1.0,
            capacity in 1usize..20,
        ) {
            let games: Vec<GameRecord> = (3..).zip(&surprises).map(|(size, game_of)| game(size, game_of)).collect();
            let window = window(capacity, surprise_weight, &games);
            let kept: Vec<(u8, usize, u64)> = window
                .games()
                .flat_map(|record| weights(record, surprise_weight).map(|(turn, weight)| (record.size, turn, weight)))
                .collect();
            prop_assert_eq!(kept.len(), window.len());
            let total: u64 = kept.iter().map(|entry| entry.2).sum();
            if total == 0 {
                prop_assert!(window.sample(&mut rand::rng()).is_none());
                return Ok(());
            }
            let count = 4000;
            let drawn = drawn(&window, count);
            for &(size, turn, weight) in &kept {
                let share = weight as f64 / total as f64;
                let found = drawn.iter().filter(|&&position| position == (size, turn)).count() as f64 / count as f64;
                let deviation = (share * (1.0 - share) / count as f64).sqrt();
                prop_assert!((found - share).abs() <= 5.0 * deviation, "{found} instead of {share}");
            }
        }

        /// A window that was filled from the start, one that began later, and one whose weights were set last draw
        /// the same.
        #[test]
        fn dropped_games_leave_no_trace(
            surprises in prop::collection::vec(prop::collection::vec(prop::option::weighted(0.7, 0f32..4.0), 1..6), 2..12),
            capacity in 1usize..20,
        ) {
            let games: Vec<GameRecord> = (3..).zip(&surprises).map(|(size, game_of)| game(size, game_of)).collect();
            let long = window(capacity, 0.5, &games);
            let kept = long.games().count();
            let short = window(capacity, 0.5, &games[games.len() - kept..]);
            let mut late = window(capacity, 0.0, &games);
            late.set_surprise_weight(0.5);
            prop_assert_eq!(kept, short.games().count());
            if !long.is_empty() {
                prop_assert_eq!(drawn(&long, 50), drawn(&short, 50));
                prop_assert_eq!(drawn(&long, 50), drawn(&late, 50));
            }
        }
    }
}
