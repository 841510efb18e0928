//! The ends of HexiFence in play: at 200 visits with the shipped model no won game is given away. The values come from
//! trying every move, which shares nothing with the program's own endgame solver.

use std::collections::HashMap;

use hexzero::games::{Action, Evaluator, GameRng, Position, Seat, game_named};
use hexzero::models::shipped;
use hexzero::network::{NetworkEvaluator, Precision};
use hexzero::search::{Exact, Level, Limits, Puct, Search, SearchSettings};
use rand::{Rng, SeedableRng};
use rayon::prelude::*;

use crate::games::uniform;

const VISITS: u32 = 200;

fn lead(position: &Position, seat: Seat) -> i32 {
    let points = position.score().unwrap().points.map(|cells| cells as i32);
    points[seat.index()] - points[seat.opponent().index()]
}

/// How many more of the remaining cells the player to move wins than the other, by trying every move. It depends on the
/// empty edges alone.
fn margin(position: &Position, known: &mut HashMap<Vec<Action>, i32>) -> i32 {
    let empty = position.legal();
    if let Some(&margin) = known.get(&empty) {
        return margin;
    }
    let mover = position.to_move();
    let value = |&action: &Action| {
        let next = position.after(action);
        let rest = margin(&next, known);
        lead(&next, mover) - lead(position, mover) + if next.to_move() == mover { rest } else { -rest }
    };
    let best = empty.iter().map(value).max().unwrap_or(0);
    known.insert(empty, best);
    best
}

/// Returns whether the player to move wins after each move.
fn results(position: &Position, known: &mut HashMap<Vec<Action>, i32>) -> Vec<(Action, bool)> {
    let mover = position.to_move();
    let wins = |action: Action| {
        let next = position.after(action);
        let rest = margin(&next, known);
        (action, lead(&next, mover) + if next.to_move() == mover { rest } else { -rest } > 0)
    };
    position.legal().into_iter().map(wins).collect()
}

/// Plays until `left` edges are empty: at random, but mostly without giving cells away.
fn nearly_over(size: usize, left: usize, rng: &mut GameRng) -> Position {
    let mut position = game_named("hexifence").unwrap().start(size).unwrap();
    while position.turns() + left < position.turn_limit() {
        let gives = |action: &Action| {
            let next = position.after(*action);
            let mover = next.to_move();
            next.legal().into_iter().any(|reply| lead(&next.after(reply), mover) > lead(&next, mover))
        };
        let drawn: Vec<Action> = (0..4).filter_map(|_| position.random_action(rng)).collect();
        let action = drawn.iter().copied().find(|action| !gives(action)).unwrap_or(drawn[0]);
        position.play(action);
    }
    position
}

/// Searches this many positions in which a win can be given away. Returns how often it was.
fn given_away(seed: u64, positions: usize, most: usize, exact: Exact) -> usize {
    let game = game_named("hexifence").unwrap();
    let network = NetworkEvaluator::new(game, &shipped(game).unwrap(), "shipped", Precision::best()).unwrap();
    let one = |network: &mut NetworkEvaluator, number: usize| {
        let mut rng = GameRng::seed_from_u64(seed << 32 | number as u64);
        loop {
            let position = nearly_over(rng.random_range(2..=4), rng.random_range(6..=most), &mut rng);
            let results = results(&position, &mut HashMap::new());
            if results.iter().all(|&(_, wins)| wins) || !results.iter().any(|&(_, wins)| wins) {
                continue;
            }
            let mut search = Search::new(position, SearchSettings { exact, ..SearchSettings::default() });
            let mut judge = |position: &Position, legal: &[Action]| network.evaluate(position, legal);
            search.run(&mut judge, &Limits::visits(VISITS));
            let best = search.best_action().unwrap();
            return usize::from(results.contains(&(best, false)));
        }
    };
    let misses = (0..positions).into_par_iter().map_init(|| network.clone(), one).sum();
    println!("{misses} of {positions} wins given away at {VISITS} visits, exact {exact:?}, up to {most} empty edges");
    misses
}

#[test]
fn wins_are_never_given_away() {
    assert_eq!(given_away(1, 400, 12, Exact::Ends), 0);
}

#[test]
fn weak_level_does_not_play_exact_ends() {
    let position = nearly_over(3, 12, &mut GameRng::seed_from_u64(4));
    let proves = |level: &str, settings: SearchSettings| {
        let mut search = Search::new(position.clone(), settings);
        let level: Level = level.parse().unwrap();
        let limits = level.prepare(&mut search, &Limits::visits(2));
        search.run(&mut uniform, &limits);
        search.is_proven()
    };
    let usual = SearchSettings::default();
    assert_eq!(["full", "casual"].map(|level| proves(level, usual)), [true, false]);
    assert!(!proves("full", SearchSettings { exact: Exact::Off, ..usual }));
    // Nor with the settings of random playouts.
    assert!(!proves("full", Puct::default().into()));
}

#[test]
#[ignore = "takes minutes"]
fn wins_are_kept_in_a_thousand_positions() {
    given_away(2, 1_000, 16, Exact::Off);
    assert_eq!(given_away(2, 1_000, 16, Exact::Ends), 0);
}
