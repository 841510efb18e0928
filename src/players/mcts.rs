//! Plain Monte-Carlo tree search: the value of a leaf is the result of a random game.

use crate::games::{Action, Position};
use crate::search::{Limits, PLAYOUT_PUCT, RandomPlayouts};

use super::engine_player::EnginePlayer;
use super::player::{Player, PlayerError};

/// Plain Monte-Carlo tree search.
#[derive(Debug, Clone)]
pub struct Mcts(EnginePlayer<RandomPlayouts>);

impl Mcts {
    /// Creates a player whose root has `playouts` playouts, including those kept from the last move.
    pub fn new(playouts: u32) -> Self {
        let name = format!("mcts:{playouts}");
        Self(EnginePlayer::new(name, RandomPlayouts::new(0), PLAYOUT_PUCT, Limits::visits(playouts)))
    }
}

impl Player for Mcts {
    fn name(&self) -> String {
        self.0.name()
    }

    fn start_game(&mut self, start: &Position, seed: u64) -> Result<(), PlayerError> {
        *self.0.evaluator_mut() = RandomPlayouts::new(seed);
        self.0.start_game(start, seed)
    }

    fn choose(&mut self, position: &Position) -> Result<Option<Action>, PlayerError> {
        self.0.choose(position)
    }

    fn observe(&mut self, before: &Position, action: Action) -> Result<(), PlayerError> {
        self.0.observe(before, action)
    }
}
