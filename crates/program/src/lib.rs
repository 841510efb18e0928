//! The program `hexzero`: input and output for people and programs.
//!
//! | module | contents |
//! |---|---|
//! | [`cli`] | the command line, which starts the others; they do not know each other |
//! | [`terminal`] | a board to play on in a terminal |
//! | [`gtp`] | the protocol for other programs |
//! | [`lines`], [`error`], `counted` | shared: reading lines, errors, counts in words |

pub mod cli;
mod counted;
pub mod error;
pub mod gtp;
pub mod lines;
pub mod terminal;

use std::process::ExitCode;

use hexzero_system::notice;
use hexzero_web::PageFiles;

/// Runs the program `hexzero` with this process's arguments and returns its exit code. A program that has registered
/// games of its own ([`hexzero_games::register`]) calls this and has them in every command. `files` are those of the
/// page.
pub fn run(files: PageFiles) -> ExitCode {
    // A console of Windows shows colours only after it has been asked to.
    #[cfg(windows)]
    let _ = ratatui::crossterm::ansi_support::supports_ansi();
    match cli::Cli::of_process().run(files) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has gone, as in `hexzero replay games.jsonl | head`.
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            notice(format_args!("error: {error}"));
            ExitCode::from(error.exit_code())
        }
    }
}
