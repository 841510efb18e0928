//! Elo differences from results.

use serde::Serialize;

/// Elo differences and the ends of intervals are clamped to this bound: a score of 0 or 100 % has
/// no finite Elo, and JSON has no infinity. 1200 Elo is a score of 99.9 %.
pub const ELO_BOUND: f64 = 1200.0;

/// The two-sided 95 % quantile of the normal distribution.
pub(super) const Z: f64 = 1.959_963_985;

/// An Elo difference with its 95 % interval, all within ±[`ELO_BOUND`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct EloEstimate {
    /// The difference at the measured score; 0 without a game.
    pub elo: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// Returns the Elo difference at which this score is expected: `-400 · log10(1 / score - 1)` (Elo 1978).
pub fn elo_from_score(score: f64) -> f64 {
    if score <= 0.0 {
        -ELO_BOUND
    } else if score >= 1.0 {
        ELO_BOUND
    } else {
        // Adding 0 makes 0 of -0.
        (-400.0 * (1.0 / score - 1.0).log10()).clamp(-ELO_BOUND, ELO_BOUND) + 0.0
    }
}

/// Returns the expected score at an Elo difference.
pub fn score_from_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

impl EloEstimate {
    /// Estimates the difference from the mean score, the variance of the score of a pair of games (from 0 to
    /// 1), and the number of pairs.
    ///
    /// The unit is the pair because its two games share an opening: the side that it favours wins one game for
    /// each player, so that a pair's score varies less than that of two independent games, or more, if only one
    /// of the players understands the opening.
    ///
    /// The interval is Wilson's (*Probable inference, the law of succession, and statistical inference*,
    /// 1927), extended to results between loss and win. It holds the `p` with
    /// `(s - p)² ≤ z²/n · (p(1 - p) - d)`: a pair that scores `p` on average can vary by at most `p(1 - p)`,
    /// and by `d = s(1 - s) - v` less if it is as in the sample. With `d` shrunk as Wilson's centre is, to
    /// `d / (1 + k)`, the solution is, for `k = z²/n`, `(s + k/2 ± √(k (v + k/4))) / (1 + k)`: plain Wilson
    /// if pairs are won or lost only, and of positive width at 0 %, at 100 %, and when all pairs end alike.
    pub fn from_pairs(score: f64, variance: f64, pairs: f64) -> Self {
        if pairs <= 0.0 {
            return Self { elo: 0.0, low: -ELO_BOUND, high: ELO_BOUND };
        }
        let k = Z * Z / pairs;
        let (centre, width) = (score + k / 2.0, (k * (variance + k / 4.0)).sqrt());
        Self {
            elo: elo_from_score(score),
            low: elo_from_score((centre - width) / (1.0 + k)),
            high: elo_from_score((centre + width) / (1.0 + k)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::distr::Distribution;
    use rand::distr::weighted::WeightedIndex;
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn assert_near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 0.06, "{found} is not {expected}");
    }

    #[test]
    fn elo_by_hand() {
        // 400 · log10(0.75 / 0.25) = 400 · 0.47712 = 190.85.
        assert_near(elo_from_score(0.75), 190.85);
        assert_near(elo_from_score(0.25), -190.85);
        assert_eq!(elo_from_score(0.5).to_string(), "0");
        assert_near(score_from_elo(190.85), 0.75);
        assert_eq!((elo_from_score(0.0), elo_from_score(1.0)), (-1200.0, 1200.0));
    }

    #[test]
    fn interval_by_hand() {
        // 40 pairs, 30 won and 10 lost 2 : 0. k = 3.84146 / 40 = 0.0960365, v = 0.1875: centre 0.7980182,
        // width √(0.0960365 · 0.2115091) = 0.1425229, both / 1.0960365: 0.598059 and 0.858131, which are
        // 69.04 and 312.7 Elo.
        let estimate = EloEstimate::from_pairs(0.75, 0.1875, 40.0);
        assert_near(estimate.elo, 190.85);
        assert_near(estimate.low, 69.04);
        assert_near(estimate.high, 312.67);
        // 20 pairs 2 : 0 and 20 pairs 1 : 1, the same score with v = 0.0625: width
        // √(0.0960365 · 0.0865091) = 0.0911488, ends 0.644932 and 0.811257.
        let split = EloEstimate::from_pairs(0.75, 0.0625, 40.0);
        assert_near(split.low, elo_from_score(0.644_932));
        assert_near(split.high, elo_from_score(0.811_257));
    }

    #[test]
    fn extreme_results_have_sensible_intervals() {
        // All of 10 pairs won: the lower end is 1 / (1 + k) = 0.722467, which is 166.2 Elo.
        let all = EloEstimate::from_pairs(1.0, 0.0, 10.0);
        assert_eq!((all.elo, all.high), (ELO_BOUND, ELO_BOUND));
        assert_near(all.low, 166.2);
        let none = EloEstimate::from_pairs(0.0, 0.0, 10.0);
        assert_eq!((none.elo, none.low), (-ELO_BOUND, -ELO_BOUND));
        assert_near(none.high, -all.low);
        let split = EloEstimate::from_pairs(0.5, 0.0, 1.0);
        assert_eq!(split.elo, 0.0);
        assert!(split.low < -100.0 && split.high > 100.0, "one pair says little: {split:?}");
        let nothing = EloEstimate::from_pairs(0.5, 0.0, 0.0);
        assert_eq!((nothing.low, nothing.high), (-ELO_BOUND, ELO_BOUND));
    }

    /// Returns in what share of 2,000 matches the interval holds the true difference.
    fn coverage(chances: [f64; 5], pairs: usize) -> f64 {
        let truth = elo_from_score((0..5).map(|i| chances[i] * i as f64 / 4.0).sum());
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let draw = WeightedIndex::new(chances).unwrap();
        let matches = (0..2_000).filter(|_| {
            let scores: Vec<f64> = (0..pairs).map(|_| draw.sample(&mut rng) as f64 / 4.0).collect();
            let mean = scores.iter().sum::<f64>() / pairs as f64;
            let variance = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / pairs as f64;
            let found = EloEstimate::from_pairs(mean, variance, pairs as f64);
            found.low <= truth && truth <= found.high
        });
        matches.count() as f64 / 2_000.0
    }

    #[test]
    fn interval_covers_the_truth_at_its_level() {
        for (chances, pairs) in [
            ([0.25, 0.0, 0.5, 0.0, 0.25], 50),
            ([0.06, 0.02, 0.42, 0.1, 0.4], 100),
            ([0.02, 0.0, 0.18, 0.05, 0.75], 50),
            ([0.1, 0.0, 0.8, 0.0, 0.1], 200),
            ([0.3, 0.0, 0.1, 0.0, 0.6], 20),
        ] {
            let coverage = coverage(chances, pairs);
            assert!((0.93..0.985).contains(&coverage), "{chances:?}, {pairs} pairs: {coverage}");
        }
    }
}
