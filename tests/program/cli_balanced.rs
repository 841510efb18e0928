//! `hexzero study balanced`, and matches that begin with its openings.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::common::hexzero_line as run;
use crate::output::{json_lines, stdout};
use crate::tiny::Folder;

fn output(folder: &Path, arguments: &str) -> String {
    stdout(&run(folder, arguments).success())
}

fn moves(game: &Value) -> Vec<String> {
    serde_json::from_value(game["moves"].clone()).unwrap()
}

#[test]
fn openings_that_are_found_begin_matches() {
    let at = &*Folder::empty();
    let text = output(at, "study balanced --game cachex --size 5 --count 4 --visits 60 --threads 2");
    assert_eq!(text, output(at, "study balanced --game cachex --size 5 --count 4 --visits 60 --threads 1"));
    assert_ne!(text, output(at, "study balanced --game cachex --size 5 --count 4 --visits 60 --seed 1"));
    fs::write(at.join("openings.jsonl"), &text).unwrap();
    let found = json_lines(&at.join("openings.jsonl"));
    assert_eq!(found.len(), 4);
    assert!(found.iter().all(|opening| (0.4..=0.6).contains(&opening["value"].as_f64().unwrap())), "{text}");
    run(at, "replay openings.jsonl").success().stderr("").stdout(contains("\n").count(4));

    // Each opening is played with both colours; then there are random ones.
    let players = "arena alphabeta:1 random --game cachex --size 5 --openings openings.jsonl --json --games";
    let result: Value = serde_json::from_str(&output(at, &format!("{players} 10 --save games.jsonl"))).unwrap();
    assert_eq!(result["openings"], serde_json::json!({"book": "openings.jsonl", "listed": 4, "random": 1}));
    let pairs = ["pairs_split", "pairs_decided"].map(|field| result[field].as_u64().unwrap());
    assert_eq!(pairs[0] + pairs[1], 5, "{result}");
    let mut games = json_lines(&at.join("games.jsonl"));
    games.sort_by_key(|game| game["number"].as_u64());
    let mut begun = BTreeSet::new();
    for pair in games[..8].chunks(2) {
        assert_eq!([&pair[0]["a_is_first"], &pair[1]["a_is_first"]], [true, false]);
        let plies = pair[0]["opening"].as_u64().unwrap() as usize;
        let openings = [0, 1].map(|game| moves(&pair[game])[..plies].to_vec());
        assert_eq!(openings[0], openings[1]);
        begun.insert(openings[0].clone());
    }
    assert_eq!(begun, found.iter().map(moves).collect());

    // A match that goes on has the same openings, and refuses others.
    let text = fs::read_to_string(at.join("games.jsonl")).unwrap();
    let first: String = text.split_inclusive('\n').take(3).collect();
    fs::write(at.join("games.jsonl"), first).unwrap();
    output(at, &format!("{players} 10 --save games.jsonl"));
    let mut again = json_lines(&at.join("games.jsonl"));
    again.sort_by_key(|game| game["number"].as_u64());
    assert_eq!(again.iter().map(moves).collect::<Vec<_>>(), games.iter().map(moves).collect::<Vec<_>>());
    run(at, "arena alphabeta:1 random --game cachex --size 5 --games 10 --save games.jsonl")
        .code(1)
        .stderr(contains("games.jsonl line 1: played from other openings; give --openings FILE"));
}

#[test]
fn points_are_reported_in_games_with_a_score() {
    let at = &*Folder::empty();
    let players = "arena random alphabeta:1 --game hexifence --games 4 --openings random";
    let result: Value = serde_json::from_str(&output(at, &format!("{players} --json"))).unwrap();
    assert_eq!(result["size"], 3, "the game's own board");
    assert_eq!(result["openings"], serde_json::json!({"book": null, "listed": 0, "random": 2}));
    let [low, mean, high] = ["low", "mean", "high"].map(|field| result["points"][field].as_f64().unwrap());
    assert!(low <= mean && mean <= high && mean < 0.0, "{result}");
    let points = contains("\nPoints (captured cells) of random less alphabeta:1: ");
    run(at, players).success().stdout(contains("\nOpenings: random plies on a ").and(points));
    let result: Value = serde_json::from_str(&output(at, "arena random random --size 5 --games 4 --json")).unwrap();
    assert!(result.get("points").is_none() && result["openings"]["book"].is_null(), "{result}");
}
