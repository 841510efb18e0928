//! The page that shows a run: one self-contained HTML file.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::ladder;
use hexzero_arena::Standings;
use hexzero_board::Layout;
use hexzero_board_ui as board_ui;
use hexzero_games::{ActionKind, Game, Seat};
use hexzero_system::files::read_text_at_most;
use hexzero_system::texts::quoted;
use hexzero_train::{CalibrationBin, MAX_RECIPE_BYTES, Metrics, RunFolder, RunFolderError};

use super::chart::{CHART_STYLE, Chart, escaped};
use super::curves::curves;
use super::elo::{elo_curve, elo_rows};
use super::numbers::{percent, whole};
use super::reliability::Reliability;
use super::sample_games::{SampleGame, SampleGames};

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

const NO_GAMES: &str = "<p>There are no games yet.</p>";

/// The data for the page's script.
#[derive(Serialize)]
pub(super) struct PageData<'a> {
    /// The points of each chart's series, for the values under the pointer.
    pub charts: Map<String, Value>,
    pub players: [&'static str; 2],
    /// The boards of the games, by size.
    pub layouts: BTreeMap<usize, Layout<'static>>,
    pub games: &'a [SampleGame],
}

/// A page about a run, with warnings about what could not be read.
#[derive(Debug, Clone, PartialEq)]
pub struct RunPage {
    /// The whole page.
    pub html: String,
    /// The warnings, which the page shows too.
    pub problems: Vec<String>,
}

impl RunPage {
    /// Builds the page about a run of a game, which may be under way.
    ///
    /// # Errors
    /// If its recipe cannot be read.
    pub fn of(game: Game, folder: &RunFolder) -> Result<Self, RunFolderError> {
        let path = folder.recipe();
        let recipe = read_text_at_most(&path, MAX_RECIPE_BYTES)
            .map_err(|error| RunFolderError::File { path: path.clone(), problem: error.to_string() })?;
        let metrics = Metrics::read(folder);
        let samples = SampleGames::of(game, folder);
        let (ladder, ladder_problem) = match ladder::read(folder) {
            Ok(ladder) => (ladder, None),
            Err(error) => (Vec::new(), Some(format!("{error}; skipped"))),
        };
        let problems = metrics.problems.iter().chain(&samples.problems).chain(&ladder_problem).cloned();
        let problems: Vec<String> = problems.collect();

        let mut charts = Map::new();
        let mut figures = String::new();
        for curves in curves(game, &metrics) {
            figures += &figure(curves.id, &curves.chart, &mut charts);
        }
        let elo = elo(&ladder, folder, &mut charts);
        let reliability = Reliability::of(&metrics);
        let calibration = match reliability.positions() {
            0 => "<p>There are no positions yet.</p>".to_owned(),
            _ => calibration(&reliability, &mut charts),
        };
        let layout = |sample: &SampleGame| Some((sample.size, game.on(sample.size).ok()?.board().layout()));
        let layouts = samples.games.iter().filter_map(layout).collect();
        let players = Seat::BOTH.map(|seat| game.seat_name(seat));
        let data = PageData { charts, players, layouts, games: &samples.games };
        let name = folder.path().canonicalize().unwrap_or_else(|_| folder.path().to_owned());
        let name = name.file_name().map_or_else(|| folder.path().display().to_string(), |n| n.display().to_string());
        let html = filled(TEMPLATE, |part| match part {
            "style" => style(),
            "players" => format!("data-first=\"{}\" data-second=\"{}\"", escaped(players[0]), escaped(players[1])),
            "script" => script(),
            "name" => escaped(&name),
            "facts" => facts(game, metrics.iterations.last()),
            "problems" => problems.iter().map(|text| format!("<p class=\"problem\">{}</p>", escaped(text))).collect(),
            "curves" if figures.is_empty() => "<p>No iteration is finished yet.</p>".to_owned(),
            "curves" => figures.clone(),
            "elo" => elo.clone(),
            "calibration" => calibration.clone(),
            "sizes" => sizes(game, metrics.iterations.last()),
            "games" if samples.games.is_empty() => NO_GAMES.to_owned(),
            "games" => "<div id=\"viewer\"></div>".to_owned(),
            "recipe" => escaped(&recipe),
            "data" => embedded(&data),
            _ => String::new(),
        });
        Ok(Self { html, problems })
    }
}

/// Joins all styles.
pub(super) fn style() -> String {
    format!("{CHART_STYLE}{}{STYLE}", board_ui::STYLES.map(|(_, style)| style).concat())
}

/// Joins all scripts, imported ones first.
pub(super) fn script() -> String {
    let scripts = board_ui::SCRIPTS.iter().map(|(_, script)| *script).chain([SCRIPT]);
    let lines = scripts.flat_map(str::lines);
    lines.filter(|line| !line.starts_with("import ")).flat_map(|line| [line, "\n"]).collect()
}

/// Returns a template with each `{{part}}` filled in.
pub(super) fn filled(template: &str, part: impl Fn(&str) -> String) -> String {
    let mut pieces = template.split("{{");
    let mut html = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (name, rest) = piece.split_once("}}").unwrap_or(("", piece));
        html += &part(name);
        html += rest;
    }
    html
}

/// Formats data as JSON for a script element: nothing in it looks like markup.
pub(super) fn embedded(data: &impl Serialize) -> String {
    serde_json::to_string(data).unwrap_or_default().replace('<', "\\u003c")
}

/// Draws a chart with a line below for the values under the pointer, which are added to `charts`.
pub(super) fn figure(id: &str, chart: &Chart, charts: &mut Map<String, Value>) -> String {
    let rounded =
        |value: f64| serde_json::Number::from_f64((value * 1e6).round() / 1e6).map_or(Value::Null, Value::from);
    let series = chart.series.iter().map(|series| {
        let points = series.points.iter().map(|point| Value::from(vec![rounded(point.x), rounded(point.y)]));
        Value::from_iter([("name", Value::from(series.name.as_str())), ("points", points.collect())])
    });
    charts.insert(id.to_owned(), series.collect());
    format!("<figure>{}<figcaption></figcaption></figure>\n", chart.draw().in_page(id))
}

/// Shows the ratings on each board, or how to compute them.
fn elo(ladder: &[Standings], folder: &RunFolder, charts: &mut Map<String, Value>) -> String {
    if ladder.is_empty() {
        let command = format!("hexzero tournament ladder {}", quoted(folder.path()));
        return format!("<p>No ratings yet; run <code>{}</code>.</p>", escaped(&command));
    }
    let board = |standings: &Standings| {
        let size = standings.size.unwrap_or_default();
        let curve = figure(&format!("elo-{size}"), &elo_curve(standings), charts);
        let rows = elo_rows(standings).draw().in_page(&format!("elo-rows-{size}"));
        format!("{curve}<figure>{rows}</figure>\n")
    };
    let boards: String = ladder.iter().map(board).collect();
    format!("<div class=\"charts\">\n{boards}</div>\n")
}

fn calibration(reliability: &Reliability, charts: &mut Map<String, Value>) -> String {
    let row = |(number, (network, search)): (usize, (&CalibrationBin, _))| {
        let cells = |bin: &CalibrationBin| match bin.positions {
            0 => "<td>0</td><td></td><td></td>".to_owned(),
            positions => format!(
                "<td>{positions}</td><td>{:.3}</td><td>{:.3}</td>",
                bin.expected / positions as f64,
                bin.score / positions as f64
            ),
        };
        let tenth = 100 * number / reliability.network.len();
        let next = 100 * (number + 1) / reliability.network.len();
        format!("<tr><th>{tenth}–{next}%</th>{}{}</tr>\n", cells(network), cells(search))
    };
    let rows: String = reliability.network.iter().zip(&reliability.search).enumerate().map(row).collect();
    let titles = "<th>positions</th><th>expected</th><th>score</th>";
    format!(
        "<div class=\"beside\">{}<div class=\"scroll\"><table>\n\
         <tr><th rowspan=\"2\">expected</th><th colspan=\"3\">network alone</th><th colspan=\"3\">search</th></tr>\n\
         <tr>{titles}{titles}</tr>\n{rows}</table></div></div>\n\
         <p>One position of each game of the last iterations ({}), {} in all: the expected score of the player to move \
         against the score of the game, a draw counting half. On the dashed line the two agree. Bars are 95% intervals.</p>",
        figure("reliability", &reliability.chart(), charts),
        whole(reliability.iterations as u64),
        whole(reliability.positions()),
    )
}

/// Formats a length of time in its two largest units.
pub(super) fn span(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{} h {minutes} min", whole(hours)),
    }
}

/// Shows the progress of the run.
fn facts(game: Game, last: Option<&Map<String, Value>>) -> String {
    let count = |name: &str| Some(whole(Metrics::figure(last?, name)?.as_u64()?));
    let time = || {
        let seconds = Metrics::figure(last?, "seconds")?.as_f64()?;
        Some(escaped(&span(Duration::try_from_secs_f64(seconds).ok()?)))
    };
    let text = |name: &str| Some(escaped(Metrics::figure(last?, name)?.as_str()?));
    let facts = [
        ("game", Some(game.name().to_owned())),
        ("iterations", count("iteration")),
        ("games of self-play", count("games")),
        ("training steps", count("step")),
        ("training positions", count("positions")),
        ("evaluations", count("evaluations")),
        ("time", time()),
        ("evaluated with", text("evaluation")),
        ("checkpoint", text("checkpoint")),
    ];
    let fact = |(name, value): (&str, Option<String>)| Some(format!("<div><dt>{name}</dt><dd>{}</dd></div>\n", value?));
    facts.into_iter().filter_map(fact).collect()
}

/// Shows the last iteration's games by board size, with the game's own counts.
fn sizes(game: Game, last: Option<&Map<String, Value>>) -> String {
    let by_size = last.and_then(|last| Metrics::figure(last, "by_size")?.as_object());
    let Some(by_size) = by_size.filter(|sizes| !sizes.is_empty()) else {
        return NO_GAMES.to_owned();
    };
    let share = |number: f64| percent(number, 1);
    let with_decimals = |decimals: usize| move |number: f64| format!("{number:.decimals$}");
    /// Formats a number.
    type Shown = Box<dyn Fn(f64) -> String>;
    let mut columns: Vec<(&str, &str, Shown)> = vec![
        ("games", "new_games", Box::new(with_decimals(0))),
        ("first wins", "first_wins", Box::new(share)),
        ("second wins", "second_wins", Box::new(share)),
        ("draws", "draws", Box::new(share)),
    ];
    if game.actions.iter().any(|action| action.kind == ActionKind::Swap) {
        columns.push(("swaps", "swaps", Box::new(share)));
    }
    columns.push(("plies", "mean_plies", Box::new(with_decimals(1))));
    columns.push(("90% within", "length/p90", Box::new(with_decimals(0))));
    for count in game.counts {
        columns.push((count.key, count.key, Box::new(with_decimals(2))));
    }
    let mut rows: Vec<(usize, String)> = Vec::new();
    for (size, games) in by_size {
        let Some(games) = games.as_object() else { continue };
        let cells = columns.iter().map(|(_, name, shown)| {
            let number = Metrics::figure(games, name).and_then(Value::as_f64);
            format!("<td>{}</td>", number.map_or_else(|| "–".to_owned(), shown))
        });
        let number = size.parse().unwrap_or(0);
        let board = escaped(&game.board_name(number));
        rows.push((number, format!("<tr><th>{board}</th>{}</tr>\n", cells.collect::<String>())));
    }
    rows.sort_by_key(|row| row.0);
    let rows: String = rows.into_iter().map(|row| row.1).collect();
    let titles: String = columns.iter().map(|(title, ..)| format!("<th>{}</th>", escaped(title))).collect();
    format!("<div class=\"scroll\"><table>\n<tr><th>board</th>{titles}</tr>\n{rows}</table></div>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn template_has_all_its_parts() {
        let html = filled(TEMPLATE, |part| format!("[{part}]"));
        assert!(!html.contains("{{") && !html.contains("}}"), "{html}");
        let parts = [
            "players",
            "style",
            "script",
            "name",
            "facts",
            "problems",
            "curves",
            "elo",
            "calibration",
            "sizes",
            "games",
        ];
        for part in parts.into_iter().chain(["recipe", "data"]) {
            assert!(html.contains(&format!("[{part}]")), "{part}");
        }
    }

    #[test]
    fn scripts_are_bundled() {
        let script = script();
        for part in ["import", " from \"", "</script"] {
            assert!(!script.contains(part), "{part}");
        }
    }

    #[test]
    fn data_cannot_end_its_script() {
        let text = "</script><!-- <b> & \"quoted\"";
        let json = embedded(&text);
        assert!(!json.contains('<'), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }

    #[test]
    fn lengths_of_time() {
        let told = [0, 63, 3599, 3600, 93_784].map(|seconds| span(Duration::from_secs(seconds)));
        assert_eq!(told, ["0 s", "1 min 3 s", "59 min 59 s", "1 h 0 min", "26 h 3 min"]);
    }
}
