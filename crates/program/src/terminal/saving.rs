//! Games of the terminal as files.

use std::path::Path;

use hexzero_replay::GameForm;
use hexzero_system::files::write_whole;
use hexzero_system::texts::without_error_numbers;

use super::table::Table;
use crate::written_game;

/// Returns a file name for a game, which the person may change.
pub(super) fn suggested_name(table: &Table) -> String {
    let (game, size) = (table.engine.game(), table.engine.position().size());
    format!("{}-{size}.{}", game.name(), if game.sgf.is_some() { "sgf" } else { "jsonl" })
}

/// Saves the game as it stands, in the format of the name's extension; replaces the file.
pub(super) fn save(table: &mut Table, name: &str) -> Result<(), String> {
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let form = match ending.to_ascii_lowercase().as_str() {
        "sgf" => GameForm::Sgf,
        "jsonl" => GameForm::JsonLine,
        _ => return Err(format!("a game is saved as FILE.jsonl or FILE.sgf; '{name}' ends in neither")),
    };
    let text = written_game(&table.engine, table.resigned.then_some(table.options.person), form);
    let text = text.map_err(|fault| format!("the game cannot be saved: {fault}"))?;
    let written = write_whole(Path::new(name), format!("{text}\n").as_bytes());
    written.map_err(|error| format!("{name} cannot be written: {}", without_error_numbers(&error.to_string())))?;
    table.saved_moves = table.engine.played().len();
    Ok(())
}
