//! Moves that a query leaves out of the search: `avoidMoves` and `allowMoves`.

use serde::Deserialize;

use super::fields::{Fault, Fields};
use super::query::seat;
use crate::gtp::{self, Restriction};
use hexzero_games::{Action, Game, Position};

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

/// Returns the field with the moves to avoid, or with those to allow.
fn field(allows: bool) -> &'static str {
    if allows { "allowMoves" } else { "avoidMoves" }
}

/// Takes the moves of a query, and adds a warning if they are to be left out deeper in the tree as well.
pub fn take(fields: &mut Fields, game: Game, warnings: &mut Vec<Fault>) -> Result<Vec<Restriction>, Fault> {
    let mut restrictions = Vec::new();
    for allows in [false, true] {
        let field = field(allows);
        let listed: Vec<Listed> = fields.take(field, EXPECTED)?.unwrap_or_default();
        if let Some(depth) = listed.iter().filter_map(|listed| listed.until_depth).find(|&depth| depth != 1) {
            let problem = format!("untilDepth is {depth}; moves are left out at the first move only, as with 1");
            warnings.push(Fault::new(field, problem));
        }
        for Listed { player, moves, .. } in listed {
            let seat = seat(game, &player).map_err(|problem| Fault::new(field, format!("{field}: {problem}")))?;
            restrictions.push(Restriction { seat, moves, allows });
        }
    }
    Ok(restrictions)
}

/// Returns the moves to leave out in a position.
pub fn left_out(restrictions: &[Restriction], position: &Position) -> Result<Vec<Action>, Fault> {
    let left_out = gtp::left_out(restrictions, position).map_err(|(restriction, error)| {
        let field = field(restriction.allows);
        Fault::new(field, format!("{field}: {error}"))
    })?;
    if left_out.len() == position.legal().len() {
        let avoiding: Vec<Restriction> = restrictions.iter().filter(|of| !of.allows).cloned().collect();
        let leaves_some = gtp::left_out(&avoiding, position).is_ok_and(|avoided| avoided.len() < left_out.len());
        let field = field(leaves_some);
        return Err(Fault::new(field, format!("{field} leaves no legal move")));
    }
    Ok(left_out)
}
