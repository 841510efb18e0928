//! Stand-ins for what the feature `cluster` adds, in a program built without it: they say how to get it.

use std::convert::Infallible;
use std::ffi::OsString;

use clap::Args;

use crate::cli::support::TrainingProgress;
use crate::error::CliError;
use hexzero_selfplay::GameSourceError;
use hexzero_train::Run;

const REFUSAL: &str = "this program was built without the feature 'cluster', which plays on many machines; build one that \
                       has it with: cargo build --release --features cluster";

/// Play on many machines (needs the feature 'cluster').
#[derive(Debug, Args)]
pub struct NoClusterArgs {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    _ignored: Vec<OsString>,
}

impl NoClusterArgs {
    /// Refuses the command.
    pub fn run(self) -> Result<(), CliError> {
        Err(CliError::Usage(REFUSAL.to_owned()))
    }
}

/// The option `--cluster`, refused.
#[derive(Debug, Args)]
pub struct NoClusterOption {
    #[arg(long = "cluster", value_name = "ADDRESS", hide = true, value_parser = refuse)]
    _cluster: Option<Infallible>,
}

impl NoClusterOption {
    /// Does nothing: the games of a run are played by this process.
    pub fn prepare(&self, _name: &str, _run: &mut Run, _progress: &TrainingProgress) -> Result<bool, GameSourceError> {
        Ok(true)
    }

    /// Returns no options.
    pub fn shown(&self) -> &'static str {
        ""
    }
}

fn refuse(_: &str) -> Result<Infallible, &'static str> {
    Err(REFUSAL)
}
