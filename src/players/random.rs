//! The random player, which every other must beat.

use rand::SeedableRng;
use rand::seq::IndexedRandom;

use crate::games::{Action, GameRng, Position};

use super::player::{Player, PlayerError};

/// Plays any legal move, all with the same chance.
#[derive(Debug, Clone)]
pub struct RandomPlayer {
    rng: GameRng,
    legal: Vec<Action>,
}

impl RandomPlayer {
    /// Creates a player with this seed.
    pub fn new(seed: u64) -> Self {
        Self { rng: GameRng::seed_from_u64(seed), legal: Vec::new() }
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
        position.legal_actions(&mut self.legal);
        Ok(self.legal.choose(&mut self.rng).copied())
    }
}
