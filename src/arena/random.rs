//! The player against whom every other must win.

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::games::{Action, Game, Position};

use super::player::{Player, PlayerError};

/// Plays any legal move, all with the same chance.
#[derive(Debug, Clone)]
pub struct RandomPlayer {
    rng: Xoshiro256PlusPlus,
    legal: Vec<Action>,
}

impl RandomPlayer {
    /// A player with this seed.
    pub fn new(seed: u64) -> Self {
        Self { rng: Xoshiro256PlusPlus::seed_from_u64(seed), legal: Vec::new() }
    }
}

impl Player for RandomPlayer {
    fn name(&self) -> String {
        "random".to_owned()
    }

    fn start_game(&mut self, _start: &Position, seed: u64) -> Result<(), PlayerError> {
        self.rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        Ok(())
    }

    fn choose(&mut self, game: &Position) -> Result<Option<Action>, PlayerError> {
        game.legal_actions(&mut self.legal);
        Ok(self.legal.choose(&mut self.rng).copied())
    }
}
