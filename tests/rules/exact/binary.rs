//! `hexzero games solve` prints the same values for a move and for the position after it.

use std::path::Path;

use serde_json::Value as Json;

use super::{pairs, quick_boards};
use crate::common::{hexzero, hexzero_with_input};
use hexzero::games::{Position, Seat};

fn solve(start: &Position, moves: &[&str]) -> Json {
    let size = start.size().to_string();
    let arguments = [&["games", "solve", "--game", start.game().name(), "--size", &size, "--json"], moves].concat();
    let output = hexzero(Path::new("."), &arguments).success().get_output().stdout.clone();
    serde_json::from_slice(&output).unwrap()
}

/// Returns the winner, from an object whose `value` is that to this seat.
fn winner(told: &Json, seat: Seat) -> Option<Seat> {
    match told["value"].as_str().unwrap() {
        "won" => Some(seat),
        "lost" => Some(seat.opponent()),
        _ => None,
    }
}

#[test]
fn openings_have_the_values_of_their_positions() {
    for start in
        quick_boards().into_iter().filter(|start| start.size() == *start.game().solver().unwrap().sizes.start())
    {
        let (game, opener) = (start.game(), start.to_move());
        let told = solve(&start, &[]);
        let openings = told["openings"].as_array().unwrap();
        for opening in openings.iter().step_by(openings.len().div_ceil(4)) {
            let name = opening["move"].as_str().unwrap();
            let after = solve(&start, &[name]);
            let seat = Seat::BOTH.into_iter().find(|&seat| after["to_move"] == game.seat_name(seat)).unwrap();
            let place = format!("{} {}, {name}: {opening}", game.name(), start.size());
            assert_eq!(winner(opening, opener), winner(&after, seat), "{place}");
            if let (Some(plies), Some(left)) = (opening["plies"].as_u64(), after["plies"].as_u64()) {
                assert_eq!(plies, left + 1, "{place}");
            }
            let best = &after["choices"][0];
            assert_eq!((&best["value"], &best["plies"]), (&after["value"], &after["plies"]), "{place}");
            let wins = after["choices"].as_array().unwrap().iter().filter(|choice| choice["value"] == "won");
            let wins: Vec<&Json> = wins.map(|choice| &choice["move"]).collect();
            match opening.get("beaten_by") {
                None => assert_eq!(seat, opener, "{place}"),
                Some(beaten_by) => assert_eq!(beaten_by.as_array().unwrap().len(), wins.len(), "{place}"),
            }
        }
    }
}

#[test]
fn column_without_the_swap_is_the_variant() {
    for [with, without] in pairs() {
        let size = 3;
        let [with, without] = [with, without].map(|game| solve(&game.start(size).unwrap(), &[]));
        let rows = |told: &Json| told["openings"].as_array().unwrap().clone();
        assert_eq!(rows(&with).len(), rows(&without).len());
        for (row, plain) in rows(&with).iter().zip(rows(&without)) {
            let kept = &row["without_swap"];
            assert_eq!((&kept["value"], &kept["plies"]), (&plain["value"], &plain["plies"]), "{with}");
            assert_eq!(plain.get("without_swap"), None, "{plain}");
        }
    }
}

#[test]
#[ignore = "takes seconds, more than the one after which it is announced"]
fn solving_is_announced() {
    let play = hexzero_with_input(Path::new("."), &["play", "--plain", "--exact", "--size", "4"], "quit\n");
    play.success().stderr("solving cachex on a 4×4 board …\n");
    let moves = ["games", "solve", "--size", "4", "a1", "b2"];
    hexzero(Path::new("."), &moves).success().stderr("solving cachex on a 4×4 board …\n");
}
