//! The recipe of `hexzero train`, and options that override parts of it.

use std::io::{Write, stdout};

use clap::{Args, ValueHint};

use crate::error::CliError;
use hexzero_games::{Game, default_game};
use hexzero_train::{Recipe, RecipeSource, built_in_recipe_names};

use super::game::board_size;

/// The built-in recipe that lists all defaults, with comments.
const DEFAULT: &str = "default";

/// The recipe, and options that override parts of it.
#[derive(Debug, Clone, Args)]
pub struct RecipeArgs {
    #[arg(long, value_name = "NAME|FILE", help = help(), conflicts_with = "resume", value_hint = ValueHint::FilePath)]
    recipe: Option<String>,
    /// Print the recipe as TOML instead of training: a built-in one with its comments, any other with all defaults
    /// filled in
    #[arg(long, conflicts_with = "resume")]
    pub print_recipe: bool,
    /// Play self-play on boards of size N, or of several sizes such as 5,7, instead of those of the recipe
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = board_size, conflicts_with = "resume")]
    size: Vec<usize>,
    /// Seed all random choices: the same seed, recipe and number of steps give the same network, on
    /// processors with the same kernel and precision
    #[arg(long, value_name = "SEED", conflicts_with = "resume", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,
    /// Set the learning rate, also of stages that have a higher one; with --resume, for the rest of the run
    #[arg(long, value_name = "RATE", allow_negative_numbers = true, value_parser = learning_rate)]
    pub learning_rate: Option<f64>,
}

fn learning_rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|&rate: &f64| rate > 0.0 && rate.is_finite());
    rate.ok_or_else(|| "give a number greater than 0, such as 0.001".to_owned())
}

fn help() -> String {
    let names = built_in_recipe_names().join(", ");
    format!(
        "The settings of network, search, self-play and schedule: a TOML file, or the name of a built-in recipe: \
         {names} (default: the recipe 'default', on a small board of the game)"
    )
}

/// Returns the error message for a recipe of another game than `asked_for`.
fn other_game(recipe: &str, its: Game, asked_for: Game) -> String {
    let is_for_it =
        |name: &&str| RecipeSource::find(name).and_then(|source| source.game()).ok().flatten() == Some(asked_for);
    let names: Vec<&str> = built_in_recipe_names().into_iter().filter(is_for_it).collect();
    let (its, asked_for) = (its.name(), asked_for.name());
    let others = match &names[..] {
        [] => format!("--recipe to train {asked_for} by the default one"),
        names => format!("choose a recipe for {asked_for} (built-in: {})", names.join(", ")),
    };
    format!(
        "recipe {recipe} is for the game {its}, not for {asked_for}; leave out '--game {asked_for}' to train {its}, or {others}"
    )
}

impl RecipeArgs {
    fn source(&self) -> Result<Option<RecipeSource>, CliError> {
        Ok(self.recipe.as_deref().map(RecipeSource::find).transpose()?)
    }

    /// Returns the game of the recipe; none if it names none, or no recipe was given.
    pub fn game(&self) -> Result<Option<Game>, CliError> {
        Ok(self.source()?.map(|source| source.game()).transpose()?.flatten())
    }

    /// Returns the recipe for a game, with the overrides of the command line.
    pub fn recipe(&self, game: Game) -> Result<Recipe, CliError> {
        for &size in &self.size {
            game.game_board(size)?;
        }
        let source = self.source()?;
        if let Some(source) = &source
            && let Some(other) = source.game()?.filter(|&other| other != game)
        {
            return Err(CliError::Request(other_game(&source.name(), other, game)));
        }
        let mut recipe = match source {
            Some(source) => source.read(game)?,
            None => Recipe::of(game),
        };
        recipe.seed = self.seed.unwrap_or(recipe.seed);
        if !self.size.is_empty() {
            recipe.play_on(&self.size);
        }
        self.learning_rate.into_iter().for_each(|rate| recipe.limit_learning_rate(rate));
        Ok(recipe)
    }

    /// Returns true if a recipe was given, or an option that overrides parts of it for the whole run.
    pub fn is_given(&self) -> bool {
        self.recipe.is_some() || !self.size.is_empty() || self.seed.is_some()
    }

    /// Prints the recipe for a game.
    pub fn print(&self, game: Game) -> Result<(), CliError> {
        let recipe = self.recipe(game)?;
        let source = match self.source()? {
            None if game == default_game() => Some(RecipeSource::find(DEFAULT)?),
            source => source,
        };
        let text = match source {
            // With its comments, unless something is overridden.
            Some(source @ RecipeSource::BuiltIn { text, .. }) if source.read(game).is_ok_and(|read| read == recipe) => {
                text.to_owned()
            }
            _ => recipe.to_toml(),
        };
        Ok(stdout().write_all(text.as_bytes())?)
    }
}
