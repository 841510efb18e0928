//! What the help and docs/playing.md say about seeds at full strength, with a number of visits.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::common::{hexzero_line, hexzero_with_input};
use crate::gtp;
use crate::output::{json_lines, stdout};
use crate::tiny::Folder;

/// Seeds that are compared: twelve in a row do not choose alike by chance.
const SEEDS: std::ops::Range<u32> = 1..13;

/// Returns what is shown to somebody who plays these moves against full strength, which begins.
fn played(seed: u32) -> Vec<String> {
    let arguments = format!("play --game hex --size 6 --visits 30 --side white --seed {seed}");
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    let shown = stdout(&hexzero_with_input(Path::new("."), &arguments, "e1\na5\nb3\nd1\nquit\n").success());
    // The engine's moves, such as "black c3", also behind a prompt.
    let moves = shown.lines().filter_map(|line| line.split("black ").last().filter(|_| line.contains("black ")));
    let is_move = |word: &&str| word.len() == 2 && word.ends_with(|last: char| last.is_ascii_digit());
    moves.filter(is_move).map(str::to_owned).collect()
}

#[test]
fn seed_picks_the_opening_at_full_strength() {
    let mut by_opening: BTreeMap<String, BTreeSet<Vec<String>>> = BTreeMap::new();
    for seed in SEEDS {
        let moves = played(seed);
        assert!(moves.len() > 1, "{moves:?}");
        by_opening.entry(moves[0].clone()).or_default().insert(moves);
    }
    assert_eq!(played(1), played(1), "the same seed");
    assert!(by_opening.len() > 1, "the seeds open alike: {by_opening:?}");
    // The engine's later moves are the third turn and on: the same whatever the seed.
    assert!(by_opening.values().all(|games| games.len() == 1), "{by_opening:?}");
}

#[test]
fn seed_changes_nothing_in_gtp_at_full_strength() {
    let game = |seed: u32| {
        let seed = seed.to_string();
        let arguments = ["--game", "hex", "--size", "5", "--visits", "30", "--seed", &seed];
        gtp::talk(Path::new("."), &arguments, "genmove b\ngenmove w\ngenmove b\n")
    };
    let games: BTreeSet<String> = SEEDS.map(game).collect();
    assert_eq!(games.len(), 1, "{games:?}");
}

#[test]
fn seed_picks_the_openings_of_a_match() {
    let folder = &*Folder::empty();
    let games = |seed: u32, file: &str| {
        let arguments =
            format!("arena shipped shipped --visits 5 --game hex --size 5 --games 4 --seed {seed} --save {file}");
        hexzero_line(folder, &arguments).success();
        let saved = json_lines(&folder.join(file));
        saved.iter().map(|game| game["moves"].to_string()).collect::<BTreeSet<String>>()
    };
    let one = games(1, "one");
    assert_eq!(one, games(1, "again"));
    assert_ne!(one, games(2, "two"));
}
