//! A game as a line of JSON, which a person can read and other programs can write:
//!
//! ```json
//! {"game":"cachex","size":5,"moves":["d2","swap","c4"],"result":"red"}
//! ```
//!
//! `result` may be left out; if it is there it must be what the moves lead to. `resigned` with a player's name says
//! that this player gave up after the moves. Other fields are ignored.

use serde::{Deserialize, Serialize};

use crate::games::{Action, EndReason, Game, Position, Seat};

use super::faults::GameFault;
use super::record::GameRecord;
use super::text::{quoted, result_name};

/// A game as it stands in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InterchangeGame {
    /// The game's name, such as `cachex`.
    pub game: String,
    /// The board's size.
    pub size: usize,
    /// The moves by name, in order.
    pub moves: Vec<String>,
    /// The winner's name or `draw`; none if the game is not over or nothing was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// The name of the player who gave up after these moves, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resigned: Option<String>,
}

impl InterchangeGame {
    /// The record of a game: the position it has come to, and all its actions from the start.
    pub fn new(position: &Position, actions: &[Action]) -> Self {
        let game = position.game();
        Self {
            game: game.name().to_owned(),
            size: position.size(),
            moves: actions.iter().map(|&action| position.action_name(action)).collect(),
            result: position.outcome().map(|outcome| result_name(game, outcome).to_owned()),
            resigned: None,
        }
    }

    /// The form of a game of self-play; none if it breaks the rules.
    pub fn of_record(game: Game, record: &GameRecord) -> Option<Self> {
        let mut position = game.start(record.size.into()).ok()?;
        let actions: Vec<Action> = record.turns.iter().map(|turn| turn.action).collect();
        for &action in &actions {
            position.check(action).ok()?;
            position.play(action);
        }
        let gave_up = record.outcome.reason == EndReason::RESIGNATION;
        let loser = record.outcome.winner.filter(|_| gave_up).map(Seat::opponent);
        let resigned = loser.map(|loser| game.seat_name(loser).to_owned());
        Some(Self { resigned, ..Self::new(&position, &actions) })
    }

    /// Reads a line.
    ///
    /// # Errors
    /// If it is no game in this form. Whether the game can be played is not looked at.
    pub(super) fn from_line(line: &[u8]) -> Result<Self, GameFault> {
        serde_json::from_slice(line).map_err(|error| {
            // The parser saw a single line, so the line number in its message would only mislead.
            let (line, column) = (error.line(), error.column());
            let message = error.to_string();
            let reason = message.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&message);
            GameFault::Json { column, reason: quoted(reason) }
        })
    }

    /// The game as a line, without its end.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("texts and a number are JSON")
    }
}
