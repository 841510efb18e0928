//! Compares two evaluators on positions of games: int8 with f32.

use rand::Rng;
use rand::distr::{Distribution, weighted::WeightedIndex};

use hexzero_games::{Evaluator, Position};

/// The differences between two evaluators.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Agreement {
    /// The number of positions compared.
    pub positions: usize,
    /// The mean over positions of the Kullback-Leibler divergence of the policy, in nats.
    pub policy_divergence: f64,
    /// The mean absolute difference of the value, which lies between -1 and 1.
    pub value_error: f64,
    /// The share of the positions in which both prefer the same move.
    pub same_move: f64,
}

fn best(priors: &[f32]) -> Option<usize> {
    (0..priors.len()).max_by(|&a, &b| priors[a].total_cmp(&priors[b]))
}

/// Returns the Kullback-Leibler divergence of `other` from `reference`, in nats. Probabilities of `other` too small for a
/// float count as the smallest normal one, so that the divergence is finite.
fn divergence(reference: &[f32], other: &[f32]) -> f64 {
    let pairs = reference.iter().zip(other).filter(|(p, _)| **p > 0.0);
    let ratio = |p: f32, q: f32| f64::from(p) / f64::from(q.max(f32::MIN_POSITIVE));
    pairs.map(|(&p, &q)| f64::from(p) * ratio(p, q).ln()).sum()
}

/// Compares two evaluators on every position of `games` games from `start`, whose moves are drawn from the
/// policy of `reference`.
pub fn agreement(
    start: &Position,
    reference: &mut impl Evaluator,
    other: &mut impl Evaluator,
    games: usize,
    rng: &mut impl Rng,
) -> Agreement {
    let mut sum = Agreement::default();
    let mut legal = Vec::new();
    for _ in 0..games {
        let mut position = start.clone();
        while position.outcome().is_none() {
            position.legal_actions(&mut legal);
            let (expected, found) = (reference.evaluate(&position, &legal), other.evaluate(&position, &legal));
            sum.positions += 1;
            sum.policy_divergence += divergence(&expected.priors, &found.priors);
            sum.value_error += f64::from((expected.outcome.value() - found.outcome.value()).abs());
            sum.same_move += f64::from(u8::from(best(&expected.priors) == best(&found.priors)));
            let drawn = WeightedIndex::new(&expected.priors).map_or(0, |by_prior| by_prior.sample(rng));
            position.play(legal[drawn]);
        }
    }
    let count = sum.positions.max(1) as f64;
    Agreement {
        positions: sum.positions,
        policy_divergence: sum.policy_divergence / count,
        value_error: sum.value_error / count,
        same_move: sum.same_move / count,
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use hexzero_games::{Action, Evaluation, WinDrawLoss, default_game};

    #[test]
    fn agreement_by_hand() {
        let start = default_game().start(3).unwrap();
        let mut even = |_: &Position, legal: &[Action]| Evaluation::uniform(legal.len());
        // Half of the probability on the first move, the rest even; and a value of a half.
        let mut bold = |_: &Position, legal: &[Action]| {
            let mut priors = vec![0.5 / legal.len() as f32; legal.len()];
            priors[0] += 0.5;
            Evaluation { priors, outcome: WinDrawLoss { win: 0.75, draw: 0.0, loss: 0.25 } }
        };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let same = agreement(&start, &mut even.clone(), &mut even, 3, &mut rng);
        assert_eq!((same.policy_divergence, same.value_error, same.same_move), (0.0, 0.0, 1.0));
        let apart = agreement(&start, &mut even, &mut bold, 3, &mut rng);
        assert!(apart.positions >= 3 * 5 && (apart.value_error - 0.5).abs() < 1e-6);
        // Every term is ln 2 but that of the first move, which gets more than its share.
        assert!(apart.policy_divergence > 0.2 && apart.policy_divergence < 2f64.ln());
    }

    #[test]
    fn divergence_is_finite_for_underflown_priors() {
        // ln(0.5 / 0.75) / 2 and ln(0.5 / 0.25) / 2.
        assert!((divergence(&[0.5, 0.5], &[0.75, 0.25]) - 0.143_841_036).abs() < 1e-9);
        let least = -f64::from(f32::MIN_POSITIVE).ln();
        for underflown in [0.0, 1e-45] {
            assert!((divergence(&[1.0, 0.0], &[underflown, 1.0]) - least).abs() < 1e-9);
        }
    }
}
