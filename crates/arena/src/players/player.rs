//! The interface of a player in a match, and the random player, which every other must beat.

use rand::SeedableRng;
use rand::seq::IndexedRandom;

use hexzero_games::{Action, GameRng, Position};
use hexzero_system::stop::StopSignal;

/// An error that keeps a player from playing on.
pub type PlayerError = Box<dyn std::error::Error + Send + Sync>;

/// A player of games.
///
/// A match calls [`Player::start_game`] before the first move, then [`Player::observe`] after
/// *every* move of either player (including the opening), and [`Player::choose`] when it is the
/// player's turn. After an error the player is not called again.
pub trait Player: Send {
    /// Returns the player's name in results.
    fn name(&self) -> String;

    /// Receives, before its first game, the signal that the match is to stop. A player that may think for long should
    /// check it meanwhile, and give up with any error.
    fn set_stop_signal(&mut self, _stop: &StopSignal) {}

    /// Prepares for a new game that begins at `start`: forgets the last one, and draws all randomness from
    /// `seed`. A game must depend on the seed and the moves only, or a match could not be repeated with another
    /// number of threads.
    ///
    /// # Errors
    /// If the player cannot play it.
    fn start_game(&mut self, start: &Position, seed: u64) -> Result<(), PlayerError>;

    /// Returns the move to play in an unfinished position; none to resign. `position` decides: a player that keeps
    /// state from earlier moves must notice when it does not match.
    ///
    /// # Errors
    /// If the player cannot choose.
    fn choose(&mut self, position: &Position) -> Result<Option<Action>, PlayerError>;

    /// Observes a move played in the position `before`.
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

    fn set_stop_signal(&mut self, stop: &StopSignal) {
        (**self).set_stop_signal(stop);
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

/// Plays any legal move, all with the same chance.
#[derive(Debug, Clone)]
pub struct RandomPlayer {
    rng: GameRng,
}

impl RandomPlayer {
    /// Creates a player with this seed.
    pub fn new(seed: u64) -> Self {
        Self { rng: GameRng::seed_from_u64(seed) }
    }
}

impl Player for RandomPlayer {
    fn name(&self) -> String {
        "random".to_owned()
    }

    fn start_game(&mut self, _start: &Position, seed: u64) -> Result<(), PlayerError> {
        self.rng = GameRng::seed_from_u64(seed);
        Ok(())
    }

    fn choose(&mut self, position: &Position) -> Result<Option<Action>, PlayerError> {
        Ok(position.legal().choose(&mut self.rng).copied())
    }
}
