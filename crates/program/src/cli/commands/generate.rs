//! `hexzero generate`: files that go with an installed program.

use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use clap::{Command, Subcommand};
use clap_complete::{Shell, generate};
use clap_mangen::Man;

use crate::cli::command_as_called;
use crate::cli::support::{PROGRAM, program_name, write_file};
use crate::error::CliError;

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  hexzero generate completions bash > ~/.local/share/bash-completion/completions/hexzero
  hexzero generate completions zsh > ~/.zfunc/_hexzero     with 'fpath+=~/.zfunc' before compinit
  hexzero generate completions fish > ~/.config/fish/completions/hexzero.fish
  hexzero generate completions powershell >> $PROFILE";

const MAN_EXAMPLES: &str = "\
Examples:
  hexzero generate man | man -l -                            read the page of the program
  hexzero generate man ~/.local/share/man/man1               then: man hexzero, man hexzero-train";

/// Print shell completions or manual pages.
#[derive(Debug, Subcommand)]
pub enum GenerateCommand {
    /// Print a shell completion script.
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// The shell
        #[arg(value_name = "SHELL", value_enum)]
        shell: Shell,
    },
    /// Print the manual page of the program, or write the manual pages of all commands.
    #[command(after_help = MAN_EXAMPLES)]
    Man {
        /// Write the pages to DIR, creating it if needed (default: print the page of the program)
        #[arg(value_name = "DIR")]
        folder: Option<PathBuf>,
    },
}

impl GenerateCommand {
    /// Prints or writes the files.
    pub fn run(self) -> Result<(), CliError> {
        match self {
            Self::Completions { shell } => {
                // Not written straight to standard output: the generator panics on a broken pipe.
                let mut script = Vec::new();
                generate(shell, &mut command_as_called(), program_name(), &mut script);
                Ok(stdout().write_all(&script)?)
            }
            Self::Man { folder } => {
                let mut program = command_as_called().disable_help_subcommand(true);
                program.build();
                match folder {
                    Some(folder) => write_pages(&program, &folder),
                    None => Ok(stdout().write_all(&page(&program).1)?),
                }
            }
        }
    }
}

fn page(command: &Command) -> (String, Vec<u8>) {
    let page = Man::new(command.clone()).source(format!("{PROGRAM} {}", env!("CARGO_PKG_VERSION")));
    let mut text = Vec::new();
    page.render(&mut text).expect("memory takes everything");
    (page.get_filename(), text)
}

/// Returns a command and those below it, without the hidden ones.
fn commands_of(command: &Command) -> Vec<&Command> {
    let below = command.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help");
    below.flat_map(commands_of).chain([command]).collect()
}

/// Writes a page for the program and one for each command to `folder`, and prints their paths.
fn write_pages(program: &Command, folder: &Path) -> Result<(), CliError> {
    fs::create_dir_all(folder).map_err(|error| CliError::cannot_write(folder, error))?;
    let mut written = String::new();
    for command in commands_of(program) {
        let (name, text) = page(command);
        let path = folder.join(name);
        write_file(&path, text)?;
        written.push_str(&format!("{}\n", path.display()));
    }
    // Printed last: a broken pipe must not cost a page.
    Ok(stdout().write_all(written.as_bytes())?)
}
