//! The curves of a run's metrics.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use hexzero_games::Game;
use hexzero_train::Metrics;

use super::chart::{Chart, Series};

/// The number of iterations beyond which they are averaged in groups.
const MAX_POINTS: usize = 400;

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
    let group = points.len().div_ceil(MAX_POINTS).max(1);
    let mean = |points: &[(f64, f64)]| {
        let sum = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
        let place = if points.len() == 1 { points[0].0 } else { (sum.0 / points.len() as f64).round() };
        (place, sum.1 / points.len() as f64).into()
    };
    Series { name: name.to_owned(), points: points.chunks(group).map(mean).collect() }
}

/// Returns the series of a figure under a title.
fn figure(iterations: &[Iteration], title: &str, name: &str) -> Series {
    series(iterations, title, |iteration| number(iteration, name))
}

fn losses(iterations: &[Iteration]) -> Vec<Series> {
    let names = parts(iterations, "losses").into_iter().filter(|part| part != "total");
    names.map(|part| figure(iterations, &part.replace('_', " "), &format!("losses/{part}"))).collect()
}

/// Returns a figure of each board, if several were played on, in the order of their sizes.
fn by_size(game: Game, iterations: &[Iteration], name: &str) -> Vec<Series> {
    let mut sizes: Vec<(usize, String)> = parts(iterations, "by_size")
        .into_iter()
        // As numbers: 11 comes after 9.
        .map(|size| (size.parse().unwrap_or(0), size))
        .collect();
    sizes.sort_unstable();
    let of = |(number, size): (usize, String)| {
        figure(iterations, &game.board_name(number), &format!("by_size/{size}/{name}"))
    };
    if sizes.len() > 1 { sizes.into_iter().map(of).collect() } else { Vec::new() }
}

/// Returns the shares of the games that each rule ended. A missing rule has ended none.
fn ends(iterations: &[Iteration]) -> Vec<Series> {
    let share = |iteration: &Iteration, reason: &str| {
        let ends = Metrics::figure(iteration, "ends")?;
        Some(ends.get(reason).and_then(Value::as_f64).unwrap_or(0.0))
    };
    let reasons = parts(iterations, "ends").into_iter();
    reasons.map(|reason| series(iterations, &reason, |iteration| share(iteration, &reason))).collect()
}

/// Returns the rate of a count over the seconds of self-play.
fn speed(iterations: &[Iteration], name: &str, count: &str) -> Series {
    series(iterations, name, |iteration| {
        Some(number(iteration, count)? / number(iteration, "selfplay_seconds").filter(|&seconds| seconds > 0.0)?)
    })
}

/// Returns a text that begins with a capital letter.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Draws all charts of a run's metrics. Those of missing figures are left out.
pub(super) fn curves(game: Game, metrics: &Metrics) -> Vec<Curves> {
    let iterations = &metrics.iterations[..];
    let figure = |title: &str, name: &str| figure(iterations, title, name);
    let named = |names: &[(&str, &str)]| names.iter().map(|(title, name)| figure(title, name)).collect::<Vec<_>>();
    let by_size = |name: &str| by_size(game, iterations, name);
    let shares = Some((0.0, 1.0));
    let swaps = if game.has_swap() { named(&[("swaps", "swaps")]) } else { Vec::new() };
    let lengths = named(&[
        ("mean", "mean_plies"),
        ("10%", "length/p10"),
        ("median", "length/median"),
        ("90%", "length/p90"),
        ("longest", "length/most"),
    ]);
    let results = named(&[("first player", "first_wins"), ("second player", "second_wins"), ("draws", "draws")]);
    let entropy = named(&[("search", "policy_entropy/search"), ("network", "policy_entropy/network")]);
    let charts = [
        ("loss", "Loss", named(&[("loss", "losses/total")]), None),
        ("loss-parts", "Parts of the loss, before weighting", losses(iterations), None),
        ("learning-rate", "Learning rate", named(&[("learning rate", "learning_rate")]), None),
        ("gradient", "Length of the gradient", named(&[("length", "gradient_length")]), None),
        ("entropy", "Policy entropy in nats", entropy, None),
        ("surprise", "Divergence of the search from the policy in nats", named(&[("divergence", "surprise")]), None),
        ("length", "Plies of a game", lengths, None),
        ("results", "Share of the games won and drawn", results, shares),
        ("ends", "How games ended", ends(iterations), shares),
        ("swaps", "Share of the chances to swap that were taken", swaps, shares),
    ];
    let titled = |(id, title, series, y_range): (_, &str, _, _)| (id, title.to_owned(), series, y_range);
    let counted = game.counts.iter().map(|count| {
        let title = format!("{} a game", capital(count.title));
        (count.key, title, vec![figure(count.key, count.key)], None)
    });
    let speed = |name: &str, count: &str| vec![speed(iterations, name, count)];
    let rest = [
        ("length-by-size", "Plies of a game by board", by_size("mean_plies"), None),
        ("first-by-size", "Share that the first player won, by board", by_size("first_wins"), shares),
        ("draws-by-size", "Draws by board", by_size("draws"), None),
        ("games-speed", "Games a second of self-play", speed("games", "new_games"), None),
        ("evaluations-speed", "Evaluations a second of self-play", speed("evaluations", "new_evaluations"), None),
        ("cache", "Answers from the evaluation cache", named(&[("share", "cache_hits")]), shares),
        ("window", "Positions in the replay window", named(&[("positions", "window")]), None),
    ];
    let charts = charts.into_iter().map(titled).chain(counted).chain(rest.into_iter().map(titled));
    let known = charts.map(|(id, title, mut series, y_range)| {
        series.retain(|series| !series.points.is_empty());
        let chart = Chart {
            title,
            x_name: "games of self-play".to_owned(),
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
    use hexzero_games::default_game;
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
        let curves = curves(default_game(), &run);
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
    fn long_run_is_drawn_in_groups() {
        let run = metrics((1..=1000).map(|number| json!({"games": number * 10, "learning_rate": number})));
        let points = values(&of(&curves(default_game(), &run), "learning-rate")[0]);
        // Three at a time, and one that is left.
        assert_eq!((points.len(), points[0], points[333]), (334, (20.0, 2.0), (10_000.0, 1000.0)));
    }

    #[test]
    fn new_run_has_no_curves() {
        assert_eq!(curves(default_game(), &Metrics::default()), []);
    }

    /// A letter of a title takes some 7.4 units of the chart's 416 between its margins.
    #[test]
    fn titles_fit_their_charts() {
        let figures = json!({
            "games": 1, "new_games": 1, "new_evaluations": 1, "selfplay_seconds": 1.0, "learning_rate": 1.0,
            "losses": {"total": 1.0, "policy": 1.0}, "gradient_length": 1.0, "surprise": 1.0, "swaps": 0.5, "draws": 0.0,
            "policy_entropy": {"search": 1.0, "network": 1.0}, "mean_plies": 9.0, "ends": {"connection": 1.0},
            "cache_hits": 0.5, "window": 9, "captures": 1.0,
            "by_size": {"5": {"mean_plies": 9.0, "first_wins": 0.5, "draws": 0.0},
                        "7": {"mean_plies": 9.0, "first_wins": 0.5, "draws": 0.0}},
        });
        let drawn = curves(default_game(), &metrics([figures]));
        assert!(drawn.len() >= 18, "{} charts", drawn.len());
        for Curves { chart, .. } in drawn {
            assert!(chart.title.chars().count() <= 54, "{}", chart.title);
        }
    }
}
