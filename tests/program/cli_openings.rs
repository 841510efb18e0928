//! `hexzero study openings`: how good every first move is.

use std::fs;

use predicates::str::contains;
use serde_json::Value;

use crate::common::hexzero_line;
use crate::output::{json_file, stdout};
use crate::tiny::Folder;

#[test]
fn centre_opening_wins_and_is_swapped() {
    let folder = &*Folder::empty();
    let map = |options: &str| {
        let map = hexzero_line(folder, &format!("study openings --size 3 --visits 100 {options}"));
        stdout(&map.success().stderr(""))
    };
    let json: Value = serde_json::from_str(&map("--game hex --reply-visits 20 --json")).unwrap();
    assert_eq!((&json["game"], &json["size"], &json["visits"]), (&"hex".into(), &3.into(), &100.into()));
    let openings = json["openings"].as_array().unwrap();
    // The half turn pairs eight cells off.
    assert_eq!(openings.len(), 5);
    let middle = openings.iter().find(|opening| opening["move"] == "b2").unwrap();
    assert_eq!((&middle["kept"], &middle["swapped"]), (&1.0.into(), &0.0.into()));
    let replies = middle["replies"].as_object().unwrap();
    assert!(replies.len() == 8 && replies.values().all(|chance| chance.as_f64() > Some(0.5)), "{middle}");
    assert!(middle.get("same").is_none() && openings[0]["same"] == serde_json::json!(["c3"]));

    let text = map("--game hex --threads 1");
    assert_eq!(text, map("--game hex --threads 3"));
    assert!(
        text.starts_with("hex on a 3×3 board, 9 first moves, 100 visits each: expected score of black in percent"),
        "{text}"
    );
    assert!(text.contains("*: white swaps. Without the swap:\n"), "{text}");
    assert!(text.contains("b2           100        0  swap"), "{text}");
    let json: Value = serde_json::from_str(&map("--game hex-noswap --svg map.svg --json")).unwrap();
    let openings = json["openings"].as_array().unwrap();
    assert!(openings.iter().all(|opening| opening.get("swapped").is_none() && opening["reply"] != "swap"), "{json}");
    let svg = fs::read_to_string(folder.join("map.svg")).unwrap();
    assert!(svg.starts_with("<svg xmlns") && svg.contains("<title>b2: 100 %</title>"), "{svg}");
    assert_eq!(svg.matches("<title>").count(), 9);
}

#[test]
fn maps_are_written_into_a_file() {
    let folder = &*Folder::empty();
    for (size, visits) in [(4, 2), (3, 2), (4, 3)] {
        let put = format!("study openings --game y --size {size} --visits {visits} --into maps.json");
        hexzero_line(folder, &put).success();
    }
    let maps = json_file(&folder.join("maps.json"));
    let kept = maps["maps"].as_array().unwrap().iter().map(|map| [&map["size"], &map["visits"]]);
    assert_eq!(kept.collect::<Vec<_>>(), [[3, 2], [4, 3]], "a map takes the place of an older one");
}

#[test]
fn other_kinds_of_games_have_maps() {
    let folder = &*Folder::empty();
    // Edges, several boards, moves with directions, a turn of several parts.
    for (game, size) in [("hexifence", 2), ("3connection", 5), ("infexion", 7), ("gale", 2)] {
        let drawn = format!("study openings --game {game} --size {size} --visits 2 --svg map.svg");
        hexzero_line(folder, &drawn).success().stdout(contains("first move"));
        let svg = fs::read_to_string(folder.join("map.svg")).unwrap();
        assert!(svg.matches("<title>").count() > 3, "{game}: {svg}");
    }
}
