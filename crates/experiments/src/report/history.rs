//! What the page that watches a run shows: its figures, charts, ratings and games.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::ladder;
use hexzero_arena::Standings;
use hexzero_board::Layout;
use hexzero_games::Game;
use hexzero_system::files::read_text_at_most;
use hexzero_train::{CalibrationBin, MAX_RECIPE_BYTES, Metrics, Recipe, RunFolder, RunFolderError};

use super::chart::Interval;
use super::curves::curves;
use super::elo::{elo_curve, elo_rows};
use super::numbers::percent;
use super::reliability::Reliability;
use super::sample_games::{SampleGame, SampleGames};

/// The maximum number of iterations listed beside those whose checkpoints are kept.
const MAX_ITERATIONS: usize = 400;

/// The figures listed of an iteration.
const FIGURES: [&str; 8] =
    ["iteration", "step", "games", "positions", "evaluations", "seconds", "losses", "evaluation"];

/// A run, which may be under way. docs/web.md describes the JSON.
#[derive(Debug, Serialize)]
pub struct RunHistory {
    game: &'static str,
    /// The size of the board that most games are played on.
    size: usize,
    recipe: String,
    /// Messages about what could not be read.
    pub problems: Vec<String>,
    iterations: Vec<Value>,
    charts: Vec<Value>,
    calibration: Value,
    ratings: Vec<Value>,
    boards: Table,
    layouts: BTreeMap<usize, Layout<'static>>,
    games: Vec<SampleGame>,
}

/// A table of texts; the first column names the rows.
#[derive(Debug, Serialize)]
struct Table {
    titles: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl RunHistory {
    /// Reads the run of a game.
    ///
    /// # Errors
    /// If its recipe cannot be read.
    pub fn of(game: Game, folder: &RunFolder) -> Result<Self, RunFolderError> {
        let path = folder.recipe();
        let recipe = read_text_at_most(&path, MAX_RECIPE_BYTES)
            .map_err(|error| RunFolderError::File { path: path.clone(), problem: error.to_string() })?;
        // A recipe of another version may not be readable.
        let size = Recipe::parse(game, &recipe, "recipe.toml").map_or(game.boards.default, |recipe| recipe.main_size());
        let metrics = Metrics::read(folder);
        let samples = SampleGames::of(game, folder);
        let (ladder, ladder_problem) = match ladder::read(folder) {
            Ok(ladder) => (ladder, None),
            Err(error) => (Vec::new(), Some(format!("{error}; skipped"))),
        };
        let layout = |sample: &SampleGame| Some((sample.size, game.game_board(sample.size).ok()?.board().layout()));
        Ok(Self {
            game: game.name(),
            size,
            recipe,
            problems: metrics.problems.iter().cloned().chain(samples.problems).chain(ladder_problem).collect(),
            iterations: iterations(&metrics, &folder.checkpoint_steps()),
            charts: curves(game, &metrics).iter().map(|curves| curves.chart.data()).collect(),
            calibration: calibration(&Reliability::of(&metrics)),
            ratings: ladder.iter().map(ratings).collect(),
            boards: boards(game, metrics.iterations.last()),
            layouts: samples.games.iter().filter_map(layout).collect(),
            games: samples.games,
        })
    }
}

/// Lists the last iteration, those whose checkpoints are `kept`, and others at even distances. The field `kept` of each
/// is true if its checkpoint is kept.
fn iterations(metrics: &Metrics, kept: &[u64]) -> Vec<Value> {
    let all = &metrics.iterations;
    let distance = all.len().div_ceil(MAX_ITERATIONS).max(1);
    let listed = |(number, figures): (usize, &Map<String, Value>)| {
        let step = Metrics::figure(figures, "step").and_then(Value::as_u64);
        let is_kept = step.is_some_and(|step| kept.binary_search(&step).is_ok());
        let is_listed = is_kept || number + 1 == all.len() || number % distance == distance - 1;
        let figure = |name: &str| Some((name.to_owned(), figures.get(name)?.clone()));
        let shown = FIGURES.into_iter().filter_map(figure).chain([("kept".to_owned(), is_kept.into())]);
        is_listed.then(|| shown.collect())
    };
    all.iter().enumerate().filter_map(listed).collect()
}

/// Describes the calibration: its chart, and the positions, expected and real scores of each bin.
fn calibration(reliability: &Reliability) -> Value {
    let mean = |sum: f64, bin: &CalibrationBin| (bin.positions > 0).then(|| sum / bin.positions as f64);
    let bins = |bins: &[CalibrationBin]| -> Vec<Value> {
        let row = |bin: &CalibrationBin| json!([bin.positions, mean(bin.expected, bin), mean(bin.score, bin)]);
        bins.iter().map(row).collect()
    };
    json!({
        "iterations": reliability.iterations,
        "positions": reliability.positions(),
        "network": bins(&reliability.network),
        "search": bins(&reliability.search),
        "chart": reliability.chart().data(),
    })
}

/// Describes the ratings on a board: the curve, and the latest checkpoints and their opponents, the best first.
fn ratings(standings: &Standings) -> Value {
    let row = |Interval { name, value, low, high }| json!([name, value, low, high]);
    let rows: Vec<Value> = elo_rows(standings).into_iter().map(row).collect();
    json!({
        "size": standings.size,
        "anchor": standings.anchor_name(),
        "chart": elo_curve(standings).data(),
        "rows": rows,
    })
}

/// Shows the last iteration's games by board size, with the game's own counts.
fn boards(game: Game, last: Option<&Map<String, Value>>) -> Table {
    // Titles, figures and their decimals; figures without decimals are shares.
    let mut columns = vec![
        ("games", "new_games", Some(0)),
        ("first wins", "first_wins", None),
        ("second wins", "second_wins", None),
        ("draws", "draws", None),
    ];
    columns.extend(game.has_swap().then_some(("swaps", "swaps", None)));
    columns.extend([("plies", "mean_plies", Some(1)), ("90% within", "length/p90", Some(0))]);
    columns.extend(game.counts.iter().map(|count| (count.key, count.key, Some(2))));
    let shown = |number: f64, decimals: Option<usize>| match decimals {
        Some(decimals) => format!("{number:.decimals$}"),
        None => percent(number, 1),
    };
    let mut rows: Vec<(usize, Vec<String>)> = Vec::new();
    let by_size = last.and_then(|last| Metrics::figure(last, "by_size")?.as_object());
    for (size, games) in by_size.into_iter().flatten() {
        let Some(games) = games.as_object() else { continue };
        let cells = columns.iter().map(|&(_, name, decimals)| {
            let number = Metrics::figure(games, name).and_then(Value::as_f64);
            number.map_or_else(|| "–".to_owned(), |number| shown(number, decimals))
        });
        let number = size.parse().unwrap_or(0);
        rows.push((number, [game.board_name(number)].into_iter().chain(cells).collect()));
    }
    rows.sort_by_key(|row| row.0);
    let titles = ["board"].into_iter().chain(columns.iter().map(|(title, ..)| *title)).map(str::to_owned).collect();
    Table { titles, rows: rows.into_iter().map(|row| row.1).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_run_lists_kept_checkpoints_and_others_at_even_distances() {
        let figures = |number: u64| json!({"iteration": number, "step": 10 * number, "swaps": 0.5});
        let all = (1..=1000).map(|number| figures(number).as_object().unwrap().clone()).collect();
        let listed = iterations(&Metrics { iterations: all, problems: Vec::new() }, &[10, 5000, 10_000]);
        let numbers: Vec<u64> = listed.iter().map(|one| one["iteration"].as_u64().unwrap()).collect();
        assert_eq!(numbers[..4], [1, 3, 6, 9]);
        assert!(numbers.contains(&500) && numbers.last() == Some(&1000) && numbers.len() < 340, "{numbers:?}");
        let kept: Vec<&Value> = listed.iter().filter(|one| one["kept"] == true).map(|one| &one["step"]).collect();
        assert_eq!(kept, [10, 5000, 10_000]);
        assert!(listed[0].get("swaps").is_none());
    }
}
