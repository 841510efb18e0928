//! `hexzero analyze --batch`: queries of other programs.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::common::hexzero_with_input;
use crate::output::{each, stdout};

/// The answers to these queries, in the order in which they come.
fn answers(options: &[&str], queries: &[Value]) -> Vec<Value> {
    let input: String = queries.iter().map(|query| format!("{query}\n")).collect();
    let done = hexzero_with_input(Path::new("."), &[&["analyze", "--batch"], options].concat(), input);
    stdout(&done.success().stderr("")).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn turns_of_all_queries_are_answered() {
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
fn game_may_begin_with_a_set_up_position() {
    let setup = json!({"first": ["a1", "b2"], "second": ["c3"], "to_move": "second"});
    let query = json!({"id": "set up", "game": "hex", "size": 4, "setup": setup, "moves": ["d4"],
                       "analyzeTurns": [0, 1], "maxVisits": 5, "lines": 1000});
    let found = answers(&["--threads", "1"], &[query]);
    let [before, after] = &found[..] else { panic!("{found:?}") };
    assert_eq!((&before["to_move"], &after["to_move"]), (&json!("white"), &json!("black")), "{found:?}");
    let lines = |answer: &Value| answer["lines"].as_array().unwrap().len();
    assert_eq!((lines(before), lines(after)), (13, 12), "only empty cells may be played on");
}

#[test]
fn urgent_queries_come_first_and_can_be_ended() {
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
    let ids = found.iter().map(|answer| answer["id"].as_str().unwrap());
    let by_worker: Vec<&str> = ids.filter(|id| ["endless", "later", "urgent"].contains(id)).collect();
    // A query that has begun is finished before the urgent one; those that only wait come after it.
    let urgent = by_worker.iter().position(|&id| id == "urgent").unwrap();
    let later = by_worker.iter().position(|&id| id == "later").unwrap();
    assert!(urgent < later && by_worker.len() == 3, "{found:?}");
    let of = |id: &str| found.iter().find(|answer| answer["id"] == id).unwrap();
    assert_eq!(of("dropped"), &json!({"id": "dropped", "turnNumber": 0, "noResults": true}));
    assert!(of("endless")["visits"].as_u64().is_none_or(|visits| visits < endless));
    assert_eq!(of("stop"), &json!({"id": "stop", "action": "terminate", "terminateId": "dropped"}));
}

#[test]
fn queries_beside_a_bad_one_are_answered() {
    let bad = json!({"id": "a", "moves": ["z9"], "boardXSize": 5});
    let found = answers(&[], &[bad, json!(["id"]), json!({"id": "z", "size": 4, "maxVisits": 3})]);
    let of = |id: Value| found.iter().find(|answer| answer["id"] == id).unwrap();
    assert!(of(json!("a"))["error"].is_string() && of(Value::Null)["error"].is_string(), "{found:?}");
    assert_eq!(of(json!("z"))["visits"], 3);
}

#[test]
fn longest_games_fit_and_longer_are_refused() {
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

/// When the reader of the answers has gone, the batch ends, though queries could still come.
#[test]
fn closed_stdout_ends_the_batch() {
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

/// Queries as programs for KataGo's analysis engine write them, and answers that they can read.
#[test]
fn katago_queries_are_answered_in_its_form() {
    let queries = [
        json!({"id": "game", "rules": "hex", "komi": 7.5, "boardXSize": 5, "boardYSize": 5, "initialStones": [],
               "moves": [["B", "b2"], ["W", "swap"], ["B", "c3"]], "analyzeTurns": [0, 2, 3], "priorities": [1, 5, 3],
               "maxVisits": 30, "includeOwnership": true}),
        json!({"id": "stones", "rules": "hex", "boardXSize": 4, "initialStones": [["B", "a1"], ["W", "c3"], ["white", "b2"]],
               "initialPlayer": "W", "moves": [["W", "d4"]], "maxVisits": 9}),
        json!({"id": "short", "rules": "cachex", "boardXSize": 5, "moves": ["d2"], "maxVisits": 9, "lines": 1}),
        json!({"id": "version", "action": "query_version"}),
    ];
    let found = answers(&["--threads", "1", "--katago"], &queries);
    let of = |id: &str| found.iter().filter(|answer| answer["id"] == id).collect::<Vec<_>>();
    let turns: Vec<u64> = of("game").iter().map(|answer| answer["turnNumber"].as_u64().unwrap()).collect();
    // The first may begin before the others are there to be preferred.
    assert_eq!(turns, [2, 3, 0], "by priority");
    for answer in of("game") {
        assert_eq!(answer["isDuringSearch"], false);
        let player = if answer["turnNumber"] == 3 { "W" } else { "B" };
        assert_eq!(answer["rootInfo"]["currentPlayer"], player, "{answer}");
        let share = |value: &Value| value.as_f64().is_some_and(|share| (0.0..=1.0).contains(&share));
        assert!(share(&answer["rootInfo"]["winrate"]) && answer["rootInfo"]["visits"].as_u64() == Some(30), "{answer}");
        assert_eq!(answer["ownership"].as_array().unwrap().len(), 25);
        for (order, info) in answer["moveInfos"].as_array().unwrap().iter().enumerate() {
            assert_eq!((info["order"].as_u64(), &info["pv"][0]), (Some(order as u64), &info["move"]), "{info}");
            assert!(
                ["winrate", "prior", "lcb"].iter().all(|name| share(&info[name])) && info["visits"].is_u64(),
                "{info}"
            );
        }
        assert!(answer["lines"].is_null() && answer["win"].is_null(), "nothing of the other form: {answer}");
    }
    let stones = of("stones")[0];
    assert_eq!((&stones["turnNumber"], &stones["rootInfo"]["currentPlayer"]), (&json!(1), &json!("B")), "{stones}");
    assert!(stones["ownership"].is_null());
    let taken = |info: &Value| ["a1", "c3", "b2", "d4"].contains(&info["move"].as_str().unwrap());
    assert!(!stones["moveInfos"].as_array().unwrap().iter().any(taken), "{stones}");
    assert_eq!(of("short")[0]["moveInfos"].as_array().unwrap().len(), 1);
    assert_eq!(
        of("version"),
        [
            &json!({"id": "version", "action": "query_version", "version": env!("CARGO_PKG_VERSION"), "git_hash": "<omitted>"})
        ]
    );
}

#[test]
fn long_search_reports_until_it_is_terminated() {
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("hexzero"));
    command.args(["analyze", "--batch", "--katago", "--threads", "1"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<Value>(&lines.next().unwrap().unwrap()).unwrap();
    let query = json!({"id": "long", "boardXSize": 9, "maxVisits": 10_000_000, "moves": ["d2"], "analyzeTurns": [0, 1],
                       "reportDuringSearchEvery": 0.02});
    writeln!(input, "{query}").unwrap();
    let visits: Vec<u64> = (0..3)
        .map(|_| {
            let report = next();
            assert_eq!((&report["isDuringSearch"], &report["turnNumber"]), (&json!(true), &json!(0)), "{report}");
            report["rootInfo"]["visits"].as_u64().unwrap()
        })
        .collect();
    assert!(visits.is_sorted() && visits[0] < visits[2], "{visits:?}");
    for turn in [1, 0] {
        let stop = json!({"id": "stop", "action": "terminate", "terminateId": "long", "turnNumbers": [turn]});
        writeln!(input, "{stop}").unwrap();
    }
    drop(input);
    let rest: Vec<Value> =
        std::iter::from_fn(|| lines.next()).map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    let of = |turn: u64| {
        rest.iter().filter(|answer| answer["id"] == "long" && answer["turnNumber"] == turn).collect::<Vec<_>>()
    };
    assert_eq!(of(1), [&json!({"id": "long", "turnNumber": 1, "isDuringSearch": false, "noResults": true})]);
    let last = of(0).pop().unwrap();
    assert_eq!(last["isDuringSearch"], false, "{last}");
    assert!(last["rootInfo"]["visits"].as_u64().unwrap() >= visits[2]);
    let answered = json!({"id": "stop", "action": "terminate", "terminateId": "long", "turnNumbers": [1]});
    assert!(rest.contains(&answered), "{rest:?}");
    assert!(child.wait().unwrap().success());
}

/// The query of a program for people who study games (KaTrain), with `rules` of a game that is played here.
fn query_of_katrain(id: &str, moves: Value) -> Value {
    json!({"rules": "hex", "priority": 0, "analyzeTurns": [moves.as_array().unwrap().len()], "maxVisits": 60, "komi": 6.5,
           "boardXSize": 5, "boardYSize": 5, "includeOwnership": true, "includeMovesOwnership": true, "includePolicy": true,
           "initialStones": [], "initialPlayer": "B", "moves": moves, "id": id,
           "overrideSettings": {"reportAnalysisWinratesAs": "BLACK", "maxTime": 8.0, "wideRootNoise": 0.04}})
}

#[test]
fn katrain_queries_get_policy_and_blacks_view() {
    let moves = json!([["B", "C3"], ["W", "B4"], ["B", "d2"]]);
    let mut to_move = query_of_katrain("QUERY:2", moves.clone());
    to_move["overrideSettings"]["reportAnalysisWinratesAs"] = json!("SIDETOMOVE");
    let mut avoiding = query_of_katrain("QUERY:3", moves.clone());
    let listed = ["a1", "b4", "b3", "pass"];
    avoiding["avoidMoves"] = json!([{"moves": listed, "player": "W", "untilDepth": 1}]);
    let stop = json!({"id": "QUERY:4", "action": "terminate", "terminateId": "QUERY:0"});
    let queries = [query_of_katrain("QUERY:1", moves), to_move, avoiding, stop.clone()];
    let found = answers(&["--katago", "--threads", "1"], &queries);
    let of = |id: &str| found.iter().filter(|answer| answer["id"] == id).collect::<Vec<_>>();
    assert_eq!(of("QUERY:4"), [&stop]);
    let [warning, black] = of("QUERY:1")[..] else { panic!("{found:?}") };
    assert_eq!(warning["field"], "overrideSettings");
    assert_eq!(warning["warning"], "wideRootNoise: ignored, without a meaning here");
    let white = of("QUERY:2")[1];
    assert_eq!((&black["rootInfo"]["currentPlayer"], &black["stopReason"]), (&json!("W"), &json!("visits")));
    let number = |value: &Value| value.as_f64().unwrap();
    let opposite = |name: &str, a: &Value, b: &Value| (number(&a[name]) + number(&b[name]) - 1.0).abs() < 1e-3;
    assert!(opposite("winrate", &black["rootInfo"], &white["rootInfo"]));
    let infos = |answer: &Value| answer["moveInfos"].as_array().unwrap().clone();
    for (black, white) in infos(black).iter().zip(infos(white)) {
        assert!(opposite("winrate", black, &white) && opposite("lcb", black, &white), "{black} {white}");
        let owners = |info: &Value| info["ownership"].as_array().unwrap().iter().map(number).collect::<Vec<f64>>();
        assert!(owners(black).len() == 25 && owners(black).iter().zip(owners(&white)).all(|(a, b)| *a == -b));
    }
    // A share for each cell, none for those that are occupied, and last for moves without a cell.
    let policy: Vec<f64> = black["policy"].as_array().unwrap().iter().map(number).collect();
    let legal: f64 = policy.iter().filter(|share| **share >= 0.0).sum();
    assert!(policy.len() == 26 && (legal - 1.0).abs() < 1e-3, "{policy:?}");
    assert_eq!(policy.iter().filter(|share| **share < 0.0).count(), 4, "three stones, and no swap any more");
    let avoided = infos(of("QUERY:3")[1]);
    assert!(!avoided.is_empty());
    assert!(!avoided.iter().any(|info| listed.contains(&info["move"].as_str().unwrap())), "{avoided:?}");
}

/// The query of KataGo's own example in Python, whose first answer must be the result.
#[test]
fn katago_example_gets_its_answer_first() {
    let query = json!({"id": "0", "moves": [["b", "D4"]], "initialStones": [], "rules": "Hex", "komi": 6.5,
                       "boardXSize": 9, "boardYSize": 9, "includePolicy": true, "maxVisits": 5});
    let found = answers(&["--katago"], &[query]);
    assert_eq!(found.len(), 1, "{found:?}");
    let policy = found[0]["policy"].as_array().unwrap();
    assert_eq!((policy.len(), &policy[3 * 9 + 3]), (82, &json!(-1.0)));
    assert!(policy[81].as_f64().unwrap() >= 0.0, "the swap");
}

#[test]
fn meaningless_fields_are_ignored_and_named() {
    let queries = [
        json!({"id": "a", "size": 4, "maxVisits": 1_000_000_000_000u64, "overrideSettings": {"maxTime": 0.05}}),
        json!({"id": "b", "size": 4, "visits": 3, "rootPolicyTemperature": 1.2, "whiteHandicapBonus": "N", "colour": "red",
               "includeNoResultValue": false}),
        json!({"id": "c", "size": 4, "visits": 3,
               "avoidMoves": [{"player": "W", "moves": ["a1"], "untilDepth": 20}]}),
        json!({"id": "d", "size": 3, "visits": 3, "moves": ["a1", "c1", "a2", "c2", "a3"], "analyzeTurns": [0, 5]}),
    ];
    let found = answers(&["--threads", "1"], &queries);
    let of = |id: &str, key: &str| -> Vec<Value> {
        found
            .iter()
            .filter(|answer| answer["id"] == id && !answer[key].is_null())
            .map(|answer| answer[key].clone())
            .collect()
    };
    assert_eq!(of("a", "field"), [json!("maxVisits")]);
    assert_eq!(of("a", "stop_reason"), [json!("time")]);
    assert_eq!(of("b", "field"), [json!("rootPolicyTemperature"), json!("whiteHandicapBonus")]);
    assert!(of("b", "warning").iter().any(|told| told.as_str().unwrap().contains("ignored: colour")), "{found:?}");
    assert!(of("c", "warning")[0].as_str().unwrap().contains("untilDepth is 20"), "{found:?}");
    for id in ["b", "c", "d"] {
        assert_eq!(of(id, "visits"), [json!(3)], "{found:?}");
    }
    assert_eq!((of("d", "field"), of("d", "noResults")), (vec![json!("analyzeTurns")], vec![json!(true)]));
}

#[test]
fn lines_have_visits_and_the_requested_length() {
    let allow = json!([{"player": "B", "moves": ["b2", "c3"], "untilDepth": 1}, {"player": "W", "moves": ["a1"]}]);
    let query = json!({"id": "a", "rules": "hex", "boardXSize": 5, "maxVisits": 300, "includePVVisits": true,
                       "allowMoves": allow, "overrideSettings": {"analysisPVLen": 2}});
    let found = answers(&["--katago", "--threads", "1"], &[query]);
    let infos = found[0]["moveInfos"].as_array().unwrap();
    assert_eq!(infos.iter().map(|info| info["visits"].as_u64().unwrap()).sum::<u64>(), 299);
    let names = each(&found[0]["moveInfos"], "move");
    assert!(names.len() == 2 && names.contains(&"b2") && names.contains(&"c3"), "{names:?}");
    for info in infos {
        let visits: Vec<u64> =
            info["pvVisits"].as_array().unwrap().iter().map(|visits| visits.as_u64().unwrap()).collect();
        assert!(visits.len() == info["pv"].as_array().unwrap().len() && visits.len() <= 3, "{info}");
        assert!(visits[0] == info["visits"] && visits.is_sorted_by(|a, b| a >= b), "{info}");
    }
}

#[test]
fn actions_are_answered_with_their_own_fields() {
    let queries = [
        json!({"id": "a", "action": "clear_cache", "tag": 1}),
        json!({"id": "b", "action": "query_models"}),
        json!({"id": "c", "action": "terminate_all"}),
    ];
    let found = answers(&["--katago", "--game", "hex"], &queries);
    assert_eq!((&found[0], &found[2]), (&queries[0], &queries[2]));
    let models = found[1]["models"].as_array().unwrap();
    assert!(models.len() == 1 && models[0]["name"].is_string() && models[0]["game"] == "hex", "{models:?}");
}
