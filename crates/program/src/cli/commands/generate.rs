//! `hexzero generate`: files that go with an installed program.

use clap::{Args, Subcommand};

use super::completions::CompletionsArgs;
use super::man::ManArgs;
use crate::error::CliError;

/// Print completions for a shell, or manual pages.
#[derive(Debug, Args)]
pub struct GenerateArgs {
    #[command(subcommand)]
    command: GenerateCommand,
}

#[derive(Debug, Subcommand)]
enum GenerateCommand {
    Completions(CompletionsArgs),
    Man(ManArgs),
}

impl GenerateArgs {
    /// Prints or writes the files.
    pub fn run(self) -> Result<(), CliError> {
        match self.command {
            GenerateCommand::Completions(args) => args.run(),
            GenerateCommand::Man(args) => args.run(),
        }
    }
}
