//! Entropy of the policies and calibration of the values, of network and search, on positions of an iteration's games.

use serde::{Deserialize, Serialize};

use hexzero_games::{Evaluator, Game, WinDrawLoss};
use hexzero_selfplay::shards::GameRecord;

/// The bins of expected scores, from 0 to 1.
pub const CALIBRATION_BINS: usize = 10;

/// A figure for the search and for the network alone.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SearchAndNetwork<T> {
    /// The figure for the search.
    pub search: T,
    /// The figure for the network without a search.
    pub network: T,
}

/// Figures over one fully searched position of each game. One, because the positions of a game share its
/// result.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PredictionQuality {
    /// The mean entropy in nats, of the policy target and of the network's policy; none without
    /// positions.
    pub policy_entropy: Option<SearchAndNetwork<f64>>,
    /// The mean Kullback-Leibler divergence of the policy target from the network's priors, in
    /// nats; none without positions.
    pub surprise: Option<f64>,
    /// Expected scores against the scores of the games.
    pub calibration: SearchAndNetwork<Vec<CalibrationBin>>,
}

/// Positions with about the same expected score. Bins of several iterations add up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct CalibrationBin {
    /// The number of positions.
    pub positions: u64,
    /// The sum of the expected scores of the player to move: the chance of a win and half that of a draw.
    pub expected: f64,
    /// The sum of the scores: 1 for a win, a half for a draw.
    pub score: f64,
}

impl CalibrationBin {
    /// Adds another bin's positions.
    pub fn add(&mut self, other: &Self) {
        self.positions += other.positions;
        self.expected += other.expected;
        self.score += other.score;
    }
}

/// Adds a position to its bin.
fn file(bins: &mut [CalibrationBin], expected: WinDrawLoss, score: f64) {
    let expected = f64::from(expected.win + expected.draw / 2.0).clamp(0.0, 1.0);
    let bin = (expected * bins.len() as f64) as usize;
    let bin = bin.min(bins.len() - 1);
    bins[bin].add(&CalibrationBin { positions: 1, expected, score });
}

/// Returns `-Σ p ln p` of weights divided by their sum.
fn entropy(weights: impl Iterator<Item = f64> + Clone) -> f64 {
    let sum: f64 = weights.clone().sum();
    -weights.filter(|&weight| weight > 0.0).map(|weight| weight / sum * (weight / sum).ln()).sum::<f64>()
}

/// Chooses a game's position by multiples of the golden ratio, so that the positions of many games
/// are spread evenly between beginning and end.
fn pick(number: usize, among: usize) -> usize {
    let place = (number as f64 * 0.618_033_988_749_895).fract();
    ((place * among as f64) as usize).min(among - 1)
}

impl PredictionQuality {
    /// Computes the quality of the predictions in these games, with the network that played them.
    pub fn of(game: Game, records: &[GameRecord], evaluator: &mut impl Evaluator) -> Self {
        let empty = || vec![CalibrationBin::default(); CALIBRATION_BINS];
        let mut calibration = SearchAndNetwork { search: empty(), network: empty() };
        let (mut positions, mut surprise, mut entropies) = (0u32, 0.0, SearchAndNetwork { search: 0.0, network: 0.0 });
        for (number, record) in records.iter().enumerate() {
            let searched: Vec<usize> = record.policy_turns().collect();
            if searched.is_empty() {
                continue;
            }
            let turn = searched[pick(number, searched.len())];
            let Some(position) = record.position_before(game, turn) else { continue };
            let (Some(policy), Some(search)) = (record.policy(turn), &record.turns[turn].search) else { continue };
            let network = evaluator.evaluate(&position, &position.legal());
            positions += 1;
            surprise += f64::from(search.surprise);
            entropies.search += entropy(policy.iter().map(|&(_, weight)| f64::from(weight)));
            entropies.network += entropy(network.priors.iter().map(|&prior| f64::from(prior)));
            let score = f64::from((record.outcome.value_for(position.to_move()) + 1.0) / 2.0);
            file(&mut calibration.search, search.outcome, score);
            file(&mut calibration.network, network.outcome, score);
        }
        let mean = |sum: f64| (positions > 0).then(|| sum / f64::from(positions));
        let means = mean(entropies.search).zip(mean(entropies.network));
        let policy_entropy = means.map(|(search, network)| SearchAndNetwork { search, network });
        Self { policy_entropy, surprise: mean(surprise), calibration }
    }
}

#[cfg(test)]
mod tests {
    use hexzero_games::{Action, EndReason, Evaluation, Outcome, Position, Seat, game_named};
    use hexzero_selfplay::shards::{GameStart, SearchRecord, TurnRecord};

    use super::*;

    fn turn(action: u16, win: f32, draw: f32, policy: &[(u16, u32)]) -> TurnRecord {
        let policy: Vec<(Action, u32)> = policy.iter().map(|&(action, weight)| (Action(action), weight)).collect();
        let outcome = WinDrawLoss { win, draw, loss: 1.0 - win - draw };
        let surprise = win;
        let search = SearchRecord { full: !policy.is_empty(), visits: 1, policy, outcome, proven: false, surprise };
        TurnRecord { action: Action(action), search: Some(search) }
    }

    #[test]
    fn figures_by_hand() {
        let cachex = game_named("cachex").unwrap();
        let won = Outcome { winner: Some(Seat::Second), reason: EndReason::CONNECTION };
        let drawn = Outcome { winner: None, reason: cachex.ending_named("turns").unwrap() };
        let game = |turns, outcome| {
            let start = GameStart::Empty;
            GameRecord { size: 3, turns, outcome, evaluations: 0, played_out: true, start }
        };
        let records = [
            // The second player, who wins, was given 0.9 + 0.04 / 2.
            game(vec![turn(0, 0.1, 0.0, &[]), turn(1, 0.9, 0.04, &[(1, 3), (2, 1)])], won),
            // The first player was given 0.3, and there is a draw; all moves had equal visits.
            game(vec![turn(0, 0.3, 0.0, &[(0, 2), (1, 2)])], drawn),
            // No policy target.
            game(vec![turn(0, 0.3, 0.0, &[])], drawn),
        ];
        let mut uniform = |_: &Position, legal: &[Action]| Evaluation::uniform(legal.len());
        let judged = PredictionQuality::of(cachex, &records, &mut uniform);

        let of_three_to_one = -(0.75f64 * 0.75f64.ln() + 0.25 * 0.25f64.ln());
        let entropy = judged.policy_entropy.as_ref().unwrap();
        assert!((entropy.search - (of_three_to_one + 2f64.ln()) / 2.0).abs() < 1e-6, "{entropy:?}");
        // Nine actions after one stone (eight cells and the swap), eight at the start, the centre being forbidden.
        assert!((entropy.network - (9f64.ln() + 8f64.ln()) / 2.0).abs() < 1e-6, "{entropy:?}");

        assert!((judged.surprise.unwrap() - (0.9 + 0.3) / 2.0).abs() < 1e-6, "{judged:?}");
        let search = &judged.calibration.search;
        assert_eq!(search.len(), CALIBRATION_BINS);
        assert_eq!(search.iter().map(|bin| bin.positions).sum::<u64>(), 2);
        assert!((search[9].expected - 0.92).abs() < 1e-6 && search[9].score == 1.0, "{search:?}");
        assert!((search[3].expected - 0.3).abs() < 1e-6 && search[3].score == 0.5, "{search:?}");
        assert_eq!(judged.calibration.network[5], CalibrationBin { positions: 2, expected: 1.0, score: 1.5 });
    }

    #[test]
    fn certain_results_are_binned_and_none_are_not() {
        let mut bins = [CalibrationBin::default(); CALIBRATION_BINS];
        file(&mut bins, WinDrawLoss::certain(1.0), 1.0);
        file(&mut bins, WinDrawLoss::certain(-1.0), 0.0);
        assert_eq!((bins[9].positions, bins[0].positions), (1, 1));
        let mut uniform = |_: &Position, legal: &[Action]| Evaluation::uniform(legal.len());
        assert_eq!(PredictionQuality::of(game_named("cachex").unwrap(), &[], &mut uniform).policy_entropy, None);
        let picked: Vec<usize> = (0..5).map(|number| pick(number, 10)).collect();
        assert_eq!(picked, [0, 6, 2, 8, 4]);
        assert_eq!((0..1000).map(|number| pick(number, 1)).max(), Some(0));
    }
}
