//! The results of a match, counted game by game.

use std::collections::HashMap;

use serde::Serialize;

use super::elo::EloEstimate;
use crate::played_game::PlayedGame;

/// With fewer decided pairs the interval includes 0 even if one player wins them all: 0.5⁵ > 2.5 %.
const MIN_DECIDED: usize = 6;

/// The results of a match. *First* and *second* are the sides.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Tally {
    /// Games.
    pub games: usize,
    /// Games that A won.
    pub wins_a: usize,
    /// Games that B won.
    pub wins_b: usize,
    /// Drawn games.
    pub draws: usize,
    /// Games that A lost by a fault.
    pub faults_a: usize,
    /// Games that B lost by a fault.
    pub faults_b: usize,
    /// Games in which A was the first player.
    pub games_a_first: usize,
    /// Games that A won as the first player.
    pub wins_a_as_first: usize,
    /// Games that A won as the second player.
    pub wins_a_as_second: usize,
    /// Games that B won as the first player.
    pub wins_b_as_first: usize,
    /// Games that B won as the second player.
    pub wins_b_as_second: usize,
    /// Moves of all games.
    pub moves: usize,
    /// The numbers of complete pairs in which A scored 0, ½, 1, 1½ and 2 points.
    pub pairs: [usize; 5],
    /// The number of distinct games.
    pub distinct_games: usize,
    /// The numbers of games without a partner (yet) in which A scored 0, ½ and 1 point.
    #[serde(skip)]
    single: [usize; 3],
    /// The half points of A in the last game, if it has no partner yet, with the pair's number.
    #[serde(skip)]
    half_pair: Option<(usize, usize)>,
    /// How often each game was played, by its fingerprint.
    #[serde(skip)]
    times: HashMap<u64, usize>,
    /// The sum of the squares of these counts.
    #[serde(skip)]
    squares: usize,
}

impl Tally {
    /// Counts a game. The games of a pair must follow each other.
    pub fn add(&mut self, game: &PlayedGame) {
        self.games += 1;
        self.moves += game.moves.len();
        self.games_a_first += usize::from(game.a_is_first);
        let half_points = game.half_points_of_a();
        let count = match (half_points, game.a_is_first) {
            (2, true) => &mut self.wins_a_as_first,
            (2, false) => &mut self.wins_a_as_second,
            (0, true) => &mut self.wins_b_as_second,
            (0, false) => &mut self.wins_b_as_first,
            _ => &mut self.draws,
        };
        *count += 1;
        self.wins_a = self.wins_a_as_first + self.wins_a_as_second;
        self.wins_b = self.wins_b_as_first + self.wins_b_as_second;
        self.faults_a += usize::from(game.faulty() == Some(0));
        self.faults_b += usize::from(game.faulty() == Some(1));
        self.half_pair = match self.half_pair {
            Some((pair, earlier)) if pair == game.index / 2 => {
                self.single[earlier] -= 1;
                self.pairs[earlier + half_points] += 1;
                None
            }
            _ => {
                self.single[half_points] += 1;
                Some((game.index / 2, half_points))
            }
        };
        let times = self.times.entry(game.fingerprint()).or_default();
        self.squares += 2 * *times + 1;
        *times += 1;
        self.distinct_games = self.times.len();
    }

    /// Returns A's share of the points, one half before the first game.
    pub fn score(&self) -> f64 {
        if self.games == 0 {
            return 0.5;
        }
        (self.wins_a as f64 + self.draws as f64 / 2.0) / self.games as f64
    }

    /// Returns the fraction of an independent game that each game counts for, as repetitions add no information:
    /// 1 if all differ, one 800th if one was played 800 times. `n / Σm²` for `n` games of which the distinct ones
    /// were played `m` times each, so that the games count for `n² / Σm²` in all: the effective size of a
    /// sample of clusters with equal members (Kish, *Survey Sampling*, 1965).
    pub fn independence(&self) -> f64 {
        self.games as f64 / self.squares.max(1) as f64
    }

    /// Returns the effective number of pairs of games.
    pub fn effective_pairs(&self) -> f64 {
        self.games as f64 / 2.0 * self.independence()
    }

    /// Returns the variance of A's score in a pair of games, from 0 to 1.
    pub fn pair_variance(&self) -> f64 {
        let mean = self.score();
        let squares = |counts: &[usize]| {
            let best = (counts.len() - 1) as f64;
            counts.iter().enumerate().map(|(i, &count)| count as f64 * (i as f64 / best - mean).powi(2)).sum::<f64>()
        };
        // A game without a partner is half a pair.
        (2.0 * squares(&self.pairs) + squares(&self.single)) / self.games.max(1) as f64
    }

    /// Returns the number of pairs in which each player scored one point: their opening decided them, or nothing did.
    pub fn pairs_split(&self) -> usize {
        self.pairs[2]
    }

    /// Returns the number of pairs in which one player scored more.
    pub fn pairs_decided(&self) -> usize {
        self.pairs.iter().sum::<usize>() - self.pairs_split()
    }

    /// Returns the smallest Elo difference that a match with this many decided pairs can show: half the width of the
    /// interval at an even score. None if they are too few to show any.
    pub fn resolution(&self) -> Option<f64> {
        let half_points = (0..).zip(self.pairs);
        let squares: f64 = half_points.map(|(half, count)| count as f64 * (f64::from(half) / 4.0 - 0.5).powi(2)).sum();
        let variance = squares / self.pairs.iter().sum::<usize>().max(1) as f64;
        let estimate = EloEstimate::from_pairs(0.5, variance, self.effective_pairs());
        (self.pairs_decided() >= MIN_DECIDED).then_some(estimate.high)
    }

    /// Returns the Elo difference of A and B.
    pub fn elo(&self) -> EloEstimate {
        EloEstimate::from_pairs(self.score(), self.pair_variance(), self.effective_pairs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexzero_games::Seat;

    /// Game `index` with these moves, in which A scores 2, 1 or 0 half points.
    fn game(index: usize, moves: &str, half_points: usize) -> PlayedGame {
        let a_is_first = index.is_multiple_of(2);
        let a = if a_is_first { Seat::First } else { Seat::Second };
        PlayedGame {
            game: "cachex",
            size: 5,
            moves: moves.split(' ').map(str::to_owned).collect(),
            result: None,
            resigned: None,
            fault: None,
            on_time: false,
            winner: [Some(a.opponent()), None, Some(a)][half_points],
            index,
            a_is_first,
            opening_moves: 1,
        }
    }

    fn tally<'a>(games: impl IntoIterator<Item = (&'a str, usize)>) -> Tally {
        let mut tally = Tally::default();
        for (index, (moves, half_points)) in games.into_iter().enumerate() {
            tally.add(&game(index, moves, half_points));
        }
        tally
    }

    fn ends(tally: &Tally) -> [f64; 2] {
        [tally.elo().low, tally.elo().high]
    }

    fn assert_near(found: [f64; 2], expected: [f64; 2]) {
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.3), "{found:?} is not {expected:?}");
    }

    #[test]
    fn interval_comes_from_pairs() {
        // Four pairs, 2 : 0, 1 : 1, 1 : 1 and 1½ : ½. Mean 0.6875; squares 0.0977, 0.0352 twice, 0.0039, so
        // v = 0.0430. k = 3.84146 / 4 = 0.96036: centre 1.16768, width √(0.96036 · 0.28306) = 0.52138, both /
        // 1.96036: 0.32968 and 0.86161, which are -123.2 and +317.7 Elo.
        let four = tally([("a", 2), ("b", 2), ("c", 2), ("d", 0), ("e", 0), ("f", 2), ("g", 2), ("h", 1)]);
        assert_eq!((four.pairs, four.distinct_games), ([0, 0, 2, 1, 1], 8));
        assert_near(ends(&four), [-123.2, 317.7]);
    }

    #[test]
    fn repeated_pairs_count_for_less() {
        let pair = [("a", 2), ("b", 2)];
        let once = tally(pair);
        let often = tally(std::iter::repeat_n(pair, 800).flatten());
        assert_eq!((often.games, often.distinct_games, often.effective_pairs()), (1600, 2, 1.0));
        assert_eq!(ends(&often), ends(&once));
        // One pair twice and another once: 6² / (2² + 2² + 1 + 1) = 3.6 games, 1.8 pairs. Mean 5 / 6,
        // v = (2 · (1/6)² + (1/3)²) / 3 = 0.05556, k = 2.13415: centre 1.90041, width
        // √(2.13415 · 0.58909) = 1.12126, both / 3.13415: 0.24860 and 0.96411, -192.2 and +571.6 Elo.
        let mixed = tally([("a", 2), ("b", 2), ("a", 2), ("b", 2), ("c", 2), ("d", 0)]);
        assert!((mixed.effective_pairs() - 1.8).abs() < 1e-9);
        assert_near(ends(&mixed), [-192.2, 571.6]);
        // Pairs of which one game repeats itself lie between.
        let half = tally([("a", 2), ("b", 2), ("a", 2), ("c", 2)]);
        assert!(half.effective_pairs() > 1.0 && half.effective_pairs() < 2.0);
        // The same moves with the sides exchanged are another game.
        assert_eq!(tally([("a", 2), ("a", 0)]).distinct_games, 2);
    }

    #[test]
    fn resolution_needs_decided_pairs() {
        // A wins some pairs, then B as many; the others are split. Games differ by their moves.
        let result = |decided: usize, split: usize, b: usize| {
            let points = |pair: usize| {
                if pair < decided {
                    [2, 2]
                } else if pair < decided + b {
                    [0, 0]
                } else {
                    [2, 0]
                }
            };
            let games = (0..decided + b + split).flat_map(|pair| points(pair).map(|points| (pair, points)));
            let mut tally = Tally::default();
            for (index, (pair, points)) in games.enumerate() {
                tally.add(&game(index, &format!("{pair} {index}"), points));
            }
            tally
        };
        let even = result(5, 40, 5);
        assert_eq!((even.pairs_split(), even.pairs_decided()), (40, 10));
        // At an even score it is half the interval.
        assert_eq!(even.resolution(), Some(even.elo().high));
        // v = 10 / 50 / 4 = 0.05, k = 3.84146 / 50 = 0.0768292: √(0.0768292 · 0.0692073) / 1.0768292 = 0.0677158,
        // which is 47.35 Elo.
        assert!((even.resolution().unwrap() - 47.35).abs() < 0.1, "{:?}", even.resolution());
        assert!(result(25, 0, 25).resolution() > even.resolution());
        // Six won pairs show a difference, five do not.
        assert!(result(6, 44, 0).elo().low > 0.0 && result(6, 44, 0).resolution().is_some());
        assert!(result(5, 45, 0).elo().low < 0.0 && result(5, 45, 0).resolution().is_none());
    }

    #[test]
    fn unpaired_game_is_half_a_pair() {
        let three = tally([("a", 2), ("b", 0), ("c", 2)]);
        assert_eq!((three.pairs, three.single, three.effective_pairs()), ([0, 0, 1, 0, 0], [0, 0, 1], 1.5));
        // Mean 2 / 3, v = (2 · (1/6)² + (1/3)²) / 3 = 0.05556, k = 2.56097: centre 1.94715, width
        // √(2.56097 · 0.69580) = 1.33489, both / 3.56097: 0.17194 and 0.92167, -273.1 and +428.3 Elo.
        assert_near(ends(&three), [-273.1, 428.3]);
    }
}
