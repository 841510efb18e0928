//! `hexzero study puzzles`: positions in which one move wins.

use std::fs;
use std::path::Path;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::common::hexzero;

/// Puzzles of Hex on a tiny board, in a file.
fn make(folder: &Path, options: &[&str]) -> Value {
    let arguments = ["puzzles", "--game", "hex", "--size", "4,5", "--count", "1", "--visits", "100"];
    hexzero(folder, &[&arguments, options].concat()).success();
    serde_json::from_str(&fs::read_to_string(folder.join("puzzles.json")).unwrap()).unwrap()
}

#[test]
fn puzzles_are_made_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let file = make(folder.path(), &["--out", "puzzles.json", "--threads", "1"]);
    assert_eq!((&file["version"], &file["game"]), (&1.into(), &"hex".into()));
    let puzzles = file["puzzles"].as_array().unwrap();
    assert_eq!(puzzles.len(), 1);
    for (number, puzzle) in (1..).zip(puzzles) {
        assert_eq!(puzzle["id"], format!("hex-{}-{number:04}", puzzle["size"]));
        assert!((1..=5).contains(&puzzle["grade"].as_u64().unwrap()), "{puzzle}");
        assert!(["black", "white"].contains(&puzzle["to_move"].as_str().unwrap()), "{puzzle}");
    }
    hexzero(folder.path(), &["puzzles", "--check", "puzzles.json"])
        .success()
        .stdout("1 puzzle right by 10000 visits\n");
    // Neither the number of threads nor a second time changes them; a seed does.
    assert_eq!(make(folder.path(), &["--out", "puzzles.json", "--threads", "3"]), file);
    assert_ne!(make(folder.path(), &["--out", "puzzles.json", "--seed", "7"]), file);
}

#[test]
fn puzzles_have_one_winning_move() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["puzzles", "--game", "hex-noswap", "--size", "4", "--count", "1", "--visits", "100"];
    let printed = hexzero(folder.path(), &arguments).success();
    let file: Value = serde_json::from_slice(&printed.get_output().stdout).unwrap();
    for puzzle in file["puzzles"].as_array().unwrap() {
        // The solver knows every position of this board.
        let moves = puzzle["moves"].as_array().unwrap().iter().map(|name| name.as_str().unwrap());
        let arguments: Vec<&str> = ["solve", "--game", "hex-noswap", "--size", "4"].into_iter().chain(moves).collect();
        let solved = hexzero(folder.path(), &arguments).success();
        let solved = String::from_utf8(solved.get_output().stdout.clone()).unwrap();
        let won: Vec<&str> =
            (solved.lines().skip(1).filter(|line| line.split_whitespace().nth(1) == Some("won"))).collect();
        assert!(won.len() == 1 && won[0].starts_with(puzzle["solution"].as_str().unwrap()), "{puzzle}: {solved}");
    }
}

#[test]
fn best_move_puzzles_can_be_made() {
    let folder = tempfile::tempdir().unwrap();
    let arguments =
        ["puzzles", "--game", "infexion", "--goal", "best", "--count", "1", "--visits", "60", "--seed", "3"];
    hexzero(folder.path(), &[&arguments[..], &["--out", "best.json", "--threads", "1"]].concat()).success();
    let file: Value = serde_json::from_str(&fs::read_to_string(folder.path().join("best.json")).unwrap()).unwrap();
    assert_eq!(file["puzzles"][0]["goal"], "best");
    hexzero(folder.path(), &["puzzles", "--check", "best.json", "--visits", "600"]).success();
    // A move that is a little worse is not clearly worse.
    let even = r#"{"version":1,"game":"hex-noswap","puzzles":[{"id":"x","size":3,"moves":[],"to_move":"black","goal":"best","solution":"b2","reply":[],"grade":1,"proved":false}]}"#;
    fs::write(folder.path().join("even.json"), even).unwrap();
    let checked = hexzero(folder.path(), &["puzzles", "--check", "even.json", "--visits", "300"]);
    checked.code(1).stdout(contains("x: b2: ").and(contains(" is worth 100 %")));
}

#[test]
fn wrong_puzzles_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let check = |text: &str| {
        fs::write(folder.path().join("puzzles.json"), text).unwrap();
        hexzero(folder.path(), &["puzzles", "--check", "puzzles.json", "--visits", "300"])
    };
    let file = |moves: &str, solution: &str| {
        format!(
            r#"{{"version":1,"game":"hex-noswap","puzzles":[{{"id":"x","size":3,"moves":[{moves}],"to_move":"black","solution":"{solution}","reply":[],"grade":1,"proved":true}}]}}"#
        )
    };
    // Black wins by the middle, and by more than that.
    check(&file("", "b2")).code(1).stdout(contains("x: b2: ")).stderr(contains("1 of 1 puzzle wrong by 300 visits"));
    check(&file("", "a1")).code(1).stdout(contains("x: a1: ").and(contains(" is better")));
    check(&file(r#""a1","c1","a2","c2""#, "a3")).code(1).stdout("x: a3: there is nothing to find\n");
    check(&file("", "z9")).code(1).stderr(contains("puzzle x: move 'z9': 'z9' is not on this board"));
    check("{\"version\":2,\"game\":\"hex\",\"puzzles\":[]}").code(1).stderr(contains("its version is 2"));
    for (text, said) in [
        (
            "(;GM[11]SZ[3];B[a1])",
            "puzzles.json: not a file of puzzles: it is not JSON, by line 1; 'hexzero study puzzles --out FILE'",
        ),
        (
            "[]",
            "puzzles.json: not a file of puzzles: it has no number 'version'; 'hexzero study puzzles --out FILE' writes",
        ),
        (r#"{"version":1,"puzzles":[]}"#, "not a file of puzzles: it has no name of a 'game'"),
        (r#"{"version":1,"game":"hex"}"#, "not a file of puzzles: it has no list of 'puzzles'"),
        (r#"{"version":1,"game":"hex","puzzles":[]}"#, "puzzles.json: there are no puzzles in it"),
        (&file("", "b2").replace(r#""size":3,"#, ""), "puzzle 1 of the file cannot be read: missing field `size`"),
        (
            &file("", "b2").replace("black", "white"),
            "puzzle x: it says that white is to move, but after its moves black is",
        ),
        (&file(r#""a1","c1","a2","c2","a3""#, "b2"), "puzzle x: the game is over after its moves"),
    ] {
        check(text).code(1).stdout("").stderr(contains(said));
    }
    check(&file("", "b2").replace("hex-noswap", "chess")).code(1).stderr(contains("unknown game 'chess'"));
}

#[test]
fn impossible_requests_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |arguments: &[&str], code: i32, message: &str| {
        hexzero(folder.path(), &[&["puzzles"], arguments].concat()).code(code).stderr(contains(message));
    };
    refused(&["--game", "hex", "--size", "99"], 1, "hex is played on boards of size 2 to 19, not 99");
    refused(&["--count", "0"], 2, "--count");
    refused(&["--check", "none.json"], 1, "cannot read none.json");
    refused(&["--check", "x.json", "--count", "3"], 2, "cannot be used with");
    refused(&["--out", "nowhere/x.json"], 1, "nowhere");
    // Every position of this board has its move at once.
    refused(&["--game", "hex", "--size", "2", "--count", "1", "--visits", "20"], 1, "found 0 puzzles in ");
}
