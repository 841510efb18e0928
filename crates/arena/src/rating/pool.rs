//! Ratings of any number of players from all their results at once.
//!
//! The model is that of Bradley and Terry (*Rank analysis of incomplete block designs*, 1952), the same as Elo's: `a`
//! beats `b` with the chance `1 / (1 + 10^((Rb - Ra) / 400))`, and a draw is half a win for either. The ratings are
//! the maximum likelihood estimates with a weak prior, as in R. Coulom's BayesElo: every player has [`PRIOR_DRAWS`]
//! imaginary draws, spread evenly over their opponents, so that a player who won every game gets a finite rating.
//! Players not linked by games are not compared.
//!
//! The intervals come from the curvature of the likelihood, corrected for games not being independent of each other
//! (H. White, *Maximum likelihood estimation of misspecified models*, 1982): a pair of games shares its opening, a
//! draw varies less than a win and a loss, and a repeated game adds no information. They do not measure how well a
//! single scale fits the players.

use super::elo::{EloEstimate, Z};
use super::tally::Tally;

/// The number of imaginary draws of each player.
pub const PRIOR_DRAWS: f64 = 1.0;

/// The number of imaginary pairs of independent games added to the estimate of a pairing's dispersion: a few pairs,
/// all alike, do not show that none would differ.
const PRIOR_PAIRS: f64 = 4.0;

/// Elo per unit of the natural logarithm of the odds.
const ELO_PER_UNIT: f64 = 400.0 / std::f64::consts::LN_10;

/// The greatest change of a rating in one step of the maximisation, in logarithms of odds. Within a difference of 1
/// the curvature changes by a factor `e` at most, so that each such step is an ascent.
const MAX_STEP: f64 = 0.5;

/// The maximum number of steps of the maximisation: enough for ratings that lie hundreds of the
/// longest steps apart.
const MAX_STEPS: usize = 10_000;

/// The results of two players against each other, under the same conditions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairResult {
    /// The first player's number.
    pub a: usize,
    /// The second player's number.
    pub b: usize,
    /// The first player's share of the points.
    pub score: f64,
    /// The effective number of games, if no two share an opening.
    pub games: f64,
    /// The variance of the score of a pair of games, from 0 to 1; `score (1 - score) / 2` if its two games are
    /// independent and none is drawn.
    pub variance: f64,
}

impl PairResult {
    /// Returns the result of players `a` and `b` from their tally.
    pub fn new(a: usize, b: usize, tally: &Tally) -> Self {
        let games = 2.0 * tally.effective_pairs();
        Self { a, b, score: tally.score(), games, variance: tally.pair_variance() }
    }

    /// Returns the dispersion: the variance of the games' points divided by that of as many
    /// independent games, each with the variance `single`.
    fn dispersion(&self, single: f64) -> f64 {
        let (pairs, prior) = (self.games / 2.0, PRIOR_PAIRS * single / 2.0);
        (pairs * self.variance + prior) / (pairs * self.score * (1.0 - self.score) / 2.0 + prior)
    }
}

/// Ratings of players relative to one of them, the anchor.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    /// The strengths in logarithms of odds; none for players not linked to the anchor by games.
    strengths: Vec<Option<f64>>,
    /// The covariance of the strengths, with rows and columns of zeros for the anchor and for players without a rating.
    covariance: Matrix,
}

type Matrix = Vec<Vec<f64>>;

impl Ratings {
    /// Fits ratings for `players` players; the anchor's is 0.
    ///
    /// # Panics
    /// If a number is not that of a player, or a player plays against itself.
    pub fn fit(players: usize, results: &[PairResult], anchor: usize) -> Self {
        let results: Vec<PairResult> = results.iter().copied().filter(|result| result.games > 0.0).collect();
        assert!(results.iter().all(|result| result.a != result.b), "a player meets itself");
        let connected = connected(players, &results, anchor);
        // The places of the unknowns.
        let unknowns = (0..players).filter(|&player| connected[player] && player != anchor);
        let mut place = vec![None; players];
        unknowns.clone().enumerate().for_each(|(number, player)| place[player] = Some(number));
        let count = unknowns.count();

        let games: Vec<(PairResult, f64)> = (results.iter().filter(|result| connected[result.a]))
            .map(|result| (*result, prior_draws(&results, result)))
            .collect();
        let mut strengths = vec![0.0; players];
        let mut inverse = Matrix::new();
        for _ in 0..MAX_STEPS {
            let (mut slope, mut curvature) = (vec![0.0; count], vec![vec![0.0; count]; count]);
            for (result, prior) in &games {
                let expected = expected_score(strengths[result.a] - strengths[result.b]);
                let surplus = result.games * (result.score - expected) + prior * (0.5 - expected);
                place[result.a].inspect(|&a| slope[a] += surplus);
                place[result.b].inspect(|&b| slope[b] -= surplus);
                let weight = (result.games + prior) * expected * (1.0 - expected);
                add_difference(&mut curvature, place[result.a], place[result.b], weight);
            }
            inverse = inverted(curvature);
            let step: Vec<f64> = inverse.iter().map(|row| row.iter().zip(&slope).map(|(a, b)| a * b).sum()).collect();
            let longest = step.iter().copied().fold(0.0, |longest: f64, part| longest.max(part.abs()));
            let share = (MAX_STEP / longest).min(1.0);
            for (strength, place) in strengths.iter_mut().zip(&place) {
                *strength += place.map_or(0.0, |number| share * step[number]);
            }
            if longest < 1e-9 {
                break;
            }
        }

        let mut spread = vec![vec![0.0; count]; count];
        for (result, prior) in &games {
            let expected = expected_score(strengths[result.a] - strengths[result.b]);
            let single = expected * (1.0 - expected);
            let weight = (result.games * result.dispersion(single) + prior) * single;
            add_difference(&mut spread, place[result.a], place[result.b], weight);
        }
        let reduced = product(&product(&inverse, &spread), &inverse);
        let entry = |a: Option<usize>, b: Option<usize>| a.zip(b).map_or(0.0, |(a, b)| reduced[a][b]);
        let covariance = place.iter().map(|&a| place.iter().map(|&b| entry(a, b)).collect()).collect();
        let strengths = strengths.into_iter().zip(connected).map(|(strength, known)| known.then_some(strength));
        Self { strengths: strengths.collect(), covariance }
    }

    /// Returns the rating of player `a` minus that of player `b`, with the 95 % interval; none if one of them is not
    /// linked to the anchor by games.
    pub fn difference(&self, a: usize, b: usize) -> Option<EloEstimate> {
        let elo = ELO_PER_UNIT * (self.strengths[a]? - self.strengths[b]?);
        let [a, b] = [&self.covariance[a], &self.covariance[b]].map(|row| (row[a], row[b]));
        let deviation = ELO_PER_UNIT * (a.0 + b.1 - a.1 - b.0).max(0.0).sqrt();
        Some(EloEstimate { elo: elo + 0.0, low: elo - Z * deviation, high: elo + Z * deviation })
    }
}

/// Returns the expected score at a difference in strength.
fn expected_score(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// Returns the imaginary draws of a pairing: each player's, divided by the number of their opponents.
fn prior_draws(results: &[PairResult], pairing: &PairResult) -> f64 {
    let share = |player: usize| {
        let met = results.iter().filter(|result| result.a == player || result.b == player).count();
        PRIOR_DRAWS / met as f64
    };
    share(pairing.a) + share(pairing.b)
}

/// Returns which players are linked to the anchor by games.
fn connected(players: usize, results: &[PairResult], anchor: usize) -> Vec<bool> {
    let mut connected = vec![false; players];
    connected[anchor] = true;
    // Each round reaches at least one more player.
    while let Some(result) = results.iter().find(|result| connected[result.a] != connected[result.b]) {
        (connected[result.a], connected[result.b]) = (true, true);
    }
    connected
}

/// Adds `weight (e_a - e_b) (e_a - e_b)ᵀ`, without the anchor's row and column.
fn add_difference(matrix: &mut Matrix, a: Option<usize>, b: Option<usize>, weight: f64) {
    for place in [a, b].into_iter().flatten() {
        matrix[place][place] += weight;
    }
    if let (Some(a), Some(b)) = (a, b) {
        matrix[a][b] -= weight;
        matrix[b][a] -= weight;
    }
}

/// Inverts a symmetric positive definite matrix by Gauss-Jordan elimination, which then needs no pivoting.
fn inverted(mut matrix: Matrix) -> Matrix {
    let size = matrix.len();
    for column in 0..size {
        let pivot = std::mem::replace(&mut matrix[column][column], 1.0);
        matrix[column].iter_mut().for_each(|value| *value /= pivot);
        let pivots = matrix[column].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(number, _)| *number != column) {
            let factor = std::mem::replace(&mut row[column], 0.0);
            row.iter_mut().zip(&pivots).for_each(|(value, pivot)| *value -= factor * pivot);
        }
    }
    matrix
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let entry = |row: &Vec<f64>, column: usize| row.iter().zip(b).map(|(value, other)| value * other[column]).sum();
    a.iter().map(|row| (0..b.len()).map(|column| entry(row, column)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// A result of independent games.
    fn result(a: usize, b: usize, points: f64, games: f64) -> PairResult {
        let score = points / games;
        PairResult { a, b, score, games, variance: score * (1.0 - score) / 2.0 }
    }

    fn assert_near(found: EloEstimate, expected: [f64; 3]) {
        let found = [found.elo, found.low, found.high];
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.06), "{found:?} is not {expected:?}");
    }

    #[test]
    fn two_players_by_hand() {
        // 30 of 40 points and two draws: 31 of 42, 400 · log10(31 / 11) = 179.99. Curvature 31 · 11 / 42 = 8.1190,
        // deviation 1 / √8.1190 = 0.35095, times 173.718 · 1.95996 = 119.49.
        let ratings = Ratings::fit(2, &[result(0, 1, 30.0, 40.0)], 1);
        assert_near(ratings.difference(0, 1).unwrap(), [179.99, 60.50, 299.48]);
        assert_near(ratings.difference(1, 0).unwrap(), [-179.99, -299.48, -60.50]);
        assert_near(ratings.difference(1, 1).unwrap(), [0.0; 3]);
        // The same from either side, and with the other as the anchor.
        let turned = Ratings::fit(2, &[result(1, 0, 10.0, 40.0)], 0);
        assert_near(turned.difference(0, 1).unwrap(), [179.99, 60.50, 299.48]);
    }

    #[test]
    fn varying_pairs_widen_the_interval() {
        // All 20 pairs are won or lost 2 : 0, so each counts as one game: v = s(1 - s) = 0.1875, the prior
        // 4 · 0.19331 / 2 = 0.38662: dispersion (3.75 + 0.38662) / (1.875 + 0.38662) = 1.82907. The spread is
        // (40 · 1.82907 + 2) · 0.19331 = 14.5296, the deviation √14.5296 / 8.1190 = 0.46949: 159.85 Elo.
        let both = PairResult { variance: 0.1875, ..result(0, 1, 30.0, 40.0) };
        assert_near(Ratings::fit(2, &[both], 1).difference(0, 1).unwrap(), [179.99, 20.14, 339.84]);
    }

    #[test]
    fn chain_of_three_by_hand() {
        // Each pairing has 3 of 4 points and 1½ draws of the prior, 1 of the outer player and ½ of the one between:
        // 3.75 of 5.5, 400 · log10(3.75 / 1.75) = 132.40. Curvature 3.75 · 1.75 / 5.5 = 1.19318, deviation
        // 0.91548: 311.70 Elo over one link, and √2 times as much over two.
        let ratings = Ratings::fit(3, &[result(0, 1, 3.0, 4.0), result(1, 2, 3.0, 4.0)], 2);
        assert_near(ratings.difference(1, 2).unwrap(), [132.40, -179.30, 444.10]);
        assert_near(ratings.difference(0, 2).unwrap(), [264.80, -176.02, 705.62]);
        assert_near(ratings.difference(0, 1).unwrap(), [132.40, -179.30, 444.10]);
    }

    #[test]
    fn perfect_score_has_a_finite_rating() {
        // 20 of 20 points and two draws: 21 of 22, 400 · log10(21) = 528.89.
        let ratings = Ratings::fit(2, &[result(0, 1, 20.0, 20.0)], 1);
        let found = ratings.difference(0, 1).unwrap();
        assert_near(found, [528.89, 528.89 - 348.48, 528.89 + 348.48]);
        // The same holds for a chain of such results.
        let results: Vec<PairResult> = (0..9).map(|a| result(a, a + 1, 1000.0, 1000.0)).collect();
        let ratings = Ratings::fit(10, &results, 9).difference(0, 9).unwrap();
        assert!(ratings.elo > 9_000.0 && ratings.high.is_finite(), "{ratings:?}");
    }

    #[test]
    fn unconnected_player_has_no_rating() {
        let results = [result(0, 1, 3.0, 4.0), result(2, 3, 3.0, 4.0), result(3, 4, 0.0, 0.0)];
        let ratings = Ratings::fit(5, &results, 0);
        let rated: Vec<bool> = (0..5).map(|player| ratings.difference(player, 0).is_some()).collect();
        assert_eq!(rated, [true, true, false, false, false]);
        assert_eq!(ratings.difference(0, 1), Ratings::fit(2, &results[..1], 0).difference(0, 1));
        assert!(Ratings::fit(1, &[], 0).difference(0, 0).is_some());
    }

    #[test]
    fn intervals_cover_the_truth_at_their_level() {
        let truth = [0.0, 150.0, 300.0, 420.0];
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let (mut held, mut intervals) = (0, 0);
        for _ in 0..400 {
            let mut results = Vec::new();
            for (a, b) in [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)] {
                let chance = super::super::elo::score_from_elo(truth[a] - truth[b]);
                // Half the pairs have an opening that decides for one colour, regardless of the player.
                let scores: Vec<f64> = (0..30)
                    .map(|_| match rng.random_bool(0.5) {
                        true => 0.5,
                        false => [0, 0].map(|_| f64::from(u8::from(rng.random_bool(chance)))).iter().sum::<f64>() / 2.0,
                    })
                    .collect();
                let score = scores.iter().sum::<f64>() / 30.0;
                let variance = scores.iter().map(|one| (one - score).powi(2)).sum::<f64>() / 30.0;
                results.push(PairResult { a, b, score, games: 60.0, variance });
            }
            // The ratings fitted to the expected scores are the true ones.
            let expected: Vec<PairResult> = (results.iter())
                .map(|found| {
                    let chance = super::super::elo::score_from_elo(truth[found.a] - truth[found.b]);
                    PairResult { score: (0.5 + chance) / 2.0, ..*found }
                })
                .collect();
            let (found, expected) = (Ratings::fit(4, &results, 0), Ratings::fit(4, &expected, 0));
            for player in 1..4 {
                let (found, expected) = (found.difference(player, 0).unwrap(), expected.difference(player, 0).unwrap());
                intervals += 1;
                held += usize::from(found.low <= expected.elo && expected.elo <= found.high);
            }
        }
        let coverage = f64::from(held as u32) / f64::from(intervals as u32);
        assert!((0.93..0.98).contains(&coverage), "{coverage}");
    }
}
