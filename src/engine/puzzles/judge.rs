//! What the best move of a position is worth, and the best of the others.
//!
//! Two searches: one of the position, and one without its best move, which then shows what the best of the others is worth. What
//! that one passed over gets a short search of its own, so that no good move stays hidden behind a small prior. Moves that are
//! the same by a symmetry of the position count as one.

use crate::engine::analysis::points;
use crate::engine::model::BoxedEvaluator;
use crate::games::{Action, Position};
use crate::search::{Limits, RootMove, Search, SearchSettings};

/// Every move gets at least this part of the visits.
const PART_OF_EACH: u32 = 100;

/// The best move of a position. Scores are shares of the points that the player to move can expect.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Best {
    pub action: Action,
    pub score: f32,
    /// What is expected from here on, this move first.
    pub line: Vec<Action>,
    pub is_proven: bool,
}

/// The best of the other moves.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Other {
    pub action: Action,
    pub score: f32,
    /// Whether it is proven that none of the others wins.
    pub is_proven: bool,
}

/// Evaluates a position with a network.
pub(super) struct Judge<'a> {
    pub evaluator: &'a mut BoxedEvaluator,
    pub settings: SearchSettings,
}

impl Judge<'_> {
    /// Continues a search until it has this many visits.
    pub fn search(&mut self, search: &mut Search, visits: u32) {
        let evaluator = &mut self.evaluator;
        let mut judge = |position: &Position, legal: &[Action]| evaluator.evaluate(position, legal);
        search.run(&mut judge, &Limits::visits(visits));
    }

    /// Returns the best move; none if there is nothing to find: the game is over, or won at once, or there is only one move.
    pub fn best(&mut self, position: &Position, visits: u32) -> Option<Best> {
        let mut legal = Vec::new();
        position.legal_actions(&mut legal);
        if position.outcome().is_some() || legal.len() < 2 || position.winning_action().is_some() {
            return None;
        }
        let mut search = Search::new(position.clone(), self.settings);
        self.search(&mut search, visits);
        let action = search.best_action()?;
        let found = *search.root_moves().iter().find(|found| found.action == action)?;
        let (score, is_proven) = (points(found.outcome.value()), found.is_proven_win());
        Some(Best { action, score, line: search.variation_from(action), is_proven })
    }

    /// Returns the best of the moves other than `best` and those that are the same, or the first that is found to score more
    /// than `enough`. None if there are no others.
    pub fn other(&mut self, position: &Position, best: Action, visits: u32, enough: f32) -> Option<Other> {
        let same = position.same_by_symmetry(best);
        let mut legal = Vec::new();
        position.legal_actions(&mut legal);
        if legal.len() == same.len() {
            return None;
        }
        let mut search = Search::new(position.clone(), self.settings).without(same);
        self.search(&mut search, visits);
        let least = (visits / PART_OF_EACH).max(1);
        let is_judged = |other: &RootMove| other.proven_in.is_some() || other.visits >= least;
        let (judged, passed_over): (Vec<_>, Vec<_>) = search.root_moves().into_iter().partition(is_judged);
        let scores = judged.iter().map(|other| (other.action, points(other.outcome.value())));
        let mut found = scores.max_by(|a, b| a.1.total_cmp(&b.1));
        for RootMove { action, .. } in passed_over {
            if found.is_some_and(|(_, score)| score > enough) {
                break;
            }
            let score = self.score_after(position, action, least);
            if found.is_none_or(|(_, most)| score > most) {
                found = Some((action, score));
            }
        }
        let (action, score) = found?;
        Some(Other { action, score, is_proven: search.is_proven() && score < 1.0 })
    }

    /// Returns the score of a move by a search of its own.
    fn score_after(&mut self, position: &Position, action: Action, visits: u32) -> f32 {
        let mover = position.to_move();
        let mut next = position.clone();
        next.play(action);
        if let Some(outcome) = next.outcome() {
            return outcome.winner.map_or(0.5, |winner| if winner == mover { 1.0 } else { 0.0 });
        }
        let moves_again = next.to_move() == mover;
        let mut search = Search::new(next, self.settings);
        self.search(&mut search, visits);
        let score = points(search.root_outcome().value());
        if moves_again { score } else { 1.0 - score }
    }
}
