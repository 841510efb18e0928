//! `hexzero train`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::interfaces::error::CliError;

const EXAMPLES: &str = "\
Examples:
  hexzero train                                   the default recipe: the 5×5 board, ten minutes
  hexzero train --run runs/mine --minutes 60      an hour, kept in runs/mine
  hexzero train --run runs/mine --resume          go on where that run stopped
  hexzero train --recipe training/my.toml         another network, another schedule

Ctrl-C stops a run cleanly; '--resume' takes it up again.";

/// Train a network from nothing by self-play.
///
/// Games are played against itself on all cores, the network learns from them, and the better
/// network plays the next games. The run folder keeps the recipe, the games, the checkpoints and
/// the measurements.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct TrainArgs {
    /// The recipe: network, search, self-play and schedule (default: the built-in one for 5×5)
    #[arg(long, value_name = "FILE")]
    pub recipe: Option<PathBuf>,
    /// The folder of the run (default: a new one under runs/)
    #[arg(long, value_name = "DIR")]
    pub run: Option<PathBuf>,
    /// Go on with the run in this folder instead of beginning a new one
    #[arg(long)]
    pub resume: bool,
    /// Stop after this many minutes (default: what the recipe says)
    #[arg(long, value_name = "M", conflicts_with_all = ["games", "steps"], value_parser = minutes)]
    pub minutes: Option<Duration>,
    /// Stop after this many games of self-play
    #[arg(long, value_name = "G", conflicts_with = "steps", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: Option<u64>,
    /// Stop after this many training steps
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..))]
    pub steps: Option<u64>,
    /// The seed of all randomness; with one worker a run then repeats itself exactly
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    /// Threads of self-play (default: one a core)
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub workers: Option<u32>,
}

impl TrainArgs {
    /// Trains until the limit, or until the user stops it.
    pub(super) fn run(self) -> Result<(), CliError> {
        Err(CliError::NotBuilt("training"))
    }
}

fn minutes(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(minutes) if minutes > 0.0 && minutes <= 1e6 => Ok(Duration::from_secs_f64(minutes * 60.0)),
        _ => Err("give a number of minutes greater than 0".to_owned()),
    }
}
