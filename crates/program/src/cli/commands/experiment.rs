//! `hexzero experiment`.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use crate::cli::options::{TrainClusterArgs, worker_count};
use crate::cli::support::{TrainingProgress, interrupted};
use crate::error::CliError;
use hexzero_arena::ThisMachine;
use hexzero_experiments::experiment::{Experiment, ExperimentFolder, Left, Machines, Plan};
use hexzero_system::text_output;

const EXAMPLES: &str = "\
A file:
  recipe = \"cachex-7x7\"               # as for --recipe of 'hexzero train'; or a file beside this
  minutes = 60.0                      # of each run; or games, steps or evaluations
  seeds = [1, 2, 3]

  [[cell]]                            # one for each change of the recipe
  name = \"no symmetries\"
  change.training.symmetries = false

  [match]
  against = [\"base\", \"alphabeta:4\"]   # the unchanged recipe with the same seed, and an opponent
  games = 100
  visits = 100

Examples:
  hexzero experiment ablation.toml                      kept in runs/ablation
  hexzero experiment ablation.toml --plan               check it, and count what is left to do
  nice hexzero experiment ablation.toml --workers 1     one core, in the background

Called again it does what is missing. docs/experiments.md has all keys.";

/// Train several recipes with several seeds, play matches between the networks, and tabulate the results.
///
/// One run after the other, then a match of each run against that of the unchanged recipe with the same seed. Ctrl-C
/// stops it cleanly; called again, also after a kill, it goes on. The folder gets table.md, table.json and report.html.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ExperimentArgs {
    /// The experiment's file
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,
    /// The folder of its runs and results (default: runs/NAME, for a file called NAME.toml)
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Train and play matches on W threads (default: one per core)
    #[arg(long, value_name = "W", value_parser = worker_count())]
    workers: Option<u32>,
    /// Check the file and say what is left to do; train and play nothing
    #[arg(long)]
    plan: bool,
    #[command(flatten)]
    cluster: TrainClusterArgs,
}

impl ExperimentArgs {
    /// Trains and plays what is missing.
    pub fn run(self) -> Result<(), CliError> {
        let plan = Plan::read(&self.file)?;
        let folder = self.folder.unwrap_or_else(|| Path::new("runs").join(&plan.name));
        let open = if self.plan { Experiment::read } else { Experiment::open };
        let mut experiment = open(plan, ExperimentFolder::new(&folder)).map_err(CliError::Failed)?;
        let progress = TrainingProgress::new();
        let Left { runs, matches } = experiment.left().map_err(CliError::Failed)?;
        progress.line(&format!(
            "experiment {}: {} of {} runs to train ({}), {} of {} matches to play",
            folder.display(),
            runs.0,
            runs.1,
            experiment.plan().limit,
            matches.0,
            matches.1,
        ));
        if self.plan {
            return Ok(());
        }
        let workers = self.workers.unwrap_or(0) as usize;
        let machines = Machines {
            workers,
            prepare: &|name, run| self.cluster.prepare(name, run, &progress),
            matches: &ThisMachine::new(workers),
        };
        let ended = experiment.conduct(machines, &progress, interrupted());
        progress.clear();
        if !ended.map_err(CliError::Failed)? {
            progress.line("stopped; the same command goes on");
            return Ok(());
        }
        let table = experiment.table().map_err(CliError::Failed)?;
        let page = experiment.folder().page();
        Ok(write!(text_output(), "\n{table}\nsee the curves: {}\n", page.display())?)
    }
}
