//! A sequential test, to play no more games than needed.

use serde::Serialize;

use super::elo::score_from_elo;

/// The generalised sequential probability ratio test of two Elo differences, as chess engines are
/// tested.
///
/// With `N` pairs of games, `s` their mean score and `v` the variance of a pair's score (both from
/// 0 to 1), and `s0`, `s1` the scores expected under the hypotheses, the log-likelihood ratio is
/// `N (s1 - s0)(2s - s0 - s1) / (2v)`: the normal approximation in M. Van den Bergh, *A practical
/// introduction to the GSPRT*. The test ends at Wald's bounds (*Sequential tests of statistical
/// hypotheses*, 1945) for a chance of 5 % to accept the wrong hypothesis. Pairs rather than games,
/// because the two games of a pair share an opening; `N` is the effective number, since repeated
/// games are no further evidence (see [`Tally::independence`](super::Tally::independence)).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SequentialTest {
    /// The Elo difference of the hypothesis H0.
    pub elo0: f64,
    /// The Elo difference of the hypothesis H1, greater than `elo0`.
    pub elo1: f64,
}

/// The verdict of the test so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// More games are needed.
    Continue,
    /// H0 is accepted: the difference is `elo0`.
    AcceptH0,
    /// H1 is accepted: the difference is `elo1`.
    AcceptH1,
}

/// The state of a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SequentialReport {
    /// The hypotheses.
    pub test: SequentialTest,
    /// The log-likelihood ratio of H1 to H0.
    pub llr: f64,
    /// The verdict.
    pub verdict: Verdict,
}

/// The chance of accepting H1 when H0 holds, and H0 when H1 holds.
const ERROR: f64 = 0.05;

/// Added to the count of each of the five results of a pair when the variance is estimated. Without
/// it the first pairs, all alike, would have no variance, and one pair would decide the test.
const PRIOR_PAIRS: f64 = 0.5;

impl SequentialTest {
    /// Returns the state after `pairs`: the numbers of pairs that scored 0, ½, 1, 1½ and 2 points. Each
    /// counts as `independence` pairs, from 0 to 1.
    pub fn report(self, pairs: [usize; 5], independence: f64) -> SequentialReport {
        let llr = self.log_likelihood_ratio(pairs.map(|count| count as f64 * independence));
        let bound = ((1.0 - ERROR) / ERROR).ln();
        let verdict = match llr {
            llr if llr >= bound => Verdict::AcceptH1,
            llr if llr <= -bound => Verdict::AcceptH0,
            _ => Verdict::Continue,
        };
        SequentialReport { test: self, llr, verdict }
    }

    fn log_likelihood_ratio(self, pairs: [f64; 5]) -> f64 {
        let n: f64 = pairs.iter().sum();
        if n == 0.0 {
            return 0.0;
        }
        let score = |index: usize| index as f64 / 4.0;
        let mean = (0..5).map(|i| pairs[i] * score(i)).sum::<f64>() / n;
        let weights = pairs.map(|count| (count + PRIOR_PAIRS) / (n + 5.0 * PRIOR_PAIRS));
        let centre: f64 = (0..5).map(|i| weights[i] * score(i)).sum();
        let variance: f64 = (0..5).map(|i| weights[i] * (score(i) - centre).powi(2)).sum();
        let (s0, s1) = (score_from_elo(self.elo0), score_from_elo(self.elo1));
        n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEST: SequentialTest = SequentialTest { elo0: 0.0, elo1: 190.848_501_887_865 };

    #[test]
    fn ratio_by_hand() {
        // s0 = 0.5, s1 = 0.75. Of 10 pairs 2 bring one point, 8 two: s = 0.9. With the prior the
        // counts are .5, .5, 2.5, .5, 8.5 of 12.5: centre (0.125 + 1.25 + 0.375 + 8.5) / 12.5 =
        // 0.82; mean square (0.03125 + 0.625 + 0.28125 + 8.5) / 12.5 = 0.755; v = 0.0826.
        // Ratio: 10 · 0.25 · (1.8 - 1.25) / 0.1652 = 8.3232.
        let report = TEST.report([0, 0, 2, 0, 8], 1.0);
        assert!((report.llr - 8.3232).abs() < 1e-3, "{}", report.llr);
        // Above ln 19 = 2.9444.
        assert_eq!(report.verdict, Verdict::AcceptH1);
    }

    #[test]
    fn repeated_pairs_are_no_evidence() {
        // 40 pairs that count for a quarter each are the 10 of the test above.
        let quarter = TEST.report([0, 0, 8, 0, 32], 0.25);
        assert!((quarter.llr - 8.3232).abs() < 1e-3, "{}", quarter.llr);
        // One pair 800 times is one pair.
        let again = TEST.report([0, 0, 0, 0, 800], 1.0 / 800.0);
        assert!((again.llr - TEST.report([0, 0, 0, 0, 1], 1.0).llr).abs() < 1e-9);
        assert_eq!(again.verdict, Verdict::Continue);
    }

    #[test]
    fn verdicts() {
        assert_eq!(TEST.report([0; 5], 1.0).verdict, Verdict::Continue);
        assert_eq!(TEST.report([0, 0, 0, 0, 1], 1.0).verdict, Verdict::Continue, "one pair decides nothing");
        assert_eq!(TEST.report([2, 0, 20, 0, 2], 1.0).verdict, Verdict::AcceptH0);
        assert_eq!(TEST.report([10, 0, 0, 0, 0], 1.0).verdict, Verdict::AcceptH0);
        // The bounds are ln 19 = 2.9444 and minus that; the ratios are 2.9416, 2.9712, -2.8949 and -3.0042.
        assert_eq!(TEST.report([0, 2, 6, 0, 7], 1.0).verdict, Verdict::Continue);
        assert_eq!(TEST.report([0, 2, 10, 0, 8], 1.0).verdict, Verdict::AcceptH1);
        assert_eq!(TEST.report([0, 2, 12, 0, 4], 1.0).verdict, Verdict::Continue);
        assert_eq!(TEST.report([0, 3, 10, 0, 4], 1.0).verdict, Verdict::AcceptH0);
        // Half way between the hypotheses nothing is ever decided.
        assert!(TEST.report([0, 0, 500, 500, 0], 1.0).llr.abs() < 1e-6);
    }
}
