//! `hexzero games perft` against the counts of other implementations; see `tests/data/README.md`.

use std::collections::BTreeMap;
use std::path::Path;

use assert_cmd::assert::Assert;
use predicates::str::contains;

use crate::common::hexzero;

/// Longer counts than this are left to the tests of the rules.
const MAX_NODES: u64 = 1_000_000;

fn perft(words: &str) -> Assert {
    let arguments: Vec<&str> = ["perft"].into_iter().chain(words.split_whitespace()).collect();
    hexzero(Path::new("."), &arguments)
}

/// Compares with the counts of as many depths as are short enough.
fn agrees(game: &str, size: &str, counts: &[u64]) {
    let counts = counts.split(|&count| count > MAX_NODES).next().unwrap();
    let lines: String = counts.iter().enumerate().map(|(index, count)| format!("{} {count}\n", index + 1)).collect();
    perft(&format!("--game {game} --size {size} --depth {}", counts.len())).success().stderr("").stdout(lines);
}

#[test]
fn counts_of_cachex() {
    let counts: BTreeMap<String, Vec<u64>> = serde_json::from_str(include_str!("../data/cachex_perft.json")).unwrap();
    counts.iter().for_each(|(size, counts)| agrees("cachex", size, counts));
}

#[test]
fn counts_of_hex_with_and_without_the_swap() {
    let counts: BTreeMap<String, Vec<u64>> = serde_json::from_str(include_str!("../data/hex_perft.json")).unwrap();
    for (name, counts) in counts {
        let size = name.trim_start_matches("hex").trim_end_matches("-noswap");
        agrees(if name.ends_with("-noswap") { "hex-noswap" } else { "hex" }, size, &counts);
    }
}

#[test]
fn counts_from_a_position() {
    perft("--game hex --size 2 --depth 2 a1").success().stdout("1 4\n2 9\n");
    perft("--game hex --size 2 --depth 3 a1 b2 a2").success().stdout("1 0\n2 0\n3 0\n");
    // Without a size and a game: the first game on the board that it offers.
    perft("--depth 1").success().stdout("1 48\n");
}

#[test]
fn invalid_counts_are_refused() {
    perft("--game hex --size 3").code(2).stderr(contains("--depth"));
    perft("--game hex --size 3 --depth 0").code(2).stderr(contains("1..=1000"));
    perft("--game hex --size 1 --depth 1").code(1).stdout("").stderr(contains("size 2 to 19, not 1"));
    perft("--game hex --size 3 --depth 1 a1 a1").code(1).stdout("").stderr(contains("move 2, 'a1': a1 is occupied"));
}
