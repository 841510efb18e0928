//! `hexzero generate completions`.

use std::io::{Write, stdout};

use clap::Args;
use clap_complete::{Shell, generate};

use crate::cli::command_as_called;
use crate::cli::support::program::program_name;
use crate::error::CliError;

const EXAMPLES: &str = "\
Examples:
  hexzero generate completions bash > ~/.local/share/bash-completion/completions/hexzero
  hexzero generate completions zsh > ~/.zfunc/_hexzero     with 'fpath+=~/.zfunc' before compinit
  hexzero generate completions fish > ~/.config/fish/completions/hexzero.fish
  hexzero generate completions powershell >> $PROFILE";

/// Print a shell completion script.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    pub shell: Shell,
}

impl CompletionsArgs {
    /// Prints the completion script.
    pub fn run(self) -> Result<(), CliError> {
        // Not written straight to standard output: the generator panics on a broken pipe.
        let mut script = Vec::new();
        generate(self.shell, &mut command_as_called(), program_name(), &mut script);
        Ok(stdout().write_all(&script)?)
    }
}
