//! The game of the players of a match.

use crate::arena::PlayerSpec;
use crate::engine::model::{ModelError, game_of};
use crate::games::Game;

/// Returns the game of the first player that is a checkpoint, if there is one.
pub(super) fn game_of_players(players: &[PlayerSpec]) -> Result<Option<Game>, ModelError> {
    let model = players.iter().find_map(|player| match player {
        PlayerSpec::Checkpoint(path, _) => Some(path),
        _ => None,
    });
    model.map(|path| game_of(path)).transpose()
}
