//! Numbers of move sequences, and a game that ends by repetition; see `tests/data/README.md`.

use std::collections::BTreeMap;

use hexzero::replay::position_text;
use serde::Deserialize;

use crate::games::cachex;
use crate::perft::perft;

#[test]
fn numbers_of_move_sequences() {
    let counts: BTreeMap<usize, Vec<u64>> = serde_json::from_str(include_str!("../data/cachex_perft.json")).unwrap();
    let mut compared = 0;
    for (size, counts) in counts {
        let start = cachex().start(size).unwrap();
        for (index, &expected) in counts.iter().enumerate() {
            assert_eq!(perft(&start, index + 1), expected, "size {size}, depth {}", index + 1);
            compared += 1;
        }
    }
    assert_eq!(compared, 29);
}

#[derive(Deserialize)]
struct Trace {
    n: usize,
    actions: Vec<String>,
    #[serde(rename = "final")]
    last_board: String,
}

#[test]
fn game_ends_with_its_first_seventh_occurrence() {
    let trace: Trace = serde_json::from_str(include_str!("../data/cachex_repetition_trace.json")).unwrap();
    let mut game = cachex().start(trace.n).unwrap();
    for action in &trace.actions {
        assert_eq!(game.outcome(), None, "before turn {}", game.turns() + 1);
        game.play_named(action).unwrap();
    }
    let outcome = game.outcome().unwrap();
    assert_eq!((outcome.winner, cachex().ending_key(outcome.reason)), (None, "repetition"));
    assert_eq!(position_text(&game), trace.last_board);
}
