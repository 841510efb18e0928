//! The program `hexzero`: everything it does is in the library, under [`hexzero::interfaces`].

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use hexzero::interfaces::cli::Cli;

fn main() -> ExitCode {
    match Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of our output has read enough, as in `hexzero replay games.jsonl | head`.
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            // Not `eprintln!`, which panics if standard error is closed.
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::from(1)
        }
    }
}
