//! `hexzero inspect`.

use std::path::PathBuf;

use clap::Args;

use crate::interfaces::error::CliError;

const EXAMPLES: &str = "\
Examples:
  hexzero inspect runs/mine                                      a run: its progress and last losses
  hexzero inspect runs/mine/checkpoints/last.safetensors         a checkpoint: game, network, training
  hexzero inspect runs/mine/games                                its games";

/// Tell what a checkpoint, a file of games or a run folder holds.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct InspectArgs {
    /// The checkpoint (.safetensors), shard of games or run folder
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

impl InspectArgs {
    /// Looks at the file and tells.
    pub(super) fn run(self) -> Result<(), CliError> {
        std::fs::metadata(&self.file).map_err(|source| CliError::Read { path: self.file, source })?;
        Err(CliError::NotBuilt("inspecting files"))
    }
}
