//! Games of files and addresses, from one form to another: the page reads and writes none itself.

use serde_json::json;

use crate::replay::{GameForm, rewritten};

/// The longest file that is taken, in bytes.
pub(super) const LONGEST_FILE: usize = 1 << 24;

/// Reads the games of a file in any form and writes them in the one that the query asks for: `to=tree`, `jsonl`, `sgf` or
/// `hexworld`. The answer is JSON: what cannot be read is told there, as in the protocol's other answers.
pub(super) fn converted(query: &str, file: &[u8]) -> String {
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
