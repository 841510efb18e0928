//! Hex as a user and as other programs meet it: every command, with a model that a tiny run has made.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use predicates::prelude::*;
use predicates::str::contains;

use crate::common::{hexzero, hexzero_line, hexzero_with_input};
use crate::gtp;
use crate::output::{each, json_stdout, stdout};
use crate::tiny::{Folder, folder_with_recipe, train};

/// A folder with a run of Hex, `runs/hex-001`, and one of Cachex, `runs/cachex-001`.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<Folder> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = folder_with_recipe();
        train(folder.path(), "--game hex --recipe tiny.toml --games 6").success().stdout(contains("runs/hex-001"));
        train(folder.path(), "--recipe tiny.toml --games 6").success().stdout(contains("runs/cachex-001"));
        folder
    });
    folder.path()
}

const MODEL: [&str; 2] = ["--model", "runs/hex-001"];

/// The checkpoints of both variants are for the same network, so the run's folder must say which it plays.
#[test]
fn run_without_the_swap_is_played_without_it() {
    let folder = &*folder_with_recipe();
    train(folder, "--game hex-noswap --recipe tiny.toml --games 6 --run run").success();
    let moves = hexzero_with_input(folder, &["gtp", "--model", "run", "--size", "3"], "play b a1\nall_legal_moves\n");
    moves.success().stdout(contains("b2").and(contains("swap").not()));
    let arena = hexzero_line(folder, "arena run random --games 2 --size 3 --json").success();
    arena.stdout(contains("\"game\":\"hex-noswap\"").and(contains("cache_hits")));
    train(folder, "--from run --recipe tiny.toml --games 6 --run next").success();
    hexzero(folder, &["inspect", "next"]).success().stdout(contains("hex-noswap"));
}

#[test]
fn client_conversations() {
    for name in ["hex.txt", "hex_setup.txt"] {
        gtp::transcript(folder(), &MODEL, name);
    }
}

#[test]
fn games_in_sgf_are_loaded() {
    for (name, text) in [
        ("game.sgf", "(;FF[4]GM[11]SZ[5:5];B[d2];W[swap-pieces];B[d5];W[a5];B[c3];W[resign]RE[B+Resign])"),
        ("setup.sgf", "(;FF[4]GM[11]SZ[3](;AB[a1][b2];W[c3])(;B[c1];W[b2]))"),
        ("illegal.sgf", "(;GM[11]SZ[3];B[a1];W[a1])"),
        ("go.sgf", "(;FF[4]GM[1]SZ[9];B[aa])"),
        ("broken.sgf", "(;GM[11]SZ[3];B[a1];W["),
        ("empty.sgf", "\n"),
    ] {
        fs::write(folder().join(name), text).unwrap();
    }
    gtp::transcript(folder(), &MODEL, "hex_sgf.txt");
}

#[test]
fn models_runs_and_games_know_their_game() {
    let say = |arguments: &[&str]| hexzero(folder(), arguments);
    say(&["inspect", "runs/hex-001"]).success().stdout(contains("game        hex, network"));
    let checkpoint = fs::read_dir(folder().join("runs/hex-001/checkpoints")).unwrap().next().unwrap().unwrap().path();
    say(&["inspect", checkpoint.to_str().unwrap()]).success().stdout(contains("game        hex, inputs version 1"));
    say(&["inspect", "runs/hex-001/games/000000.games"]).success().stdout(contains("6 games of hex at 3×3"));
    // The game follows from the model.
    say(&["play", "--model", "runs/hex-001", "--size", "3"]).success().stdout(contains("hex on a 3×3 board"));
    say(&["play", "--model", "runs/cachex-001", "--size", "3"]).success().stdout(contains("cachex on a 3×3 board"));
    say(&["play", "--size", "3"]).success().stdout(contains("cachex on a 3×3 board"));
    let play =
        hexzero_with_input(folder(), &["play", "--game", "hex-noswap", "--model", "runs/hex-001"], "d4\nboard\n");
    play.success().stdout(contains("hex-noswap on an 11×11 board").and(contains("swap'").not()));
    let arena = say(&["arena", "runs/hex-001", "random", "--size", "3", "--games", "4", "--visits", "4", "--json"]);
    let result = json_stdout(&arena.success());
    assert_eq!((result["game"].as_str(), result["games"].as_u64()), (Some("hex"), Some(4)));
}

#[test]
fn hex_run_is_resumed_and_begun_from_checkpoint() {
    let folder = &*folder_with_recipe();
    train(folder, "--game hex --recipe tiny.toml --games 6").success();
    // Without --game, the run that was worked on last is resumed.
    train(folder, "--resume --games 12").success().stdout(contains("run runs/hex-001: hex network"));
    let recipe = fs::read_to_string(folder.join("runs/hex-001/recipe.toml")).unwrap();
    assert!(recipe.contains("game = \"hex\""), "{recipe}");
    let checkpoint = fs::read_dir(folder.join("runs/hex-001/checkpoints")).unwrap().next().unwrap().unwrap();
    let from = format!("--recipe tiny.toml --games 6 --from {}", checkpoint.path().display());
    train(folder, &from).success().stdout(contains("run runs/hex-002: hex network"));
    train(folder, "--resume --game cachex").code(1).stderr(contains("runs holds no run"));
}

#[test]
fn person_plays_hex() {
    let arguments = ["play", "--model", "runs/hex-001", "--size", "3", "--side", "white", "--visits", "20"];
    let text = stdout(&hexzero_with_input(folder(), &arguments, "swap\nquit\n").success());
    assert!(text.contains("You may type 'swap'.") && text.contains("white swap\nblack "), "{text}");
}

/// After such a swap the right player is to move, and the stone is where it was.
#[test]
fn game_can_be_cut_after_a_swap_of_sides() {
    fs::write(folder().join("sides.sgf"), "(;GM[11]SZ[3];B[a2];W[swap-sides];W[c3])").unwrap();
    let analyze = "analyze --file sides.sgf --after 2 --visits 200 --lines 9 --json";
    let analysis = json_stdout(&hexzero_line(folder(), analyze).success());
    assert_eq!(analysis["to_move"], "white");
    let moves = each(&analysis["lines"], "move");
    assert!(moves.contains(&"b1") && !moves.contains(&"a2"), "{moves:?}");

    let conversation = "loadsgf sides.sgf 3\nplay white a2\nplay white b1\nquit\n";
    let said = stdout(&hexzero_with_input(folder(), &["gtp", "--game", "hex", "--size", "3"], conversation).success());
    let replies: Vec<&str> = said.split("\n\n").map(|reply| reply.trim().get(..1).unwrap_or_default()).collect();
    assert_eq!(replies[..3], ["=", "?", "="], "{said}");
}

/// A swap of sides exchanges the players' colours for the rest of the game.
#[test]
fn swap_of_sides_is_reviewed_as_a_swap() {
    let faults = |sides: &str, after: &str| {
        let game = format!("(;GM[11]SZ[5];B[a1];W[{sides}];{after})");
        fs::write(folder().join("swapped.sgf"), game).unwrap();
        let review = json_stdout(&hexzero_line(folder(), "review swapped.sgf --visits 400 --json").success());
        review["moves"][1]["loss"].as_f64().unwrap()
    };
    // Taking over a1 loses, however the swap is recorded.
    let (sides, pieces) = (faults("swap-sides", "W[c3]"), faults("swap-pieces", "B[c3]"));
    assert!(sides > 0.5 && pieces > 0.5, "{sides} {pieces}");
}
