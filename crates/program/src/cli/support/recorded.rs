//! Reads one game from a file of games.

use std::io::{BufRead, BufReader, stdin};
use std::path::Path;

use crate::error::CliError;
use hexzero_games::{Action, Position, Seat};
use hexzero_replay::{Entry, InterchangeError, RecordedGame, recorded_games_on};
use hexzero_system::{files, warning};

/// Moves of a game, each with the seat that makes it.
pub type Moves = Vec<(Seat, Action)>;

/// Prints the warnings about a game.
pub fn warn(entry: Entry, game: &RecordedGame) {
    game.warnings().iter().for_each(|odd| warning(format_args!("{entry}: {odd}")));
}

/// Opens a file of games; `-` is standard input.
pub fn open(file: &Path) -> Result<Box<dyn BufRead>, CliError> {
    if file == Path::new("-") {
        return Ok(Box::new(stdin().lock()));
    }
    let opened = files::open(file).map_err(|error| CliError::cannot_read(file, error))?;
    Ok(Box::new(BufReader::new(opened)))
}

/// Reads game `number` of a file, counting from 1.
fn recorded(file: &Path, number: u32, size: Option<usize>) -> Result<(Entry, RecordedGame), CliError> {
    let input = open(file)?;
    let mut games = 0;
    for game in recorded_games_on(input, size) {
        games += 1;
        if games == number as usize {
            let (entry, game) = game?;
            warn(entry, &game);
            return Ok((entry, game));
        }
    }
    Err(CliError::Request(format!("there is no game {number} in the file; it has {games}")))
}

/// Reads game `number` of a file, counting from 1; `-` is standard input. Returns its first position, its moves, and
/// the side to move at the end if the file states it. `size` is the board's size if the file does not state it.
pub fn recorded_moves(
    file: &Path,
    number: u32,
    size: Option<usize>,
) -> Result<(Position, Moves, Option<Seat>), CliError> {
    let (entry, recorded) = recorded(file, number, size)?;
    let at_entry = |fault| InterchangeError::Game { entry, fault };
    let game = recorded.game().map_err(at_entry)?;
    let (start, moves) = recorded.moves(game).map_err(at_entry)?;
    Ok((start, moves, recorded.next()))
}
