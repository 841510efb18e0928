//! Random playouts in place of a network: any game can be searched with them before a network
//! exists for it.

use rand::{Rng, SeedableRng};

use hexzero_games::{Action, Evaluation, Evaluator, GameRng, Position, WinDrawLoss};

use super::puct::Puct;

/// The search's constants for playouts. With a uniform prior `1 / b` the exploration term is
/// `init · √N / (b · (1 + n))`, so `init` must be much greater than for a network, whose priors are
/// sharp, and an untried move is valued like its parent. With 1,000 playouts on 5 × 5 to 9 × 9, 3
/// to 8 are equally good; 1.25 and 20 lose.
pub const PLAYOUT_PUCT: Puct =
    Puct { init: 5.0, base: 1e9, fpu_reduction: 0.0, draw_penalty: 0.0, prior_temperature: 1.0 };

/// Evaluates a position by one random game; every move has the same prior.
#[derive(Debug, Clone)]
pub struct RandomPlayouts {
    rng: GameRng,
    /// Memory reused for the game and its legal actions.
    played: Option<Position>,
    legal: Vec<Action>,
}

impl RandomPlayouts {
    /// Creates playouts with this seed.
    pub fn new(seed: u64) -> Self {
        Self { rng: GameRng::seed_from_u64(seed), played: None, legal: Vec::new() }
    }
}

impl Evaluator for RandomPlayouts {
    fn evaluate(&mut self, position: &Position, legal: &[Action]) -> Evaluation {
        let played = match &mut self.played {
            Some(played) => {
                played.clone_from(position);
                played
            }
            none => none.insert(position.clone()),
        };
        played.play(legal[self.rng.random_range(0..legal.len())]);
        let outcome = played.playout(&mut self.rng, &mut self.legal);
        let outcome = WinDrawLoss::certain(outcome.value_for(position.to_move()));
        Evaluation { outcome, ..Evaluation::uniform(legal.len()) }
    }
}
