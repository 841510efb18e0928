//! `hexzero completions`.

use std::io::{Write, stdout};

use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

use crate::interfaces::error::CliError;

use super::{Cli, PROGRAM};

const EXAMPLES: &str = "\
Examples:
  hexzero completions bash > ~/.local/share/bash-completion/completions/hexzero
  hexzero completions zsh > ~/.zfunc/_hexzero           with 'fpath+=~/.zfunc' before compinit
  hexzero completions fish > ~/.config/fish/completions/hexzero.fish
  hexzero completions powershell >> $PROFILE";

/// Print the script by which a shell completes commands, options and names.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    pub shell: Shell,
}

impl CompletionsArgs {
    /// Prints the script.
    pub(super) fn run(self) -> Result<(), CliError> {
        // Not straight to standard output: the generator panics when a reader leaves early.
        let mut script = Vec::new();
        generate(self.shell, &mut Cli::command(), PROGRAM, &mut script);
        Ok(stdout().write_all(&script)?)
    }
}
