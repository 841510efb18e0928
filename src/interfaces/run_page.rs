//! The page about a run, whichever game it plays.

use crate::games::{ForGame, GAME_NAMES, Game, Position, with_game};
use crate::report::RunPage;
use crate::training::{Recipe, RunFolder, RunFolderError};

use super::error::CliError;

/// The page about a run, which may be under way.
///
/// # Errors
/// If its recipe cannot be read.
pub(super) fn run_page(folder: &RunFolder) -> Result<RunPage, CliError> {
    let page = with_game(&game_of_run(folder)?, MakePage(folder)).map_err(CliError::failed)?;
    page.map_err(CliError::failed)
}

/// The game that a run plays.
///
/// # Errors
/// If its recipe cannot be read.
pub(super) fn game_of_run(folder: &RunFolder) -> Result<String, CliError> {
    let game = Recipe::game_in(&folder.recipe()).map_err(CliError::failed)?;
    Ok(game.unwrap_or_else(|| GAME_NAMES[0].to_owned()))
}

struct MakePage<'a>(&'a RunFolder);

impl ForGame for MakePage<'_> {
    type Output = Result<RunPage, RunFolderError>;

    fn for_game(self) -> Self::Output {
        RunPage::of(self.0)
    }
}
