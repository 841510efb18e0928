//! The findings of an experiment: the strength of each cell, with its interval over the seeds
//! by Student's distribution.

use serde::{Deserialize, Serialize};

use hexzero_arena::{EloEstimate, PRIOR_DRAWS, Tally, elo_from_score, student_quantile};

use super::limit::RunLimit;
use super::plan::{BASE, Plan};

/// A finished run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrainedRun {
    /// The run's seed.
    pub seed: u64,
    /// The limit that the run reached.
    pub limit: RunLimit,
    /// Iterations.
    pub iterations: u64,
    /// Games of self-play.
    pub games: u64,
    /// Training steps.
    pub steps: u64,
    /// Evaluations in self-play.
    pub evaluations: u64,
    /// Seconds of work.
    pub seconds: f64,
    /// The file name of the run's last checkpoint.
    pub checkpoint: String,
    /// The digest of that checkpoint.
    pub network: String,
}

/// The results of an experiment, as far as it has come. As JSON the contents of `table.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Findings {
    /// The experiment's name.
    pub name: String,
    /// The game's name.
    pub game: &'static str,
    /// The limit of each run.
    pub limit: RunLimit,
    /// The seeds.
    pub seeds: Vec<u64>,
    /// The board of the matches.
    pub size: usize,
    /// Games of a match.
    pub games: usize,
    /// Visits a move in the matches.
    pub visits: u32,
    /// The base, then the other cells.
    pub cells: Vec<FoundCell>,
}

/// The findings about a cell.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FoundCell {
    /// The cell's name.
    pub name: String,
    /// The cell's finished runs.
    pub runs: Vec<TrainedRun>,
    /// The cell's strength against each opponent.
    pub against: Vec<Measured>,
}

/// A cell's strength against an opponent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measured {
    /// The opponent: a player's name, or `base` for the base's run of the same seed.
    pub opponent: String,
    /// The difference over all finished matches.
    #[serde(flatten)]
    pub estimate: Option<Estimate>,
    /// The finished matches, one a seed.
    pub matches: Vec<MatchResult>,
}

/// An Elo difference with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean over the seeds.
    pub elo: f64,
    /// The lower end of the interval.
    pub elo_low: f64,
    /// The upper end of the interval.
    pub elo_high: f64,
    /// The standard deviation of one seed's difference, from which the interval is computed; none
    /// with a single seed, whose interval is that of the games alone.
    pub seed_deviation: Option<f64>,
}

/// The result of a seed's match.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MatchResult {
    /// The seed.
    pub seed: u64,
    /// Games.
    pub games: usize,
    /// Games that the cell's run won.
    pub wins: usize,
    /// Games that the cell's run lost.
    pub losses: usize,
    /// Drawn games.
    pub draws: usize,
    /// The run's Elo difference, with one imaginary draw.
    pub elo: f64,
    /// The lower end of the 95 % interval of the games.
    pub elo_low: f64,
    /// The upper end of that interval.
    pub elo_high: f64,
}

impl MatchResult {
    pub(super) fn new(seed: u64, tally: &Tally) -> Self {
        let EloEstimate { low, high, .. } = tally.elo();
        // Without the prior, a match won to the last game would have no finite difference, and the
        // seeds no mean.
        let (games, points) = (tally.games as f64, tally.score() * tally.games as f64);
        let elo = elo_from_score((points + 0.5 * PRIOR_DRAWS) / (games + PRIOR_DRAWS));
        Self {
            seed,
            games: tally.games,
            wins: tally.wins_a,
            losses: tally.wins_b,
            draws: tally.draws,
            elo,
            elo_low: low.min(elo),
            elo_high: high.max(elo),
        }
    }
}

impl Findings {
    /// Estimates the strength of the cells from their finished matches.
    pub(super) fn new(plan: &Plan, mut cells: Vec<FoundCell>) -> Self {
        for opponent in plan.opponents() {
            estimate(&mut cells, opponent);
        }
        let matches = &plan.matches;
        Self {
            name: plan.name.clone(),
            game: plan.game.name(),
            limit: plan.limit,
            seeds: plan.seeds.clone(),
            size: matches.size,
            games: matches.games,
            visits: matches.visits,
            cells,
        }
    }
}

/// Estimates the differences of all cells to an opponent.
///
/// A cell's difference is the mean over its seeds. The variance over seeds is assumed equal for all
/// cells and pooled, as the few seeds of one cell say little about it. Against a fixed opponent the
/// cells are independent, and the degrees of freedom add up. Differences to the base share the
/// base's runs: two cells' differences then correlate by ½, so their sample variances by ¼, and `k`
/// cells of `m` degrees of freedom together have no more than `m k / (1 + (k - 1) / 4)`
/// (Satterthwaite 1946).
fn estimate(cells: &mut [FoundCell], opponent: &str) {
    let measured = cells.iter_mut().filter_map(|cell| cell.against.iter_mut().find(|one| one.opponent == opponent));
    let mut measured: Vec<&mut Measured> = measured.filter(|one| !one.matches.is_empty()).collect();
    let (mut squares, mut freedom, mut several) = (0.0, 0.0, 0.0);
    for one in &measured {
        let mean = mean(&one.matches);
        squares += one.matches.iter().map(|seed| (seed.elo - mean).powi(2)).sum::<f64>();
        freedom += (one.matches.len() - 1) as f64;
        several += f64::from(u8::from(one.matches.len() > 1));
    }
    let deviation = (squares / freedom).sqrt();
    let shared = if opponent == BASE { 1.0 + (several - 1.0).max(0.0) / 4.0 } else { 1.0 };
    let width = student_quantile(freedom / shared).map(|quantile| quantile * deviation);
    for one in &mut measured {
        let elo = mean(&one.matches);
        let seeds = one.matches.len() as f64;
        one.estimate = Some(match (width, &one.matches[..]) {
            (Some(width), _) => {
                let half = width / seeds.sqrt();
                Estimate { elo, elo_low: elo - half, elo_high: elo + half, seed_deviation: Some(deviation) }
            }
            // No cell has a second seed.
            (None, matches) => {
                Estimate { elo, elo_low: matches[0].elo_low, elo_high: matches[0].elo_high, seed_deviation: None }
            }
        });
    }
}

fn mean(matches: &[MatchResult]) -> f64 {
    matches.iter().map(|seed| seed.elo).sum::<f64>() / matches.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(opponent: &str, elos: &[f64]) -> FoundCell {
        let one = |(seed, &elo): (u64, &f64)| MatchResult {
            seed,
            games: 10,
            wins: 5,
            losses: 5,
            draws: 0,
            elo,
            elo_low: elo - 7.0,
            elo_high: elo + 9.0,
        };
        let matches = (1..).zip(elos).map(one).collect();
        let against = vec![Measured { opponent: opponent.to_owned(), estimate: None, matches }];
        FoundCell { name: "cell".to_owned(), runs: Vec::new(), against }
    }

    fn found(opponent: &str, cells: &[&[f64]]) -> Vec<Option<Estimate>> {
        let mut cells: Vec<FoundCell> = cells.iter().map(|elos| cell(opponent, elos)).collect();
        estimate(&mut cells, opponent);
        cells.iter().map(|cell| cell.against[0].estimate).collect()
    }

    #[test]
    fn intervals_by_hand() {
        let fixed = found("random", &[&[10.0, 20.0, 15.0], &[-10.0, 0.0, 10.0]]);
        let first = fixed[0].unwrap();
        // (25 + 25 + 0) + (100 + 0 + 100) = 250, / 4 = 62.5, deviation 7.906, · 2.776 / √3 = 12.671.
        assert!((first.elo - 15.0).abs() < 1e-9 && (first.seed_deviation.unwrap() - 7.906).abs() < 1e-3, "{first:?}");
        assert!((first.elo_high - 27.671).abs() < 2e-3 && (first.elo_low - 2.329).abs() < 2e-3, "{first:?}");
        // Against the base 4 / 1.25 = 3.2 degrees: t = 3.182, · 7.906 / √3 = 14.524.
        let shared = found(BASE, &[&[10.0, 20.0, 15.0], &[-10.0, 0.0, 10.0]])[1].unwrap();
        assert!((shared.elo_high - 14.524).abs() < 2e-3, "{shared:?}");
    }

    #[test]
    fn game_interval_is_used_without_a_second_seed() {
        let one = found(BASE, &[&[10.0], &[]]);
        let expected = Estimate { elo: 10.0, elo_low: 3.0, elo_high: 19.0, seed_deviation: None };
        assert_eq!(one, [Some(expected), None]);
        // A cell that has one seed so far borrows the spread of the others.
        let borrowed = found("random", &[&[10.0], &[0.0, 10.0]])[0].unwrap();
        assert!(borrowed.seed_deviation.is_some() && borrowed.elo_high > 50.0, "{borrowed:?}");
    }
}
