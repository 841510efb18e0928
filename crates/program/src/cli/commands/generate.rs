//! `hexzero generate`: files that go with an installed program.

use clap::Subcommand;

use super::completions::CompletionsArgs;
use super::man::ManArgs;
use crate::error::CliError;

/// Print completions for a shell, or manual pages.
#[derive(Debug, Subcommand)]
pub enum GenerateCommand {
    Completions(CompletionsArgs),
    Man(ManArgs),
}

impl GenerateCommand {
    /// Prints or writes the files.
    pub fn run(self) -> Result<(), CliError> {
        match self {
            Self::Completions(args) => args.run(),
            Self::Man(args) => args.run(),
        }
    }
}
