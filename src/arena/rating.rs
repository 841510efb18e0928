//! Elo differences from results.

use serde::Serialize;

/// Elo differences and the ends of intervals are cut off at this bound: a score of 0 or 100 % has
/// no finite Elo, and JSON has no infinity. 1200 Elo is a score of 99.9 %.
pub const ELO_BOUND: f64 = 1200.0;

/// The two-sided 95 % quantile of the normal distribution.
const Z: f64 = 1.959_963_985;

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

/// The Elo difference at which this score is expected: `-400 · log10(1 / score - 1)` (Elo 1978).
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

/// The score that is expected at an Elo difference.
pub fn score_from_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

impl EloEstimate {
    /// The estimate from the results of single games.
    ///
    /// The interval is Wilson's (*Probable inference, the law of succession, and statistical
    /// inference*, 1927) for the score, with draws: it holds the `p` with
    /// `(s - p)² ≤ z²/n · (p(1 - p) - d/4)`, the variance of a game whose score is `p` and whose chance
    /// of a draw is `d`. With the share of draws shrunk as Wilson's centre is,
    /// `d = draws / (n + z²)`, the solution is, for `k = z²/n` and `v` the sample's variance,
    /// `(s + k/2 ± √(k (v + k/4))) / (1 + k)`: plain Wilson without draws, and of positive width at
    /// 0 %, at 100 %, and when every game is drawn.
    ///
    /// All games count as independent. That the two of a pair share an opening makes their results, if
    /// anything, differ more; but openings come back, and where players vary little, on the smallest
    /// boards above all, games repeat and the interval is narrower than it should be.
    pub fn from_counts(wins: usize, draws: usize, losses: usize) -> Self {
        let n = (wins + draws + losses) as f64;
        if n == 0.0 {
            return Self { elo: 0.0, low: -ELO_BOUND, high: ELO_BOUND };
        }
        let score = (wins as f64 + draws as f64 / 2.0) / n;
        // Not below zero but for rounding.
        let variance = (score * (1.0 - score) - draws as f64 / n / 4.0).max(0.0);
        let k = Z * Z / n;
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
        // 30 wins, 10 losses: Wilson's interval. k = 3.84146 / 40 = 0.0960365, v = 0.1875:
        // centre 0.7980182, width √(0.0960365 · 0.2115091) = 0.1425229, both / 1.0960365:
        // 0.598059 and 0.858131, which are 69.04 and 312.7 Elo.
        let estimate = EloEstimate::from_counts(30, 0, 10);
        assert_near(estimate.elo, 190.85);
        assert_near(estimate.low, 69.04);
        assert_near(estimate.high, 312.67);
        // 20 wins, 20 draws: the same score, v = 0.1875 - 0.125 = 0.0625: width
        // √(0.0960365 · 0.0865091) = 0.0911488, ends 0.644932 and 0.811257.
        let drawish = EloEstimate::from_counts(20, 20, 0);
        assert_near(drawish.low, elo_from_score(0.644_932));
        assert_near(drawish.high, elo_from_score(0.811_257));
    }

    #[test]
    fn extreme_results_have_sensible_intervals() {
        // All of 10 won: the lower end is 1 / (1 + k) = 0.722467, which is 166.2 Elo.
        let all = EloEstimate::from_counts(10, 0, 0);
        assert_eq!((all.elo, all.high), (ELO_BOUND, ELO_BOUND));
        assert_near(all.low, 166.2);
        let none = EloEstimate::from_counts(0, 0, 10);
        assert_eq!((none.elo, none.low), (-ELO_BOUND, -ELO_BOUND));
        assert_near(none.high, -all.low);
        let drawn = EloEstimate::from_counts(0, 2, 0);
        assert_eq!(drawn.elo, 0.0);
        assert!(drawn.low < -100.0 && drawn.high > 100.0, "two draws say little: {drawn:?}");
        let nothing = EloEstimate::from_counts(0, 0, 0);
        assert_eq!((nothing.low, nothing.high), (-ELO_BOUND, ELO_BOUND));
    }
}
