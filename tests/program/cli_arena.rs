//! `hexzero arena`.

use std::fs;
use std::path::Path;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::common::hexzero_line;
use crate::output::{json_file, json_lines, json_stdout, stdout, timeless};
use crate::process::{Process, wait_until};
use crate::tiny::{Folder, folder_with_recipe, train};

const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/models/cachex.safetensors");

fn arena(folder: &Path, arguments: &str) -> assert_cmd::assert::Assert {
    hexzero_line(folder, &format!("arena {arguments}"))
}

fn json(arguments: &str) -> Value {
    json_stdout(&arena(Path::new("."), &format!("{arguments} --json")).success().stderr(""))
}

fn count(result: &Value, field: &str) -> u64 {
    result[field].as_u64().unwrap_or_else(|| panic!("no {field} in {result}"))
}

fn number(result: &Value, field: &str) -> f64 {
    result[field].as_f64().unwrap_or_else(|| panic!("no {field} in {result}"))
}

#[test]
fn result_as_json() {
    for (players, a, b) in [
        ("random random", "random", "random"),
        ("shipped random --visits 10", "shipped", "random"),
        (&format!("{SHIPPED} shipped --visits 10"), SHIPPED, "shipped"),
        ("shipped shipped --time 0.001", "shipped", "shipped"),
        (
            "shipped@visits=3,fpu=0.5 shipped@deviations=0,visits=4",
            "shipped@visits=3,fpu_reduction=0.5",
            "shipped@visits=4,deviations=0",
        ),
        ("shipped@time=0.001,threads=2 random", "shipped@time=0.001,threads=2", "random"),
        ("alphabeta:1 mcts:10", "alphabeta:1", "mcts:10"),
        ("alphabeta mcts:1", "alphabeta:2", "mcts:1"),
    ] {
        let result = json(&format!("{players} --games 4 --size 3"));
        assert_eq!((result["a"].as_str(), result["b"].as_str()), (Some(a), Some(b)));
        assert_eq!((count(&result, "games"), count(&result, "size")), (4, 3));
        assert_eq!(count(&result, "wins_a") + count(&result, "wins_b") + count(&result, "draws"), 4);
        let [low, elo, high] = ["elo_low", "elo", "elo_high"].map(|field| number(&result, field));
        assert!(low <= elo && elo <= high && low < high, "{result}");
        assert!((0.0..=1.0).contains(&number(&result, "score")) && number(&result, "mean_moves") > 0.0, "{result}");
    }
}

#[test]
fn stronger_player_wins() {
    let result = json("shipped random --games 20 --size 5 --visits 50");
    assert!(count(&result, "wins_a") >= 19, "{result}");
    assert!(number(&result, "elo_low") > 100.0, "{result}");
}

#[test]
fn equal_players_do_not_repeat_their_games() {
    let result = json("shipped shipped --games 60 --size 7 --visits 4");
    assert_eq!(count(&result, "distinct_games"), 60, "{result}");
    assert_eq!(number(&result, "effective_pairs"), 30.0);
}

#[test]
fn result_in_words() {
    arena(Path::new("."), "random alphabeta:1 --games 6 --size 4").success().stderr("").stdout(
        predicate::str::is_match(
            r"^random against alphabeta:1 at 4×4: \d wins?, \d loss(es)?, \d draws? in 6 games \([1-6] distinct\)\nElo difference (below [+-]\d+ \(95 % bound\)|[+-]\d+, 95 % interval .*); \d+\.\d moves a game\n\d pairs? split 1:1, \d decided: too few to show a difference\nOpenings: random plies on a 4×4 board; .*\nTime per move: random \d.*, alphabeta:1 \d.* [µm]?s\n$",
        )
        .unwrap(),
    );
}

#[test]
fn single_game_is_worded_in_the_singular() {
    let said = "(1 win, 0 losses|0 wins, 1 loss), 0 draws in 1 game \\(1 distinct\\)\n";
    arena(Path::new("."), "random alphabeta:1 --games 1 --size 4")
        .success()
        .stdout(predicate::str::is_match(said).unwrap());
}

#[test]
fn seed_repeats_a_match_on_any_threads() {
    let folder = &*Folder::empty();
    let play = |save: &str, options: &str| {
        let arguments = format!("mcts:30 alphabeta:1 --size 4 --games 21 --json --save {save} {options}");
        let result = json_stdout(&arena(folder, &arguments).success());
        let times = result["seconds_per_move"].as_array().unwrap();
        assert!(times.iter().all(|seconds| seconds.as_f64().unwrap() > 0.0), "{times:?}");
        let mut games = json_lines(&folder.join(save));
        games.sort_by_key(|game| game["number"].as_u64());
        (timeless(result), games.into_iter().map(timeless).collect::<Vec<_>>())
    };
    let one = play("one", "--seed 5 --threads 1");
    for threads in [2, 5] {
        assert!(one == play(&format!("on-{threads}"), &format!("--seed 5 --threads {threads}")), "{threads} threads");
    }
    assert!(one.1 != play("other", "--seed 6").1);
}

#[test]
fn saved_games_can_be_replayed() {
    let folder = &*Folder::empty();
    arena(folder, "shipped mcts:20 --size 3 --games 6 --visits 10 --save games.jsonl").success();
    hexzero_line(folder, "replay games.jsonl").success().stderr("").stdout(contains("\n").count(6));
    let text = fs::read_to_string(folder.join("games.jsonl")).unwrap();
    for game in json_lines(&folder.join("games.jsonl")) {
        assert!(game["result"].is_string() && game["moves"].is_array(), "{game}");
    }

    // A tournament has the same games, and so has the match with the players named the other way round.
    for same in ["tournament shipped mcts:20 alphabeta:1 --gauntlet", "arena mcts:20 shipped"] {
        let again = format!("{same} --size 3 --games 6 --visits 10 --save games.jsonl");
        hexzero_line(folder, &again).stderr(contains("6 of ").and(contains(" games have been played already")));
        fs::write(folder.join("games.jsonl"), &text).unwrap();
    }
    // A player's games against itself are those of A and of B.
    let alone = "random random --size 3 --games 4 --json --save alone.jsonl";
    let wins = |played: assert_cmd::assert::Assert| {
        let result = json_stdout(&played);
        (count(&result, "games"), count(&result, "wins_a_as_first"), count(&result, "wins_b_as_first"))
    };
    let first = wins(arena(folder, alone).success().stderr(""));
    assert_eq!(first, wins(arena(folder, alone).success().stderr(contains("4 of 4 games have been played"))));
    // Another board has its own games.
    arena(folder, "shipped mcts:20 --size 4 --games 2 --visits 10 --save games.jsonl")
        .success()
        .stderr("")
        .stdout(contains("in 2 games"));
    let more = fs::read_to_string(folder.join("games.jsonl")).unwrap();
    assert!(more.starts_with(&text) && more.lines().count() == 8, "{more}");
    // The result is worth printing even if the games cannot be kept.
    if cfg!(target_os = "linux") {
        arena(folder, "random random --size 3 --games 2 --threads 1 --save /dev/full")
            .code(1)
            .stdout(contains("in 0 games"))
            .stderr(predicate::str::starts_with("error: /dev/full: No space left on device\n"));
        arena(folder, "random random --size 3 --games 2 --json --save /dev/stderr")
            .success()
            .stdout(contains("\"games\":2"))
            .stderr(contains("{\"game\":\"cachex\"").count(2));
    }
}

#[test]
fn board_defaults_to_that_of_the_game_or_run() {
    let here = Path::new(".");
    for game in ["cachex", "hex", "hexifence", "y"] {
        let board = hexzero::games::game_named(game).unwrap();
        let board = board.board_name(board.boards.default);
        arena(here, &format!("random random --game {game} --games 1"))
            .success()
            .stdout(contains(format!(" at {board}: ")));
    }
    let folder = &*folder_with_recipe();
    train(folder, "--recipe tiny.toml --games 6 --rate 0 --run run").success();
    arena(folder, "random run --games 1 --visits 1").success().stdout(contains(" at 3×3: "));
    arena(folder, "random run --games 1 --visits 1 --size 4").success().stdout(contains(" at 4×4: "));
}

/// Without a win the difference has no lower bound, and without a loss no upper one.
#[test]
fn match_without_a_win_has_no_lower_bound() {
    let said = |players: &str| stdout(&arena(Path::new("."), &format!("{players} --games 12 --size 5")).success());
    let lost = said("random alphabeta:2");
    assert!(lost.contains("0 wins, 12 losses") && lost.contains("\nElo difference below -"), "{lost}");
    let won = said("alphabeta:2 random");
    assert!(won.contains("12 wins, 0 losses") && won.contains("\nElo difference above +"), "{won}");
    assert!(won.contains(" (95 % bound); ") && !won.contains("1200"), "{won}");
}

/// A killed match keeps its finished games and goes on from them.
#[cfg(unix)]
#[test]
fn killed_match_is_resumed() {
    let folder = &*Folder::empty();
    let path = folder.join("games.jsonl");
    let lines = || fs::read_to_string(&path).map_or(0, |text| text.lines().count());
    let players = "mcts:300 mcts:200 --size 5 --threads 2 --json";
    let order = format!("arena {players} --games 100000 --save games.jsonl");
    let mut child = Process::start(folder, "said", &order);
    wait_until("games", || lines() >= 5);
    child.kill();
    let kept = lines();
    assert!(kept >= 5);
    // As if it had been killed while it wrote.
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.clone() + "{\"game\":\"cach").unwrap();
    let games = kept + 3;
    let resumed = arena(folder, &format!("{players} --games {games} --save games.jsonl")).success();
    let told = format!("{kept} of {games} games have been played already");
    let resumed = resumed.stderr(contains("cut off 13 bytes at the end").and(contains(told)));
    let straight = arena(folder, &format!("{players} --games {games}")).success();
    assert_eq!(timeless(json_stdout(&resumed)), timeless(json_stdout(&straight)));
    assert!(fs::read_to_string(&path).unwrap().starts_with(&text) && lines() >= games);
}

#[test]
fn sequential_test_stops_early() {
    let result = json("alphabeta:1 random --size 4 --games 1000 --sprt=0:100");
    assert!(count(&result, "games") < 200, "{result}");
    assert_eq!((count(&result, "planned_games"), &result["stopped_early"]), (1000, &Value::Bool(true)));
    assert!(number(&result, "llr") > 2.9, "{result}");
    arena(Path::new("."), "alphabeta:1 random --size 4 --games 1000 --sprt")
        .success()
        .stdout(contains("Sequential test, at least +50 Elo rather than +0: yes"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_counts_the_games_so_far() {
    let folder = &*Folder::empty();
    let path = folder.join("games.jsonl");
    let order = "arena mcts:200 mcts:200 --games 100000 --json --save games.jsonl";
    let mut child = Process::start(folder, "said", order);
    wait_until("games", || fs::metadata(&path).is_ok_and(|file| file.len() > 0));
    child.stop();
    let result = json_file(&folder.join("said"));
    assert_eq!(result["stopped_early"], true);
    let saved = fs::read_to_string(path).unwrap();
    assert_eq!(saved.lines().count() as u64, count(&result, "games"));
}
