//! Builds the page about a run.

use crate::games::{Game, default_game};
use crate::report::RunPage;
use crate::training::{Recipe, RunFolder};

use super::error::CliError;

/// Builds the page about a run, which may still be training.
///
/// # Errors
/// If its recipe cannot be read.
pub(super) fn run_page(folder: &RunFolder) -> Result<RunPage, CliError> {
    RunPage::of(game_of_run(folder)?, folder).map_err(CliError::failed)
}

/// Returns the game that a run plays.
///
/// # Errors
/// If its recipe cannot be read, or there is no such game.
pub(super) fn game_of_run(folder: &RunFolder) -> Result<Game, CliError> {
    let game = Recipe::game_in(&folder.recipe()).map_err(CliError::failed)?;
    Ok(game.unwrap_or_else(default_game))
}
