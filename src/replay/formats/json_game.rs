//! A game as a line of JSON, for people and other programs:
//!
//! ```json
//! {"game":"cachex","size":5,"moves":["d2","swap","c4"],"result":"red"}
//! ```
//!
//! `result` may be left out; if given it must be what the moves lead to. `resigned` with a player's name says that
//! this player resigned after the moves, and `setup` where the game begins if not with an empty board
//! ([`crate::games::Arrangement`]). docs/formats.md describes the other fields; those that are not known are ignored.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::error::Category;

use crate::games::{Action, Arrangement, Position};
use crate::replay::recorded::{Comments, GameFault, Marks, quoted, result_name};

/// A game as written in a file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct InterchangeGame {
    /// The game's name, such as `cachex`.
    pub game: String,
    /// The board's size.
    pub size: usize,
    /// The position at the start, if it is not the empty board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setup: Option<Arrangement>,
    /// The moves by name, in order.
    pub moves: Vec<String>,
    /// The winner's name or `draw`; none if the game is not over or no result is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// The name of the player who resigned after these moves, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resigned: Option<String>,
    /// True if that was because of the clock.
    #[serde(default, skip_serializing_if = "is_false")]
    pub on_time: bool,
    /// The game's title.
    #[serde(default, deserialize_with = "if_it_fits", skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The players' names, by the names of the seats.
    #[serde(default, deserialize_with = "if_it_fits", skip_serializing_if = "BTreeMap::is_empty")]
    pub players: BTreeMap<String, String>,
    /// When it was played.
    #[serde(default, deserialize_with = "if_it_fits", skip_serializing_if = "String::is_empty")]
    pub date: String,
    /// The number of moves to the position to be shown, if not the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<usize>,
    /// The comments, by the number of moves before them.
    #[serde(default, skip_serializing_if = "Comments::is_empty")]
    pub comments: Comments,
    /// The texts written on the board, by the number of moves before them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub marks: BTreeMap<usize, Marks>,
    /// The variations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Variation>,
}

/// A line that leaves another one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Variation {
    /// The number of moves of the game before it.
    pub ply: usize,
    /// Its moves.
    pub moves: Vec<String>,
    /// The comments, by the number of moves of the game before them.
    #[serde(default, skip_serializing_if = "Comments::is_empty")]
    pub comments: Comments,
    /// The texts written on the board, by the number of moves of the game before them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub marks: BTreeMap<usize, Marks>,
    /// Lines that leave this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Variation>,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// Reads a field that other programs may use for something else.
fn if_it_fits<'a, D: Deserializer<'a>, T: DeserializeOwned + Default>(deserializer: D) -> Result<T, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(deserializer)?).unwrap_or_default())
}

impl InterchangeGame {
    /// Returns the record of a game from its position and all its actions from the start.
    pub fn new(position: &Position, actions: &[Action]) -> Self {
        let game = position.game();
        Self {
            game: game.name().to_owned(),
            size: position.size(),
            setup: None,
            moves: actions.iter().map(|&action| position.action_name(action)).collect(),
            result: position.outcome().map(|outcome| result_name(game, outcome).to_owned()),
            ..Self::default()
        }
    }

    /// Parses a line.
    ///
    /// # Errors
    /// If it is not in this form. Does not check whether the game can be played.
    pub(in crate::replay) fn from_line(line: &[u8]) -> Result<Self, GameFault> {
        let line = line.trim_ascii_end();
        serde_json::from_slice(line).map_err(|error| {
            // The parser saw a single line, so the line number in its message would only mislead.
            let (number, column) = (error.line(), error.column());
            let message = error.to_string();
            let reason = match error.classify() {
                Category::Data => {
                    message.strip_suffix(&format!(" at line {number} column {column}")).unwrap_or(&message)
                }
                Category::Eof => "it ends too early",
                Category::Syntax | Category::Io => "this does not belong there",
            };
            let is_object = line.trim_ascii_start().starts_with(b"{");
            let found = quoted(String::from_utf8_lossy(line).trim());
            if is_object { GameFault::Json { column, reason: quoted(reason) } } else { GameFault::NoGame { found } }
        })
    }

    /// Formats the game as a line, without a line end.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("texts and a number are JSON")
    }
}
