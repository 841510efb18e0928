//! A full tree frees its least visited branches, and the search goes on.

use std::time::{Duration, Instant};

use hexzero::games::{
    Action, Evaluation, OneByOne, Position, Solution, Value, cachex::solver::ExactValues, game_named,
};
use hexzero::search::{Limits, RootMove, Search, SearchSettings, StopReason};

use super::positions::{certain, opinionated, position, sum, uniform};
use crate::games::known;

/// Returns memory for the root and its children, and for this many more nodes with their moves.
fn small(position: &Position, nodes: usize) -> usize {
    let moves = position.legal().len();
    2048 + moves * 200 + nodes * (180 + 4 * moves)
}

fn checked(search: &Search, visits: u32, memory: usize) {
    assert_eq!((search.visits(), sum(search)), (visits, visits - 1));
    assert!(search.memory() <= memory, "{} bytes of {memory}", search.memory());
    let best = search.best_action().unwrap();
    let line = search.visited_variation_from(best);
    assert!(line.windows(2).all(|pair| pair[0].1 >= pair[1].1), "{line:?}");
    assert!(search.root_outcome().value().abs() <= 1.0);
}

#[test]
fn full_tree_ends_by_visits_on_any_threads() {
    let position = position(6, "a1");
    for threads in [1, 3, 8] {
        for expansions in [10 + threads, 60] {
            let memory = small(&position, expansions);
            let mut search = Search::new(position.clone(), SearchSettings::default());
            for visits in [50, 51, 700, 4000] {
                search.run_on(&mut vec![opinionated; threads], &Limits::visits(visits).within_memory(memory));
                checked(&search, visits, memory);
                assert_eq!(search.stop_reason(), Some(StopReason::Visits));
            }
        }
    }
}

#[test]
fn batches_reach_their_visits() {
    let position = position(6, "a1");
    let memory = small(&position, 30);
    let limits = Limits::visits(3000).within_memory(memory);
    let mut searches = vec![Search::new(position, SearchSettings::default()); 2];
    Search::run_together(&mut searches, &mut OneByOne::new(opinionated, 8), &limits);
    searches.iter().for_each(|search| checked(search, 3000, memory));
}

/// Games with more and more moves, with few, and with exact ends.
#[test]
fn memory_limit_holds_in_every_game() {
    for (game, size) in [("infexion", 7), ("hexifence", 2), ("gale", 4), ("y", 5), ("vex", 7)] {
        let position = game_named(game).unwrap().start(size).unwrap();
        let memory = small(&position, 50);
        let mut search = Search::new(position, SearchSettings::default());
        search.run(&mut uniform, &Limits::visits(3000).within_memory(memory));
        let ended = search.stop_reason().unwrap();
        assert!(matches!(ended, StopReason::Visits | StopReason::Proven), "{game}: {ended}");
        // An expansion may exceed the limit where a position has more moves than any before.
        assert!(search.memory() <= memory + memory / 10, "{game}: {} of {memory}", search.memory());
    }
}

#[test]
fn unfilled_memory_does_not_change_a_search() {
    let found = |position: &Position, visits: u32, memory: usize| -> Vec<RootMove> {
        let mut search = Search::new(position.clone(), SearchSettings::default());
        search.run(&mut opinionated, &Limits::visits(visits).within_memory(memory));
        search.root_moves()
    };
    let small_board = position(5, "a1 c3");
    assert_eq!(found(&small_board, 900, small(&small_board, 1000)), found(&small_board, 900, 1 << 30));
    // Then 512 MiB have room for 800,000 visits.
    let hex = game_named("hex").unwrap().start(11).unwrap();
    let enough = 20_000 * ((512 << 20) / 800_000);
    assert_eq!(found(&hex, 20_000, enough), found(&hex, 20_000, 1 << 30));
    assert_ne!(found(&hex, 20_000, enough / 2), found(&hex, 20_000, 1 << 30));
}

#[test]
fn proofs_in_a_full_tree_agree_with_exact_values() {
    let (known, mut decided) = (known(), 0);
    for known in &known {
        let game = known.game();
        let memory = small(&game, 25);
        let mut search = Search::new(game, SearchSettings::default());
        search.run(&mut uniform, &Limits::visits(3_000).within_memory(memory));
        let Some(found) = certain(search.root_outcome()) else { continue };
        assert_eq!(found, known.value);
        decided += 1;
        assert!(search.winning_action().is_some() || search.stop_reason() == Some(StopReason::Proven));
    }
    // A larger tree decides most of them.
    assert!(decided * 10 > known.len(), "{decided} of {}", known.len());
}

/// Every move's proof too, and the game goes on with what is left of the tree.
#[test]
fn proofs_of_moves_stay_exact_along_a_game() {
    let solution: &dyn Solution = &ExactValues::new(3);
    let mut proven = 0;
    for opening in ["a1", "b1", "c1", "a2", "a1 b3", "c1 a2"] {
        let mut search = Search::new(position(3, opening), SearchSettings::default());
        while search.position().outcome().is_none() && search.winning_action().is_none() {
            let memory = small(search.position(), 12);
            search.run(&mut opinionated, &Limits::visits(400).within_memory(memory));
            let values = solution.moves(search.position());
            let value = |action: Action| values.iter().find(|(other, _)| *other == action).unwrap().1;
            for found in search.root_moves().into_iter().filter(|found| found.proven_in.is_some()) {
                // A draw may be one by the repetition of this game, which exact values do not know.
                match certain(found.outcome) {
                    Some("win") => assert!(matches!(value(found.action), Value::Win(_))),
                    Some("loss") => assert!(matches!(value(found.action), Value::Loss(_))),
                    _ => continue,
                }
                proven += 1;
            }
            let best = search.best_action().unwrap();
            search.advance(best);
            // Visits of a proven position go no further.
            assert!(search.visits() == 0 || sum(&search) < search.visits());
        }
    }
    assert!(proven > 20, "{proven}");
}

#[test]
fn stop_reason_is_reported() {
    let position = position(6, "a1");
    let ended = |limits: Limits| {
        let mut search = Search::new(position.clone(), SearchSettings::default());
        assert_eq!(search.stop_reason(), None);
        search.run(&mut opinionated, &limits);
        (search.stop_reason().unwrap(), search.visits())
    };
    assert_eq!(ended(Limits::visits(20)), (StopReason::Visits, 20));
    assert_eq!(ended(Limits::time(Duration::from_millis(5))).0, StopReason::Time);
    // There is no room beside the root, but a move to play.
    assert_eq!(ended(Limits::visits(20).within_memory(300)), (StopReason::Memory, 1));
    assert_eq!(ended(Limits::visits(20).within_memory(0)), (StopReason::Memory, 1));
    let mut search = Search::new(position.clone(), SearchSettings::default());
    search.run(&mut opinionated, &Limits::visits(20));
    search.advance(search.best_action().unwrap());
    assert_eq!(search.stop_reason(), None, "of the position before");
}

/// With less memory than before, as when a connection opens, the tree shrinks.
#[test]
fn smaller_limit_holds_from_the_next_visit() {
    let position = position(6, "a1");
    let mut search = Search::new(position.clone(), SearchSettings::default());
    search.run(&mut opinionated, &Limits::visits(2000));
    let memory = small(&position, 40);
    assert!(search.memory() > 10 * memory);
    search.run(&mut opinionated, &Limits::visits(2001).within_memory(memory));
    checked(&search, 2001, memory);
}

/// Prints how long the visit takes that prunes a full tree:
/// `cargo test --release --test engine pruning_a_full_tree -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn pruning_a_full_tree_is_fast() {
    for (game, size, memory) in [("hex", 13, 512 << 20), ("cachex", 4, 64 << 20), ("infexion", 7, 128 << 20)] {
        let mut search = Search::new(game_named(game).unwrap().start(size).unwrap(), SearchSettings::default());
        let mut longest = Duration::ZERO;
        for visits in (0..400_000).step_by(4) {
            let before = (search.memory(), Instant::now());
            search.run(&mut opinionated_quickly, &Limits::visits(visits).within_memory(memory));
            if search.memory() < before.0 {
                longest = longest.max(before.1.elapsed());
            }
        }
        let nanoseconds = longest.as_nanos() as f64 / memory as f64;
        println!("{game} {size}: {longest:?} of {} MiB, {nanoseconds:.2} ns a byte", memory >> 20);
    }
}

fn opinionated_quickly(game: &Position, legal: &[Action]) -> Evaluation {
    let mut evaluation = Evaluation::uniform(legal.len());
    let favourite = (game.turns() * 7) % legal.len();
    evaluation.priors.iter_mut().for_each(|prior| *prior *= 0.5);
    evaluation.priors[favourite] += 0.5;
    evaluation.outcome.win = (game.turns() * 13 + favourite) as f32 % 10.0 / 10.0;
    evaluation.outcome.loss = 1.0 - evaluation.outcome.win;
    evaluation.outcome.draw = 0.0;
    evaluation
}
