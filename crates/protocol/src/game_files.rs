//! Conversion of games in files and addresses: the page parses none itself.

use std::io::BufRead;

use serde_json::json;

use hexzero_replay::{GameForm, InterchangeError, rewritten};

/// The longest file that is accepted, in bytes.
pub const MAX_FILE_BYTES: usize = 1 << 24;

/// Converts the games of a file in any form to the one that the query asks for: `to=tree`, `jsonl`, `sgf` or
/// `hexworld`. Returns JSON; a file that cannot be read gives an `error` there, as in the protocol's other answers.
pub(crate) fn converted(query: &str, file: &[u8]) -> String {
    match Conversion::new(query, file) {
        Ok(mut games) => {
            while games.convert_next().is_some() {}
            games.answer()
        }
        Err(answer) => answer,
    }
}

/// The conversion of a file, game by game.
pub struct Conversion<'a> {
    form: GameForm,
    games: Box<dyn Iterator<Item = Result<String, InterchangeError>> + Send + 'a>,
    converted: Vec<String>,
    problem: Option<String>,
}

impl<'a> Conversion<'a> {
    /// Begins to convert a file to the form that the query asks for.
    ///
    /// # Errors
    /// If there is no such form; the error is the answer that says so.
    pub fn new(query: &str, file: impl BufRead + Send + 'a) -> Result<Self, String> {
        let form = match query.strip_prefix("to=") {
            Some("tree") => GameForm::Tree,
            Some("jsonl") => GameForm::JsonLine,
            Some("sgf") => GameForm::Sgf,
            Some("hexworld") => GameForm::HexWorld,
            _ => {
                let problem = "say by '?to=' whether the games are wanted as tree, jsonl, sgf or hexworld";
                return Err(problem_text(problem));
            }
        };
        Ok(Self { form, games: Box::new(rewritten(file, form)), converted: Vec::new(), problem: None })
    }

    /// Converts the next game. Returns the bytes of its text, none if there is no other game or it cannot be read.
    pub fn convert_next(&mut self) -> Option<usize> {
        match self.games.next()? {
            Ok(text) => {
                let bytes = text.len();
                self.converted.push(text);
                Some(bytes)
            }
            Err(problem) => {
                self.problem = Some(problem.to_string());
                None
            }
        }
    }

    /// Returns the answer with the games converted so far, or with what is wrong with the file.
    pub fn answer(self) -> String {
        match self.problem {
            Some(problem) => problem_text(&problem),
            None if self.converted.is_empty() => problem_text("there is no game in this file"),
            None if self.form == GameForm::Tree => format!("{{\"games\":[{}]}}", self.converted.join(",")),
            None => json!({ "text": self.converted.join("\n") + "\n" }).to_string(),
        }
    }
}

fn problem_text(problem: &str) -> String {
    json!({ "error": problem }).to_string()
}
