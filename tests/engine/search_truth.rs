//! The search with the shipped models against exact values: at 2,000 visits no position of Cachex 3×3 and hardly one of
//! 4×4 is given away, at 1,000 visits little of HexiFence 2, and with exact values nothing in any game. The solvers that know
//! the values share nothing with the search.
//!
//! `--no-capture` (nextest) or `-- --nocapture` prints sizes, visits and misses. For Cachex `HEXZERO_MODEL` names another
//! checkpoint to measure, and `HEXZERO_SEEDS` how many times 2,000 positions of 4×4 to draw.

use std::path::Path;

use hexzero::games::cachex::solver::ExactValues;
use hexzero::games::{Action, Evaluator, Game, Position, Seat, Solution, Value, all_games, game_named};
use hexzero::models::shipped;
use hexzero::network::{Checkpoint, NetworkEvaluator, Precision};
use hexzero::search::{Exact, Limits, Search, SearchSettings};
use rand::Rng;
use rand::seq::SliceRandom;
use rayon::prelude::*;
use serde::Deserialize;

use crate::games::{cachex, set_up};
use crate::network::rng;

const VISITS: u32 = 2_000;

/// 2 for a win, 1 for a draw, 0 for a loss.
fn points(value: Value) -> u8 {
    match value {
        Value::Win(_) => 2,
        Value::Draw => 1,
        Value::Loss(_) => 0,
    }
}

/// The shipped model of a game, or for Cachex the one that is asked for.
fn network(game: Game) -> NetworkEvaluator {
    let asked = std::env::var("HEXZERO_MODEL").ok().filter(|_| game == cachex());
    let read = |path: String| Checkpoint::read(Path::new(&path)).expect("a checkpoint");
    let checkpoint = asked.map_or_else(|| shipped(game).expect("a model that ships"), read);
    NetworkEvaluator::new(game, &checkpoint, "shipped", Precision::best()).expect("a fitting model").with_cache(64)
}

/// Returns the move that a search of `visits` visits chooses.
fn chosen(evaluator: &mut NetworkEvaluator, position: &Position, exact: Exact, visits: u32) -> Action {
    let mut search = Search::new(position.clone(), SearchSettings { exact, ..SearchSettings::default() });
    let mut judge = |position: &Position, legal: &[_]| evaluator.evaluate(position, legal);
    search.run(&mut judge, &Limits::visits(visits));
    search.best_action().expect("a move")
}

/// The value of the best move and of the one that the search chose.
fn misses(
    solution: &dyn Solution,
    positions: &[Position],
    visits: u32,
    exact: Exact,
    name: &str,
) -> Vec<(Value, Value)> {
    let network = network(positions[0].game());
    let miss = |evaluator: &mut NetworkEvaluator, game: &Position| {
        let chosen = chosen(evaluator, game, exact, visits);
        let moves = solution.moves(game);
        let value = moves.iter().find(|(action, _)| *action == chosen).expect("a legal move").1;
        (points(value) < points(moves[0].1)).then_some((moves[0].1, value))
    };
    let misses: Vec<(Value, Value)> = positions.par_iter().map_init(|| network.clone(), miss).flatten().collect();
    println!("{name}: {} of {} positions given away at {visits} visits: {misses:?}", misses.len(), positions.len());
    misses
}

/// Every way to put stones on the board that is not a finished game, with either player to move.
fn all_positions(size: usize, solution: &dyn Solution) -> Vec<Position> {
    let cells = size * size;
    let stones = |code: usize| -> Vec<Option<Seat>> {
        let digit = |cell: usize| code / 3usize.pow(cell as u32) % 3;
        (0..cells).map(|cell| [None, Some(Seat::First), Some(Seat::Second)][digit(cell)]).collect()
    };
    let codes = (0..3usize.pow(cells as u32)).flat_map(|code| Seat::BOTH.map(|player| (code, player)));
    let games = codes.map(|(code, player)| set_up(size, &stones(code), player));
    games.filter(|game| game.outcome().is_none() && solution.value(game).is_some()).collect()
}

/// Positions after random moves, as many as there are cells at most.
fn random_positions(game: Game, size: usize, count: usize, seed: u64) -> Vec<Position> {
    let mut rng = rng(seed);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut game = game.start(size).expect("a board");
        for _ in 0..rng.random_range(0..size * size) {
            if let Some(action) = game.random_action(&mut rng) {
                game.play(action);
            }
        }
        if game.outcome().is_none() {
            positions.push(game);
        }
    }
    positions
}

#[test]
fn no_value_is_given_away_on_3x3() {
    let solution = ExactValues::new(3);
    let positions = all_positions(3, &solution);
    assert!(positions.len() > 20_000, "{}", positions.len());
    assert!(misses(&solution, &positions, VISITS, Exact::Ends, "3×3").is_empty());
}

#[test]
fn hardly_any_value_is_given_away_on_4x4() {
    let solution = ExactValues::new(4);
    let seeds = std::env::var("HEXZERO_SEEDS").map_or(1, |seeds| seeds.parse().expect("a number of seeds"));
    let positions: Vec<Position> = (9..9 + seeds).flat_map(|seed| random_positions(cachex(), 4, 2_000, seed)).collect();
    let misses = misses(&solution, &positions, VISITS, Exact::Ends, "4×4");
    // A draw is never lost. Of wins that take fifteen plies and more, which the network takes for lost, one in
    // a thousand is missed; docs/results/matches.md says more.
    assert!(misses.iter().all(|(best, _)| matches!(best, Value::Win(_))), "{misses:?}");
    assert!(misses.len() <= 4 * seeds as usize, "{misses:?}");
}

#[test]
fn exact_values_keep_results_and_win_in_time() {
    let network = network(cachex());
    for size in [3, 4] {
        let positions = random_positions(cachex(), size, 3_000, 5);
        let solution = positions[0].game_board().solution().expect("a board that is solved");
        positions.par_iter().enumerate().for_each_init(
            || network.clone(),
            |evaluator, (number, position)| {
                let value = solution.value(position).expect("an unfinished game");
                let mut rng = rng(number as u64);
                let (player, mut position) = (position.to_move(), position.clone());
                let last = position.turns() + 40;
                // Against any replies: a win comes in as many plies as it takes at most, and a draw is kept.
                while position.outcome().is_none() && position.turns() < last {
                    let action = match position.to_move() == player {
                        true => chosen(evaluator, &position, Exact::Board, 1),
                        false => position.random_action(&mut rng).expect("a move"),
                    };
                    position.play(action);
                    if let (Value::Win(Some(plies)), None) = (value, position.outcome()) {
                        assert!(position.turns() + 40 < last + usize::from(plies), "a win in {plies} plies is put off");
                    }
                }
                let winner = position.outcome().and_then(|outcome| outcome.winner);
                match value {
                    Value::Win(_) => assert_eq!(winner, Some(player)),
                    Value::Draw => assert_ne!(winner, Some(player.opponent())),
                    Value::Loss(_) => {}
                }
            },
        );
    }
}

/// On every board that a solver knows, but one that takes a minute. A history may turn a win into a draw: it is forgotten.
#[test]
#[ignore = "takes half a minute"]
fn exact_values_give_nothing_away_in_any_game() {
    let (mut all, mut missed_without) = (0, 0);
    for (game, sizes) in all_games().into_iter().filter_map(|game| Some((game, game.solver()?.sizes.clone()))) {
        for size in sizes.filter(|&size| (game.name(), size) != ("imnyss", 4)) {
            let mut positions = random_positions(game, size, 250, 3);
            positions.iter_mut().for_each(Position::forget_history);
            let solution = positions[0].game_board().solution().expect("a board that is solved");
            positions.retain(|position| solution.value(position).is_some());
            let name = format!("{} {size}", game.name());
            missed_without += misses(solution, &positions, 200, Exact::Ends, &name).len();
            assert_eq!(misses(solution, &positions, 1, Exact::Board, &format!("{name}, exact")), []);
            all += positions.len();
        }
    }
    println!("{all} positions, {missed_without} of them given away without exact values");
    assert!(all >= 6_000, "{all}");
}

/// Sets of filled edges, by bits, with the margin of the cells that are left for the player to move.
#[derive(Deserialize)]
struct Fences {
    edges: Vec<String>,
    positions: Vec<(u32, i32)>,
}

#[test]
fn little_value_is_given_away_in_hexifence_2() {
    let game = game_named("hexifence").unwrap();
    let fences: Fences = serde_json::from_str(include_str!("../data/hexifence_positions.json")).unwrap();
    let mut rng = rng(2);
    // The owners of the cells captured so far depend on the order of the edges.
    let positions = fences.positions.iter().filter_map(|&(filled, _)| {
        let mut edges: Vec<usize> = (0..fences.edges.len()).filter(|edge| filled & 1 << edge != 0).collect();
        edges.shuffle(&mut rng);
        let mut position = game.start(2).unwrap();
        edges.into_iter().for_each(|edge| {
            position.play_named(&fences.edges[edge]).unwrap();
        });
        position.outcome().is_none().then_some(position)
    });
    let positions: Vec<Position> = positions.collect();
    let solution = (game.solver().unwrap().solve)(2);
    let open = positions.iter().filter(|position| {
        let moves = solution.moves(position);
        points(moves[0].1) != points(moves[moves.len() - 1].1)
    });
    println!("HexiFence 2: {} positions, {} of them to be given away", positions.len(), open.count());
    // None is; without exact ends one in forty.
    let misses = misses(&*solution, &positions, 1_000, Exact::Ends, "HexiFence 2");
    assert!(misses.len() <= positions.len() / 100, "{misses:?}");
}

#[test]
fn second_player_wins_most_games_of_hexifence_2() {
    let game = game_named("hexifence").unwrap();
    let openings = game.start(2).unwrap().legal();
    let network = network(game);
    let standings = openings.par_iter().map_init(
        || network.clone(),
        |evaluator, &opening| {
            let mut position = game.start(2).unwrap();
            position.play(opening);
            while position.outcome().is_none() {
                let action = chosen(evaluator, &position, Exact::Ends, 1_000);
                position.play(action);
            }
            position.score().unwrap().points
        },
    );
    let standings: Vec<[u32; 2]> = standings.collect();
    println!("HexiFence 2 after each opening: {standings:?}");
    // With best play after every opening, by five cells to two; the search is content with fewer.
    let won = standings.iter().filter(|[first, second]| second > first).count();
    assert!(won >= 28, "{standings:?}");
}
