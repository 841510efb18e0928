//! The name of the program, for its help and the commands that its messages suggest: crates with games of their own make other
//! programs.

use std::ffi::OsStr;
use std::path::Path;

use clap::Command;

/// The name of this project's program, by which all texts call it.
pub const PROGRAM: &str = "hexzero";

/// Returns the name by which the program was called.
pub fn program_name() -> String {
    let called = std::env::args_os().next().unwrap_or_default();
    Path::new(&called).file_stem().and_then(OsStr::to_str).unwrap_or(PROGRAM).to_owned()
}

/// Returns a command line whose version and help call the program by this name.
pub fn named(command: Command, name: &str) -> Command {
    if name == PROGRAM {
        return command;
    }
    let version = concat!("(hexzero ", env!("CARGO_PKG_VERSION"), ")");
    with_examples_of(command, name).display_name(name).version(version)
}

/// Puts the name in place of this project's in all commands that the help shows.
fn with_examples_of(mut command: Command, name: &str) -> Command {
    let renamed = |text: String| text.replace(&format!("{PROGRAM} "), &format!("{name} "));
    if let Some(text) = command.get_after_help().map(ToString::to_string) {
        command = command.after_help(renamed(text));
    }
    let command = command.mut_args(|argument| match argument.get_help().map(ToString::to_string) {
        Some(text) => argument.help(renamed(text)),
        None => argument,
    });
    command.mut_subcommands(|command| with_examples_of(command, name))
}
