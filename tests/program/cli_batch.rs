//! `hexzero analyze --batch`: queries of other programs.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::path::Path;
use std::process::Stdio;

use assert_cmd::Command;
use serde_json::{Value, json};

/// The answers to these queries, in the order in which they come.
fn answers(options: &[&str], queries: &[Value]) -> Vec<Value> {
    let input: String = queries.iter().map(|query| format!("{query}\n")).collect();
    let mut command = Command::cargo_bin("hexzero").unwrap();
    let command = command.args([&["analyze", "--batch"], options].concat()).current_dir(Path::new("."));
    let output = command.write_stdin(input).assert().success().stderr("").get_output().clone();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn ids(answers: &[Value]) -> Vec<&str> {
    answers.iter().map(|answer| answer["id"].as_str().unwrap()).collect()
}

#[test]
fn every_turn_of_every_query_is_answered() {
    let queries = [
        json!({"id": "one", "size": 5, "moves": ["b1", "swap", "c4"], "analyzeTurns": [0, 2], "maxVisits": 20}),
        json!({"id": "two", "game": "hex", "boardSize": 4, "visits": 10, "lines": 2, "includeOwnership": true}),
        json!({"id": "three", "action": "query_version"}),
    ];
    let found = answers(&["--threads", "2"], &queries);
    let found: HashMap<(String, u64), Value> = found
        .into_iter()
        .map(|answer| {
            let key = (answer["id"].as_str().unwrap().to_owned(), answer["turnNumber"].as_u64().unwrap_or(99));
            (key, answer)
        })
        .collect();
    let of = |id: &str, turn: u64| &found[&(id.to_owned(), turn)];
    assert_eq!(found.len(), 4);
    assert_eq!(of("one", 0)["moves"], json!([]));
    assert_eq!((&of("one", 2)["moves"], &of("one", 2)["visits"]), (&json!(["b1", "swap"]), &json!(20)));
    assert_eq!((&of("two", 0)["game"], &of("two", 0)["size"]), (&json!("hex"), &json!(4)));
    assert_eq!(of("two", 0)["lines"].as_array().unwrap().len(), 2);
    assert!(of("two", 0)["board"].is_object() && of("one", 0)["board"].is_null());
    assert_eq!(of("three", 99)["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn a_game_may_begin_with_a_position_that_was_set_up() {
    let setup = json!({"first": ["a1", "b2"], "second": ["c3"], "to_move": "second"});
    let queries = [
        json!({"id": "set up", "game": "hex", "size": 4, "setup": setup, "moves": ["d4"], "analyzeTurns": [0, 1], "maxVisits": 5, "lines": 1000}),
        json!({"id": "occupied", "game": "hex", "size": 4, "setup": setup, "moves": ["a1"]}),
        json!({"id": "nowhere", "game": "hex", "size": 4, "setup": {"first": ["z9"]}}),
        json!({"id": "no stones", "game": "infexion", "size": 7, "setup": {"first": ["0,0"]}}),
        json!({"id": "over", "game": "hex", "size": 2, "setup": {"first": ["a1", "a2"]}}),
    ];
    let found = answers(&["--threads", "1"], &queries);
    let of = |id: &str| found.iter().filter(|answer| answer["id"] == id).collect::<Vec<_>>();
    let [before, after] = of("set up")[..] else { panic!("{found:?}") };
    assert_eq!((&before["to_move"], &after["to_move"]), (&json!("white"), &json!("black")), "{found:?}");
    let lines = |answer: &Value| answer["lines"].as_array().unwrap().len();
    assert_eq!((lines(before), lines(after)), (13, 12), "only empty cells may be played on");
    for (id, error) in [
        ("occupied", "move 1 'a1': a1 is occupied"),
        ("nowhere", "set-up: 'z9' is not on this board"),
        ("no stones", "positions of infexion cannot be set up"),
        ("over", "the game is over after these 0 moves"),
    ] {
        let told = of(id)[0]["error"].as_str().unwrap();
        assert!(told.contains(error), "{told}");
    }
}

#[test]
fn urgent_queries_come_first_and_queries_can_be_ended() {
    let endless = 10_000_000;
    let query = |id: &str, priority: i64| json!({"id": id, "size": 5, "maxVisits": 5, "priority": priority});
    let queries = [
        json!({"id": "endless", "size": 9, "maxVisits": endless}),
        query("later", 0),
        query("dropped", 0),
        query("urgent", 3),
        json!({"id": "stop", "action": "terminate", "terminateId": "dropped"}),
        json!({"id": "enough", "action": "terminate", "terminateId": "endless"}),
    ];
    let found = answers(&["--threads", "1"], &queries);
    let by_worker: Vec<&str> =
        ids(&found).into_iter().filter(|id| ["endless", "later", "urgent"].contains(id)).collect();
    // What had begun when the urgent one came is done first; whatever came before it waits.
    let urgent = by_worker.iter().position(|&id| id == "urgent").unwrap();
    let later = by_worker.iter().position(|&id| id == "later").unwrap();
    assert!(urgent < later && by_worker.len() == 3, "{found:?}");
    let of = |id: &str| found.iter().find(|answer| answer["id"] == id).unwrap();
    assert_eq!(of("dropped"), &json!({"id": "dropped", "turnNumber": 0, "noResults": true}));
    assert!(of("endless")["visits"].as_u64().is_none_or(|visits| visits < endless));
    assert_eq!(of("stop"), &json!({"id": "stop", "action": "terminate", "terminateId": "dropped"}));
}

#[test]
fn queries_at_fault_are_named_and_the_others_answered() {
    let faults = [
        (json!({"id": "a", "moves": ["z9"]}), "move 1 'z9': 'z9' is not on this board"),
        (json!({"id": "b", "game": "chess"}), "chess"),
        (json!({"id": "c", "size": 99}), "size"),
        (json!({"id": "d", "analyzeTurns": [1]}), "analyzeTurns: the game has 0 moves, not 1"),
        (json!({"id": "n", "analyzeTurns": []}), "analyzeTurns names no turn"),
        (json!({"id": "e", "maxVisits": 0}), "maxVisits must be from 1 to 10000000"),
        (json!({"id": "f", "action": "clear_cache"}), "there is no action 'clear_cache'; choose query_version"),
        (json!({"id": "g", "colour": "red"}), "unknown field `colour`"),
        (json!({"id": "h", "action": "terminate"}), "terminate needs a terminateId"),
        (
            json!({"id": "i", "size": 3, "moves": ["a1", "c1", "a2", "c2", "a3"]}),
            "the game is over after these 5 moves",
        ),
        (json!({"size": 3}), "missing field `id`"),
    ];
    let mut queries: Vec<Value> = faults.iter().map(|(query, _)| query.clone()).collect();
    queries.push(json!({"id": "z", "size": 4, "maxVisits": 3}));
    let found = answers(&[], &queries);
    for (query, said) in &faults {
        let answer = found.iter().find(|answer| answer["id"] == query["id"] && answer["error"].is_string()).unwrap();
        assert!(answer["error"].as_str().unwrap().contains(said), "{answer}");
    }
    assert!(found.iter().any(|answer| answer["id"] == "z" && answer["visits"] == 3));
}

#[test]
fn the_longest_games_fit_on_a_line_and_what_is_longer_says_so() {
    let games = std::fs::read_to_string("tests/data/family_games.jsonl").unwrap();
    let longest = games.lines().max_by_key(|line| line.len()).unwrap();
    let mut query: Value = serde_json::from_str(longest).unwrap();
    let turns = query["moves"].as_array().unwrap().len();
    assert!(turns > 300);
    query["id"] = json!("long");
    query["maxVisits"] = json!(2);
    query["analyzeTurns"] = (0..turns).collect();
    let fields = ["id", "game", "size", "moves", "maxVisits", "analyzeTurns"];
    query.as_object_mut().unwrap().retain(|field, _| fields.contains(&field.as_str()));
    let found = answers(&[], &[query, json!({"id": "x".repeat(70_000)})]);
    let is_refused = |answer: &&Value| answer["error"] == "a line of more than 65535 bytes is not a query";
    assert_eq!((found.len(), found.iter().filter(is_refused).count()), (turns + 1, 1));
}

/// Nothing is read on for a reader that has gone, though queries could still come.
#[test]
fn a_reader_that_goes_away_ends_it() {
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("hexzero"));
    command.args(["analyze", "--batch", "--threads", "2"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    for (id, visits) in [("long", 10_000_000), ("short", 1)] {
        writeln!(input, "{}", json!({"id": id, "size": 5, "maxVisits": visits})).unwrap();
    }
    let ended = child.wait().unwrap();
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(ended.success() && !said.contains("panicked"), "{ended} {said}");
    drop(input);
}
