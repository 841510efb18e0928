//! Conversion of games in files and addresses: the page parses none itself.

use serde_json::json;

use crate::replay::{GameForm, rewritten};

/// The longest file that is accepted, in bytes.
pub(in crate::interfaces) const LONGEST_FILE: usize = 1 << 24;

/// Converts the games of a file in any form to the one that the query asks for: `to=tree`, `jsonl`, `sgf` or `hexworld`.
/// Returns JSON; a file that cannot be read gives an `error` there, as in the protocol's other answers.
pub(crate) fn converted(query: &str, file: &[u8]) -> String {
    match written(query, file) {
        Ok(answer) => answer,
        Err(problem) => json!({ "error": problem }).to_string(),
    }
}

fn written(query: &str, file: &[u8]) -> Result<String, String> {
    let form = match query.strip_prefix("to=") {
        Some("tree") => GameForm::Tree,
        Some("jsonl") => GameForm::JsonLine,
        Some("sgf") => GameForm::Sgf,
        Some("hexworld") => GameForm::HexWorld,
        _ => return Err("say by '?to=' whether the games are wanted as tree, jsonl, sgf or hexworld".to_owned()),
    };
    let games: Result<Vec<String>, _> = rewritten(file, form).collect();
    let games = games.map_err(|error| error.to_string())?;
    if games.is_empty() {
        return Err("there is no game in this file".to_owned());
    }
    Ok(match form {
        GameForm::Tree => format!("{{\"games\":[{}]}}", games.join(",")),
        _ => json!({ "text": games.join("\n") + "\n" }).to_string(),
    })
}
