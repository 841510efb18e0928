//! The exact solver, against values from another retrograde analysis, against the rules, and through the
//! binary.

use std::path::Path;

use hexzero::games::cachex::solver::{Counts, ExactValues};
use hexzero::games::{Cachex, Position, Seat, Solution, Value};
use predicates::prelude::*;
use predicates::str::contains;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Deserialize;

use crate::common::hexzero_line;
use crate::games::{cachex, known, position, set_up};

#[derive(Deserialize)]
struct KnownBoard {
    size: usize,
    won: usize,
    lost: usize,
    drawn: usize,
    longest_win: u8,
    openings: Vec<KnownOpening>,
}

#[derive(Deserialize)]
struct KnownOpening {
    cell: String,
    legal: bool,
    result: String,
    plies: u8,
    replies: Vec<String>,
}

fn known_value(value: &str, plies: u8) -> Value {
    match value {
        "win" | "won" => Value::Win(Some(plies)),
        "loss" | "lost" => Value::Loss(Some(plies)),
        _ => Value::Draw,
    }
}

fn agrees_with_what_is_known(values: &ExactValues, size: usize) {
    let solution: &dyn Solution = values;
    let boards: Vec<KnownBoard> = serde_json::from_str(include_str!("../data/cachex_openings.json")).unwrap();
    let board = boards.into_iter().find(|board| board.size == size).unwrap();
    let KnownBoard { won, lost, drawn, longest_win, openings, .. } = board;
    assert_eq!(values.counts(), Counts { won, drawn, lost, longest_win });
    assert_eq!(openings.len(), size * size);
    for KnownOpening { cell, legal, result, plies, replies } in openings {
        // Set up, so that the centre can be asked about too.
        let mut stones = vec![None; size * size];
        let index = hexzero::board::parse_cell(size, &cell).unwrap();
        stones[index] = Some(Seat::First);
        let after = set_up(size, &stones, Seat::Second);
        let to_opener = values.verdict_of_stones(after.rules().unwrap()).unwrap().value_for(Seat::First);
        assert_eq!(to_opener, known_value(&result, plies), "{size}×{size} {cell}");
        let winning = solution.moves(&after).into_iter().filter(|(_, value)| matches!(value, Value::Win(_)));
        let mut winning: Vec<_> = winning.map(|(action, _)| action).collect();
        winning.sort();
        let names: Vec<_> = winning.into_iter().map(|action| after.action_name(action)).collect();
        assert_eq!(names, replies, "{size}×{size} {cell}");
        let mut start = cachex().start(size).unwrap();
        assert_eq!(start.play_named(&cell).is_ok(), legal);
    }

    let known: Vec<_> = known().into_iter().filter(|position| position.n == size).collect();
    assert!(known.len() > 100);
    for position in known {
        let game = position.game();
        let found = values.verdict_of_stones(game.rules().unwrap()).map(|verdict| verdict.value_for(game.to_move()));
        assert_eq!(found, Some(known_value(&position.value, position.plies)), "{position:?}");
    }
}

/// The value of a position is the best of its moves as the rules play them, captures and all.
fn follows_from_its_moves(solution: &dyn Solution, game: &Position) {
    let best = solution.moves(game).first().map(|&(_, value)| value);
    assert_eq!(best, solution.value(game), "{}", game.drawing(None));
}

#[test]
fn three_by_three_follows_from_the_rules() {
    let solution = ExactValues::new(3);
    agrees_with_what_is_known(&solution, 3);
    let mut going_on = 0;
    for number in 0..3usize.pow(9) {
        let symbol = |cell: u32| [None, Some(Seat::First), Some(Seat::Second)][number / 3usize.pow(cell) % 3];
        let stones: Vec<_> = (0..9).map(symbol).collect();
        for to_move in Seat::BOTH {
            let game = set_up(3, &stones, to_move);
            if game.outcome().is_none() {
                follows_from_its_moves(&solution, &game);
                going_on += 1;
            }
        }
    }
    let Counts { won, drawn, lost, .. } = solution.counts();
    assert_eq!(going_on, 2 * (won + drawn + lost));
}

#[test]
fn four_by_four_follows_from_the_rules() {
    let solution = ExactValues::new(4);
    agrees_with_what_is_known(&solution, 4);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut going_on, mut captures) = (0, 0);
    while going_on < 20_000 {
        let stones: Vec<_> =
            (0..16).map(|_| [None, Some(Seat::First), Some(Seat::Second)][rng.random_range(0..3)]).collect();
        let game = set_up(4, &stones, Seat::BOTH[rng.random_range(0..2)]);
        if game.outcome().is_none() {
            follows_from_its_moves(&solution, &game);
            going_on += 1;
            let rules = game.rules::<Cachex>().unwrap();
            captures += usize::from(!rules.capturable(game.to_move()).is_empty());
        }
    }
    assert!(captures > 1_000, "only {captures} positions with a capture");
}

#[test]
fn swap_and_barred_centre_count_while_they_last() {
    let solution: &dyn Solution = &ExactValues::new(3);
    let after = |moves: &str| position(cachex(), 3, moves);
    assert_eq!(solution.moves(&after("")).len(), 8);
    assert!(matches!(solution.value(&after("")), Some(Value::Loss(_))), "whoever opens is swapped or beaten");
    let opened = after("b1");
    assert!(matches!(solution.moves_without_swap(&opened)[0].1, Value::Loss(_)));
    assert!(matches!(solution.value(&opened), Some(Value::Win(_))));
    assert_eq!(opened.action_name(solution.moves(&opened)[0].0), "swap");
    let over = after("a1 c2 a2 c1 a3");
    assert!(over.outcome().is_some());
    assert_eq!((solution.value(&over), solution.moves(&over)), (None, vec![]));
}

#[test]
fn openings_and_positions_on_the_command_line() {
    let solve = |arguments: &str| hexzero_line(Path::new("."), &format!("games solve {arguments}"));
    solve("--size 3").success().stderr("").stdout(
        contains("a1       lost in 8 plies    lost in 8 plies    c1 a2 c2 a3\n")
            .and(contains("b1       lost in 8 plies    won in 7 plies     swap\n"))
            .and(contains("\nb2 ").not()),
    );
    solve("--game cachex --size 3 a1 a2").success().stdout(contains("red to move: ").and(contains("plies\n")));
}
