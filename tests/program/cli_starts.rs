//! Self-play from start positions: those of a file, and those in which the search was wrong. Resumption, kills, workers
//! and clusters are tested with restarts throughout: the recipe of [`crate::tiny`] has them.

use std::fs;
use std::path::Path;

use hexzero::replay::{GameRecord, GameStart, Shard};
use predicates::prelude::*;
use predicates::str::contains;

use crate::common::hexzero;
use crate::games::cachex;
use crate::runs::{assert_same_run, metrics, state};
use crate::tiny::{RECIPE, folder_with_recipe, train};

/// All games of a run.
fn games(run: &Path) -> Vec<GameRecord> {
    let mut shards: Vec<_> = fs::read_dir(run.join("games")).unwrap().map(|entry| entry.unwrap().path()).collect();
    shards.sort_unstable();
    shards.iter().flat_map(|path| Shard::read(path).unwrap().records).collect()
}

/// The first moves of a game, by name.
fn opening(record: &GameRecord) -> Vec<String> {
    let game = record.to_interchange(cachex()).unwrap();
    game.moves[..record.opening_plies()].to_vec()
}

/// Writes a recipe whose games all begin from `file`, unless `share` says otherwise.
fn with_file(folder: &Path, file: &str, share: f64) {
    let opening = format!("opening.file = \"{file}\"\nopening.file_share = {share}\nopening.restart_share = 0.0\n");
    let recipe = RECIPE.replace("opening.restart_share = 0.4\n", &opening);
    fs::create_dir_all(folder.join("recipes")).unwrap();
    fs::write(folder.join("recipes/from.toml"), recipe).unwrap();
}

const TWO: &str = "{\"game\":\"cachex\",\"size\":3,\"moves\":[\"a1\",\"b2\"]}
{\"game\":\"cachex\",\"size\":3,\"moves\":[\"c1\",\"swap\",\"b3\"],\"comments\":{\"1\":\"weak here\"}}
{\"game\":\"cachex\",\"size\":5,\"moves\":[\"e5\"]}
";

#[test]
fn games_begin_where_the_file_says() {
    let at = &*folder_with_recipe();
    with_file(at, "weak.jsonl", 1.0);
    fs::write(at.join("recipes/weak.jsonl"), TWO).unwrap();
    train(at, "--recipe recipes/from.toml --games 24 --run a").success();
    let found = games(&at.join("a"));
    let named = |line: &[&str]| found.iter().filter(|record| opening(record) == line).count();
    assert_eq!((found.len(), named(&["a1", "b2"]) + named(&["c1", "swap", "b3"])), (24, 24));
    assert!(named(&["a1", "b2"]) > 4 && named(&["c1", "swap", "b3"]) > 4, "both are used");
    assert!(found.iter().all(|record| record.start == GameStart::File));
    assert_eq!(metrics(&at.join("a"))[0]["starts"], serde_json::json!({ "file": 1.0 }));
    hexzero(at, &["inspect", "a/games/000000.games"]).success().stdout(contains("starts      6 file\n"));

    // The run does not need the file any more, and goes on as if it had not stopped.
    train(at, "--recipe recipes/from.toml --games 6 --run b").success();
    fs::rename(at.join("recipes"), at.join("elsewhere")).unwrap();
    train(at, "--resume --games 24 --run b --workers 1").success().stderr("");
    assert_same_run(&at.join("a"), &at.join("b"));
    // Nor does a new run by the recipe of that run.
    train(at, "--recipe a/recipe.toml --games 24 --run c").success();
    assert_same_run(&at.join("a"), &at.join("c"));
}

#[test]
fn sgf_and_a_share_of_the_games() {
    let at = &*folder_with_recipe();
    with_file(at, "../weak.sgf", 0.5);
    fs::write(at.join("weak.sgf"), "(;FF[4]HZ[cachex]SZ[3];B[a1];W[b1];B[c3])").unwrap();
    train(at, "--recipe recipes/from.toml --games 60 --run a").success();
    let found = games(&at.join("a"));
    let from_file = found.iter().filter(|record| record.start == GameStart::File);
    assert!(from_file.clone().all(|record| opening(record) == ["a1", "b1", "c3"]));
    assert!((15..45).contains(&from_file.count()));
    assert!(found.iter().any(|record| record.start == GameStart::Empty && record.opening_plies() == 0));
    assert!(found.iter().any(|record| record.start == GameStart::Random && record.opening_plies() > 0));
}

#[test]
fn changed_file_needs_consent() {
    let at = &*folder_with_recipe();
    with_file(at, "weak.jsonl", 1.0);
    fs::write(at.join("recipes/weak.jsonl"), TWO).unwrap();
    train(at, "--recipe recipes/from.toml --games 6 --run a").success();
    let copy = |run: &str| {
        let mut names = fs::read_dir(at.join(run)).unwrap().map(|entry| entry.unwrap().path());
        names.find(|path| path.to_str().unwrap().contains("starts-")).unwrap()
    };
    let other = "{\"game\":\"cachex\",\"size\":3,\"moves\":[\"b1\"]}\n";
    fs::write(copy("a"), other).unwrap();
    train(at, "--resume --games 12 --run a").code(3).stderr(contains("selfplay.opening.file = \"starts-"));
    train(at, "--resume --games 12 --run a --accept-recipe").success();
    assert!(games(&at.join("a"))[6..].iter().all(|record| opening(record) == ["b1"]));
    train(at, "--resume --games 18 --run a").success().stderr("");
    assert!(games(&at.join("a"))[12..].iter().all(|record| opening(record) == ["b1"]));
}

#[test]
fn unusable_files_are_refused() {
    let at = &*folder_with_recipe();
    with_file(at, "weak.jsonl", 1.0);
    let refused = |text: &str| {
        let said = predicate::str::starts_with("error: selfplay.opening.file: recipes/weak.jsonl: ");
        train(at, "--recipe recipes/from.toml --games 6 --run a").code(1).stderr(said.and(contains(text)));
        assert!(!at.join("a").exists());
    };
    refused("No such file");
    let long = format!("{}\n", r#"{"game":"cachex","size":3,"moves":["a1","b1","c1"]}"#).repeat(270_000);
    fs::write(at.join("recipes/weak.jsonl"), long).unwrap();
    refused("1080000 positions and moves to them; accepted: up to 1048576");
}

#[test]
fn games_begin_where_the_search_was_wrong() {
    let at = &*folder_with_recipe();
    train(at, "--recipe tiny.toml --games 60 --run a").success();
    let found = games(&at.join("a"));
    assert!(found[..6].iter().all(|record| record.start != GameStart::Regret), "nothing is known yet");
    let restarted: Vec<&GameRecord> = found.iter().filter(|record| record.start == GameStart::Regret).collect();
    assert!((10..40).contains(&restarted.len()), "{}", restarted.len());
    for record in restarted {
        let plies = record.opening_plies();
        let begun = |other: &&GameRecord| {
            let moves = |record: &GameRecord| record.turns[..plies].iter().map(|turn| turn.action).collect::<Vec<_>>();
            other.turns.len() > plies && moves(other) == moves(record)
        };
        let at = found.iter().position(|other| std::ptr::eq(other, record)).unwrap();
        assert!(
            plies > 0 && found[..at / 6 * 6].iter().any(|other| begun(&other)),
            "from a game of an iteration before"
        );
        assert!(record.turns[plies].search.as_ref().unwrap().full);
        assert!((0..plies).all(|turn| record.policy(turn).is_none()));
    }
    let ranked = state(&at.join("a")).restarts;
    let regrets: Vec<f32> = ranked.ranked().iter().map(|restart| restart.regret()).collect();
    assert!(regrets.len() > 20 && regrets.is_sorted_by(|a, b| a >= b), "{regrets:?}");
    let figures = metrics(&at.join("a")).pop().unwrap();
    assert_eq!(figures["restarts"]["positions"], regrets.len());
    assert!(figures["starts"]["regret"].as_f64().is_some());
}

/// A shard as versions before 3 wrote it.
#[test]
fn old_shard_is_read() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/version-2.games");
    hexzero(Path::new("."), &["inspect", path]).success().stdout(contains("starts      5 empty, 1 random\n"));
    let old = Shard::read(Path::new(path)).unwrap();
    let bytes = old.to_bytes().unwrap();
    assert_ne!(bytes, fs::read(path).unwrap());
    assert_eq!(Shard::from_bytes(&bytes).unwrap(), old);
    for version in [1u16, 4] {
        let other = [&bytes[..8], &version.to_le_bytes(), &bytes[10..]].concat();
        let refused = Shard::from_bytes(&other).unwrap_err().to_string();
        assert_eq!(refused, format!("format version {version}; this program reads versions 2 and 3"));
    }
}
