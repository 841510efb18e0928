//! The checkpoints that ship, compiled in, so that the program works from anywhere.

use crate::games::{Cachex, Game, Position, Hex};
use crate::network::{Checkpoint, CheckpointError};

/// The shipped checkpoint of a game.
///
/// # Errors
/// If none ships for this game, or the one that does was made for another version of its inputs.
pub fn shipped() -> Result<Checkpoint, CheckpointError> {
    let bytes: &[u8] = match G::NETWORK {
        Cachex::NETWORK => include_bytes!("../models/cachex.safetensors"),
        Hex::NETWORK => include_bytes!("../models/hex.safetensors"),
        _ => return Err(CheckpointError::NoneShipped { game: G::NAME }),
    };
    let checkpoint = Checkpoint::from_bytes(bytes, SHIPPED)?;
    checkpoint.check_game(SHIPPED)?;
    Ok(checkpoint)
}

/// What the shipped checkpoint is called.
pub const SHIPPED: &str = "shipped";
