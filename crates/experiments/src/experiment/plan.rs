//! The file of an experiment: which recipes to train with which seeds, and how to compare the networks.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use toml::Table;

use hexzero_arena::OpeningBook;
use hexzero_arena::players::{PlayerSpec, SpecError};
use hexzero_games::{Game, default_game};
use hexzero_search::Limits;
use hexzero_system::files::read_text_at_most;
use hexzero_train::{Counters, Limit, MAX_RECIPE_BYTES, Recipe, RecipeSource, with_suggestion};

/// The opponent of `match.against` that stands for the base's run of the same seed.
pub const BASE: &str = "base";

/// The maximum number of games of a match.
const MAX_GAMES: usize = 1_000_000;
/// The maximum number of runs of an experiment.
const MAX_RUNS: usize = 10_000;

/// An error in the file of an experiment.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The file cannot be read.
    #[error("experiment {}: {source}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A key or value is not accepted.
    #[error("experiment {}: {problem}", path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// The key, the problem and what would be accepted.
        problem: String,
    },
}

/// An experiment, read and checked.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The name: that of the file without its extension.
    pub name: String,
    /// The game.
    pub game: Game,
    /// The seeds, each used for one run of each cell.
    pub seeds: Vec<u64>,
    /// The limit of each run.
    pub limit: RunLimit,
    /// The base, then the cells that are compared with it.
    pub cells: Vec<Cell>,
    /// The matches.
    pub matches: MatchPlan,
}

/// A recipe of an experiment.
#[derive(Debug, Clone)]
pub struct Cell {
    /// The cell's name.
    pub name: String,
    /// The name of the cell's folder: the cell's name in small letters, digits and hyphens.
    pub folder: String,
    /// The recipe, with the first seed.
    pub recipe: Recipe,
}

/// The matches by which the networks are measured.
#[derive(Debug, Clone)]
pub struct MatchPlan {
    /// The board's size.
    pub size: usize,
    /// Games of a match.
    pub games: usize,
    /// Visits a move of players with a network.
    pub visits: u32,
    /// The openings, if not those that ship.
    pub openings: Option<OpeningBook>,
    /// The seed of the openings' order.
    pub seed: u64,
    /// True if each run plays the base's run of the same seed.
    pub base: bool,
    /// Opponents that every run plays, by the names of the file.
    pub opponents: Vec<(String, PlayerSpec)>,
}

/// The limit of every run of an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunLimit {
    /// Minutes of work.
    Minutes(f64),
    /// Games of self-play.
    Games(u64),
    /// Training steps.
    Steps(u64),
    /// Evaluations in self-play.
    Evaluations(u64),
}

impl fmt::Display for RunLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Minutes(minutes) => write!(f, "minutes = {minutes}"),
            Self::Games(games) => write!(f, "games = {games}"),
            Self::Steps(steps) => write!(f, "steps = {steps}"),
            Self::Evaluations(evaluations) => write!(f, "evaluations = {evaluations}"),
        }
    }
}

impl RunLimit {
    /// Returns what is left for a run with these counters.
    pub(super) fn left(self, counters: &Counters) -> Limit {
        match self {
            Self::Minutes(minutes) => Limit::Seconds(minutes * 60.0 - counters.seconds),
            Self::Games(games) => Limit::Games(games),
            Self::Steps(steps) => Limit::Steps(steps),
            Self::Evaluations(evaluations) => Limit::Evaluations(evaluations),
        }
    }

    /// Returns true if a run that reached `self` can go on to `other`.
    pub(super) fn leads_to(self, other: Self) -> bool {
        match (self, other) {
            (Self::Minutes(here), Self::Minutes(there)) => here < there,
            (Self::Games(here), Self::Games(there))
            | (Self::Steps(here), Self::Steps(there))
            | (Self::Evaluations(here), Self::Evaluations(there)) => here < there,
            _ => false,
        }
    }
}

/// The file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    recipe: Option<String>,
    seeds: Vec<u64>,
    minutes: Option<f64>,
    games: Option<u64>,
    steps: Option<u64>,
    evaluations: Option<u64>,
    #[serde(default)]
    base: BaseTable,
    #[serde(default)]
    cell: Vec<CellTable>,
    #[serde(default, rename = "match")]
    matches: MatchTable,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct BaseTable {
    name: String,
    change: Table,
}

impl Default for BaseTable {
    fn default() -> Self {
        Self { name: BASE.to_owned(), change: Table::new() }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CellTable {
    name: String,
    #[serde(default)]
    change: Table,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct MatchTable {
    against: Vec<String>,
    size: Option<usize>,
    games: usize,
    visits: u32,
    openings: Option<PathBuf>,
    seed: u64,
}

impl Default for MatchTable {
    fn default() -> Self {
        Self { against: vec![BASE.to_owned()], size: None, games: 100, visits: 100, openings: None, seed: 0 }
    }
}

impl Plan {
    /// Reads and checks the file of an experiment. Paths of recipes in it start from its folder.
    ///
    /// # Errors
    /// If it cannot be read, or a key or value is not accepted.
    pub fn read(path: &Path) -> Result<Self, PlanError> {
        let text = read_text_at_most(path, MAX_RECIPE_BYTES)
            .map_err(|source| PlanError::File { path: path.to_owned(), source })?;
        let name = path.file_stem().map_or_else(|| "experiment".to_owned(), |stem| stem.to_string_lossy().into_owned());
        let beside = path.parent().unwrap_or(Path::new(""));
        Self::parse(&text, name, beside).map_err(|problem| PlanError::Unreadable { path: path.to_owned(), problem })
    }

    fn parse(text: &str, name: String, beside: &Path) -> Result<Self, String> {
        let file: File = toml::from_str(text).map_err(|error| with_suggestion(&error.to_string()))?;
        let limit = file.limit()?;
        check_seeds(&file.seeds)?;
        let source = match &file.recipe {
            None => RecipeSource::find("default"),
            Some(recipe) => RecipeSource::find(recipe).map(|found| match found {
                RecipeSource::File(path) => RecipeSource::File(beside.join(path)),
                built_in => built_in,
            }),
        };
        let source = source.map_err(|error| error.to_string())?;
        let game = source.game().map_err(|error| error.to_string())?.unwrap_or_else(default_game);
        let base = Cell::new(&file.base.name, "base", &file.base.change, &Table::new(), game, &source)?;
        let mut cells = vec![base];
        for cell in &file.cell {
            let place = format!("cell '{}'", cell.name);
            let read = Cell::new(&cell.name, &place, &file.base.change, &cell.change, game, &source)?;
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
        for cell in &mut cells {
            cell.recipe.seed = file.seeds[0];
            if let RunLimit::Minutes(minutes) = limit {
                cell.recipe.minutes = minutes;
            }
        }
        let runs = cells.len().saturating_mul(file.seeds.len());
        if runs > MAX_RUNS {
            return Err(format!("cells × seeds = {runs} runs; accepted: up to {MAX_RUNS}"));
        }
        let matches = MatchPlan::new(&file.matches, game, &cells, beside)?;
        Ok(Self { name, game, seeds: file.seeds, limit, cells, matches })
    }

    /// Returns the recipe of a cell's run.
    pub fn recipe(&self, cell: &Cell, seed: u64) -> Recipe {
        Recipe { seed, ..cell.recipe.clone() }
    }

    /// Lists all opponents by name.
    pub fn opponents(&self) -> Vec<&str> {
        self.opponents_of(self.cells.len())
    }

    /// Lists the opponents that a cell's runs play, by name; [`BASE`] is the base's run of the same seed.
    pub fn opponents_of(&self, cell: usize) -> Vec<&str> {
        let base = (self.matches.base && cell > 0).then_some(BASE);
        base.into_iter().chain(self.matches.opponents.iter().map(|(name, _)| name.as_str())).collect()
    }
}

impl File {
    fn limit(&self) -> Result<RunLimit, String> {
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

fn check_seeds(seeds: &[u64]) -> Result<(), String> {
    let accepted = format!("accepted: one or more different numbers from 0 to {}, such as [1, 2, 3]", i64::MAX);
    let distinct: BTreeSet<&u64> = seeds.iter().collect();
    match () {
        () if seeds.is_empty() => Err(format!("seeds = []; {accepted}")),
        () if distinct.len() < seeds.len() => Err(format!("seeds: one of them stands twice; {accepted}")),
        () => Ok(()),
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

impl MatchPlan {
    fn new(table: &MatchTable, game: Game, cells: &[Cell], beside: &Path) -> Result<Self, String> {
        let size = table.size.unwrap_or_else(|| cells[0].recipe.final_size());
        game.on(size).map_err(|error| format!("match.size = {size}: {error}"))?;
        if !(1..=MAX_GAMES).contains(&table.games) {
            return Err(format!("match.games = {}; accepted: 1 to {MAX_GAMES}", table.games));
        }
        if !(1..=Limits::MAX_VISITS).contains(&table.visits) {
            return Err(format!("match.visits = {}; accepted: 1 to {}", table.visits, Limits::MAX_VISITS));
        }
        let distinct: BTreeSet<&String> = table.against.iter().collect();
        if table.against.is_empty() || distinct.len() < table.against.len() {
            let accepted = "accepted: \"base\" and names of players as for 'hexzero arena', each once";
            return Err(format!("match.against = {:?}; {accepted}", table.against));
        }
        let base = table.against.iter().any(|name| name == BASE);
        let others = table.against.iter().filter(|name| *name != BASE);
        let opponents: Vec<(String, PlayerSpec)> = others
            .map(|name| Ok((name.clone(), name.parse()?)))
            .collect::<Result<_, SpecError>>()
            .map_err(|error| format!("match.against: {error}, or 'base'"))?;
        if opponents.is_empty() && cells.len() == 1 {
            return Err(
                "there is no [[cell]] to compare with the base; add one, or an opponent such as match.against = \
                        [\"alphabeta:2\"]"
                    .to_owned(),
            );
        }
        let book = |path: &PathBuf| OpeningBook::open(game, &beside.join(path));
        let openings =
            table.openings.as_ref().map(book).transpose().map_err(|error| format!("match.openings: {error}"))?;
        if openings.as_ref().is_some_and(|book| book.on(size).is_empty()) {
            return Err(format!("match.openings: no openings for {} in that file", game.a_board(size)));
        }
        Ok(Self { size, games: table.games, visits: table.visits, openings, seed: table.seed, base, opponents })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Plan, String> {
        Plan::parse(text, "test".to_owned(), Path::new(""))
    }

    #[test]
    fn cells_change_the_base_and_the_base_the_recipe() {
        let text = "seeds = [3, 1]\nsteps = 10\nbase.change.training.reuse = 2.0\nbase.change.selfplay.full_visits = 9\n\
                    [[cell]]\nname = \"More: Reuse!\"\nchange.training.reuse = 4.0\n\
                    [[cell]]\nname = \"stage\"\nchange.stage = [{ after_steps = 3, training.reuse = 1.0 }]\n";
        let plan = parse(text).unwrap();
        let of = |cell: usize| &plan.cells[cell].recipe;
        assert_eq!((of(0).training.reuse, of(1).training.reuse, of(2).training.reuse), (2.0, 4.0, 2.0));
        assert_eq!((of(1).selfplay.full_visits, of(0).training.batch), (9, Recipe::default().training.batch));
        assert_eq!((of(2).stages.len(), of(1).stages.len(), of(1).seed), (1, 0, 3));
        assert_eq!(
            plan.cells.iter().map(|cell| cell.folder.as_str()).collect::<Vec<_>>(),
            ["base", "more-reuse", "stage"]
        );
        assert_eq!(plan.recipe(&plan.cells[0], 8).seed, 8);
        assert_eq!((plan.opponents_of(0), plan.opponents_of(1)), (vec![], vec![BASE]));
    }

    #[test]
    fn limits_lead_to_longer_ones_of_their_kind() {
        assert!(
            RunLimit::Games(3).leads_to(RunLimit::Games(4)) && RunLimit::Minutes(0.5).leads_to(RunLimit::Minutes(1.0))
        );
        assert!(!RunLimit::Games(4).leads_to(RunLimit::Games(4)) && !RunLimit::Games(3).leads_to(RunLimit::Steps(4)));
    }
}
