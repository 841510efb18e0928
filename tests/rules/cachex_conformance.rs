//! Recorded games of Cachex replayed move by move; see `tests/data/README.md`.

use std::collections::HashMap;
use std::io::Read;

use flate2::read::GzDecoder;
use hexzero::games::{Action, Position, REPETITION_LIMIT, Seat};
use hexzero::replay::position_text;
use serde::Deserialize;

use crate::games::cachex;
use crate::hex_rules::seen;

#[derive(Deserialize)]
struct Recorded {
    id: usize,
    n: usize,
    actions: Vec<String>,
    states: Vec<String>,
    caps: HashMap<usize, Vec<usize>>,
    rep: HashMap<usize, u8>,
    legal: Vec<usize>,
    probes: Vec<(usize, String, bool)>,
    result: String,
    final_ply: usize,
    final_mixed: bool,
}

fn recorded_games() -> Vec<Recorded> {
    let mut text = String::new();
    GzDecoder::new(include_bytes!("../data/cachex.jsonl.gz").as_slice()).read_to_string(&mut text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The recorded action, or none if it lies outside the board.
fn action(size: usize, text: &str) -> Option<Action> {
    if text == "STEAL" {
        return Some(Action((size * size) as u16));
    }
    let (row, column) = text.split_once(',').unwrap();
    let on_board = |text: &str| text.parse::<usize>().ok().filter(|&index| index < size);
    Some(Action((on_board(row)? * size + on_board(column)?) as u16))
}

fn occurrences(game: &Position) -> u8 {
    let (_, globals) = seen(game);
    (globals[3] * f32::from(REPETITION_LIMIT)).round() as u8
}

fn result(game: &Position) -> Option<&'static str> {
    game.outcome().map(|outcome| match (outcome.winner, cachex().ending_key(outcome.reason)) {
        (Some(Seat::First), "connection") => "red",
        (Some(Seat::Second), "connection") => "blue",
        (None, "repetition") => "draw: repetition",
        (None, "turns") => "draw: turns",
        other => panic!("an impossible ending: {other:?}"),
    })
}

fn replay(recorded: &Recorded) {
    let n = recorded.n;
    let mut game = cachex().start(n).unwrap();
    let mut legal = Vec::new();
    let mut probes = recorded.probes.iter().peekable();
    for (turn, text) in recorded.actions.iter().enumerate() {
        let ply = turn + 1;
        let place = format!("game {}, ply {ply}, {text}", recorded.id);
        assert_eq!(game.turns(), turn, "{place}");
        assert_eq!(game.to_move(), Seat::BOTH[turn % 2], "{place}");
        assert_eq!(result(&game), None, "{place}");

        game.legal_actions(&mut legal);
        assert_eq!(legal.len(), recorded.legal[turn], "{place}: number of legal actions");
        while let Some((_, probe, expected)) = probes.next_if(|probe| probe.0 == ply) {
            let action = action(n, probe);
            let checked = action.is_some_and(|action| game.check(action).is_ok());
            let listed = action.is_some_and(|action| legal.binary_search(&action).is_ok());
            assert_eq!((checked, listed), (*expected, *expected), "{place}: is {probe} legal?");
        }

        let action = action(n, text).unwrap();
        let before = position_text(&game);
        assert_eq!(game.try_play(action), Ok(()), "{place}");
        let after = position_text(&game);
        assert_eq!(after, recorded.states[turn], "{place}: the board");
        if text != "STEAL" {
            let pairs = before.bytes().zip(after.bytes());
            let emptied = pairs.enumerate().filter(|(_, (before, after))| *before != b'.' && *after == b'.');
            let emptied: Vec<_> = emptied.map(|(cell, _)| cell).collect();
            assert_eq!(emptied, recorded.caps.get(&ply).cloned().unwrap_or_default(), "{place}: captures");
        }
        assert_eq!(occurrences(&game), *recorded.rep.get(&ply).unwrap_or(&1), "{place}: occurrences");
    }
    assert_eq!(probes.next(), None, "game {}: a probe that was not asked", recorded.id);
    assert_eq!(game.turns(), recorded.final_ply, "game {}", recorded.id);
    assert_eq!(result(&game), Some(recorded.result.as_str()), "game {}", recorded.id);
    game.legal_actions(&mut legal);
    assert!(legal.is_empty(), "game {}: nothing can be played after the end", recorded.id);
}

#[test]
fn recorded_games_replay_exactly() {
    let games = recorded_games();
    assert_eq!(games.len(), 604);
    games.iter().for_each(replay);
}

#[test]
fn records_hold_every_ending_and_every_size() {
    let games = recorded_games();
    let count = |result: &str| games.iter().filter(|game| game.result == result).count();
    assert_eq!(["red", "blue", "draw: repetition", "draw: turns"].map(count), [252, 257, 48, 47]);
    assert!((3..=15).all(|size| games.iter().any(|game| game.n == size)));
    assert!(games.iter().any(|game| game.final_mixed), "the player to move is no part of a position");
}
