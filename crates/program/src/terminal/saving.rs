//! Games of the terminal as files.

use std::path::Path;

use hexzero_games::Action;
use hexzero_replay::{GameFault, GameForm, InterchangeGame, RecordedGame};
use hexzero_system::files::write_whole;

use super::table::Table;
use super::words;

/// Error saving a game.
#[derive(Debug, thiserror::Error)]
pub(super) enum SaveError {
    /// The name has no extension of a known format.
    #[error("{}", words::no_form(.0))]
    Form(String),
    /// The game cannot be written.
    #[error("{}", words::cannot_be_saved(&.0.to_string()))]
    Game(#[from] GameFault),
    /// The file cannot be written.
    #[error("{}", words::cannot_be_written(.name, .source))]
    Write {
        /// The file's name.
        name: String,
        /// The cause.
        source: std::io::Error,
    },
}

/// Returns a file name for a game, which the person may change.
pub(super) fn suggested_name(table: &Table) -> String {
    let (game, size) = (table.engine.game(), table.engine.position().size());
    format!("{}-{size}.{}", game.name(), if game.sgf.is_some() { "sgf" } else { "jsonl" })
}

/// Saves the game as it stands, in the format of the name's extension; replaces the file.
pub(super) fn save(table: &mut Table, name: &str) -> Result<(), SaveError> {
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let (position, game) = (table.engine.position(), table.engine.game());
    let form = match ending.to_ascii_lowercase().as_str() {
        "sgf" => GameForm::Sgf,
        "jsonl" => GameForm::JsonLine,
        _ => return Err(SaveError::Form(name.to_owned())),
    };
    let actions: Vec<Action> = table.engine.played().iter().map(|played| played.action).collect();
    let resigned = table.resigned.then(|| game.seat_name(table.options.person).to_owned());
    let line = InterchangeGame { resigned, ..InterchangeGame::new(position, &actions) };
    let text = RecordedGame::try_from(line)?.rewritten(form)?;
    let written = write_whole(Path::new(name), format!("{text}\n").as_bytes());
    written.map_err(|source| SaveError::Write { name: name.to_owned(), source })?;
    table.saved_moves = table.engine.played().len();
    Ok(())
}
