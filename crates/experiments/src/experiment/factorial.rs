//! Factorial designs: a few runs weigh many changes of the recipe at once, as half of the runs have
//! each.
//!
//! The designs have two levels. Those of `2^p` runs (Box and Hunter, *The 2^(k-p) fractional
//! factorial designs*, 1961) give `p` factors all combinations of signs, and any further one the
//! product of some of these. Each effect is estimated from all runs. It is confounded with the
//! interactions of two factors whose signs are its own when multiplied. In the design of twelve
//! runs (Plackett and Burman, *The design of optimum multifactorial experiments*, 1946) no pair
//! has the signs of a third factor, but a third of each interaction counts as the effect of each
//! factor outside it.

use serde::Deserialize;
use toml::Table;

use hexzero_arena::student_quantile;

use super::findings::Estimate;

/// The numbers of runs of the designs.
const RUNS: [usize; 5] = [8, 12, 16, 32, 64];
/// The signs of the first eleven runs of twelve; those of each further factor begin one later. The
/// twelfth run has no factor.
const TWELVE: [bool; 11] = [true, true, false, true, true, true, false, false, false, true, false];
/// The minimum number of degrees of freedom left for the spread of the runs.
const MIN_FREEDOM: usize = 4;

/// A factor as the file has it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Factor {
    /// The factor's name.
    pub name: String,
    /// Changes of the recipe of the runs with it.
    #[serde(default)]
    pub on: Table,
    /// Changes of the recipe of the runs without it.
    #[serde(default)]
    pub off: Table,
}

/// A design: which runs have which factors.
#[derive(Debug, Clone)]
pub struct Design {
    /// The number of runs.
    pub runs: usize,
    /// The factors.
    pub factors: Vec<Factor>,
    /// For each factor whether each run has it.
    signs: Vec<Vec<bool>>,
}

impl Design {
    /// Finds the smallest design, or takes that of `runs` runs.
    pub(super) fn new(factors: Vec<Factor>, runs: Option<usize>) -> Result<Self, String> {
        let fits = |runs: &usize| *runs > factors.len() + MIN_FREEDOM;
        let Some(least) = RUNS.into_iter().find(fits) else {
            let most = RUNS[RUNS.len() - 1] - 1 - MIN_FREEDOM;
            return Err(format!("{} times [[factor]]; accepted: up to {most}", factors.len()));
        };
        let runs = runs.unwrap_or(least);
        if runs < least || !RUNS.contains(&runs) {
            let accepted: Vec<String> = RUNS.iter().filter(|&&runs| runs >= least).map(usize::to_string).collect();
            return Err(format!("runs = {runs}; accepted for this number of factors: {}", accepted.join(", ")));
        }
        for (number, factor) in factors.iter().enumerate() {
            factor.check(&factors[..number])?;
        }
        let signs = match runs {
            12 => (0..factors.len()).map(twelve).collect(),
            _ => words(runs).into_iter().take(factors.len()).map(|word| products(word, runs)).collect(),
        };
        Ok(Self { runs, factors, signs })
    }

    /// Returns true if a run, counted from 0, has a factor.
    pub fn has(&self, run: usize, factor: usize) -> bool {
        self.signs[factor][run]
    }

    /// Returns a run's signs, one for each factor in order.
    pub fn signs(&self, run: usize) -> String {
        (0..self.factors.len()).map(|factor| if self.has(run, factor) { '+' } else { '-' }).collect()
    }

    /// Returns the changes of a run's recipe.
    pub(super) fn changes(&self, run: usize) -> Table {
        let mut changes = Table::new();
        for (number, factor) in self.factors.iter().enumerate() {
            hexzero_train::overlay(&mut changes, if self.has(run, number) { &factor.on } else { &factor.off });
        }
        changes
    }

    /// Lists the pairs of factors that a factor's effect is confounded with.
    pub fn pairs(&self, factor: usize) -> Vec<[&str; 2]> {
        let count = self.factors.len();
        let all = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b]));
        let aliased = all.filter(|&[a, b]| {
            (0..self.runs).all(|run| (self.has(run, a) == self.has(run, b)) == self.has(run, factor))
        });
        aliased.map(|pair| pair.map(|factor| self.factors[factor].name.as_str())).collect()
    }

    /// Estimates the effect of each factor, in the additive model, from the ratings of all runs:
    /// the mean of the runs with it less that of the runs without, with Student's 95 % interval
    /// from what the effects leave unexplained.
    pub fn effects(&self, ratings: &[f64]) -> Vec<Estimate> {
        let runs = self.runs as f64;
        let mean = ratings.iter().sum::<f64>() / runs;
        let effect = |factor| {
            let signed = ratings.iter().enumerate().map(|(run, &elo)| if self.has(run, factor) { elo } else { -elo });
            signed.sum::<f64>() * 2.0 / runs
        };
        let effects: Vec<f64> = (0..self.factors.len()).map(effect).collect();
        let total: f64 = ratings.iter().map(|elo| (elo - mean).powi(2)).sum();
        // The signs of different factors are orthogonal, so that each explains its own part.
        let explained: f64 = effects.iter().map(|effect| runs * (effect / 2.0).powi(2)).sum();
        let freedom = (self.runs - 1 - self.factors.len()) as f64;
        let deviation = ((total - explained).max(0.0) / freedom).sqrt();
        let half = student_quantile(freedom).unwrap_or(f64::INFINITY) * deviation * 2.0 / runs.sqrt();
        let estimate =
            |elo| Estimate { elo, elo_low: elo - half, elo_high: elo + half, seed_deviation: Some(deviation) };
        effects.into_iter().map(estimate).collect()
    }
}

impl Factor {
    /// Checks the factor against the earlier ones.
    fn check(&self, earlier: &[Self]) -> Result<(), String> {
        let place = format!("factor '{}'", self.name);
        if self.name.trim().is_empty() || earlier.iter().any(|other| other.name == self.name) {
            return Err(format!("{place}: accepted: a name of its own"));
        }
        if self.on == self.off {
            return Err(format!(
                "{place}: on and off are the same; accepted: keys of a recipe, such as on.training.symmetries = false"
            ));
        }
        for other in earlier {
            let mut pairs = [&self.on, &self.off].into_iter().flat_map(|a| [(a, &other.on), (a, &other.off)]);
            if let Some(key) = pairs.find_map(|(a, b)| shared_key(a, b)) {
                return Err(format!("{place}: {key}: factor '{}' changes it, too; accepted: other keys", other.name));
            }
        }
        Ok(())
    }
}

/// Returns a key that both tables set.
fn shared_key(a: &Table, b: &Table) -> Option<String> {
    a.iter().find_map(|(key, value)| match (value.as_table(), b.get(key)?.as_table()) {
        (Some(a), Some(b)) => shared_key(a, b).map(|within| format!("{key}.{within}")),
        _ => Some(key.clone()),
    })
}

/// Returns the signs of a factor in the design of twelve runs.
fn twelve(factor: usize) -> Vec<bool> {
    (0..12).map(|run| run < 11 && TWELVE[(run + factor) % 11]).collect()
}

/// Returns for each run the product of the basic signs in `word`, a bit each.
fn products(word: usize, runs: usize) -> Vec<bool> {
    (0..runs).map(|run| (word & !run).count_ones().is_multiple_of(2)).collect()
}

/// Lists the products of basic signs in the order in which factors get them: the basic ones, then
/// the other products of an odd number of signs. No two of these multiply to a third, so that up to
/// half as many factors as runs are clear of pairs. The even ones follow, those with the first sign
/// before the others for the same reason.
fn words(runs: usize) -> Vec<usize> {
    let mut words: Vec<usize> = (1..runs).collect();
    words.sort_by_key(|word| {
        let even = word.count_ones().is_multiple_of(2);
        (even, even && word & 1 == 0, word.count_ones())
    });
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factor(name: &str) -> Factor {
        Factor { name: name.to_owned(), on: Table::from_iter([(name.to_owned(), true.into())]), off: Table::new() }
    }

    fn design(count: usize) -> Design {
        Design::new((0..count).map(|number| factor(&number.to_string())).collect(), None).unwrap()
    }

    #[test]
    fn smallest_design_leaves_four_degrees_of_freedom() {
        let runs = [1, 3, 4, 7, 8, 11, 12, 27, 28, 59].map(|count| design(count).runs);
        assert_eq!(runs, [8, 8, 12, 12, 16, 16, 32, 32, 64, 64]);
        for count in [1, 3, 4, 7, 9, 11, 20, 59] {
            let design = design(count);
            let sum = |a: usize, b: usize| -> i32 {
                (0..design.runs).map(|run| if design.has(run, a) == design.has(run, b) { 1 } else { -1 }).sum()
            };
            for a in 0..count {
                assert_eq!((0..design.runs).filter(|&run| design.has(run, a)).count() * 2, design.runs);
                assert!((0..a).all(|b| sum(a, b) == 0), "{a} of {count}");
            }
        }
        // Three factors in eight runs, four in sixteen: every combination.
        for (count, runs) in [(3, 8), (4, 16)] {
            let factors = (0..count).map(|number| factor(&number.to_string())).collect();
            let design = Design::new(factors, Some(runs)).unwrap();
            let mut signs: Vec<String> = (0..design.runs).map(|run| design.signs(run)).collect();
            signs.sort();
            signs.dedup();
            assert_eq!(signs.len(), runs);
        }
    }

    #[test]
    fn pairs_multiply_to_their_factor() {
        assert!((0..8).all(|factor| design(8).pairs(factor).is_empty()));
        assert!((0..7).all(|factor| design(7).pairs(factor).is_empty()));
        // The ninth is a × b: so a is b × the ninth, and so on.
        let nine = design(9);
        assert_eq!(nine.pairs(0), [["1", "8"]]);
        assert_eq!(nine.pairs(8), [["0", "1"], ["2", "4"], ["3", "5"], ["6", "7"]]);
        for factor in 0..9 {
            for pair in nine.pairs(factor) {
                let [a, b] = pair.map(|name| name.parse::<usize>().unwrap());
                assert!((0..16).all(|run| (nine.has(run, a) == nine.has(run, b)) == nine.has(run, factor)));
            }
        }
    }

    /// Eleven changes of the recipe of Hex in 16 runs of 20 minutes, rated by 24,000 games on 7×7.
    /// The effects were computed apart, from the signs and the ratings.
    #[test]
    fn effects_of_a_measured_design() {
        let names = [
            "soft policy",
            "reply",
            "ownership",
            "forecasts",
            "short term",
            "surprise",
            "forced playouts",
            "cheap searches",
            "search value",
            "clip",
            "few visits",
        ];
        let signs = [1, 2, 4, 8, 7, 11, 13, 14, 3, 12, 15].map(|word| products(word, 16)).to_vec();
        let design = Design { runs: 16, factors: names.map(factor).to_vec(), signs };
        assert_eq!(design.signs(0), "--------+++");
        assert_eq!(design.signs(1), "+---+++--+-");
        assert_eq!(design.signs(14), "-+++---+-+-");
        let ratings = [
            0.0, 52.0068, 48.6118, -126.6986, 79.8067, -39.8330, 109.3616, 69.9606, 71.3308, -137.6101, 17.6716,
            42.7340, 111.4905, 65.8565, 64.0353, -4.5510,
        ];
        let found = design.effects(&ratings);
        let expected = [-72.6, 2.3, 61.0, 4.7, 6.3, 44.8, 13.2, -64.2, 8.0, -0.3, -70.6];
        for ((Estimate { elo, elo_high, seed_deviation, .. }, expected), name) in found.iter().zip(expected).zip(names)
        {
            assert!((elo - expected).abs() < 0.06, "{name}: {elo}");
            assert!((elo_high - elo - 7.8).abs() < 0.06 && (seed_deviation.unwrap() - 5.6).abs() < 0.06, "{name}");
        }
        assert_eq!(design.pairs(8)[0], ["soft policy", "reply"]);
    }
}
