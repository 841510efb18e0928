//! Puzzles of a file searched again.

use std::num::NonZeroUsize;

use crate::engine::model::LoadedModel;
use crate::engine::share_out::share_out;
use crate::games::{Action, Game, Position};
use crate::stop::StopSignal;

use super::file::{PuzzleFile, PuzzleFileError};
use super::goal::{Goal, Strictness};
use super::judge::Judge;

/// What a search says of a puzzle.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Its solution does what the puzzle says, and no other move does.
    Right,
    /// Another move is better.
    OtherIsBetter {
        /// The move.
        best: String,
    },
    /// The solution is not good enough.
    TooWeak {
        /// The share of the points that it leads to.
        score: f32,
    },
    /// Another move may do, too.
    OtherDoes {
        /// The move.
        other: String,
        /// The share of the points that it leads to.
        score: f32,
    },
    /// There is nothing to find: the game is over, or is won at once, or there is one move only.
    Trivial,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let percent = |score: f32| (100.0 * score).round();
        match self {
            Self::Right => write!(f, "right"),
            Self::OtherIsBetter { best } => write!(f, "{best} is better"),
            Self::TooWeak { score } => write!(f, "its move is worth {} % only", percent(*score)),
            Self::OtherDoes { other, score } => write!(f, "{other} is worth {} %", percent(*score)),
            Self::Trivial => write!(f, "there is nothing to find"),
        }
    }
}

/// Searches the position of every puzzle, with `visits`; returns the verdicts in their order. None if it is stopped before the
/// end. Tells `progress` how many are done.
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
    let evaluators = (0..threads.get().min(positions.len())).map(|_| model.evaluator.another()).collect();
    let settings = model.search;
    Ok(share_out(evaluators, positions.len(), stop, |evaluator, index| {
        let ((position, solution), goal) = (&positions[index], file.puzzles[index].goal);
        let mut judge = Judge { evaluator, settings };
        let verdict = verdict(&mut judge, position, (*solution, goal), visits);
        progress();
        verdict
    }))
}

fn verdict(judge: &mut Judge<'_>, position: &Position, (solution, goal): (Action, Goal), visits: u32) -> Verdict {
    let Some(best) = judge.best(position, visits) else { return Verdict::Trivial };
    if !position.same_by_symmetry(solution).contains(&best.action) {
        return Verdict::OtherIsBetter { best: position.action_name(best.action) };
    }
    if best.score < goal.least(Strictness::Check) {
        return Verdict::TooWeak { score: best.score };
    }
    let most = goal.most_of_others(best.score, Strictness::Check);
    let other = judge.other(position, solution, visits, most);
    other.filter(|other| other.score > most).map_or(Verdict::Right, |other| Verdict::OtherDoes {
        other: position.action_name(other.action),
        score: other.score,
    })
}
