//! The program `hexzero`: everything it does is in the library, under [`hexzero::interfaces`].

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use hexzero::interfaces::cli::Cli;

fn main() -> ExitCode {
    match Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read our output has read enough, as in `hexzero replay games.jsonl | head`.
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            // Not `eprintln!`, which panics when nobody is there to be told.
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::from(1)
        }
    }
}
