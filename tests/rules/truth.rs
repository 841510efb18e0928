//! The games against the reference rules: numbers of move sequences, games move by move, exact values. See
//! `tests/data/README.md`.

use std::collections::BTreeMap;

use hexzero::games::{Position, Seat, Value, game_named};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::exact::sign;

/// Larger counts are left out, to save time: the smaller ones test as much.
const MAX_COUNT: u64 = 10_000_000;

fn lines<T: DeserializeOwned>(text: &str) -> Vec<T> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))).collect()
}

#[derive(Deserialize)]
struct Counts {
    game: String,
    size: usize,
    counts: Vec<u64>,
}

/// Counts the sequences of moves of a given length. A finished game has no continuation.
fn perft(position: &Position, depth: usize) -> u64 {
    let legal = position.legal();
    if depth == 1 {
        return legal.len() as u64;
    }
    legal.into_iter().map(|action| perft(&position.after(action), depth - 1)).sum()
}

#[test]
fn numbers_of_move_sequences() {
    let mut compared = 0;
    for Counts { game, size, counts } in lines(include_str!("../data/perft.jsonl")) {
        let Ok(start) = game_named(&game).unwrap().start(size) else { continue };
        for (depth, &expected) in (1..).zip(&counts).filter(|&(_, &count)| count <= MAX_COUNT) {
            assert_eq!(perft(&start, depth), expected, "{game} {size}, depth {depth}");
            compared += 1;
        }
    }
    assert_eq!(compared, 290);
}

#[derive(Deserialize)]
struct Recorded {
    game: String,
    size: usize,
    moves: Vec<String>,
    /// 1 if the first seat wins, -1 if the second does, 0 for a draw, none if the game was given up.
    result: Option<f32>,
    /// The pieces on the places: `x` of the first seat, `o` of the second, or the kind of piece.
    board: Option<String>,
}

fn drawn(position: &Position) -> String {
    let symbol = |place| match position.piece(place) {
        None => '.',
        Some(piece) => piece.kind.unwrap_or(if piece.owner == Some(Seat::First) { 'x' } else { 'o' }),
    };
    (0..position.board().places().len()).map(symbol).collect()
}

#[test]
fn recorded_games() {
    let mut played = 0;
    for Recorded { game, size, moves, result, board } in lines(include_str!("../data/family_games.jsonl")) {
        let mut position = game_named(&game).unwrap().start(size).unwrap();
        for (ply, text) in (1..).zip(&moves) {
            assert_eq!(position.outcome(), None, "{game} {size}, before ply {ply}");
            let action = position.play_named(text).unwrap_or_else(|error| panic!("{game} {size}, {text}: {error}"));
            assert!(action.index() < position.actions());
        }
        assert_eq!(
            position.outcome().map(|outcome| outcome.value_for(Seat::First)),
            result,
            "{game} {size}: {moves:?}"
        );
        if let Some(board) = board {
            assert_eq!(drawn(&position), board, "{game} {size}: {moves:?}");
        }
        played += 1;
    }
    assert_eq!(played, 113);
}

#[derive(Deserialize)]
struct Known {
    game: String,
    size: usize,
    /// To the first seat: 1 for a win, 0 for a draw, -1 for a loss; of the start, and after each first move.
    value: i32,
    openings: Option<BTreeMap<String, i32>>,
    /// The number of plies to play after each first move.
    plies: Option<BTreeMap<String, u8>>,
    /// The first moves that win.
    winning: Option<Vec<String>>,
}

/// The value to the first seat.
fn to_first(value: Value, mover: Seat) -> i32 {
    if mover == Seat::First { sign(value) } else { -sign(value) }
}

/// Compares the solvers with the known values of these games and boards, and counts them.
fn compare_exact_values(chosen: impl Fn(&str, usize) -> bool) -> usize {
    let mut compared = 0;
    for Known { game, size, value, openings, plies, winning } in lines(include_str!("../data/family_values.jsonl")) {
        let game = game_named(&game).unwrap();
        let solver = game.solver().filter(|solver| solver.sizes.contains(&size) && chosen(game.name(), size));
        let Some(solver) = solver else { continue };
        let start = game.start(size).unwrap();
        let solution = (solver.solve)(size);
        assert_eq!(to_first(solution.value(&start).unwrap(), start.to_move()), value, "{} {size}", game.name());
        let moves: BTreeMap<String, Value> =
            solution.moves(&start).into_iter().map(|(action, value)| (start.action_name(action), value)).collect();
        let found = moves.iter().map(|(name, &value)| (name.clone(), to_first(value, start.to_move())));
        assert!(openings.is_none_or(|openings| openings == found.collect()), "{} {size}: {moves:?}", game.name());
        for (name, plies) in plies.into_iter().flatten() {
            let (Value::Win(Some(found)) | Value::Loss(Some(found))) = moves[&name] else {
                panic!("{name} has no plies")
            };
            assert_eq!(found - 1, plies, "{} {size}, {name}", game.name());
        }
        if let Some(mut winning) = winning {
            winning.sort_unstable();
            let wins = moves.iter().filter(|(_, value)| matches!(value, Value::Win(_))).map(|(name, _)| name.clone());
            assert_eq!(wins.collect::<Vec<_>>(), winning, "{} {size}", game.name());
        }
        compared += 1;
    }
    compared
}

#[test]
fn exact_values() {
    assert_eq!(compare_exact_values(|game, size| (game, size) != ("imnyss", 4)), 15);
}

#[test]
#[ignore = "takes a minute and 0.8 GB"]
fn exact_values_of_imnyss_4() {
    assert_eq!(compare_exact_values(|game, size| (game, size) == ("imnyss", 4)), 1);
}
