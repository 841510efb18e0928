//! The file of an experiment as it is written, and the recipes that it asks for.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::Deserialize;
use toml::Table;

use hexzero_games::Game;
use hexzero_train::RecipeSource;

use super::limit::RunLimit;
use super::plan::{BASE, Cell};

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) recipe: Option<String>,
    #[serde(default)]
    pub(super) seeds: Vec<u64>,
    pub(super) minutes: Option<f64>,
    pub(super) games: Option<u64>,
    pub(super) steps: Option<u64>,
    pub(super) evaluations: Option<u64>,
    #[serde(default)]
    pub(super) base: BaseTable,
    #[serde(default)]
    pub(super) cell: Vec<CellTable>,
    #[serde(default, rename = "match")]
    pub(super) matches: MatchTable,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct BaseTable {
    pub(super) name: String,
    pub(super) change: Table,
}

impl Default for BaseTable {
    fn default() -> Self {
        Self { name: BASE.to_owned(), change: Table::new() }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CellTable {
    pub(super) name: String,
    #[serde(default)]
    pub(super) change: Table,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct MatchTable {
    pub(super) against: Vec<String>,
    pub(super) size: Option<usize>,
    pub(super) games: usize,
    pub(super) visits: u32,
    pub(super) openings: Option<PathBuf>,
    pub(super) seed: u64,
}

impl Default for MatchTable {
    fn default() -> Self {
        Self { against: vec![BASE.to_owned()], size: None, games: 100, visits: 100, openings: None, seed: 0 }
    }
}

impl File {
    pub(super) fn seeds(&self) -> Result<&[u64], String> {
        let distinct: BTreeSet<&u64> = self.seeds.iter().collect();
        let problem = match distinct.len() {
            0 => "seeds = []",
            count if count < self.seeds.len() => "seeds: one of them stands twice",
            _ => return Ok(&self.seeds),
        };
        Err(format!("{problem}; accepted: one or more different numbers from 0 to {}, such as [1, 2, 3]", i64::MAX))
    }

    /// Reads the recipes of the base and the cells.
    pub(super) fn cells(&self, game: Game, source: &RecipeSource) -> Result<Vec<Cell>, String> {
        let base = &self.base.change;
        let mut cells = vec![Cell::new(&self.base.name, "base", base, &Table::new(), game, source)?];
        for cell in &self.cell {
            let place = format!("cell '{}'", cell.name);
            let read = Cell::new(&cell.name, &place, base, &cell.change, game, source)?;
            if let Some(other) = cells.iter().find(|other| other.folder == read.folder) {
                let (name, other) = (&cell.name, &other.name);
                return Err(format!(
                    "cell '{name}': its name is too like '{other}'; accepted: names that differ in letters or digits"
                ));
            }
            if cell.change.is_empty() {
                return Err(format!(
                    "{place}: change is empty; accepted: keys of a recipe, such as change.training.symmetries = false"
                ));
            }
            cells.push(read);
        }
        Ok(cells)
    }

    pub(super) fn limit(&self) -> Result<RunLimit, String> {
        let accepted = "accepted: exactly one of minutes, games, steps and evaluations, above 0";
        let limits = [
            self.minutes.map(RunLimit::Minutes),
            self.games.map(RunLimit::Games),
            self.steps.map(RunLimit::Steps),
            self.evaluations.map(RunLimit::Evaluations),
        ];
        let given: Vec<RunLimit> = limits.into_iter().flatten().collect();
        let is_positive = |limit: RunLimit| match limit {
            RunLimit::Minutes(minutes) => minutes > 0.0 && minutes <= 1e6,
            RunLimit::Games(count) | RunLimit::Steps(count) | RunLimit::Evaluations(count) => count > 0,
        };
        match given[..] {
            [] => Err(format!("there is no limit for a run; {accepted}")),
            [limit] if is_positive(limit) => Ok(limit),
            [limit] => Err(format!("{limit}; {accepted}")),
            [first, second, ..] => Err(format!("{first} and {second}; {accepted}")),
        }
    }
}

/// Keys of a recipe that an experiment sets for all runs.
const OWN_KEYS: [(&str, &str); 3] = [
    ("seed", "the seeds are those of 'seeds'"),
    ("minutes", "the limit is that of the whole experiment"),
    ("game", "all runs play the game of the recipe"),
];

impl Cell {
    fn new(
        name: &str,
        place: &str,
        base: &Table,
        change: &Table,
        game: Game,
        source: &RecipeSource,
    ) -> Result<Self, String> {
        let folder = folder_name(name);
        if folder.is_empty() {
            return Err(format!("{place}: name = \"{name}\"; accepted: a name with letters or digits"));
        }
        let changed = if place == "base" { base } else { change };
        if let Some((key, why)) = OWN_KEYS.into_iter().find(|(key, _)| changed.contains_key(*key)) {
            return Err(format!("{place}: change.{key}: {why}; leave it out"));
        }
        let mut changes = base.clone();
        hexzero_train::overlay(&mut changes, change);
        let recipe = source.read_with(game, &changes).map_err(|error| format!("{place}: {error}"))?;
        Ok(Self { name: name.to_owned(), folder, recipe })
    }
}

/// Returns a name in small letters, digits and single hyphens.
fn folder_name(name: &str) -> String {
    let kept = name.chars().flat_map(char::to_lowercase).map(|c| if c.is_alphanumeric() { c } else { ' ' });
    kept.collect::<String>().split_whitespace().collect::<Vec<_>>().join("-")
}
