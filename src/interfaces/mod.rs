//! Interfaces to the [`crate::engine`] for people and programs: input and output only.
//!
//! | module | contents |
//! |---|---|
//! | [`cli`] | the command line, which starts the others; they do not know each other |
//! | [`terminal`] | a board to play on in a terminal |
//! | [`gtp`] | the protocol for other programs |
//! | [`protocol`] | the page's requests and answers, and the engine that executes them: all there is in a browser |
//! | `web` | the page, and the server behind it |
//! | [`lines`], [`error`], `notice`, `plain`, `counted`, `run_page` | shared: reading lines, errors, lines on standard error, text that cannot steer a terminal, counts in words, the page about a run |

#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "cli")]
mod counted;
#[cfg(feature = "cli")]
pub mod error;
#[cfg(feature = "cli")]
pub mod gtp;
#[cfg(feature = "cli")]
pub mod lines;
#[cfg(feature = "cli")]
mod notice;
#[cfg(feature = "cli")]
mod plain;
pub mod protocol;
#[cfg(feature = "cli")]
mod run_page;
#[cfg(feature = "cli")]
pub mod terminal;
#[cfg(feature = "serve")]
pub mod web;

/// Runs the program `hexzero` with this process's arguments and returns its exit code. A program that has registered
/// games of its own ([`crate::games::register`]) calls this and has them in every command.
#[cfg(feature = "cli")]
pub fn run() -> std::process::ExitCode {
    use std::process::ExitCode;

    match cli::Cli::of_process().run() {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has gone, as in `hexzero replay games.jsonl | head`.
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            notice::notice(format_args!("error: {error}"));
            ExitCode::from(error.exit_code())
        }
    }
}
