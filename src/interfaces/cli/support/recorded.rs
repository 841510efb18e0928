//! Reads one game from a file of games.

use std::fs::File;
use std::io::{BufRead, BufReader, stdin};
use std::path::Path;

use crate::games::{Action, Position, Seat};
use crate::interfaces::error::CliError;
use crate::replay::{Entry, GameFault, InterchangeError, RecordedGame, recorded_games};

/// Moves of a game, each with the seat that makes it.
pub type Moves = Vec<(Seat, Action)>;

/// The file has fewer games.
#[derive(Debug, thiserror::Error)]
#[error("there is no game {number} in the file; it has {games}")]
struct NoSuchGame {
    number: u32,
    games: usize,
}

fn at(entry: Entry, fault: GameFault) -> CliError {
    CliError::failed(InterchangeError::Game { entry, fault })
}

/// Reads game `number` of a file, counting from 1.
fn recorded(file: &Path, number: u32) -> Result<(Entry, RecordedGame), CliError> {
    let input: Box<dyn BufRead> = if file == Path::new("-") {
        Box::new(stdin().lock())
    } else {
        let read = |source| CliError::Read { path: file.to_owned(), source };
        Box::new(BufReader::new(File::open(file).map_err(read)?))
    };
    let mut games = 0;
    for game in recorded_games(input) {
        games += 1;
        if games == number as usize {
            return game.map_err(CliError::failed);
        }
    }
    Err(CliError::failed(NoSuchGame { number, games }))
}

/// Reads game `number` of a file, counting from 1, and returns its first position and its moves; `-` is standard input.
///
/// # Errors
/// If there is no such game, or its moves cannot be played.
pub fn recorded_moves(file: &Path, number: u32) -> Result<(Position, Moves), CliError> {
    let (entry, recorded) = recorded(file, number)?;
    let game = recorded.game().map_err(|fault| at(entry, fault))?;
    recorded.moves(game).map_err(|fault| at(entry, fault))
}
