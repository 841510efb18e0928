//! Calibration of the values: expected scores against the scores of the games.

use hexzero_train::{CalibrationBin, Metrics};

use super::chart::{Chart, Point, Series};

/// The quantile of the normal distribution for intervals of 95 %.
const Z: f64 = 1.96;

/// The number of latest iterations used: older values say nothing about the present network.
const LATEST: usize = 20;

/// The sums of the latest iterations' bins.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Reliability {
    pub iterations: usize,
    pub network: Vec<CalibrationBin>,
    pub search: Vec<CalibrationBin>,
}

impl Reliability {
    /// Sums the bins of a run's latest iterations.
    pub fn of(metrics: &Metrics) -> Self {
        let mut sums = Self::default();
        for iteration in metrics.iterations.iter().rev().take(LATEST) {
            let bins = |name: &str| -> Option<Vec<CalibrationBin>> {
                serde_json::from_value(Metrics::figure(iteration, name)?.clone()).ok()
            };
            if let (Some(network), Some(search)) = (bins("calibration/network"), bins("calibration/search")) {
                sums.iterations += 1;
                add(&mut sums.network, &network);
                add(&mut sums.search, &search);
            }
        }
        sums
    }

    /// Returns the number of positions.
    pub fn positions(&self) -> u64 {
        self.network.iter().map(|bin| bin.positions).sum()
    }

    /// Draws the diagram: on the diagonal, scores are as expected.
    pub fn chart(&self) -> Chart {
        let series = |name: &str, bins: &[CalibrationBin]| {
            let used = bins.iter().filter(|bin| bin.positions > 0);
            let point = |bin: &CalibrationBin| {
                let (expected, score) = (bin.expected / bin.positions as f64, bin.score / bin.positions as f64);
                Point { x: expected, y: score, interval: Some(interval(score, bin.positions as f64)) }
            };
            Series { name: name.to_owned(), points: used.map(point).collect() }
        };
        Chart {
            title: "Score of the player to move against the expected score".to_owned(),
            x_name: "expected score".to_owned(),
            series: vec![series("network alone", &self.network), series("search", &self.search)],
            x_range: Some((0.0, 1.0)),
            y_range: Some((0.0, 1.0)),
            reference: Some([(0.0, 0.0), (1.0, 1.0)]),
            ..Chart::default()
        }
    }
}

fn add(sums: &mut Vec<CalibrationBin>, bins: &[CalibrationBin]) {
    sums.resize(sums.len().max(bins.len()), CalibrationBin::default());
    sums.iter_mut().zip(bins).for_each(|(sum, bin)| sum.add(bin));
}

/// Returns the interval of a share of `count` (E. B. Wilson, *Probable inference*, 1927). Draws, which vary less than
/// wins and losses, only make it wider than needed.
fn interval(share: f64, count: f64) -> (f64, f64) {
    let scale = Z * Z / count;
    let spread = (scale * (share * (1.0 - share) + scale / 4.0)).sqrt();
    let centre = share + scale / 2.0;
    ((centre - spread) / (1.0 + scale), (centre + spread) / (1.0 + scale))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn bins_add_up() {
        let bin = |positions, expected, score| json!({"positions": positions, "expected": expected, "score": score});
        let none = bin(0, 0.0, 0.0);
        let iteration = |calibration| json!({"calibration": calibration}).as_object().unwrap().clone();
        let metrics = Metrics {
            iterations: vec![
                iteration(json!({"network": [bin(10, 2.0, 3.0), none], "search": [none, bin(10, 9.0, 8.0)]})),
                iteration(json!({"network": [bin(30, 6.0, 5.0), none], "search": [none, none]})),
                iteration(json!({"network": "nonsense"})),
            ],
            problems: Vec::new(),
        };
        let sums = Reliability::of(&metrics);
        assert_eq!((sums.iterations, sums.positions()), (2, 40));
        let chart = sums.chart();
        assert_eq!(chart.series[0].points.len(), 1, "bins without positions have no point");
        let point = chart.series[0].points[0];
        assert_eq!((point.x, point.y), (0.2, 0.2));
        // Wilson's interval of 8 in 40.
        let (low, high) = point.interval.unwrap();
        assert!((low - 0.1050).abs() < 1e-4 && (high - 0.3476).abs() < 1e-4, "{low} {high}");
        assert_eq!(Reliability::of(&Metrics::default()).positions(), 0);
    }
}
