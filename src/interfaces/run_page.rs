//! What there is to see of a run, whichever game it plays.

use crate::games::{ForGame, GAME_NAMES, Game, with_game};
use crate::replay::{InterchangeGame, Shard};
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

/// The latest games of a run as JSON lines, the last one first, but not more than so many. What cannot be read is
/// passed over; the page about the run tells of it.
///
/// # Errors
/// If its recipe cannot be read.
#[cfg(feature = "web")]
pub(super) fn run_games(folder: &RunFolder, most: usize) -> Result<String, CliError> {
    with_game(&game_of_run(folder)?, LatestGames { folder, most }).map_err(CliError::failed)
}

fn game_of_run(folder: &RunFolder) -> Result<String, CliError> {
    let game = Recipe::game_in(&folder.recipe()).map_err(CliError::failed)?;
    Ok(game.unwrap_or_else(|| GAME_NAMES[0].to_owned()))
}

struct MakePage<'a>(&'a RunFolder);

impl ForGame for MakePage<'_> {
    type Output = Result<RunPage, RunFolderError>;

    fn for_game<G: Game>(self) -> Self::Output {
        RunPage::of::<G>(self.0)
    }
}

struct LatestGames<'a> {
    folder: &'a RunFolder,
    most: usize,
}

impl ForGame for LatestGames<'_> {
    type Output = String;

    fn for_game<G: Game>(self) -> Self::Output {
        let shards = self.folder.latest_shards().into_iter().filter_map(|path| Shard::read(&path).ok());
        let records = shards.filter(|shard| shard.game == G::NAME).flat_map(|shard| shard.records.into_iter().rev());
        let games = records.filter_map(|record| InterchangeGame::of_record::<G>(&record)).take(self.most);
        games.map(|game| game.to_line() + "\n").collect()
    }
}
