//! The curves of a run's metrics.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::games::{ActionKind, Game};
use crate::training::Metrics;

use super::chart::{Chart, Series};
use super::words::Words;

/// More iterations than this are averaged in groups.
const MOST_POINTS: usize = 400;

/// The figures of an iteration.
type Iteration = Map<String, Value>;

/// A chart of curves over the games of self-play, with its name within the page.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Curves {
    pub id: &'static str,
    pub chart: Chart,
}

/// Returns a number among the figures of an iteration.
fn number(iteration: &Iteration, name: &str) -> Option<f64> {
    Metrics::figure(iteration, name)?.as_f64()
}

/// Lists the names of the parts of a figure, in any iteration.
fn parts(iterations: &[Iteration], name: &str) -> Vec<String> {
    let all = iterations.iter().filter_map(|iteration| Metrics::figure(iteration, name)?.as_object());
    let names: BTreeSet<&String> = all.flat_map(Map::keys).collect();
    names.into_iter().cloned().collect()
}

/// Returns the series of a figure; iterations that lack it are left out.
fn series(iterations: &[Iteration], name: &str, value: impl Fn(&Iteration) -> Option<f64>) -> Series {
    let points: Vec<(f64, f64)> =
        iterations.iter().filter_map(|iteration| Some((number(iteration, "games")?, value(iteration)?))).collect();
    let group = points.len().div_ceil(MOST_POINTS).max(1);
    let mean = |points: &[(f64, f64)]| {
        let sum = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
        let place = if points.len() == 1 { points[0].0 } else { (sum.0 / points.len() as f64).round() };
        (place, sum.1 / points.len() as f64).into()
    };
    Series { name: name.to_owned(), points: points.chunks(group).map(mean).collect() }
}

/// Returns the shares of the games that each rule ended. A missing rule has ended none.
fn ends(iterations: &[Iteration], words: &Words) -> Vec<Series> {
    let share = |iteration: &Iteration, reason: &str| {
        let ends = Metrics::figure(iteration, "ends")?;
        Some(ends.get(reason).and_then(Value::as_f64).unwrap_or(0.0))
    };
    let reasons = parts(iterations, "ends").into_iter();
    reasons.map(|reason| series(iterations, words.theirs(&reason), |iteration| share(iteration, &reason))).collect()
}

/// Returns the rate of a count over the seconds of self-play.
fn speed(iterations: &[Iteration], name: &str, count: &str) -> Series {
    series(iterations, name, |iteration| {
        Some(number(iteration, count)? / number(iteration, "selfplay_seconds").filter(|&seconds| seconds > 0.0)?)
    })
}

/// Draws all charts of a run's metrics. Those of missing figures are left out.
pub(super) fn curves(game: Game, metrics: &Metrics, words: &Words) -> Vec<Curves> {
    let iterations = &metrics.iterations[..];
    let figure = |title: &str, name: &str| series(iterations, title, |iteration| number(iteration, name));
    let said = |name: &str| words.say(&format!("series.{name}"), &[]);
    let named =
        |names: &[(&str, &str)]| names.iter().map(|(title, name)| figure(&said(title), name)).collect::<Vec<_>>();
    let losses = parts(iterations, "losses").into_iter().filter(|part| part != "total");
    let loss = |part: &str| words.find(&format!("loss.{part}")).map_or_else(|| part.replace('_', " "), str::to_owned);
    let losses = losses.map(|part| figure(&loss(&part), &format!("losses/{part}"))).collect();
    let sizes = parts(iterations, "by_size");
    let by_size = |name: &str| {
        // As numbers: 11 comes after 9.
        let mut sizes: Vec<(usize, &String)> = sizes.iter().map(|size| (size.parse().unwrap_or(0), size)).collect();
        sizes.sort_unstable();
        let several = sizes.len() > 1;
        let of = |(number, size): (usize, &String)| figure(&game.board_name(number), &format!("by_size/{size}/{name}"));
        if several { sizes.into_iter().map(of).collect() } else { Vec::new() }
    };
    let shares = Some((0.0, 1.0));
    let swaps = match game.actions.iter().any(|action| action.kind == ActionKind::Swap) {
        true => named(&[("swaps", "swaps")]),
        false => Vec::new(),
    };
    let lengths = named(&[
        ("mean", "mean_plies"),
        ("tenth", "length/p10"),
        ("median", "length/median"),
        ("ninetieth", "length/p90"),
        ("longest", "length/most"),
    ]);
    let results = named(&[("first", "first_wins"), ("second", "second_wins"), ("draws", "draws")]);
    let entropy = named(&[("search", "policy_entropy/search"), ("network", "policy_entropy/network")]);
    let charts = [
        ("loss", named(&[("loss", "losses/total")]), None),
        ("loss-parts", losses, None),
        ("learning-rate", named(&[("rate", "learning_rate")]), None),
        ("gradient", named(&[("gradient", "gradient_length")]), None),
        ("entropy", entropy, None),
        ("surprise", named(&[("divergence", "surprise")]), None),
        ("length", lengths, None),
        ("results", results, shares),
        ("ends", ends(iterations, words), shares),
        ("swaps", swaps, shares),
    ];
    let titled = |(id, series, y_range)| (id, words.say(&format!("curve.{id}"), &[]), series, y_range);
    let counted = game.counts.iter().map(|count| {
        let title = words.say("curve.count", &[("count", words.theirs(count.title))]);
        (count.key, title, vec![figure(words.theirs(count.key), count.key)], None)
    });
    let speed = |name: &str, count: &str| vec![speed(iterations, &said(name), count)];
    let rest = [
        ("length-by-size", by_size("mean_plies"), None),
        ("first-by-size", by_size("first_wins"), shares),
        ("draws-by-size", by_size("draws"), None),
        ("games-speed", speed("games", "new_games"), None),
        ("evaluations-speed", speed("evaluations", "new_evaluations"), None),
        ("cache", named(&[("share", "cache_hits")]), shares),
        ("window", named(&[("positions", "window")]), None),
    ];
    let charts = charts.into_iter().map(titled).chain(counted).chain(rest.into_iter().map(titled));
    let known = charts.map(|(id, title, mut series, y_range)| {
        series.retain(|series| !series.points.is_empty());
        let chart = Chart {
            title,
            x_name: words.say("curve.games", &[]),
            series,
            // The distance of a loss from 0 means nothing.
            from_zero: id != "loss",
            y_range,
            ..Chart::default()
        };
        Curves { id, chart }
    });
    known.filter(|curves| !curves.chart.series.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::default_game;
    use serde_json::json;

    fn metrics(iterations: impl IntoIterator<Item = Value>) -> Metrics {
        let iterations = iterations.into_iter().map(|value| value.as_object().unwrap().clone()).collect();
        Metrics { iterations, problems: Vec::new() }
    }

    fn of<'a>(curves: &'a [Curves], id: &str) -> &'a [Series] {
        &curves.iter().find(|curves| curves.id == id).unwrap().chart.series
    }

    fn values(series: &Series) -> Vec<(f64, f64)> {
        series.points.iter().map(|point| (point.x, point.y)).collect()
    }

    #[test]
    fn curves_of_what_is_there() {
        let run = metrics([
            json!({"games": 10, "new_games": 10, "selfplay_seconds": 2.0, "losses": {"total": 3.0, "policy": 1.0},
                   "ends": {"connection": 1.0}}),
            json!({"games": 20, "new_games": 10, "selfplay_seconds": 3.0, "losses": {"total": 2.0, "moves_left": 0.5},
                   "by_size": {"9": {"draws": 0.0}, "11": {"draws": 0.5}}, "swaps": null, "ends": {"repetition": 1.0}}),
        ]);
        let curves = curves(default_game(), &run, Words::english());
        let ids: Vec<&str> = curves.iter().map(|curves| curves.id).collect();
        assert_eq!(ids, ["loss", "loss-parts", "ends", "draws-by-size", "games-speed"]);
        assert_eq!(values(&of(&curves, "loss")[0]), [(10.0, 3.0), (20.0, 2.0)]);
        let names: Vec<&str> = of(&curves, "loss-parts").iter().map(|series| &*series.name).collect();
        assert_eq!(names, ["moves left", "policy"]);
        assert_eq!(values(&of(&curves, "games-speed")[0]), [(10.0, 5.0), (20.0, 10.0 / 3.0)]);
        assert_eq!(values(&of(&curves, "ends")[1]), [(10.0, 0.0), (20.0, 1.0)], "of repetitions");
        let sizes: Vec<&str> = of(&curves, "draws-by-size").iter().map(|series| &*series.name).collect();
        assert_eq!(sizes, ["9×9", "11×11"]);
    }

    #[test]
    fn a_long_run_is_drawn_in_groups() {
        let run = metrics((1..=1000).map(|number| json!({"games": number * 10, "learning_rate": number})));
        let points = values(&of(&curves(default_game(), &run, Words::english()), "learning-rate")[0]);
        // Three at a time, and one that is left.
        assert_eq!((points.len(), points[0], points[333]), (334, (20.0, 2.0), (10_000.0, 1000.0)));
    }

    #[test]
    fn a_run_that_has_only_begun_has_none() {
        assert_eq!(curves(default_game(), &Metrics::default(), Words::english()), []);
    }
}
