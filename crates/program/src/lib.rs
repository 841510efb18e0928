//! The program `hexzero`: input and output for people and programs.
//!
//! | module | contents |
//! |---|---|
//! | [`cli`] | the command line, which starts the others; they do not know each other |
//! | [`terminal`] | a board to play on in a terminal |
//! | [`gtp`] | the protocol for other programs |
//! | [`lines`], [`error`] | shared: reading lines, errors |

pub mod cli;
pub mod error;
pub mod gtp;
pub mod lines;
pub mod terminal;

use std::fmt::Display;
use std::process::ExitCode;

use hexzero_engine::Engine;
use hexzero_games::{Action, Game, Seat};
use hexzero_replay::{GameFault, GameForm, InterchangeGame, RecordedGame};
use hexzero_system::notice;
use hexzero_web::PageFiles;

/// Joins a count and a noun in the singular or plural, as in `1 game`, `0 games`.
pub(crate) fn counted<N: Display + PartialEq + From<u8>>(count: N, one: &str, many: &str) -> String {
    format!("{count} {}", if count == N::from(1) { one } else { many })
}

/// Returns the name and the goal of each seat of a game.
pub(crate) fn goals(game: Game) -> [String; 2] {
    game.seats.each_ref().map(|seat| format!("{} {}", seat.name, seat.goal))
}

/// Writes an engine's game as it stands, with the seat that has resigned, if one has.
pub(crate) fn written_game(engine: &Engine, resigned: Option<Seat>, form: GameForm) -> Result<String, GameFault> {
    let actions: Vec<Action> = engine.played().iter().map(|played| played.action).collect();
    let resigned = resigned.map(|seat| engine.game().seat_name(seat).to_owned());
    let game = InterchangeGame { resigned, ..InterchangeGame::new(engine.position(), &actions) };
    RecordedGame::try_from(game)?.rewritten(form)
}

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
