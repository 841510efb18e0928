//! The programs of `examples/` that use the library, as their first comments say. The toy games have a file of their
//! own, `cli_toys.rs`.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;

use crate::output::{json_file, stdout};
use crate::tiny::{Folder, folder_with_recipe, train};

/// The path of an example, which `cargo test` builds.
pub fn example_path(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_BIN_EXE_hexzero")).with_file_name("examples").join(name);
    assert!(path.exists(), "this test needs 'cargo build --release --examples'");
    path
}

fn example(name: &str) -> Command {
    Command::new(example_path(name))
}

/// The number of games that an example has won, with which its last line begins.
fn wins(text: &str) -> usize {
    text.lines().last().unwrap().split(' ').next().unwrap().parse().unwrap_or_else(|_| panic!("{text}"))
}

/// Runs an example that trains a network of Hex and keeps it in a file. Returns what it prints.
fn trained(name: &str, folder: &Path) -> String {
    stdout(&example(name).current_dir(folder).args(["hex", "4", "mine.safetensors"]).assert().success())
}

#[test]
fn match_is_played() {
    let said = contains("game 4: ").and(contains("4 wins, 0 losses, 0 draws")).and(contains("Elo +"));
    example("play_match").args(["hex", "4", "4", "random"]).assert().success().stdout(said);
    example("play_match").args(["hex", "4", "4", "nobody"]).assert().code(1).stderr(contains("nobody"));
    example("play_match").assert().code(1).stderr(contains("usage: play_match GAME"));
}

#[test]
fn own_evaluator_searches_and_beats_random() {
    let text = stdout(&example("own_evaluator").args(["hex", "4"]).assert().success());
    assert!(wins(&text) >= 13, "{text}");
}

#[test]
fn games_of_a_run_become_samples() {
    let folder = &*folder_with_recipe();
    train(folder, "--recipe tiny.toml --games 6 --workers 1 --rate 0 --run a").success();
    let shard = "a/games/000000.games";
    let said = contains("a/games/000000.games: 6 games, ").and(contains("actions 10")).and(contains("first target: "));
    example("read_shards").current_dir(folder).arg(shard).assert().success().stdout(said);
    example("read_shards").current_dir(folder).arg("tiny.toml").assert().code(1).stderr(contains("tiny.toml"));
}

#[test]
fn custom_loss_network_beats_random() {
    let folder = &*Folder::empty();
    let text = trained("custom_loss", folder);
    // "step 1: policy 2.1, result 0.5", of each step that is printed.
    let losses = |name: &str| -> Vec<f64> {
        let after = text.lines().filter(|line| line.starts_with("step ")).filter_map(|line| line.split_once(name));
        after.map(|(_, rest)| rest.trim_start().split(',').next().unwrap().parse().unwrap()).collect()
    };
    for name in ["policy", "result"] {
        let found = losses(name);
        assert!(found.len() == 4 && found[3] < 0.9 * found[0] && found[3] > 0.0, "{text}");
    }
    assert!(wins(&text) >= 15, "{text}");
    // The file is a checkpoint like any other.
    let arena = "arena mine.safetensors random --game hex --size 4 --games 2 --visits 10";
    let mut hexzero = Command::new(env!("CARGO_BIN_EXE_hexzero"));
    hexzero.current_dir(folder).args(arena.split(' ')).assert().success().stdout(contains("in 2 games"));
    example("custom_loss").args(["hex", "99", "mine.safetensors"]).assert().code(1).stderr(contains("99"));
}

#[test]
fn search_takes_any_evaluator() {
    let printed = |name: &str, arguments: &[&str]| stdout(&example(name).args(arguments).assert().success());
    let found = printed("search_network", &["hex", "5", "b2 swap"]);
    let visits: u32 = found.lines().map(|line| line.split_whitespace().next().unwrap().parse::<u32>().unwrap()).sum();
    assert!(found.lines().count() == 3 && (100..=400).contains(&visits), "{found}");
    example("search_network").args(["hex", "5", "z9"]).assert().code(1).stderr(contains("z9"));
    // The player who finds a proof wins.
    let game = printed("search_function", &["hex-noswap", "3"]);
    assert!(game.contains("  proven\n") && game.lines().filter(|line| line.ends_with("proven")).count() >= 1, "{game}");
    let batches = printed("search_batches", &["hex", "5", "16"]);
    assert_eq!(batches.lines().filter(|line| line.ends_with(" visits")).count(), 16, "{batches}");
    let mean: f64 = batches.lines().last().unwrap().split(' ').nth(3).unwrap().parse().unwrap();
    assert!(mean > 32.0 && mean <= 64.0, "{batches}");
}

#[test]
fn own_network_learns_and_plays() {
    let folder = &*Folder::empty();
    let text = trained("own_network", folder);
    let policies: Vec<f64> =
        text.lines().filter_map(|line| line.split_once("policy ")?.1.split_once(',')?.0.parse().ok()).collect();
    assert!(policies.len() == 5 && policies[4] < 0.8 * policies[0], "{text}");
    assert!(wins(&text) >= 15, "{text}");
    assert!(folder.join("mine.safetensors").is_file());
    example("own_network").args(["hex", "99", "mine.safetensors"]).assert().code(1).stderr(contains("99"));
}

#[test]
fn external_game_works_in_every_command() {
    let folder = &*folder_with_recipe();
    let fours = || fours_in(folder);
    fours().arg("games").assert().success().stdout(contains("fours"));
    // Three in a line lose, four win.
    for (moves, result) in [("a1 a3 b1 b3 c1", "white"), ("a1 a4 b1 b4 d1 d4 c1", "black")] {
        let moves: Vec<&str> = moves.split(' ').collect();
        let line = format!("{{\"game\":\"fours\",\"size\":4,\"moves\":{moves:?}}}");
        fs::write(folder.join("game.jsonl"), line).unwrap();
        let said = contains(format!("\"result\":\"{result}\""));
        fours().args(["replay", "game.jsonl"]).assert().success().stdout(said);
    }
    let train = "train --game fours --recipe tiny.toml --games 1 --workers 1 --rate 0 --no-matches --run run";
    fours().args(train.split(' ')).assert().success().stdout(contains("play against it: own_game play --model run"));
    let arena = "arena run random --game fours --size 3 --games 2 --visits 10";
    fours().args(arena.split(' ')).assert().success().stdout(contains("in 2 games"));
}

/// The program with the game, in a folder.
fn fours_in(folder: &Path) -> Command {
    let mut command = example("own_game");
    command.current_dir(folder);
    command
}

/// What a site tells about its first game.
fn first_game_of_site(folder: &Path, arguments: &[&str]) -> serde_json::Value {
    fours_in(folder).args(["serve", "site", "public", "--wasm", "engine.wasm"]).args(arguments).assert().success();
    json_file(&folder.join("public/about.json"))["games"][0].take()
}

#[test]
fn site_has_an_external_game() {
    let folder = &*folder_with_recipe();
    // The site looks for the texts about its games in a module.
    let mut module = b"\0asm".to_vec();
    module.extend(hexzero::games::all_games().iter().flat_map(|game| game.summary.bytes()));
    fs::write(folder.join("engine.wasm"), &module).unwrap();
    let site = fours_in(folder).args(["serve", "site", "public", "--game", "fours", "--wasm", "engine.wasm"]).assert();
    let problem = "engine.wasm: the engine in this module lacks 'fours', or has an older one; build it with 'cargo wasm' in \
                   the folder of the game's crate";
    site.code(1).stderr(contains(problem));
    assert!(!folder.join("public").exists());

    module.extend(b"four in a line win, three in a line lose");
    fs::write(folder.join("engine.wasm"), &module).unwrap();
    let game = first_game_of_site(folder, &["--game", "fours"]);
    assert_eq!((&game["id"], &game["has_network"]), (&"fours".into(), &false.into()));
    assert_eq!(game["model"], "random playouts, no network");
    assert_eq!(first_game_of_site(folder, &[])["has_network"], true);

    // The other modules of a build are checked too.
    fs::write(folder.join("engine-threads.wasm"), b"\0asm").unwrap();
    let site = fours_in(folder).args(["serve", "site", "public", "--wasm", "engine.wasm"]).assert();
    site.code(1).stderr(contains("engine-threads.wasm: the engine in this module lacks"));
    // A site built without a module removes the older one, but not the files of others.
    let [threads, other] = ["hexzero-threads", "mine"].map(|name| folder.join(format!("public/engine/{name}.wasm.gz")));
    fs::write(&other, "").unwrap();
    fs::write(folder.join("engine-threads.wasm"), &module).unwrap();
    first_game_of_site(folder, &[]);
    assert!(threads.is_file());
    fs::remove_file(folder.join("engine-threads.wasm")).unwrap();
    first_game_of_site(folder, &[]);
    assert!(!threads.exists() && other.is_file());

    let train = "train --game fours --recipe tiny.toml --games 1 --workers 1 --rate 0 --no-matches --run run";
    fours_in(folder).args(train.split(' ')).assert().success();
    let game = first_game_of_site(folder, &["--model", "run"]);
    assert_eq!((&game["id"], &game["has_network"]), (&"fours".into(), &true.into()));
    assert_eq!(game["model"], "the network 'own'");
    assert!(folder.join("public/models/fours.safetensors.gz").is_file());
}

#[test]
fn help_uses_the_name_of_an_external_program() {
    example("own_game").arg("--version").assert().success().stdout(contains(concat!(
        "own_game ",
        env!("CARGO_PKG_VERSION"),
        " (hexzero)"
    )));
    for (arguments, said) in [
        ("--help", "\n  own_game play  "),
        ("--help", "'own_game help COMMAND'"),
        ("play --help", "\n  own_game play --level beginner  "),
        ("play --help", "'own_game games' lists"),
        ("generate completions bash", "_own_game()"),
        ("generate man --help", "man own_game, man own_game-train"),
        ("serve site --help", "hexzero.wasm beside this program"),
    ] {
        let text = stdout(&example("own_game").args(arguments.split(' ')).assert().success().stdout(contains(said)));
        assert!(!text.replace("hexzero.wasm", "").contains("hexzero"), "{arguments}: {text}");
    }
    example("own_game").args(["generate", "man"]).assert().success().stdout(contains(r"\fBown_game\fR ["));
}
