//! Opening maps: the value of each first move and its best reply.
//!
//! Every position is searched separately with the same number of visits, so a map does not depend
//! on the number of threads. Of first moves that are equivalent by a symmetry of the board, only
//! one is searched.

mod file;
mod search;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use hexzero_games::{Action, Game, Position, SizeError};
use hexzero_models::shipped_openings;

pub use file::{OpeningMaps, OpeningMapsError};
pub use search::{DEFAULT_VISITS, OpeningSearch};

/// The values of the first moves on a board. docs/formats/results.md describes the JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpeningMap {
    /// The game's name.
    pub game: String,
    /// The board's size.
    pub size: usize,
    /// The digest of the model that judged ([`hexzero_models::digest`]); none for random playouts.
    pub model: Option<String>,
    /// Visits of each position after a first move.
    pub visits: u32,
    /// Visits of each position after a reply; none if replies were not searched.
    pub reply_visits: Option<u32>,
    /// The first moves, one of each set of equivalents by symmetry.
    pub openings: Vec<FirstMove>,
    /// In files the CRC-32 of the map without this field; none once it is read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    crc: Option<String>,
}

/// A first move. Chances are shares of the points that the first player can expect, to two digits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FirstMove {
    /// The move's name.
    #[serde(rename = "move")]
    pub name: String,
    /// The first moves that are equivalent by symmetry.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub same: Vec<String>,
    /// Chances if the second player does not swap.
    pub kept: f32,
    /// Chances if the second player swaps; none where it may not swap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swapped: Option<f32>,
    /// The best reply other than the swap; none if the game is over.
    pub reply: Option<String>,
    /// Chances after each reply other than the swap, if searched.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub replies: BTreeMap<String, f32>,
}

impl FirstMove {
    /// Returns the first player's chances, given that the second swaps if that is better for it.
    pub fn expected(&self) -> f32 {
        self.swapped.map_or(self.kept, |swapped| swapped.min(self.kept))
    }

    /// Lists the chances after the move and its replies.
    fn chances(&self) -> impl Iterator<Item = f32> {
        [self.kept].into_iter().chain(self.swapped).chain(self.replies.values().copied())
    }

    /// Returns whether the second player swaps.
    pub fn is_swapped(&self) -> bool {
        self.swapped.is_some_and(|swapped| swapped < self.kept)
    }
}

impl OpeningMap {
    /// Returns the map with an entry for every first move, including those that are equivalent by
    /// symmetry.
    ///
    /// # Errors
    /// If the game is not played on such a board.
    pub fn unfolded(&self, game: Game) -> Result<Vec<FirstMove>, SizeError> {
        let start = game.start(self.size)?;
        let mut all = Vec::new();
        for opening in &self.openings {
            all.push(FirstMove { same: Vec::new(), ..opening.clone() });
            let Some(first) = first_move(&start, &opening.name) else { continue };
            for name in &opening.same {
                let Some(same) = first_move(&start, name) else { continue };
                let Some(symmetry) = symmetries(&start).find(|&by| start.image(first, by) == same) else { continue };
                all.push(opening.seen_through(&start, first, same, symmetry));
            }
        }
        Ok(all)
    }
}

impl FirstMove {
    /// Returns this first move with its replies, mapped by the symmetry of the empty board that turns `first` into
    /// `same`.
    fn seen_through(&self, start: &Position, first: Action, same: Action, symmetry: usize) -> Self {
        let (from, to) = (start.after(first), start.after(same));
        let moved = |name: &String| {
            let action = start.image(from.parse_action(name).ok()?, symmetry);
            to.check(action).is_ok().then(|| to.action_name(action))
        };
        Self {
            name: start.action_name(same),
            same: Vec::new(),
            reply: self.reply.as_ref().and_then(moved),
            replies: self.replies.iter().filter_map(|(name, &chance)| Some((moved(name)?, chance))).collect(),
            ..*self
        }
    }
}

/// Returns the map that ships for a game's board, if there is one.
pub fn shipped_map(game: Game, size: usize) -> Option<OpeningMap> {
    let maps = OpeningMaps::parse(shipped_openings(game)?).ok()?;
    maps.maps().iter().find(|map| map.game == game.name() && map.size == size).cloned()
}

/// Returns the first move with this name; none if it is illegal, as names in a file may be.
fn first_move(start: &Position, name: &str) -> Option<Action> {
    start.parse_action(name).ok().filter(|&action| start.check(action).is_ok())
}

/// Returns the first moves, each with its equivalents by symmetry.
fn classes(start: &Position) -> Vec<(Action, Vec<Action>)> {
    let mut classes: Vec<(Action, Vec<Action>)> = Vec::new();
    for action in start.legal() {
        if classes.iter().any(|(_, same)| same.contains(&action)) {
            continue;
        }
        let mut same = start.same_by_symmetry(action);
        same.retain(|&other| other != action);
        classes.push((action, same));
    }
    classes
}

/// Returns the numbers of the symmetries that the rules keep.
fn symmetries(start: &Position) -> impl Iterator<Item = usize> {
    0..start.game_board().symmetries().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexzero_games::all_games;

    /// A first move and what a symmetry makes of it lead to positions that differ by the same symmetry: the same number
    /// of replies, each of which may be played there.
    #[test]
    fn replies_are_turned_with_their_first_moves() {
        for game in all_games() {
            let start = game.start(*game.boards.sizes.start()).unwrap();
            for (first, same) in classes(&start) {
                let replies = start.after(first).legal();
                for other in same {
                    let by = symmetries(&start).find(|&by| start.image(first, by) == other).unwrap();
                    let after = start.after(other);
                    let mut turned: Vec<Action> = replies.iter().map(|&reply| start.image(reply, by)).collect();
                    turned.sort_unstable();
                    assert_eq!(turned, after.legal(), "{game:?}: {}", start.action_name(other));
                }
            }
        }
    }
}
