//! `hexzero report`.

use std::io::{Write, stderr, stdout};
use std::path::PathBuf;

use clap::Args;

use crate::files::write_whole;
use crate::games::{ForGame, GAME_NAMES, Game, with_game};
use crate::interfaces::error::CliError;
use crate::report::RunPage;
use crate::training::{Recipe, RunFolder, RunFolderError};

const EXAMPLES: &str = "\
Examples:
  hexzero report runs/mine                          writes runs/mine/report.html
  hexzero report runs/mine --output mine.html       writes it elsewhere

The page needs neither a network nor any other file. The run may be under way.";

/// Show a training run in one web page: curves, calibration, games to step through.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReportArgs {
    /// The folder of the run
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// Where to write the page (default: report.html in the run's folder)
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

impl ReportArgs {
    /// Writes the page.
    pub(super) fn run(self) -> Result<(), CliError> {
        let folder = RunFolder::open(&self.run).map_err(CliError::failed)?;
        let game = Recipe::game_in(&folder.recipe()).map_err(CliError::failed)?;
        let game = game.as_deref().unwrap_or(GAME_NAMES[0]);
        let page = with_game(game, MakePage(&folder)).map_err(CliError::failed)?.map_err(CliError::failed)?;
        for problem in &page.problems {
            // The page is worth more than a reader of the warnings.
            let _ = writeln!(stderr(), "warning: {problem}");
        }
        let path = self.output.unwrap_or_else(|| folder.path().join("report.html"));
        let written = write_whole(&path, page.html.as_bytes());
        written.map_err(|source| CliError::Write { path: path.clone(), source })?;
        Ok(writeln!(stdout(), "{}", path.display())?)
    }
}

struct MakePage<'a>(&'a RunFolder);

impl ForGame for MakePage<'_> {
    type Output = Result<RunPage, RunFolderError>;

    fn for_game<G: Game>(self) -> Self::Output {
        RunPage::of::<G>(self.0)
    }
}
