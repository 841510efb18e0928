//! Initial proof numbers of moves, guessed by a network (df-pn+, Nagai 2002). Without them the search has no preference
//! among moves.

use super::GameProver;
use super::search::{Child, Question, UNKNOWN};
use hexzero_games::Action;

/// The proof number of a move that the policy finds less likely than the best by a factor of e.
const UNLIKELY: f32 = 64.0;
/// The proof number of a goal that the value finds out of reach.
const HOPELESS: f32 = 256.0;
/// The largest guess.
const MOST: u32 = 10_000;

impl GameProver<'_> {
    /// Guesses the proof numbers of a frame's open moves that were never searched.
    pub(super) fn guess(&mut self, depth: usize, question: Question, legal: &[Action], open: &mut [Child]) {
        let Some(guide) = &mut self.guide else { return };
        let is_unknown = |child: &Child| child.numbers == UNKNOWN;
        if !open.iter().any(is_unknown) {
            return;
        }
        let position = &self.frames[depth].position;
        let evaluation = guide.evaluate(position, legal);
        let attacks = position.to_move() == question.attacker;
        let hope = evaluation.outcome.win + if attacks { 0.0 } else { evaluation.outcome.draw };
        let numbers = [1.0 - hope, hope].map(|chance| 1.0 + HOPELESS * chance);
        // The open moves are in the order of the legal ones.
        let mut priors = legal.iter().zip(&evaluation.priors);
        let mut prior_of =
            |child: &Child| priors.find(|(action, _)| **action == child.action).map_or(0.0, |found| *found.1);
        let priors: Vec<f32> = open.iter().map(|child| prior_of(child).max(f32::MIN_POSITIVE)).collect();
        let best = priors.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
        for (child, prior) in open.iter_mut().zip(priors).filter(|(child, _)| is_unknown(child)) {
            let guessed = [numbers[0] + UNLIKELY * (best / prior).ln(), numbers[1]];
            // Whatever the network says, even NaN, leaves the move open.
            child.numbers = guessed.map(|number| (number as u32).clamp(1, MOST));
        }
    }
}
