//! The name of the program, as its help and the commands in its messages show it: a crate with games of its own builds
//! a program with another name.

use std::ffi::OsStr;
use std::path::Path;

use clap::Command;
use clap::builder::StyledStr;

/// The name of this project's program, by which all texts call it.
pub const PROGRAM: &str = "hexzero";

/// Returns the name by which the program was called.
pub fn program_name() -> String {
    let called = std::env::args_os().next().unwrap_or_default();
    Path::new(&called).file_stem().and_then(OsStr::to_str).unwrap_or(PROGRAM).to_owned()
}

/// Returns a command line whose version and help use this name of the program.
pub fn named(command: Command, name: &str) -> Command {
    if name == PROGRAM {
        return command;
    }
    let version = concat!(env!("CARGO_PKG_VERSION"), " (hexzero)");
    with_examples_of(command, name).display_name(name).bin_name(name).version(version)
}

/// Replaces the name of this project's program in all texts of the help, except in the name of a file.
fn with_examples_of(mut command: Command, name: &str) -> Command {
    const FILE: &str = "hexzero.wasm";
    let renamed = |text: &StyledStr| {
        let parts = text.to_string().split(FILE).map(|part| part.replace(PROGRAM, name)).collect::<Vec<_>>();
        parts.join(FILE)
    };
    if let Some(text) = command.get_long_about().map(renamed) {
        command = command.long_about(text);
    }
    if let Some(text) = command.get_after_help().map(renamed) {
        command = command.after_help(text);
    }
    let command = command.mut_args(|argument| match argument.get_help().map(renamed) {
        Some(text) => argument.help(text),
        None => argument,
    });
    command.mut_subcommands(|command| with_examples_of(command, name))
}
