//! `hexzero review`: a game looked over.

use std::fs;
use std::path::Path;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::common::hexzero_line;
use crate::output::{json_stdout, stdout};
use crate::tiny::Folder;

/// Black's c3 overlooks a win at once on a3, and loses.
const GAME: &str = r#"{"game":"hex-noswap","size":3,"moves":["a1","c1","a2","c2","c3","a3","b2","b3"]}"#;

fn folder() -> Folder {
    let folder = Folder::empty();
    fs::write(folder.join("games.jsonl"), format!("{{\"game\":\"cachex\",\"size\":4,\"moves\":[]}}\n{GAME}\n"))
        .unwrap();
    folder
}

fn output(folder: &Path, options: &str) -> String {
    let review = hexzero_line(folder, &format!("review games.jsonl --number 2 --visits 200 {options}"));
    stdout(&review.success().stderr(""))
}

#[test]
fn blunder_is_found_with_the_better_move() {
    let folder = &*folder();
    let review: Value = serde_json::from_str(&output(folder, "--json")).unwrap();
    assert_eq!((&review["game"], &review["size"], &review["visits"]), (&"hex-noswap".into(), &3.into(), &200.into()));
    let chances = review["chances"].as_array().unwrap();
    assert_eq!((chances.len(), &chances[8]), (9, &0.0.into()), "white has won");
    let blunder = &review["moves"][4];
    assert_eq!((&blunder["player"], &blunder["move"], &blunder["best"]), (&"black".into(), &"c3".into(), &"a3".into()));
    assert_eq!((&blunder["ply"], &blunder["before"], &blunder["line"][0]), (&5.into(), &1.0.into(), &"a3".into()));
    assert_eq!((&blunder["fault"], &blunder["loss"]), (&"blunder".into(), &1.0.into()));
    assert_eq!(blunder["proven_before"], serde_json::json!({"value": "won", "plies": 1}));
    assert_eq!((&blunder["after"], &review["moves"][7]["loss"]), (&0.0.into(), &0.0.into()));
    for (player, name) in ["black", "white"].into_iter().enumerate() {
        let found = &review["players"][player];
        assert_eq!((&found["player"], &found["moves"]), (&name.into(), &4.into()));
        assert!(found["accuracy"].as_f64().is_some_and(|accuracy| (0.0..=100.0).contains(&accuracy)), "{found}");
        let count = |fault: &str| {
            let of = |reviewed: &&Value| reviewed["player"] == name && reviewed["fault"] == fault;
            review["moves"].as_array().unwrap().iter().filter(of).count() as u64
        };
        for (fault, many) in [("inaccuracy", "inaccuracies"), ("mistake", "mistakes"), ("blunder", "blunders")] {
            assert_eq!(found[many].as_u64(), Some(count(fault)), "{fault}");
        }
    }
}

#[test]
fn review_in_words_and_as_a_page() {
    let folder = &*folder();
    let text = output(folder, "--threads 1");
    assert_eq!(text, output(folder, "--threads 3"));
    assert!(text.starts_with("hex-noswap on a 3×3 board, 8 moves, 200 visits each\n ply  player  move"), "{text}");
    let blunder = "   5  black   c3          0.0% 100.0%  blunder: best was a3, which wins in 1 (a3); \
                   c3 loses a proven win; white wins in ";
    assert!(text.contains(blunder), "{text}");
    assert!(text.contains("\nblack: accuracy ") && text.contains("\nwhite: accuracy "), "{text}");
    let page = output(folder, "--html");
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<svg") && page.contains("<td>a3</td>"), "{page}");
    assert!(!page.contains("http") && !page.contains("<script"), "{page}");
}

#[test]
fn moves_out_of_turn_count_for_their_makers() {
    let folder = &*folder();
    let review = |arguments: &str| stdout(&hexzero_line(folder, &format!("review {arguments}")).success());
    // Three moves of Black's and two of White's, whoever's turn it is by the rules.
    fs::write(folder.join("d.sgf"), "(;GM[11]SZ[4];B[a1];B[a2];B[a3];W[b4];W[c4])").unwrap();
    let found: Value = serde_json::from_str(&review("d.sgf --visits 50 --json")).unwrap();
    let next: Vec<&Value> = found["moves"].as_array().unwrap().iter().map(|reviewed| &reviewed["next"]).collect();
    assert_eq!(next, ["black", "black", "white", "white", "black"]);
    for (reviewed, player) in
        found["moves"].as_array().unwrap().iter().zip(["black", "black", "black", "white", "white"])
    {
        assert_eq!(reviewed["player"], player);
        assert_ne!(reviewed["best"], "swap", "{reviewed}");
    }
    // The game ends in the middle of a turn of two stones: Black is to move again, and wins.
    let twelve = r#"{"game":"12star","size":4,"moves":["a1","d1","d3","a2","c4","d2","b4","a4"]}"#;
    fs::write(folder.join("twelve.jsonl"), twelve).unwrap();
    let text = review("twelve.jsonl --visits 50");
    assert!(text.contains("   8  black   a4        100.0%         black wins in "), "{text}");
}

#[test]
fn single_visit_gives_the_networks_opinion() {
    let review = hexzero_line(&folder(), "review games.jsonl --number 2 --visits 1 --json").success();
    let found = json_stdout(&review);
    let is_between = |chance: &Value| chance.as_f64().is_some_and(|chance| ![0.0, 0.5, 1.0].contains(&chance));
    assert!(found["chances"].as_array().unwrap().iter().any(is_between));
}

/// Without a move there is nothing to complain of.
#[test]
fn game_without_moves() {
    let review = hexzero_line(&folder(), "review games.jsonl --visits 5").success();
    review.stdout(contains("red: no moves, 0 inaccuracies, 0 mistakes, 0 blunders").and(contains("0 moves")));
}
