//! Making puzzles, also when it is stopped halfway.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use hexzero::engine::model::LoadedModel;
use hexzero::engine::puzzles::{Found, Goal, PuzzleOptions, make};
use hexzero::games::{Action, Evaluation, Position, game_named};
use hexzero::stop::StopSignal;

/// Makes puzzles on one thread until this many positions were evaluated.
fn made(seed: u64, most: u64) -> Found {
    let (stop, evaluated) = (StopSignal::new(), Arc::new(AtomicU64::new(0)));
    let stopping = stop.clone();
    let evaluator = move |_: &Position, legal: &[Action]| {
        if evaluated.fetch_add(1, Ordering::Relaxed) >= most {
            stopping.request();
        }
        Evaluation::uniform(legal.len())
    };
    let model = LoadedModel::new("uniform", Box::new(evaluator));
    let (sizes, threads) = (vec![4], NonZeroUsize::MIN);
    let options = PuzzleOptions { sizes, goal: Goal::Win, count: 4, visits: 100, seed, threads };
    make(game_named("hex-noswap").unwrap(), &options, &model, &stop, |_| ()).unwrap()
}

#[test]
fn puzzles_found_before_a_stop_are_kept() {
    // Games are played two at a time: where only one was begun, its round is not over.
    let stopped = (0..40).flat_map(|seed| (1..20).map(move |part| made(seed, 10 * part)));
    let in_a_round = stopped.into_iter().find(|found| found.games == 1 && !found.puzzles.is_empty());
    assert!(in_a_round.is_some(), "no puzzle of a round that was stopped");
}

#[test]
fn solver_puzzles_are_graded_without_the_solver() {
    let game = game_named("gale").unwrap();
    let (sizes, threads) = (vec![4], NonZeroUsize::MIN);
    let options = PuzzleOptions { sizes, goal: Goal::Win, count: 4, visits: 300, seed: 1, threads };
    let found = make(game, &options, &LoadedModel::uniform(), &StopSignal::new(), |_| ()).unwrap();
    // The solver sees each at once, which is the first grade: the others are what makes a set.
    assert_eq!(found.puzzles.len(), 4);
    assert!(found.puzzles.iter().any(|puzzle| puzzle.grade > 1));
}
