//! `hexzero replay`.

use std::fs;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::{Value, json};

use crate::common::{hexzero, hexzero_with_input};

/// A move of the recorded games, `row,column` or `STEAL`, in the notation of the interchange format.
fn named(action: &Value) -> String {
    let action = action.as_str().unwrap();
    if action == "STEAL" {
        return "swap".to_owned();
    }
    let (row, column) = action.split_once(',').unwrap();
    let column = char::from(b'a' + column.parse::<u8>().unwrap());
    format!("{column}{}", row.parse::<u8>().unwrap() + 1)
}

/// The recorded games, each as a line to replay and as what must come of it with `--states` and `--legal`.
fn recorded_games() -> Vec<(Value, Value)> {
    let mut text = String::new();
    GzDecoder::new(include_bytes!("../data/cachex.jsonl.gz").as_slice()).read_to_string(&mut text).unwrap();
    let games = text.lines().map(|line| {
        let recorded: Value = serde_json::from_str(line).unwrap();
        let moves: Vec<String> = recorded["actions"].as_array().unwrap().iter().map(named).collect();
        let (result, reason) = match recorded["result"].as_str().unwrap() {
            "draw: repetition" => ("draw", "repetition"),
            "draw: turns" => ("draw", "turns"),
            winner => (winner, "connection"),
        };
        let movers: Vec<usize> = (0..moves.len()).map(|turn| turn % 2).collect();
        let game = json!({ "game": "cachex", "size": recorded["n"], "moves": moves });
        let summary = json!({
            "game": "cachex", "size": recorded["n"], "turns": recorded["final_ply"], "result": result,
            "reason": reason, "states": recorded["states"], "legal": recorded["legal"], "movers": movers,
        });
        (game, summary)
    });
    games.collect()
}

fn lines(output: &[u8]) -> Vec<Value> {
    std::str::from_utf8(output).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn all_recorded_games() {
    let folder = tempfile::tempdir().unwrap();
    let (games, mut expected): (Vec<Value>, Vec<Value>) = recorded_games().into_iter().unzip();
    assert_eq!(games.len(), 604);
    let text: String = games.iter().map(|game| format!("{game}\n")).collect();
    fs::write(folder.path().join("games.jsonl"), &text).unwrap();

    let replayed = hexzero(folder.path(), &["replay", "games.jsonl", "--states"]).success().stderr("");
    let without = |mut summary: Value| {
        ["legal", "movers"].iter().for_each(|key| drop(summary.as_object_mut().unwrap().remove(*key)));
        summary
    };
    assert!(lines(&replayed.get_output().stdout) == expected.iter().cloned().map(without).collect::<Vec<_>>());

    let mut agrees = |options: &[&str], left_out: &[&str]| {
        for summary in &mut expected {
            left_out.iter().for_each(|key| drop(summary.as_object_mut().unwrap().remove(*key)));
        }
        let arguments = [&["replay", "-"], options].concat();
        let replayed = hexzero_with_input(folder.path(), &arguments, text.as_str()).success().stderr("");
        assert!(lines(&replayed.get_output().stdout) == expected, "{options:?}");
    };
    agrees(&["--states", "--legal"], &[]);
    agrees(&["--legal"], &["states"]);
    agrees(&[], &["legal", "movers"]);
}

#[test]
fn stack_powers_are_shown() {
    let game = r#"{"game":"infexion","size":7,"moves":["s:0,0","s:3,3","s:0,2","s:3,4"]}"#;
    let board = |moves: usize| {
        let output = hexzero_with_input(Path::new("."), &["replay", "-", "--states"], game).success();
        let summary = &lines(&output.get_output().stdout)[0];
        summary["states"][moves - 1].as_str().unwrap().to_owned()
    };
    assert!(board(1).contains("R1") && !board(1).contains('B'), "{}", board(1));
    assert_eq!((board(4).matches("R1").count(), board(4).matches("B1").count()), (2, 2));
}

#[test]
fn movers_are_listed_move_by_move() {
    // The swap is the second player's move, and the game goes on with the first.
    let game = r#"{"game":"hex","size":2,"moves":["a1","swap","b2"]}"#;
    let replayed = hexzero_with_input(Path::new("."), &["replay", "-", "--legal"], game).success().stderr("");
    let expected = json!({
        "game": "hex", "size": 2, "turns": 3, "result": null, "reason": null, "legal": [4, 4, 3], "movers": [0, 1, 0],
    });
    assert_eq!(lines(&replayed.get_output().stdout), [expected]);
    hexzero(Path::new("."), &["replay", "-", "--legal", "--to", "sgf"]).code(2).stderr(contains("cannot be used with"));
}

#[test]
fn stated_results_are_checked() {
    let mut text = String::new();
    for (mut game, summary) in recorded_games() {
        game["result"] = summary["result"].clone();
        text += &format!("{game}\n");
    }
    hexzero_with_input(Path::new("."), &["replay", "-"], text).success().stderr("");
    let wrong = r#"{"game":"cachex","size":3,"moves":["a1","b1","a2","b2","a3"],"result":"blue"}"#;
    let said = contains("the stated result is 'blue'").and(contains("'red'"));
    hexzero_with_input(Path::new("."), &["replay", "-"], wrong).code(1).stderr(said);
}

#[test]
fn unfinished_game_has_no_result() {
    let game = r#"{"game":"cachex","size":5,"moves":["d2","swap","c4"]}"#;
    hexzero_with_input(Path::new("."), &["replay", "-"], game)
        .success()
        .stdout("{\"game\":\"cachex\",\"size\":5,\"turns\":3,\"result\":null,\"reason\":null}\n");
    hexzero_with_input(Path::new("."), &["replay", "-"], "\n\n").success().stdout("");
}

#[test]
fn faulty_games_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let good = r#"{"game":"cachex","size":5,"moves":["d2"]}"#;
    let moves = |moves: &str| format!(r#"{{"game":"cachex","size":5,"moves":[{moves}]}}"#);
    let sized = |size: &str| format!(r#"{{"game":"cachex","size":{size},"moves":[]}}"#);
    for (wrong, said) in [
        (moves(r#""d2","d2""#), "move 2 'd2': d2 is occupied; choose an empty cell"),
        (moves(r#""c3""#), "move 1 'c3': c3 is the centre"),
        (moves(r#""d2","a1","swap""#), "move 3 'swap': a swap is only possible as the answer"),
        (moves(r#""d2","f1""#), "move 2 'f1': 'f1' is not on this board, whose cells go from a1 to e5"),
        (moves(r#""d2","hello""#), "move 2 'hello': 'hello' is not a cell"),
        (sized("2"), "cachex is played on boards of size 3 to 15, not 2"),
        (sized("16"), "cachex is played on boards of size 3 to 15, not 16"),
        (sized("-1"), "not a game in JSON"),
        (good.replace("cachex", "chess"), "unknown game 'chess'; known are: cachex"),
        ("d2 swap c4".to_owned(), "'d2 swap c4' is no game: give SGF"),
        (good[..20].to_owned(), "not a game in JSON"),
    ] {
        // Blank lines count as lines, not as games.
        fs::write(folder.path().join("games.jsonl"), format!("{good}\n\n{wrong}\n{good}\n")).unwrap();
        hexzero(folder.path(), &["replay", "games.jsonl"])
            .code(1)
            .stdout(contains("\n").count(2))
            .stderr(predicate::str::starts_with("error: game 2 (line 3): ").and(contains(said)));
    }
    fs::write(folder.path().join("games.jsonl"), b"\xff\xfe\0\x80").unwrap();
    hexzero(folder.path(), &["replay", "games.jsonl"])
        .code(1)
        .stderr(contains("game 1 (line 1): '").and(contains("is no game")));
    hexzero(folder.path(), &["replay", "none.jsonl"]).code(1).stderr(contains("cannot read none.jsonl"));
    hexzero(folder.path(), &["replay", "."]).code(1).stdout("").stderr(contains("error: "));
}

#[test]
fn conversions_round_trip() {
    let folder = tempfile::tempdir().unwrap();
    let to = |form: &str, text: &str| {
        let done = hexzero_with_input(folder.path(), &["replay", "-", "--to", form], text).success();
        String::from_utf8(done.get_output().stdout.clone()).unwrap()
    };
    // A game that ended before its first move, and what might have been.
    let game = r#"{"game":"hex","size":3,"moves":[],"resigned":"black","variations":[{"ply":0,"moves":["a1","b2"]}]}"#;
    let sgf = to("sgf", game);
    let again: Value = serde_json::from_str(&to("jsonl", &sgf)).unwrap();
    assert_eq!((&again["moves"], &again["variations"][0]["moves"][1]), (&serde_json::json!([]), &"b2".into()), "{sgf}");
    // An escaped end of line is none, in each of its forms.
    for soft in ["\\\n", "\\\r\n", "\\\r"] {
        assert!(to("jsonl", &format!("(;GM[11]SZ[3]C[so {soft}it is]\n;B[a1])")).contains("so it is"), "{soft:?}");
    }
    // Windows begins files so.
    assert!(to("jsonl", &format!("\u{feff}{game}")).contains("black"));
}

#[test]
fn games_may_begin_with_a_set_up_position() {
    let folder = tempfile::tempdir().unwrap();
    let game = r#"{"game":"hex","size":3,"setup":{"first":["a1","a2"],"second":["c1"],"to_move":"second"},"moves":["c2","a3"]}"#;
    let replay =
        |line: &str, options: &[&str]| hexzero_with_input(folder.path(), &[&["replay", "-"], options].concat(), line);
    let json = "{\"game\":\"hex\",\"size\":3,\"turns\":2,\"result\":\"black\",\"reason\":\"connection\"}\n";
    replay(game, &[]).success().stdout(json);
    replay(game, &["--to", "jsonl"])
        .success()
        .stdout(contains("\"setup\":{\"first\":[\"a1\",\"a2\"],\"second\":[\"c1\"]"));
    let sgf = replay(game, &["--to", "sgf"]).success().get_output().stdout.clone();
    let sgf = String::from_utf8(sgf).unwrap();
    assert!(sgf.contains("AB[a1][a2]AW[c1]PL[W];W[c2];B[a3])"), "{sgf}");
    replay(&sgf, &["--to", "jsonl"]).success().stdout(contains("\"to_move\":\"second\"},\"moves\":[\"c2\",\"a3\"]"));
    replay(game, &["--to", "hexworld"])
        .code(1)
        .stderr(contains("it begins with a position that was set up; write JSON lines or SGF"));
    // Stones of the first player alone, before the other one moves, are a handicap.
    assert!(!sgf.contains("HA["), "{sgf}");
    let handicap = game.replace(r#"["c1"]"#, "[]");
    replay(&handicap, &["--to", "sgf"]).success().stdout(contains("HA[2]AB[a1][a2]PL[W];W[c2]"));
    replay(&game.replace("c1", "a1"), &[]).code(1).stderr(contains("there cannot be two stones on a1"));
    let line = game.replace("hex", "link").replace("\"size\":3", "\"size\":6");
    replay(&line, &[]).code(1).stderr(contains("positions of link cannot be set up"));
    replay(&game.replace("\"c1\"", &format!("{:?}", "c".repeat(100_000))), &[])
        .code(1)
        .stderr(predicates::function::function(|said: &str| said.len() < 600 && said.contains("set-up: ")));
    fs::write(folder.path().join("game.jsonl"), game.replace(",\"a3\"", "")).unwrap();
    let analysis = hexzero(folder.path(), &["analyze", "--file", "game.jsonl", "--visits", "50"]).success();
    analysis.stdout(contains("black to move, turn 2: won in 1 ply").and(contains("a3")));
    let review = hexzero(folder.path(), &["review", "game.jsonl", "--visits", "50"]).success();
    review.stdout(contains("   1  white   c2"));
}

#[test]
fn unreadable_lines_are_never_written() {
    let folder = tempfile::tempdir().unwrap();
    let to = |form: &str, sgf: &str| hexzero_with_input(folder.path(), &["replay", "-", "--to", form], sgf);
    let commented = format!("(;GM[11]SZ[3];B[a1]C[{}])", "x".repeat(1 << 20));
    // Each variation replaces the second move of the one around it.
    let moves: Vec<String> = (0..80).map(|ply| format!("{}{}", (b'a' + ply % 10) as char, ply / 10 + 1)).collect();
    let mut deep = String::new();
    for (ply, name) in moves.iter().enumerate().rev() {
        let colour = if ply % 2 == 0 { "B" } else { "W" };
        let other = if ply % 2 == 0 { "B[j10]" } else { "W[j10]" };
        deep = if ply == 79 { format!(";{colour}[{name}]") } else { format!("(;{other})(;{colour}[{name}]{deep})") };
    }
    let deep = format!("(;GM[11]SZ[10]{deep})");
    for sgf in [commented, deep] {
        let advice = "it does not fit on a line of JSON, which has less than 1048576 bytes and some 60 variations inside one another; write SGF";
        to("sgf", &sgf).success();
        to("jsonl", &sgf).code(1).stderr(contains(advice));
    }
}
