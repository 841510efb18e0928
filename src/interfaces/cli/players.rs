//! Prepares players for matches.

use crate::arena::{PlayerSource, PlayerSpec};
use crate::engine::model::{ModelError, game_of, load_checkpoint};
use crate::games::Game;
use crate::interfaces::error::CliError;
use crate::search::Limits;

/// Returns the game of the first player that is a checkpoint, if there is one.
pub(super) fn game_of_players(players: &[PlayerSpec]) -> Result<Option<Game>, ModelError> {
    let model = players.iter().find_map(|player| match player {
        PlayerSpec::Checkpoint(path, _) => Some(path),
        _ => None,
    });
    model.map(|path| game_of(path)).transpose()
}

/// Prepares a player for matches: reads its network, if it has one. `limits` are for players without limits of
/// their own.
///
/// # Errors
/// If its checkpoint cannot be used for this game.
pub(super) fn player_source(game: Game, spec: PlayerSpec, limits: Limits) -> Result<PlayerSource, CliError> {
    let name = spec.to_string();
    let (model, options) = match spec {
        PlayerSpec::Checkpoint(path, options) => (Some(path), options),
        PlayerSpec::Shipped(options) => (None, options),
        PlayerSpec::Program { words, swap, .. } => return Ok(PlayerSource::program(name, words, limits.time, swap)),
        PlayerSpec::Random | PlayerSpec::AlphaBeta { .. } | PlayerSpec::Mcts { .. } => {
            return Ok(PlayerSource::built_in(spec));
        }
    };
    let (_, checkpoint) = load_checkpoint(game, model.as_deref())?;
    Ok(PlayerSource::network(game, name, &checkpoint, options, limits, PlayerSource::CACHE)?)
}
