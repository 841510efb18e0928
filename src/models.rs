//! The checkpoints that ship, compiled in, so that the program works from anywhere.

use crate::games::Game;
use crate::network::{Checkpoint, CheckpointError};

/// The checkpoints, by the name of the game whose networks they are: [`crate::games::GameInfo::network`].
const CHECKPOINTS: [(&str, &[u8]); 2] =
    [("cachex", include_bytes!("../models/cachex.safetensors")), ("hex", include_bytes!("../models/hex.safetensors"))];

/// What the shipped checkpoint is called.
pub const SHIPPED: &str = "shipped";

/// Returns the shipped checkpoint for a game.
///
/// # Errors
/// If none ships for this game, as for those from outside this crate (see [`crate::games::register`]), or the one that
/// does was made for another version of its inputs.
pub fn shipped(game: Game) -> Result<Checkpoint, CheckpointError> {
    let found = CHECKPOINTS.iter().find(|(network, _)| *network == game.network);
    let (_, bytes) = found.ok_or(CheckpointError::NoneShipped { game: game.name() })?;
    let checkpoint = Checkpoint::from_bytes(bytes, SHIPPED)?;
    checkpoint.check_game(game, SHIPPED)?;
    Ok(checkpoint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::all_games;

    #[test]
    fn every_checkpoint_is_of_a_game_and_fits_it() {
        for (network, _) in CHECKPOINTS {
            assert!(all_games().iter().any(|game| game.network == network), "{network}");
        }
        for game in all_games().into_iter().filter(|game| CHECKPOINTS.iter().any(|(name, _)| *name == game.network)) {
            assert!(shipped(game).is_ok(), "{game:?}");
        }
    }
}
