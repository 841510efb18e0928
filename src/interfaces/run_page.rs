//! The page about a run, whichever game it plays.

use crate::games::{ForGame, GAME_NAMES, Game, with_game};
use crate::report::RunPage;
use crate::training::{Recipe, RunFolder, RunFolderError};

use super::error::CliError;

/// The page about a run, which may be under way.
///
/// # Errors
/// If its recipe cannot be read.
pub(super) fn run_page(folder: &RunFolder) -> Result<RunPage, CliError> {
    let game = Recipe::game_in(&folder.recipe()).map_err(CliError::failed)?;
    let game = game.as_deref().unwrap_or(GAME_NAMES[0]);
    with_game(game, MakePage(folder)).map_err(CliError::failed)?.map_err(CliError::failed)
}

struct MakePage<'a>(&'a RunFolder);

impl ForGame for MakePage<'_> {
    type Output = Result<RunPage, RunFolderError>;

    fn for_game<G: Game>(self) -> Self::Output {
        RunPage::of::<G>(self.0)
    }
}
