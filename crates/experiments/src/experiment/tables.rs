//! The findings as tables in Markdown, and as the page with the curves of all runs.

use crate::report::chart::{Interval, IntervalChart, escaped};
use crate::report::{Compared, ComparisonPage};
use hexzero_games::game_named;
use hexzero_train::RunFolder;

use super::findings::{Estimate, Findings, FoundCell, FoundFactor, Measured, TrainedRun};
use super::folder::ExperimentFolder;
use super::plan::{BASE, Plan};

/// The heads and the rows of a table.
struct Cells {
    heads: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Cells {
    /// Makes the tables: of the cells, or of the factors and the runs.
    fn all(findings: &Findings) -> Vec<Self> {
        match findings.factors.is_empty() {
            true => vec![Self::grid(findings)],
            false => vec![Self::factors(findings), Self::runs(findings)],
        }
    }

    fn factors(findings: &Findings) -> Self {
        let heads = ["factor", "Elo with it less without", "confounded with"].map(str::to_owned).to_vec();
        let row = |factor: &FoundFactor| {
            let pairs: Vec<String> = factor.pairs.iter().map(|pair| pair.join(" × ")).collect();
            let pairs = if pairs.is_empty() { "–".to_owned() } else { pairs.join(", ") };
            vec![factor.name.clone(), interval(factor.estimate), pairs]
        };
        Self { heads, rows: findings.factors.iter().map(row).collect() }
    }

    fn runs(findings: &Findings) -> Self {
        let heads = ["run", "finished", "games", "steps", "minutes", "Elo"].map(str::to_owned).to_vec();
        let row = |cell: &FoundCell| {
            let rating = cell.rating.map_or_else(|| "–".to_owned(), |elo| format!("{elo:+.0}"));
            facts(cell).into_iter().chain([rating]).collect()
        };
        Self { heads, rows: findings.cells.iter().map(row).collect() }
    }

    fn grid(findings: &Findings) -> Self {
        let mut opponents: Vec<&str> = Vec::new();
        for one in findings.cells.iter().flat_map(|cell| &cell.against) {
            if !opponents.contains(&one.opponent.as_str()) {
                opponents.push(&one.opponent);
            }
        }
        // The base has no match against itself, so its row names only the others.
        opponents.sort_by_key(|name| *name != BASE);
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
        Self { heads: heads.chain(measured).collect(), rows: findings.cells.iter().map(row).collect() }
    }
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
    let Some(Measured { estimate: Some(estimate), matches, .. }) = measured else {
        return ["–", "–"].map(str::to_owned);
    };
    let seeds: Vec<String> = matches.iter().map(|one| format!("{:+.0}", one.elo)).collect();
    [interval(Some(*estimate)), seeds.join(", ")]
}

/// Returns an Elo difference with its interval.
fn interval(estimate: Option<Estimate>) -> String {
    let Some(Estimate { elo, elo_low, elo_high, .. }) = estimate else { return "–".to_owned() };
    format!("{elo:+.0} ({elo_low:+.0}…{elo_high:+.0})")
}

/// Explains the figures of the table.
fn note(findings: &Findings) -> String {
    let Findings { limit, seeds, size, games, visits, game, .. } = findings;
    let board = game_named(game).map_or_else(|_| size.to_string(), |game| game.board_name(*size));
    if !findings.factors.is_empty() {
        return format!(
            "{game}, {limit} a run. Matches of {games} games between all runs at {board}, {visits} visits a move. {}",
            factors_note(findings)
        );
    }
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

/// Explains the effects of the factors.
fn factors_note(findings: &Findings) -> String {
    let runs = findings.cells.len();
    let deviation = findings.factors.iter().find_map(|factor| factor.estimate?.seed_deviation);
    let confounded = match runs {
        12 => "A third of what two factors do together beyond their sum counts as the effect of each other factor.",
        _ => {
            "A factor is confounded with the pairs beside it: what two factors do together beyond their sum counts as its \
             effect."
        }
    };
    let spread = deviation.map_or_else(String::new, |elo| format!(" and a standard deviation of {elo:.1} Elo a run"));
    format!(
        "A factor's Elo is the mean of {half} runs with it less that of {half} without; the intervals (95%) are Student's, \
         with {freedom} degrees of freedom{spread}. {confounded}",
        half = runs / 2,
        freedom = runs - 1 - findings.factors.len(),
    )
}

/// Formats the findings as Markdown.
pub(super) fn markdown(findings: &Findings) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let table = |Cells { heads, rows }: &Cells| {
        let rows: String = rows.iter().map(|row| line(row)).collect();
        format!("{}|{}\n{rows}\n", line(heads), "---|".repeat(heads.len()))
    };
    let tables: String = Cells::all(findings).iter().map(table).collect();
    format!("{tables}{}\n", note(findings))
}

/// Builds the page: the tables, a chart of each opponent or of the factors, and the runs side by
/// side.
pub(super) fn page(plan: &Plan, folder: &ExperimentFolder, findings: &Findings) -> String {
    let tagged = |tag: &str, cells: &[String]| -> String {
        let cells: String = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let table = |Cells { heads, rows }: &Cells| {
        let body: String = rows.iter().map(|row| tagged("td", row)).collect();
        format!("<div class=\"scroll\"><table>\n{}{body}</table></div>\n", tagged("th", heads))
    };
    let tables: String = Cells::all(findings).iter().map(table).collect();
    let charts: String = match &plan.design {
        Some(_) => {
            let rows = findings.factors.iter().filter_map(|factor| shown(&factor.name, factor.estimate)).collect();
            drawn("Factors".to_owned(), "factors", rows).unwrap_or_default()
        }
        None => plan.opponents().into_iter().filter_map(|opponent| chart(findings, opponent)).collect(),
    };
    let note = escaped(&note(findings));
    let lead = format!("{tables}<p>{note}</p>\n<div class=\"charts\">\n{charts}</div>");
    let compared = plan.cells.iter().map(|cell| {
        let runs = cell.seeds.iter().filter_map(|&seed| RunFolder::open(&folder.run(cell, seed)).ok());
        Compared { name: cell.name.clone(), game: plan.game, runs: runs.collect() }
    });
    let compared: Vec<Compared> = compared.filter(|compared| !compared.runs.is_empty()).collect();
    ComparisonPage::of(&plan.name, &compared, Some(("Results", &lead))).html
}

/// Draws the differences to an opponent, the best first.
fn chart(findings: &Findings, opponent: &str) -> Option<String> {
    let row = |cell: &FoundCell| {
        let measured = cell.against.iter().find(|one| one.opponent == opponent)?;
        shown(&cell.name, measured.estimate)
    };
    let rows = findings.cells.iter().filter_map(row).collect();
    let name = if opponent == BASE { &findings.cells.first()?.name } else { opponent };
    drawn(format!("Against {name}"), &format!("against-{}", escaped(opponent)), rows)
}

fn shown(name: &str, estimate: Option<Estimate>) -> Option<Interval> {
    let Estimate { elo, elo_low, elo_high, .. } = estimate?;
    Some(Interval { name: name.to_owned(), value: elo, low: elo_low, high: elo_high })
}

/// Draws a chart, the best first; none without rows.
fn drawn(title: String, id: &str, mut rows: Vec<Interval>) -> Option<String> {
    rows.sort_by(|a, b| b.value.total_cmp(&a.value));
    let chart = IntervalChart { title, x_name: "Elo with 95% intervals".to_owned(), rows };
    (!chart.rows.is_empty()).then(|| format!("<figure>{}</figure>\n", chart.draw().in_page(id)))
}
