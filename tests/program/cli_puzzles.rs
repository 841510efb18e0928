//! `hexzero study puzzles`: positions in which one move wins.

use std::fs;
use std::path::Path;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::common::hexzero_line;
use crate::output::{json_file, json_stdout, stdout};
use crate::tiny::Folder;

/// Puzzles of Hex on a tiny board, in a file.
fn make(folder: &Path, options: &str) -> Value {
    let made = "study puzzles --game hex --size 4,5 --count 1 --visits 100 --out puzzles.json";
    hexzero_line(folder, &format!("{made} {options}")).success();
    json_file(&folder.join("puzzles.json"))
}

#[test]
fn puzzles_are_made_and_checked() {
    let folder = &*Folder::empty();
    let file = make(folder, "--threads 1");
    assert_eq!((&file["version"], &file["game"]), (&1.into(), &"hex".into()));
    let puzzles = file["puzzles"].as_array().unwrap();
    assert_eq!(puzzles.len(), 1);
    for (number, puzzle) in (1..).zip(puzzles) {
        assert_eq!(puzzle["id"], format!("hex-{}-{number:04}", puzzle["size"]));
        assert!((1..=5).contains(&puzzle["grade"].as_u64().unwrap()), "{puzzle}");
        assert!(["black", "white"].contains(&puzzle["to_move"].as_str().unwrap()), "{puzzle}");
    }
    let checked = hexzero_line(folder, "study puzzles --check puzzles.json").success();
    checked.stdout("1 puzzle right by 10000 visits\n");
    // Neither the number of threads nor a second time changes them; a seed does.
    assert_eq!(make(folder, "--threads 3"), file);
    assert_ne!(make(folder, "--seed 7"), file);
}

#[test]
fn puzzles_have_one_winning_move() {
    let folder = &*Folder::empty();
    let made = "study puzzles --game hex-noswap --size 4 --count 1 --visits 100";
    let file = json_stdout(&hexzero_line(folder, made).success());
    for puzzle in file["puzzles"].as_array().unwrap() {
        // The solver knows every position of this board.
        let moves: Vec<&str> = puzzle["moves"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        let solve = format!("games solve --game hex-noswap --size 4 {}", moves.join(" "));
        let solved = stdout(&hexzero_line(folder, &solve).success());
        let won: Vec<&str> =
            (solved.lines().skip(1).filter(|line| line.split_whitespace().nth(1) == Some("won"))).collect();
        assert!(won.len() == 1 && won[0].starts_with(puzzle["solution"].as_str().unwrap()), "{puzzle}: {solved}");
    }
}

#[test]
fn best_move_puzzles_can_be_made() {
    let folder = &*Folder::empty();
    let made = "study puzzles --game infexion --goal best --count 1 --visits 60 --seed 3 --out best.json --threads 1";
    hexzero_line(folder, made).success();
    let file = json_file(&folder.join("best.json"));
    assert_eq!(file["puzzles"][0]["goal"], "best");
    hexzero_line(folder, "study puzzles --check best.json --visits 600").success();
    // A move that is a little worse is not clearly worse.
    let even = r#"{"version":1,"game":"hex-noswap","puzzles":[{"id":"x","size":3,"moves":[],"to_move":"black","goal":"best","solution":"b2","reply":[],"grade":1,"proved":false}]}"#;
    fs::write(folder.join("even.json"), even).unwrap();
    let checked = hexzero_line(folder, "study puzzles --check even.json --visits 300");
    checked.code(1).stdout(contains("x: b2: ").and(contains(" is worth 100 %")));
}
