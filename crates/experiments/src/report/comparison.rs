//! The page of a run's curves, or of several side by side: one self-contained HTML file.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value, json};
use toml::Table;

use crate::ladder;
use hexzero_arena::Standings;
use hexzero_board_ui as board_ui;
use hexzero_games::Game;
use hexzero_system::files::read_text_at_most;
use hexzero_train::{MAX_RECIPE_BYTES, Metrics, RunFolder};

use super::chart::{CHART_STYLE, Chart, Series, escaped};
use super::curves::{Curves, curves};
use super::elo::elo_curve;
use super::numbers::whole;

const TEMPLATE: &str = include_str!("comparison.html");
const STYLE: &str = include_str!("comparison.css");
const SCRIPT: &str = include_str!("comparison.js");

/// One side of a comparison: a run, or several that differ by their seed alone, which are shown as their mean.
#[derive(Debug, Clone)]
pub struct Compared {
    /// The side's name on the page.
    pub name: String,
    /// The game of the runs.
    pub game: Game,
    /// The folders of the runs.
    pub runs: Vec<RunFolder>,
}

/// A page about one run or several, with warnings about what could not be read.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparisonPage {
    /// The whole page.
    pub html: String,
    /// The warnings, which the page shows too.
    pub problems: Vec<String>,
}

impl ComparisonPage {
    /// Builds the page. `results` is the HTML of a first section. Runs may be under way; what cannot be read of them is
    /// left out, and a problem says so.
    pub fn of(name: &str, compared: &[Compared], results: Option<&str>) -> Self {
        let mut problems = Vec::new();
        let sides: Vec<Side> = compared.iter().map(|compared| Side::read(compared, &mut problems)).collect();
        let mut charts = Map::new();
        let drawn = match &sides[..] {
            [side] => single(side),
            _ => joined(&sides).into_iter().chain(ratings(&sides)).collect(),
        };
        let figures: String = drawn.into_iter().map(|(id, chart)| figure(&id, &chart, &mut charts)).collect();
        let data = json!({ "charts": charts });
        let html = filled(TEMPLATE, |part| match part {
            "style" => style(),
            "script" => script(),
            "name" => escaped(name),
            "problems" => problems.iter().map(|text| format!("<p class=\"problem\">{}</p>", escaped(text))).collect(),
            "results-link" if results.is_some() => "<a href=\"#results\">Results</a>".to_owned(),
            "results" => results.map_or_else(String::new, |contents| {
                format!("<section id=\"results\">\n<h2>Results</h2>\n{contents}\n</section>")
            }),
            "runs" => facts(&sides),
            "curves" if figures.is_empty() => "<p>No iteration is finished yet.</p>".to_owned(),
            "curves" => format!("<div class=\"charts\">\n{figures}</div>"),
            "recipes-title" if sides.len() == 1 => "Recipe".to_owned(),
            "recipes-title" => "Where the recipes differ".to_owned(),
            "recipes" => recipes(&sides),
            "data" => embedded(&data),
            _ => String::new(),
        });
        Self { html, problems }
    }
}

fn style() -> String {
    let colours = board_ui::file("colours.css").unwrap_or_default();
    format!("{CHART_STYLE}{colours}{STYLE}")
}

/// Joins the page's script and the one that it imports from.
fn script() -> String {
    let lines = [board_ui::file("text.js").unwrap_or_default(), SCRIPT].into_iter().flat_map(str::lines);
    lines.filter(|line| !line.starts_with("import ")).flat_map(|line| [line, "\n"]).collect()
}

/// The data read for one side.
struct Side<'a> {
    compared: &'a Compared,
    /// The figures of each run.
    metrics: Vec<Metrics>,
    /// The recipe of the first run, key by key.
    recipe: BTreeMap<String, String>,
    /// The ratings of the checkpoints, if it is a single run.
    ladders: Vec<Standings>,
}

impl<'a> Side<'a> {
    fn read(compared: &'a Compared, problems: &mut Vec<String>) -> Self {
        let metrics: Vec<Metrics> = compared.runs.iter().map(Metrics::read).collect();
        problems.extend(metrics.iter().flat_map(|metrics| metrics.problems.iter().cloned()));
        let mut recipe = BTreeMap::new();
        let mut ladders = Vec::new();
        if let Some(first) = compared.runs.first() {
            let path = first.recipe();
            let text = read_text_at_most(&path, MAX_RECIPE_BYTES).map_err(|error| error.to_string());
            match text.and_then(|text| text.parse::<Table>().map_err(|error| error.to_string())) {
                Ok(table) => flatten("", &table, &mut recipe),
                Err(error) => problems.push(format!("{}: {error}", path.display())),
            }
        }
        if let [run] = &compared.runs[..] {
            match ladder::read(run) {
                Ok(read) => ladders = read,
                Err(error) => problems.push(format!("{error}; skipped")),
            }
        }
        Self { compared, metrics, recipe, ladders }
    }

    /// Returns the curves of the run; for several runs, their means over the iterations that all
    /// have finished.
    fn curves(&self) -> Vec<Curves> {
        let iterations = self.metrics.iter().map(|metrics| metrics.iterations.len()).filter(|&count| count > 0).min();
        let begun = self.metrics.iter().filter(|metrics| !metrics.iterations.is_empty());
        let cut = |metrics: &Metrics| Metrics {
            iterations: metrics.iterations[..iterations.unwrap_or(0)].to_vec(),
            problems: Vec::new(),
        };
        let mut of_runs = begun.map(|metrics| curves(self.compared.game, &cut(metrics)));
        let Some(mut means) = of_runs.next() else { return Vec::new() };
        let others: Vec<Vec<Curves>> = of_runs.collect();
        for Curves { id, chart } in &mut means {
            for series in &mut chart.series {
                let same = others.iter().filter_map(|run| of(run, id, &series.name));
                let same: Vec<&Series> = same.filter(|other| other.points.len() == series.points.len()).collect();
                let count = 1.0 + same.len() as f64;
                for (index, point) in series.points.iter_mut().enumerate() {
                    let theirs = || same.iter().map(|other| other.points[index]);
                    point.x = (point.x + theirs().map(|point| point.x).sum::<f64>()) / count;
                    point.y = (point.y + theirs().map(|point| point.y).sum::<f64>()) / count;
                }
            }
        }
        means
    }

    /// Returns a figure of the last iteration, as the mean of the runs.
    fn last(&self, name: &str) -> Option<f64> {
        let last = |metrics: &Metrics| Metrics::figure(metrics.iterations.last()?, name)?.as_f64();
        let found: Vec<f64> = self.metrics.iter().filter_map(last).collect();
        (!found.is_empty()).then(|| found.iter().sum::<f64>() / found.len() as f64)
    }
}

/// Finds a series by the id of its chart and its name.
fn of<'a>(curves: &'a [Curves], id: &str, name: &str) -> Option<&'a Series> {
    curves.iter().find(|curves| curves.id == id)?.chart.series.iter().find(|series| series.name == name)
}

fn single(side: &Side) -> Vec<(String, Chart)> {
    let curves = side.curves().into_iter().map(|Curves { id, chart }| (id.to_owned(), chart));
    let rated = |standings: &Standings| (format!("elo-{}", standings.size.unwrap_or_default()), elo_curve(standings));
    curves.chain(side.ladders.iter().map(rated)).collect()
}

/// Makes a chart of each curve of each chart, with a series for each side.
fn joined(sides: &[Side]) -> Vec<(String, Chart)> {
    let all: Vec<Vec<Curves>> = sides.iter().map(Side::curves).collect();
    let mut wanted: Vec<(&'static str, &str, &Chart)> = Vec::new();
    for Curves { id, chart } in all.iter().flatten() {
        for series in &chart.series {
            if !wanted.iter().any(|(other, name, _)| other == id && *name == series.name) {
                wanted.push((*id, &series.name, chart));
            }
        }
    }
    // Ordered as for a single side, even where a later side has a chart that the first one lacks.
    let order = |id: &str| all.iter().find_map(|curves| curves.iter().position(|curves| curves.id == id));
    wanted.sort_by_key(|(id, ..)| order(id));
    let alone = |id: &str| wanted.iter().filter(|(other, ..)| *other == id).count() == 1;
    let chart = |(number, (id, name, chart)): (usize, &(&'static str, &str, &Chart))| {
        let series = sides.iter().zip(&all).filter_map(|(side, curves)| {
            let points = of(curves, id, name)?.points.clone();
            Some(Series { name: side.compared.name.clone(), points })
        });
        let title = if alone(id) { chart.title.clone() } else { format!("{}: {name}", chart.title) };
        (format!("curve-{number}"), Chart { title, series: series.collect(), ..(*chart).clone() })
    };
    wanted.iter().enumerate().map(chart).collect()
}

/// Draws the ratings of the checkpoints of single runs, a chart for each board and anchor that several of them share.
fn ratings(sides: &[Side]) -> Vec<(String, Chart)> {
    let key = |standings: &Standings| {
        let Standings { size, conditions, .. } = standings;
        (size.unwrap_or_default(), conditions.limits.clone(), standings.anchor_name().to_owned())
    };
    let keys: BTreeSet<_> = sides.iter().flat_map(|side| side.ladders.iter().map(key)).collect();
    let chart = |wanted| {
        let of_side = |side: &Side| {
            let drawn = elo_curve(side.ladders.iter().find(|standings| key(standings) == wanted)?);
            let checkpoints = drawn.series.first()?.clone();
            Some((drawn, Series { name: side.compared.name.clone(), ..checkpoints }))
        };
        let (drawn, series): (Vec<Chart>, Vec<Series>) = sides.iter().filter_map(of_side).unzip();
        (series.len() > 1).then(|| (wanted.0, Chart { series, ..drawn[0].clone() }))
    };
    let charts: Vec<(usize, Chart)> = keys.into_iter().filter_map(chart).collect();
    // Charts of one size differ in their limits or anchors.
    let id = |number: usize, size| match charts[..number].iter().filter(|(other, _)| *other == size).count() {
        0 => format!("elo-{size}"),
        before => format!("elo-{size}-{}", before + 1),
    };
    charts.iter().enumerate().map(|(number, (size, chart))| (id(number, *size), chart.clone())).collect()
}

/// Shows how far each side has come.
fn facts(sides: &[Side]) -> String {
    let several = sides.iter().any(|side| side.compared.runs.len() > 1);
    let rows = sides.iter().map(|side| {
        let count = |name| side.last(name).map_or_else(|| "–".to_owned(), |value| whole(value.round() as u64));
        let time = side.last("seconds").and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let loss = side.last("losses/total").map_or_else(|| "–".to_owned(), |loss| format!("{loss:.3}"));
        let counts = ["iteration", "games", "step", "positions", "evaluations"].map(count);
        let runs = if several { vec![whole(side.compared.runs.len() as u64)] } else { Vec::new() };
        let cells = runs.into_iter().chain(counts).chain([time.map_or_else(|| "–".to_owned(), span), loss]);
        let cells: String = cells.map(|cell| format!("<td>{cell}</td>")).collect();
        format!("<tr><th>{}</th>{cells}</tr>\n", escaped(&side.compared.name))
    });
    let rows: String = rows.collect();
    let runs = if several { "<th>runs</th>" } else { "" };
    let note = if several { "\n<p>Figures and curves are means over the runs of a line.</p>" } else { "" };
    format!(
        "<div class=\"scroll\"><table>\n<tr><th></th>{runs}<th>iterations</th><th>games</th><th>steps</th><th>positions</th>\
         <th>evaluations</th><th>time</th><th>loss</th></tr>\n{rows}</table></div>{note}"
    )
}

/// Lists the keys of a recipe, or those of several that differ, with the value of each side.
fn recipes(sides: &[Side]) -> String {
    let keys: BTreeSet<&String> = sides.iter().flat_map(|side| side.recipe.keys()).collect();
    let is_shown =
        |key: &&String| sides.len() == 1 || sides.iter().any(|side| side.recipe.get(*key) != sides[0].recipe.get(*key));
    let row = |key: &String| {
        let value = |side: &Side| escaped(side.recipe.get(key).map_or("–", String::as_str));
        let cells: String = sides.iter().map(|side| format!("<td>{}</td>", value(side))).collect();
        format!("<tr><th>{}</th>{cells}</tr>\n", escaped(key))
    };
    let rows: String = keys.into_iter().filter(is_shown).map(row).collect();
    if rows.is_empty() {
        return "<p>All recipes are the same.</p>".to_owned();
    }
    let names: String = sides.iter().map(|side| format!("<th>{}</th>", escaped(&side.compared.name))).collect();
    format!("<div class=\"scroll\"><table>\n<tr><th>key</th>{names}</tr>\n{rows}</table></div>")
}

/// Lists the values of a table by their keys, with dots and after a prefix; lists stay whole.
fn flatten(prefix: &str, table: &Table, found: &mut BTreeMap<String, String>) {
    for (name, value) in table {
        let key = format!("{prefix}{name}");
        match value.as_table() {
            Some(table) => flatten(&format!("{key}."), table, found),
            None => drop(found.insert(key, value.to_string())),
        }
    }
}

/// Returns a template with each `{{part}}` filled in.
fn filled(template: &str, part: impl Fn(&str) -> String) -> String {
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
fn embedded(data: &impl Serialize) -> String {
    serde_json::to_string(data).unwrap_or_default().replace('<', "\\u003c")
}

/// Draws a chart with a line below for the values under the pointer, which are added to `charts`.
fn figure(id: &str, chart: &Chart, charts: &mut Map<String, Value>) -> String {
    charts.insert(id.to_owned(), chart.data()["series"].take());
    format!("<figure>{}<figcaption></figcaption></figure>\n", chart.draw().in_page(id))
}

/// Formats a length of time in its two largest units.
fn span(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{} h {minutes} min", whole(hours)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn scripts_are_bundled() {
        let script = script();
        for part in ["import", " from \"", "</script"] {
            assert!(!script.contains(part), "{part}");
        }
        assert!(script.contains("export const commas"), "{script}");
    }
}
