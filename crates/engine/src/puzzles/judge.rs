//! The worth of a position's best move, and of the best of the others; checks puzzles by it.
//!
//! Two searches: one of the position, and one without its best move, which shows what the best of
//! the others is worth. A move that the second one passed over gets a short search of its own, so
//! that a small prior hides no good move. Moves that are equivalent by a symmetry of the position
//! count as one.

use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};

use crate::analysis::points;
use crate::model::LoadedModel;
use crate::worker_pool::parallel_map;
use hexzero_games::{Action, Game, Position};
use hexzero_search::{RootMove, RootProof, Search};
use hexzero_system::stop::StopSignal;

use super::{PuzzleFile, PuzzleFileError};

/// Every move gets at least one in this many of the visits.
const PART_OF_EACH: u32 = 100;

/// The best move of a position. Scores are shares of the points that the player to move can expect.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Best {
    pub action: Action,
    pub score: f32,
    /// The expected continuation, this move first.
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

impl LoadedModel {
    /// Returns the best move; none if there is nothing to find: the game is over, or won at once, or there is only one
    /// move.
    pub(super) fn best_move(&mut self, position: &Position, visits: u32) -> Option<Best> {
        let legal = position.legal();
        if position.outcome().is_some() || legal.len() < 2 || position.winning_action().is_some() {
            return None;
        }
        let mut search = Search::new(position.clone(), self.search);
        self.run(&mut search, visits);
        let action = search.best_action()?;
        let found = *search.root_moves().iter().find(|found| found.action == action)?;
        let (score, is_proven) = (points(found.outcome.value()), found.is_proven_win());
        Some(Best { action, score, line: search.variation_from(action), is_proven })
    }

    /// Returns the best of the moves other than `best` and its equivalents by symmetry, or the
    /// first that is found to score more than `enough`; none if there are no others.
    pub(super) fn best_other(&mut self, position: &Position, best: Action, visits: u32, enough: f32) -> Option<Other> {
        let same = position.same_by_symmetry(best);
        let legal = position.legal();
        if legal.len() == same.len() {
            return None;
        }
        let mut search = Search::new(position.clone(), self.search).without(same);
        self.run(&mut search, visits);
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

    /// Returns the score of a move by a separate search.
    fn score_after(&mut self, position: &Position, action: Action, visits: u32) -> f32 {
        let mover = position.to_move();
        let next = position.after(action);
        if let Some(outcome) = next.outcome() {
            return points(outcome.value_for(mover));
        }
        let moves_again = next.to_move() == mover;
        let mut search = Search::new(next, self.search);
        self.run(&mut search, visits);
        let score = points(search.root_outcome().value());
        if moves_again { score } else { 1.0 - score }
    }
}

/// Returns whether proofs of at most `nodes` positions each show that this move (or one that a symmetry makes equal)
/// wins and every other move loses.
pub(super) fn is_only_win(position: &Position, solution: Action, nodes: u64) -> bool {
    let (mover, same, never) = (position.to_move(), position.same_by_symmetry(solution), StopSignal::new());
    let winner_after = |action| {
        let next = position.after(action);
        match next.outcome() {
            Some(outcome) => outcome.winner,
            None => RootProof::search(&next, nodes, &never)?.winner,
        }
    };
    let is_as_said = |action| {
        let winner = if same.contains(&action) { mover } else { mover.opponent() };
        winner_after(action) == Some(winner)
    };
    is_as_said(solution) && position.legal().into_iter().all(is_as_said)
}

/// What the solution of a puzzle achieves. Scores are shares of the points, from 0 for a loss to 1
/// for a win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Goal {
    /// The solution wins, and no other move does.
    #[default]
    Win,
    /// The solution is the best move, and every other one is clearly worse: it may win, gain much,
    /// or be the only move that saves the game.
    Best,
}

/// How strictly a goal is tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strictness {
    /// After a few visits, to discard most positions.
    Look,
    /// When a puzzle is checked.
    Check,
    /// When a puzzle is made: with a margin over what a check requires.
    Make,
}

impl Goal {
    /// Returns the minimum score of the solution.
    pub(super) fn least(self, strictness: Strictness) -> f32 {
        match (self, strictness) {
            (Self::Win, Strictness::Look) => 0.6,
            (Self::Win, Strictness::Check) => 0.8,
            (Self::Win, Strictness::Make) => 0.87,
            (Self::Best, Strictness::Look | Strictness::Check) => 0.4,
            (Self::Best, Strictness::Make) => 0.45,
        }
    }

    /// Returns the maximum score of any other move, given the score of the solution.
    pub(super) fn most_of_others(self, solution: f32, strictness: Strictness) -> f32 {
        match (self, strictness) {
            (Self::Win, Strictness::Look) => 0.6,
            (Self::Win, Strictness::Check) => 0.35,
            (Self::Win, Strictness::Make) => 0.28,
            (Self::Best, Strictness::Look) => solution - 0.15,
            (Self::Best, Strictness::Check) => solution - 0.2,
            (Self::Best, Strictness::Make) => solution - 0.3,
        }
    }
}

/// The verdict of a search on a puzzle.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// The solution reaches the goal, and no other move does.
    Right,
    /// This other move is better.
    OtherIsBetter(String),
    /// The solution leads to this share of the points only.
    TooWeak(f32),
    /// Another move may reach the goal, too.
    OtherDoes {
        /// The move.
        other: String,
        /// The share of the points that it leads to.
        score: f32,
    },
    /// There is nothing to find: the game is over, a move wins at once, or there is only one move.
    Trivial,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let percent = |score: f32| (100.0 * score).round();
        match self {
            Self::Right => write!(f, "right"),
            Self::OtherIsBetter(best) => write!(f, "{best} is better"),
            Self::TooWeak(score) => write!(f, "its move is worth {} % only", percent(*score)),
            Self::OtherDoes { other, score } => write!(f, "{other} is worth {} %", percent(*score)),
            Self::Trivial => write!(f, "there is nothing to find"),
        }
    }
}

/// Searches the position of every puzzle with `visits` visits, and returns the verdicts in order;
/// none if stopped before the end. Reports to `progress` how many are done.
///
/// # Errors
/// If a puzzle cannot be set up.
pub fn check(
    game: Game,
    file: &PuzzleFile,
    model: &LoadedModel,
    visits: u32,
    threads: NonZeroUsize,
    stop: &StopSignal,
    progress: impl Fn() + Sync,
) -> Result<Option<Vec<Verdict>>, PuzzleFileError> {
    let positions: Vec<_> = file.puzzles.iter().map(|puzzle| puzzle.position(game)).collect::<Result<_, _>>()?;
    let models = model.forks(threads.get().min(positions.len()));
    Ok(parallel_map(models, positions.len(), stop, |model, index| {
        let ((position, solution), goal) = (&positions[index], file.puzzles[index].goal);
        let verdict = verdict(model, position, *solution, goal, visits);
        progress();
        verdict
    }))
}

fn verdict(model: &mut LoadedModel, position: &Position, solution: Action, goal: Goal, visits: u32) -> Verdict {
    let Some(best) = model.best_move(position, visits) else { return Verdict::Trivial };
    if !position.same_by_symmetry(solution).contains(&best.action) {
        return Verdict::OtherIsBetter(position.action_name(best.action));
    }
    if best.score < goal.least(Strictness::Check) {
        return Verdict::TooWeak(best.score);
    }
    let most = goal.most_of_others(best.score, Strictness::Check);
    let other = model.best_other(position, solution, visits, most);
    other.filter(|other| other.score > most).map_or(Verdict::Right, |other| Verdict::OtherDoes {
        other: position.action_name(other.action),
        score: other.score,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexzero_games::game_named;

    /// Returns whether the mover wins, by trying everything.
    fn is_won(position: &Position) -> bool {
        position.legal().into_iter().any(|action| wins(position, action))
    }

    fn wins(position: &Position, action: Action) -> bool {
        let next = position.after(action);
        match next.outcome() {
            Some(outcome) => outcome.winner == Some(position.to_move()),
            None => !is_won(&next),
        }
    }

    #[test]
    fn only_wins_are_those_of_brute_force() {
        let start = game_named("hex-noswap").unwrap().start(3).unwrap();
        let mut only = 0;
        for [first, second] in (0..9).flat_map(|first| (0..9).map(move |second| [first, second])) {
            let mut position = start.clone();
            if [first, second].into_iter().any(|cell| position.try_play(Action(cell)).is_err()) {
                continue;
            }
            let winning: Vec<Action> = position.legal().into_iter().filter(|&action| wins(&position, action)).collect();
            for action in position.legal() {
                let mut same = position.same_by_symmetry(action);
                same.sort_unstable();
                let expected = same == winning;
                assert_eq!(is_only_win(&position, action, 50), expected, "{}", position.drawing(None));
                only += usize::from(expected);
            }
        }
        assert!(only > 0);
        assert!(!is_only_win(&start, Action(4), 0), "without a proof");
    }
}
