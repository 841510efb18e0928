//! Forced wins, with and without noise at the root, with few visits and with several threads.

use hexzero::games::cachex::solver::ExactValues;
use hexzero::games::{Action, Evaluation, Evaluator, Position, Solution, Value};
use hexzero::models::shipped;
use hexzero::network::{NetworkEvaluator, Precision};
use hexzero::search::{Limits, RootNoise, Search, SearchSettings};

use super::positions::{certain, uniform};
use crate::games::{cachex, known};
use crate::network::rng;

const VISITS: u32 = 64;

/// Searches a root as in play, or as in self-play, with its noise.
fn searched(game: &Position, evaluator: &mut impl Evaluator, noisy: bool, seed: u64) -> Search {
    let mut search = Search::new(game.clone(), SearchSettings::default());
    search.expand_root(evaluator);
    if noisy {
        search.add_root_noise(&RootNoise::default(), &mut rng(seed));
    }
    search.run(evaluator, &Limits::visits(VISITS));
    search
}

/// Positions that are won in a given number of plies.
fn won_in(plies: u8) -> Vec<Position> {
    let won = known().into_iter().filter(|known| known.value == "win" && known.plies == plies);
    let games: Vec<Position> = won.map(|known| known.game()).collect();
    assert!(games.len() > 10, "{} positions are won in {plies}", games.len());
    games
}

#[test]
fn mates_in_one() {
    for game in won_in(1) {
        for noisy in [false, true] {
            let search = searched(&game, &mut uniform, noisy, 1);
            let next = game.after(search.best_action().unwrap());
            assert!(next.outcome().is_some_and(|outcome| outcome.winner == Some(game.to_move())), "{noisy}");
            assert_eq!(search.root_moves()[0].proven_in, Some(1));
        }
    }
}

/// Searches the positions that are won in three plies. Returns those in which no win is proven or the move does not
/// win, each with whether its move wins, and the number of all searches. A longer win is as good.
fn missed(solutions: &[ExactValues; 2], mut evaluator: impl Evaluator) -> (Vec<(bool, String)>, usize) {
    let mut missed = Vec::new();
    let games = won_in(3);
    for game in &games {
        let solution: &dyn Solution = &solutions[game.size() - 3];
        assert_eq!(solution.moves_without_swap(game)[0].1, Value::Win(Some(3)));
        for (seed, noisy) in [false, true].into_iter().enumerate() {
            let search = searched(game, &mut evaluator, noisy, seed as u64);
            let next = game.after(search.best_action().unwrap());
            let wins = matches!(solution.moves_without_swap(&next).first(), Some((_, Value::Loss(_))));
            let best = search.root_moves()[0];
            if !wins || !best.is_proven_win() {
                missed.push((wins, format!("noisy {noisy}: {best:?}, which wins: {wins}\n{}", game.drawing(None))));
            }
        }
    }
    (missed, games.len() * 2)
}

#[test]
fn mates_in_two() {
    let solutions = [3, 4].map(ExactValues::new);
    let checkpoint = shipped(cachex()).unwrap();
    let network = NetworkEvaluator::new(cachex(), &checkpoint, "shipped", Precision::F32).unwrap();
    let (by_network, all) = missed(&solutions, network);
    // With a sure winning move few visits are left to prove another.
    assert!(by_network.iter().all(|(wins, _)| *wins) && 50 * by_network.len() <= all, "of {all}: {by_network:#?}");
    // Without knowledge 64 visits of up to 13 moves and their replies are few, but mostly enough.
    let (unguided, all) = missed(&solutions, uniform);
    assert!(20 * unguided.len() <= all, "{} of {all}: {unguided:#?}", unguided.len());
}

/// Proven values are right with any number of threads.
#[test]
fn proofs_on_threads_agree_with_exact_values() {
    let judge = |game: &Position, legal: &[Action]| -> Evaluation {
        std::thread::yield_now();
        uniform(game, legal)
    };
    for threads in [1, 2, 4] {
        let (mut decided, known) = (0, known());
        for position in &known {
            let mut search = Search::new(position.game(), SearchSettings::default());
            search.run_on(&mut vec![judge; threads], &Limits::visits(3_000));
            let Some(found) = certain(search.root_outcome()) else { continue };
            assert_eq!(found, position.value, "{position:?}");
            decided += 1;
        }
        assert!(decided * 2 > known.len(), "only {decided} of {} were decided", known.len());
    }
}
