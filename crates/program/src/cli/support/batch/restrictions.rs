//! Moves that a query leaves out of the search: `avoidMoves` and `allowMoves`.

use serde::Deserialize;

use super::fields::{Fault, Fields};
use super::query::seat;
use hexzero_games::{Action, Game, Position, Seat};

const AVOID: &str = "avoidMoves";
const ALLOW: &str = "allowMoves";

/// The accepted form of each field.
const EXPECTED: &str = "a list of objects such as {\"player\":\"B\",\"moves\":[\"c3\"],\"untilDepth\":1}";

/// Moves of a player, to be avoided or allowed until this depth.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    player: String,
    moves: Vec<String>,
    until_depth: Option<u32>,
}

/// The moves of each player that a search may not begin with, or may only begin with.
#[derive(Debug, Clone, Default)]
pub struct Restrictions {
    avoided: Vec<(Seat, Vec<String>)>,
    allowed: Vec<(Seat, Vec<String>)>,
}

impl Restrictions {
    /// Takes the moves of a query, and adds a warning if they are to be left out deeper in the tree as well.
    pub fn take(fields: &mut Fields, game: Game, warnings: &mut Vec<Fault>) -> Result<Self, Fault> {
        let mut read = |field: &'static str| -> Result<Vec<(Seat, Vec<String>)>, Fault> {
            let listed: Vec<Listed> = fields.take(field, EXPECTED)?.unwrap_or_default();
            if let Some(depth) = listed.iter().filter_map(|listed| listed.until_depth).find(|&depth| depth != 1) {
                let problem = format!("untilDepth is {depth}; moves are left out at the first move only, as with 1");
                warnings.push(Fault::new(field, problem));
            }
            let of = |listed: Listed| match seat(game, &listed.player) {
                Ok(seat) => Ok((seat, listed.moves)),
                Err(problem) => Err(Fault::new(field, format!("{field}: {problem}"))),
            };
            listed.into_iter().map(of).collect()
        };
        Ok(Self { avoided: read(AVOID)?, allowed: read(ALLOW)? })
    }

    /// Returns the moves to leave out in a position.
    pub fn left_out(&self, position: &Position) -> Result<Vec<Action>, Fault> {
        let mover = position.to_move();
        let mut legal = position.legal();
        let mut left = legal.clone();
        for (field, list) in [(AVOID, &self.avoided), (ALLOW, &self.allowed)] {
            let mut listed: Option<Vec<Action>> = None;
            for (_, names) in list.iter().filter(|(seat, _)| *seat == mover) {
                let actions = listed.get_or_insert_default();
                // Clients of Go often list a pass, which most games do not have.
                for name in names.iter().filter(|name| !name.eq_ignore_ascii_case("pass")) {
                    let read = position.parse_action(name);
                    actions.push(read.map_err(|error| Fault::new(field, format!("{field}: {error}")))?);
                }
            }
            let Some(listed) = listed else { continue };
            left.retain(|action| listed.contains(action) == (field == ALLOW));
            if left.is_empty() {
                return Err(Fault::new(field, format!("{field} leaves no legal move")));
            }
        }
        legal.retain(|action| !left.contains(action));
        Ok(legal)
    }
}
