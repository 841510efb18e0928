//! What takes part in a match.

use crate::games::{Action, Game};

/// Somebody who plays a game.
///
/// A match calls [`Player::start_game`] before the first move, then [`Player::observe`] after
/// *every* move, whoever made it (those of the opening too), and [`Player::choose`] when it is the
/// player's turn.
pub trait Player<G: Game>: Send {
    /// What the player is called in results.
    fn name(&self) -> String;

    /// Prepares for a new game: forgets the last one, and draws all randomness from `seed` from now
    /// on. A game must depend on the seed and the moves alone, or a match could not be repeated
    /// with another number of threads.
    fn start_game(&mut self, seed: u64);

    /// The move to play in a position that is not over. `game` is the whole truth: a player who
    /// keeps something from earlier moves must notice when it does not fit.
    fn choose(&mut self, game: &G) -> Action;

    /// Hears of a move that has been played.
    fn observe(&mut self, _action: Action) {}
}

impl<G: Game> Player<G> for Box<dyn Player<G>> {
    fn name(&self) -> String {
        (**self).name()
    }

    fn start_game(&mut self, seed: u64) {
        (**self).start_game(seed);
    }

    fn choose(&mut self, game: &G) -> Action {
        (**self).choose(game)
    }

    fn observe(&mut self, action: Action) {
        (**self).observe(action);
    }
}
