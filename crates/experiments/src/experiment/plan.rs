//! An experiment, read and checked: which recipes to train with which seeds, and how to compare the
//! networks.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hexzero_arena::OpeningBook;
use hexzero_arena::players::{PlayerSpec, SpecError};
use hexzero_games::{Game, default_game};
use hexzero_search::Limits;
use hexzero_system::files::read_text_at_most;
use hexzero_train::{MAX_RECIPE_BYTES, Recipe, RecipeSource, with_suggestion};

use super::file::{File, MatchTable};
use super::limit::RunLimit;

/// The opponent of `match.against` that stands for the base's run of the same seed.
pub const BASE: &str = "base";

/// The maximum number of games of a match.
const MAX_GAMES: usize = 1_000_000;
/// The maximum number of runs of an experiment.
const MAX_RUNS: usize = 10_000;

/// An error in the file of an experiment.
#[derive(Debug, thiserror::Error)]
#[error("experiment {}: {problem}", path.display())]
pub struct PlanError {
    /// The file.
    pub path: PathBuf,
    /// The system's error; or a key, what is wrong with it and what would be accepted.
    pub problem: String,
}

/// An experiment, read and checked.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The name: that of the file without its extension.
    pub name: String,
    /// The game.
    pub game: Game,
    /// The seeds of all runs.
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

impl Plan {
    /// Reads and checks the file of an experiment. Paths of recipes in it start from its folder.
    ///
    /// # Errors
    /// If it cannot be read, or a key or value is not accepted.
    pub fn read(path: &Path) -> Result<Self, PlanError> {
        let refused = |problem| PlanError { path: path.to_owned(), problem };
        let text = read_text_at_most(path, MAX_RECIPE_BYTES).map_err(|error| refused(error.to_string()))?;
        let name = path.file_stem().map_or_else(|| "experiment".to_owned(), |stem| stem.to_string_lossy().into_owned());
        let beside = path.parent().unwrap_or(Path::new(""));
        Self::parse(&text, name, beside).map_err(refused)
    }

    fn parse(text: &str, name: String, beside: &Path) -> Result<Self, String> {
        let file: File = toml::from_str(text).map_err(|error| with_suggestion(&error.to_string()))?;
        let limit = file.limit()?;
        let seeds = file.seeds()?.to_vec();
        let source = match &file.recipe {
            None => RecipeSource::find("default"),
            Some(recipe) => RecipeSource::find(recipe).map(|found| match found {
                RecipeSource::File(path) => RecipeSource::File(beside.join(path)),
                built_in => built_in,
            }),
        };
        let source = source.map_err(|error| error.to_string())?;
        let game = source.game().map_err(|error| error.to_string())?.unwrap_or_else(default_game);
        let mut cells = file.cells(game, &source)?;
        let runs = cells.len().saturating_mul(seeds.len());
        if runs > MAX_RUNS {
            return Err(format!("cells × seeds = {runs} runs; accepted: up to {MAX_RUNS}"));
        }
        for cell in &mut cells {
            cell.recipe.seed = seeds[0];
            if let RunLimit::Minutes(minutes) = limit {
                cell.recipe.minutes = minutes;
            }
        }
        let matches = MatchPlan::new(&file.matches, game, &cells, beside)?;
        Ok(Self { name, game, seeds, limit, cells, matches })
    }

    /// Returns the recipe of a cell's run.
    pub fn recipe(&self, cell: &Cell, seed: u64) -> Recipe {
        Recipe { seed, ..cell.recipe.clone() }
    }

    /// Lists all opponents by name.
    pub fn opponents(&self) -> Vec<&str> {
        self.opponents_of(self.cells.len())
    }

    /// Lists the opponents that a cell's runs play, by name; [`BASE`] is the base's run of the same
    /// seed.
    pub fn opponents_of(&self, cell: usize) -> Vec<&str> {
        let base = (self.matches.base && cell > 0).then_some(BASE);
        base.into_iter().chain(self.matches.opponents.iter().map(|(name, _)| name.as_str())).collect()
    }
}

impl MatchPlan {
    fn new(table: &MatchTable, game: Game, cells: &[Cell], beside: &Path) -> Result<Self, String> {
        let against = &table.against;
        let distinct: BTreeSet<&String> = against.iter().collect();
        if against.is_empty() || distinct.len() < against.len() {
            let accepted = "accepted: \"base\" and names of players as for 'hexzero arena', each once";
            return Err(format!("match.against = {against:?}; {accepted}"));
        }
        let size = table.size.unwrap_or_else(|| cells[0].recipe.final_size());
        game.game_board(size).map_err(|error| format!("match.size = {size}: {error}"))?;
        if !(1..=MAX_GAMES).contains(&table.games) {
            return Err(format!("match.games = {}; accepted: 1 to {MAX_GAMES}", table.games));
        }
        if !(1..=Limits::MAX_VISITS).contains(&table.visits) {
            return Err(format!("match.visits = {}; accepted: 1 to {}", table.visits, Limits::MAX_VISITS));
        }
        let base = against.iter().any(|name| name == BASE);
        let others = against.iter().filter(|name| *name != BASE);
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
}
