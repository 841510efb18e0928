//! Text formats of games: lines of JSON, SGF and HexWorld links, and a reader for files in any of
//! them.

mod charset;
pub(crate) mod hexworld;
mod interchange;
mod little_golem;
mod sgf;
mod sgf_reader;
mod sgf_writer;

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::error::Category;

use crate::recorded::{Analysis, Comments, GameFault, Marks, quoted, result_name};
use hexzero_games::{Action, Arrangement, Position};

pub use hexworld::HEXWORLD_SGF;
pub use interchange::{recorded_games, recorded_games_on, replays, rewritten};
pub use sgf::SgfGame;
pub use sgf_reader::{SgfError, SgfGames};
pub(crate) use sgf_writer::SgfText;

/// A game as a line of JSON, for people and other programs:
///
/// ```json
/// {"game":"cachex","size":5,"moves":["d2","swap","c4"],"result":"red"}
/// ```
///
/// `result` may be left out; if given, it must agree with the moves. `resigned` names a player who
/// resigned after the moves, and `setup` gives the starting position if it is not the empty board
/// ([`Arrangement`]). docs/formats/games.md describes the other fields; unknown fields are ignored.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct InterchangeGame {
    /// The game's name, such as `cachex`.
    pub game: String,
    /// The board's size.
    pub size: usize,
    /// The starting position, if it is not the empty board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setup: Option<Arrangement>,
    /// The moves by name, in order.
    pub moves: Vec<String>,
    /// The winner's name or `draw`, or `None` if the game is not over or no result is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// The name of the player who resigned after these moves, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resigned: Option<String>,
    /// True if that player lost on time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub on_time: bool,
    /// The game's title.
    #[serde(default, deserialize_with = "if_it_fits", skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The players' names, keyed by seat name.
    #[serde(default, deserialize_with = "if_it_fits", skip_serializing_if = "BTreeMap::is_empty")]
    pub players: BTreeMap<String, String>,
    /// The date of the game.
    #[serde(default, deserialize_with = "if_it_fits", skip_serializing_if = "String::is_empty")]
    pub date: String,
    /// The number of moves up to the position to show, if not the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<usize>,
    /// The comments, keyed by the number of moves before them.
    #[serde(default, skip_serializing_if = "Comments::is_empty")]
    pub comments: Comments,
    /// The texts written on the board, keyed by the number of moves before them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub marks: BTreeMap<usize, Marks>,
    /// What searches found, keyed by the number of moves before it.
    #[serde(default, deserialize_with = "if_it_fits", skip_serializing_if = "Analysis::is_empty")]
    pub analysis: Analysis,
    /// The variations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Variation>,
}

/// A variation of a line.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Variation {
    /// The number of moves of the game before the variation.
    pub ply: usize,
    /// The moves of the variation.
    pub moves: Vec<String>,
    /// The comments, keyed by the number of moves of the game before them.
    #[serde(default, skip_serializing_if = "Comments::is_empty")]
    pub comments: Comments,
    /// The texts written on the board, keyed by the number of moves of the game before them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub marks: BTreeMap<usize, Marks>,
    /// What searches found, keyed by the number of moves of the game before it.
    #[serde(default, deserialize_with = "if_it_fits", skip_serializing_if = "Analysis::is_empty")]
    pub analysis: Analysis,
    /// Variations of this variation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Variation>,
}

/// Deserialises a field that other programs may use for something else, and ignores it then.
fn if_it_fits<'a, D: Deserializer<'a>, T: DeserializeOwned + Default>(deserializer: D) -> Result<T, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(deserializer)?).unwrap_or_default())
}

impl InterchangeGame {
    /// Creates the record of a game from its position and all its actions from the start.
    pub fn new(position: &Position, actions: &[Action]) -> Self {
        let game = position.game();
        Self {
            game: game.name().to_owned(),
            size: position.size(),
            moves: actions.iter().map(|&action| position.action_name(action)).collect(),
            result: position.outcome().map(|outcome| result_name(game, outcome).to_owned()),
            ..Self::default()
        }
    }

    /// Parses a line.
    ///
    /// # Errors
    /// If the line is not in this format. Does not check whether the game can be played.
    pub(crate) fn from_line(line: &[u8]) -> Result<Self, GameFault> {
        let line = line.trim_ascii_end();
        serde_json::from_slice(line).map_err(|error| {
            // The parser saw only a single line, so the line number in its message would be
            // misleading.
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
            if is_object {
                return GameFault::Other(format!("not a game in JSON, character {column}: {}", quoted(reason)));
            }
            let found = quoted(String::from_utf8_lossy(line).trim());
            let advice = r#"give SGF, a HexWorld link, or a line such as {"game":"hex","size":11,"moves":["a2"]}"#;
            GameFault::Other(format!("'{found}' is no game: {advice}"))
        })
    }

    /// Formats the game as a line, without a line feed.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("texts and a number are JSON")
    }
}
