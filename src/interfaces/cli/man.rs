//! `hexzero man`.

use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;

use crate::files::write_whole;
use crate::interfaces::error::CliError;

use super::{Cli, PROGRAM};

const EXAMPLES: &str = "\
Examples:
  hexzero man | man -l -                            read the page about the program
  hexzero man ~/.local/share/man/man1               then: man hexzero, man hexzero-train";

/// Print the manual page, or write one for every command.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ManArgs {
    /// The folder for the pages, which is made if it is not there (default: print the page about the program)
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
    /// Prints or writes.
    pub(super) fn run(self) -> Result<(), CliError> {
        let mut program = Cli::command().disable_help_subcommand(true);
        program.build();
        match &self.folder {
            Some(folder) => write_pages(&program, folder),
            None => Ok(stdout().write_all(&page(&program).1)?),
        }
    }
}

/// Writes a page for the program and for each of its commands, and prints where.
fn write_pages(program: &Command, folder: &Path) -> Result<(), CliError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        |source| CliError::Write { path, source }
    };
    fs::create_dir_all(folder).map_err(failed(folder))?;
    let mut written = String::new();
    for command in program.get_subcommands().chain([program]) {
        let (name, text) = page(command);
        let path = folder.join(name);
        write_whole(&path, &text).map_err(failed(&path))?;
        written.push_str(&format!("{}\n", path.display()));
    }
    // All pages are there, even for a reader who leaves early.
    Ok(stdout().write_all(written.as_bytes())?)
}
