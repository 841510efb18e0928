//! `hexzero report`.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;

use crate::files::write_whole;
use crate::interfaces::error::CliError;
use crate::interfaces::notice::warning;
use crate::interfaces::run_page::run_page;
use crate::training::RunFolder;

const EXAMPLES: &str = "\
Examples:
  hexzero report runs/mine                          writes runs/mine/report.html
  hexzero report runs/mine --output mine.html       writes it elsewhere

The page is one file that needs no connection. The run may still be training.";

/// Write a web page about a training run: learning curves, calibration, games to step through.
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
    pub fn run(self) -> Result<(), CliError> {
        let folder = RunFolder::open(&self.run).map_err(CliError::failed)?;
        let page = run_page(&folder)?;
        for problem in &page.problems {
            warning(problem);
        }
        let path = self.output.unwrap_or_else(|| folder.path().join("report.html"));
        let written = write_whole(&path, page.html.as_bytes());
        written.map_err(|source| CliError::Write { path: path.clone(), source })?;
        Ok(writeln!(stdout(), "{}", path.display())?)
    }
}
