//! `hexzero generate`: files that go with an installed program.

use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use clap::{Args, Command, Subcommand};
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

/// Print a shell completion script.
#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
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

/// Print the manual page of the program, or write the manual pages of all commands.
#[derive(Debug, Args)]
#[command(after_help = MAN_EXAMPLES)]
pub struct ManArgs {
    /// Write the pages to DIR, creating it if needed (default: print the page of the program)
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

fn page(command: &Command) -> (String, Vec<u8>) {
    let page = Man::new(command.clone()).source(format!("{PROGRAM} {}", env!("CARGO_PKG_VERSION")));
    let mut text = Vec::new();
    page.render(&mut text).expect("memory takes everything");
    (page.get_filename(), text)
}

impl ManArgs {
    /// Prints the page of the program, or writes all pages.
    pub fn run(self) -> Result<(), CliError> {
        let mut program = command_as_called().disable_help_subcommand(true);
        program.build();
        match &self.folder {
            Some(folder) => write_pages(&program, folder),
            None => Ok(stdout().write_all(&page(&program).1)?),
        }
    }
}

/// Returns a command and those below it, without the hidden ones.
fn commands_of(command: &Command) -> Vec<&Command> {
    let below = command.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help");
    below.flat_map(commands_of).chain([command]).collect()
}

/// Writes a page for the program and one for each command to `folder`, and prints their paths.
fn write_pages(program: &Command, folder: &Path) -> Result<(), CliError> {
    fs::create_dir_all(folder).map_err(|source| CliError::Write { path: folder.to_owned(), source })?;
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
