//! The findings as a table in Markdown, and as the page with the curves of all runs.

use crate::report::chart::{Interval, IntervalChart, escaped};
use crate::report::{Compared, ComparisonPage};
use hexzero_games::game_named;
use hexzero_train::RunFolder;

use super::findings::{Estimate, Findings, FoundCell, Measured, TrainedRun};
use super::folder::ExperimentFolder;
use super::plan::{BASE, Plan};

fn heads_and_rows(findings: &Findings) -> (Vec<String>, Vec<Vec<String>>) {
    // Every cell but the base has all opponents.
    let all = findings.cells.last().into_iter().flat_map(|cell| &cell.against);
    let opponents: Vec<&str> = all.map(|one| one.opponent.as_str()).collect();
    let base = findings.cells.first().map_or(BASE, |base| &base.name);
    let heads = ["cell", "runs", "games", "steps", "minutes"].map(str::to_owned).into_iter();
    let measured = opponents.iter().flat_map(|&opponent| {
        let name = if opponent == BASE { base } else { opponent };
        [format!("Elo against {name}"), "of each seed".to_owned()]
    });
    let row = |cell: &FoundCell| {
        let of = |opponent: &&str| cell.against.iter().find(|one| one.opponent == **opponent);
        facts(cell).into_iter().chain(opponents.iter().flat_map(|opponent| strength(of(opponent)))).collect()
    };
    (heads.chain(measured).collect(), findings.cells.iter().map(row).collect())
}

/// Returns a cell's name and how far its runs have come, as means.
fn facts(cell: &FoundCell) -> Vec<String> {
    let count = cell.runs.len();
    let mean = |decimals: usize, value: fn(&TrainedRun) -> f64| match count {
        0 => "–".to_owned(),
        _ => format!("{:.decimals$}", cell.runs.iter().map(value).sum::<f64>() / count as f64),
    };
    let games = mean(0, |run| run.games as f64);
    let steps = mean(0, |run| run.steps as f64);
    vec![cell.name.clone(), count.to_string(), games, steps, mean(1, |run| run.seconds / 60.0)]
}

/// Returns the difference to an opponent, and that of each seed.
fn strength(measured: Option<&Measured>) -> [String; 2] {
    let Some(Measured { estimate: Some(Estimate { elo, elo_low, elo_high, .. }), matches, .. }) = measured else {
        return ["–", "–"].map(str::to_owned);
    };
    let seeds: Vec<String> = matches.iter().map(|one| format!("{:+.0}", one.elo)).collect();
    [format!("{elo:+.0} ({elo_low:+.0}…{elo_high:+.0})"), seeds.join(", ")]
}

/// Explains the figures of the table.
fn note(findings: &Findings) -> String {
    let Findings { limit, seeds, size, games, visits, game, .. } = findings;
    let board = game_named(game).map_or_else(|_| size.to_string(), |game| game.board_name(*size));
    let seeds: Vec<String> = seeds.iter().map(u64::to_string).collect();
    let estimates = || findings.cells.iter().flat_map(|cell| &cell.against).filter_map(|one| one.estimate);
    let interval = match estimates().all(|estimate| estimate.seed_deviation.is_some()) {
        true => "Intervals (95%) are those of the mean over the seeds",
        false if seeds.len() > 1 => "Intervals (95%) are those of the games alone until a second seed is played",
        false => "Intervals (95%) are those of the games alone, as there is one seed",
    };
    format!(
        "{game}, {limit} a run, seeds {}. Matches of {games} games at {board}, {visits} visits a move. {interval}.",
        seeds.join(", ")
    )
}

pub(super) fn markdown(findings: &Findings) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let (heads, rows) = heads_and_rows(findings);
    let rows: String = rows.iter().map(|row| line(row)).collect();
    format!("{}|{}\n{rows}\n{}\n", line(&heads), "---|".repeat(heads.len()), note(findings))
}

/// Builds the page: the table, a chart of each opponent, and the runs side by side.
pub(super) fn page(plan: &Plan, folder: &ExperimentFolder, findings: &Findings) -> String {
    let tagged = |tag: &str, cells: &[String]| -> String {
        let cells: String = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let (heads, rows) = heads_and_rows(findings);
    let table: String = std::iter::once(tagged("th", &heads)).chain(rows.iter().map(|row| tagged("td", row))).collect();
    let charts: String = plan.opponents().into_iter().filter_map(|opponent| chart(findings, opponent)).collect();
    let note = escaped(&note(findings));
    let results = format!(
        "<div class=\"scroll\"><table>\n{table}</table></div>\n<p>{note}</p>\n<div class=\"charts\">\n{charts}</div>"
    );
    let compared = plan.cells.iter().map(|cell| {
        let runs = plan.seeds.iter().filter_map(|&seed| RunFolder::open(&folder.run(cell, seed)).ok());
        Compared { name: cell.name.clone(), game: plan.game, runs: runs.collect() }
    });
    let compared: Vec<Compared> = compared.filter(|compared| !compared.runs.is_empty()).collect();
    ComparisonPage::of(&plan.name, &compared, Some(&results)).html
}

/// Draws the differences to an opponent, the best first; none before its first match.
fn chart(findings: &Findings, opponent: &str) -> Option<String> {
    let row = |cell: &FoundCell| {
        let measured = cell.against.iter().find(|one| one.opponent == opponent)?;
        let Estimate { elo, elo_low, elo_high, .. } = measured.estimate?;
        Some(Interval { name: cell.name.clone(), value: elo, low: elo_low, high: elo_high })
    };
    let mut rows: Vec<Interval> = findings.cells.iter().filter_map(row).collect();
    rows.sort_by(|a, b| b.value.total_cmp(&a.value));
    let name = if opponent == BASE { &findings.cells.first()?.name } else { opponent };
    let x_name = "Elo with 95% intervals".to_owned();
    let chart = IntervalChart { title: format!("Against {name}"), x_name, rows };
    let id = format!("against-{opponent}");
    (!chart.rows.is_empty()).then(|| format!("<figure>{}</figure>\n", chart.draw().in_page(&id)))
}
