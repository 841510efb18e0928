//! The order of moves.

use hexzero_games::{Action, Evaluator, Game, Seat};

use crate::hex::{Geometry, Stones};

/// Orders the moves of a search. No order can make a proof wrong, only slow.
pub trait Guide {
    /// Sets the score of each empty cell as the mover's next move. Greater scores are searched first.
    fn score(&mut self, board: &Geometry, stones: Stones, scores: &mut [f32; 128]);
}

/// Orders moves by the policy of a network.
pub struct NetworkGuide<E> {
    game: Game,
    evaluator: E,
    legal: Vec<Action>,
}

impl<E: Evaluator> NetworkGuide<E> {
    /// Creates a guide. `game` is the network's, without the swap.
    pub fn new(game: Game, evaluator: E) -> Self {
        Self { game, evaluator, legal: Vec::new() }
    }
}

impl<E: Evaluator> Guide for NetworkGuide<E> {
    fn score(&mut self, board: &Geometry, stones: Stones, scores: &mut [f32; 128]) {
        scores.fill(0.0);
        let Some(position) = stones.position(board, self.game, Seat::First) else { return };
        if position.outcome().is_some() {
            return;
        }
        self.legal.clear();
        position.legal_actions(&mut self.legal);
        let evaluation = self.evaluator.evaluate(&position, &self.legal);
        for (action, prior) in self.legal.iter().zip(&evaluation.priors) {
            if action.index() < board.cells() {
                scores[action.index()] = *prior;
            }
        }
    }
}
