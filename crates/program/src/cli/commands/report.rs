//! `hexzero report`.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::support::write_file;
use crate::error::CliError;
use hexzero_experiments::report::{Compared, ComparisonPage};
use hexzero_system::{text_output, warning};
use hexzero_train::RunFolder;
use hexzero_train::model_files::game_of_run;

const EXAMPLES: &str = "\
Examples:
  hexzero report runs/mine                          writes runs/mine/report.html
  hexzero report runs/mine --output mine.html       writes it elsewhere
  hexzero report runs/mine runs/second              compares them: runs/mine/comparison.html

The page is one file that needs no connection. The run may still be training.
'hexzero serve --run DIR' follows it, and shows its games and calibration too.";

/// Write a web page about a training run: its learning curves, ratings and recipe, of several runs side by side
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReportArgs {
    /// The folder of the run; several to compare them
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    /// Where to write the page (default: report.html, for several runs comparison.html, in the first run's folder)
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl ReportArgs {
    /// Writes the page.
    pub fn run(self) -> Result<(), CliError> {
        let open = |path: &PathBuf| RunFolder::open(path);
        let folders: Vec<RunFolder> = self.runs.iter().map(open).collect::<Result<_, _>>()?;
        let page = page(&folders)?;
        for problem in &page.problems {
            warning(problem);
        }
        let name = if folders.len() == 1 { "report.html" } else { "comparison.html" };
        let path = self.output.unwrap_or_else(|| folders[0].path().join(name));
        write_file(&path, page.html)?;
        Ok(writeln!(text_output(), "{}", path.display())?)
    }
}

/// Builds the page about these runs.
fn page(folders: &[RunFolder]) -> Result<ComparisonPage, CliError> {
    let paths: Vec<&Path> = folders.iter().map(RunFolder::path).collect();
    let side = |(folder, name): (&RunFolder, String)| {
        Ok(Compared { name, game: game_of_run(folder)?, runs: vec![folder.clone()] })
    };
    let sides: Vec<Compared> = folders.iter().zip(names(&paths)).map(side).collect::<Result<_, CliError>>()?;
    let title = sides.iter().map(|side| side.name.as_str()).collect::<Vec<_>>().join(", ");
    Ok(ComparisonPage::of(&title, &sides, None))
}

/// Returns the names of folders, or their paths if two have the same name.
fn names(paths: &[&Path]) -> Vec<String> {
    let name = |path: &&Path| path.file_name().map_or_else(|| path.display().to_string(), |n| n.display().to_string());
    let names: Vec<String> = paths.iter().map(name).collect();
    let distinct = names.iter().collect::<BTreeSet<_>>().len() == names.len();
    if distinct { names } else { paths.iter().map(|path| path.display().to_string()).collect() }
}
