//! Training by self-play in the folder of a run.

use std::path::{Path, PathBuf};

use hexzero_games::{Game, default_game};
use hexzero_train::model_files::game_of_run;
use hexzero_train::{Limit, Progress, Recipe, RecipeSource, Run, RunFolder};
use pyo3::prelude::*;

use super::errors::{failed, value_error};
use super::game::{GameName, board_of};
use super::interrupt::interruptible;
use super::match_play::MAX_WORKERS;
use super::network::threads_or_cores;

/// The run's warnings as Python's.
struct Warnings;

impl Progress for Warnings {
    fn warn(&self, message: &str) {
        Python::attach(|py| {
            let warned = py.import("warnings").and_then(|warnings| warnings.call_method1("warn", (message,)));
            // A filter may make an exception of it, which is no reason to stop.
            drop(warned);
        });
    }
}

/// Trains a network in the folder of a run, and begins the run if there is none. `hexzero.train` calls it.
///
/// Args:
///     run: the folder.
///     game, size, recipe, changes, seed: of a new run. `changes` is JSON: keys of a recipe that replace the recipe's.
///     limit: what ends it: `"minutes"` from now, or `"games"` or `"steps"` of the whole run, or `""` for the recipe's minutes.
///     amount: how many of these.
///     threads: games at a time, 0 for one on each core.
///     on_iteration: called after each iteration with the JSON of its figures.
///
/// Raises:
///     ValueError: if a value is not accepted.
///     RuntimeError: if the run cannot go on.
#[pyfunction(name = "_train_run")]
#[expect(clippy::too_many_arguments, reason = "each has a name in Python")]
pub fn train_run(
    py: Python<'_>,
    run: PathBuf,
    game: Option<GameName<'_>>,
    size: Option<i64>,
    recipe: Option<&str>,
    changes: &str,
    seed: Option<u64>,
    limit: &str,
    amount: f64,
    threads: i64,
    on_iteration: Py<PyAny>,
) -> PyResult<()> {
    let new = match RunFolder::open(&run) {
        Ok(_) => None,
        Err(_) => Some(new_recipe(game, size, recipe, changes, seed)?),
    };
    let threads = threads_or_cores(threads, MAX_WORKERS)?;
    let mut fault = None;
    let trained = interruptible(py, |stop| {
        let mut run = match new {
            Some((game, recipe)) => Run::create(game, &run, recipe, threads, None).map_err(value_error)?,
            None => Run::resume(game_of(&run)?, &run, threads, &Warnings).map_err(failed)?,
        };
        let limit = match limit {
            "minutes" => Limit::Seconds(amount * 60.0),
            "games" => Limit::Games(amount as u64),
            "steps" => Limit::Steps(amount as u64),
            _ => Limit::Seconds(run.recipe().minutes * 60.0 - run.counters().seconds),
        };
        let report = |_: &Run, report: &_, _: &str| {
            let figures = serde_json::to_string(report).map_err(failed);
            let told = figures.and_then(|figures| Python::attach(|py| on_iteration.call1(py, (figures,))));
            if let Err(exception) = told {
                fault = Some(exception);
                stop.request();
            }
        };
        run.train(limit, stop, &Warnings, report).map(drop).map_err(failed)
    })?;
    fault.map_or(trained, Err)
}

/// Returns the game of a run.
fn game_of(run: &Path) -> PyResult<Game> {
    game_of_run(&RunFolder::open(run).map_err(failed)?).map_err(failed)
}

/// Returns the game and the recipe of a new run.
fn new_recipe(
    game: Option<GameName<'_>>,
    size: Option<i64>,
    name: Option<&str>,
    changes: &str,
    seed: Option<u64>,
) -> PyResult<(Game, Recipe)> {
    let source = name.map(RecipeSource::find).transpose().map_err(value_error)?;
    let its = source.as_ref().map(RecipeSource::game).transpose().map_err(value_error)?.flatten();
    let asked = game.as_ref().map(GameName::rules).transpose()?;
    let rules = asked.or(its).unwrap_or_else(default_game);
    if let Some(its) = its.filter(|its| *its != rules) {
        let (recipe, its, asked) = (name.unwrap_or_default(), its.name(), rules.name());
        return Err(value_error(format_args!("recipe {recipe} is for the game {its}, not for {asked}")));
    }
    let mut recipe = match source {
        Some(source) => source.read(rules).map_err(value_error)?,
        None => Recipe::of(rules),
    };
    if let Some(seed) = seed {
        // TOML has no greater numbers.
        if i64::try_from(seed).is_err() {
            return Err(value_error(format_args!("seed = {seed}; accepted: 0 to {}", i64::MAX)));
        }
        recipe.seed = seed;
    }
    let size = match (size, &game) {
        (None, Some(GameName::Game(game))) => Some(game.on.size()),
        (None, _) => None,
        (Some(_), _) => Some(board_of(rules, size)?.size()),
    };
    size.into_iter().for_each(|size| recipe.play_on(&[size]));
    let changes: toml::Table = serde_json::from_str(changes).map_err(value_error)?;
    Ok((rules, recipe.changed(rules, &changes, "changes").map_err(value_error)?))
}
