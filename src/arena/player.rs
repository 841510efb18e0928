//! What takes part in a match.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::games::{Action, Position};

/// Why a player cannot play on.
pub type PlayerError = Box<dyn std::error::Error + Send + Sync>;

/// Somebody who plays a game.
///
/// A match calls [`Player::start_game`] before the first move, then [`Player::observe`] after
/// *every* move, whoever made it (those of the opening too), and [`Player::choose`] when it is the
/// player's turn. After an error nothing more is asked of a player.
pub trait Player: Send {
    /// What the player is called in results.
    fn name(&self) -> String;

    /// Hears, before its first game, of the flag that becomes true when nothing more is wanted of it. A player that
    /// may think for long looks at it meanwhile, and gives up with any error.
    fn heed(&mut self, _halted: &Arc<AtomicBool>) {}

    /// Prepares for a new game that begins at `start`: forgets the last one, and draws all randomness from
    /// `seed` from now on. A game must depend on the seed and the moves alone, or a match could not be repeated
    /// with another number of threads.
    ///
    /// # Errors
    /// If the player cannot play it.
    fn start_game(&mut self, start: &Position, seed: u64) -> Result<(), PlayerError>;

    /// The move to play in a position that is not over; none to resign. `position` is the whole truth: a player
    /// who keeps something from earlier moves must notice when it does not fit.
    ///
    /// # Errors
    /// If the player cannot say.
    fn choose(&mut self, position: &Position) -> Result<Option<Action>, PlayerError>;

    /// Hears of a move that is played in the position `before`.
    ///
    /// # Errors
    /// If the player cannot follow.
    fn observe(&mut self, _before: &Position, _action: Action) -> Result<(), PlayerError> {
        Ok(())
    }
}

impl Player for Box<dyn Player + '_> {
    fn name(&self) -> String {
        (**self).name()
    }

    fn heed(&mut self, halted: &Arc<AtomicBool>) {
        (**self).heed(halted);
    }

    fn start_game(&mut self, start: &Position, seed: u64) -> Result<(), PlayerError> {
        (**self).start_game(start, seed)
    }

    fn choose(&mut self, position: &Position) -> Result<Option<Action>, PlayerError> {
        (**self).choose(position)
    }

    fn observe(&mut self, before: &Position, action: Action) -> Result<(), PlayerError> {
        (**self).observe(before, action)
    }
}
