//! Faults of programs in matches and tournaments: they cost games, and the others go on.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::cli_arena_programs::{arena, saved};
use crate::common::hexzero;
use crate::output::json_stdout;
use crate::tiny::Folder;

/// A program in Python that plays the first free cell, and has a fault at its second move of every second game.
const FAULTY: &str = r#"
import os, sys, time

fault, size, stones, moves = sys.argv[1], 4, set(), 0
games = len(open("count").read()) if os.path.exists("count") else 0
for line in sys.stdin:
    words = line.split()
    reply = "= "
    if words[0] == "boardsize":
        if fault == "once" and moves:
            os._exit(0)
        size = int(words[1])
    elif words[0] == "clear_board":
        games, stones, moves = games + 1, set(), 0
        open("count", "w").write("x" * games)
    elif words[0] == "play":
        if fault == "refuses" and games % 2 == 0 and moves:
            reply = "? illegal move"
        stones.add(words[2])
    elif words[0] == "genmove":
        moves += 1
        cells = [c + str(r) for r in range(1, size + 1) for c in "abcdefghijk"[:size]]
        cell = [cell for cell in cells if cell not in stones][0]
        reply = "= " + cell
        if games % 2 == 0 and moves == 2 or fault == "broken":
            if fault in ("crash", "broken"):
                os._exit(3)
            elif fault == "illegal":
                reply = "= z99"
            elif fault == "occupied":
                reply = "= " + min(stones)
            elif fault == "garbage":
                reply = "\x1b[31mHello\x00"
            elif fault == "closes":
                os.close(1)
                time.sleep(1000)
            elif fault == "fails":
                reply = "? cannot think of one"
            elif fault == "hangs":
                time.sleep(1000)
            elif fault == "slow":
                time.sleep(0.3)
            elif fault == "floods":
                while True:
                    print("= x")
        stones.add(cell)
    print(reply + "\n", flush=True)
    if words[0] == "quit":
        break
"#;

fn faulty(folder: &Path, fault: &str, options: &str) -> String {
    fs::write(folder.join("faulty.py"), FAULTY).unwrap();
    format!("gtp:python3 faulty.py {fault}{options}")
}

/// A fault costs a game, and the program is there again for the next one.
#[test]
fn faults_in_every_second_game_cost_those_games() {
    // They mostly wait, so they run side by side.
    let cases = [
        ("crash", "ended (exit status: 3) instead of answering 'genmove"),
        ("illegal", "with \"z99\", which cannot be played"),
        ("occupied", "which cannot be played: "),
        ("garbage", "with \"\\u{1b}[31mHello\\0\", which is not a GTP reply"),
        ("closes", "closed its input or output instead of answering 'genmove"),
        ("fails", "with \"? cannot think of one\""),
        ("floods", "has no end after 1000 lines"),
        ("refuses", "with \"? illegal move\""),
    ];
    std::thread::scope(|scope| {
        for (fault, said) in cases {
            scope.spawn(move || assert_faults(fault, "", said));
        }
    });
    assert_faults("hangs", "@time=0.1,margin=0.4", "it lost on time: no answer to 'genmove");
}

/// Plays six games with a program that has this fault, and asserts what is said of it.
fn assert_faults(fault: &str, options: &str, said: &str) {
    let folder = &*Folder::empty();
    let program = faulty(folder, fault, options);
    let played = arena(folder, "random", &program, "--game hex-noswap --games 6 --json").success();
    let result = json_stdout(&played.stderr(""));
    assert_eq!((result["games"].as_u64(), result["faults_b"].as_u64()), (Some(6), Some(3)), "{fault}: {result}");
    assert_eq!((&result["faults_a"], &result["stopped_early"]), (&Value::from(0), &Value::from(false)));
    let faults = result["faults"].as_array().unwrap();
    for (number, told) in faults.iter().enumerate() {
        assert_eq!((&told["player"], &told["game"]), (&Value::from(program.as_str()), &Value::from(2 * number + 2)));
        assert!(told["reason"].as_str().unwrap().contains(said), "{told}");
    }
    let games = saved(folder);
    assert_eq!(games.len(), 6);
    // Every game has a winner, by its last move or by the other's fault.
    let won_by_a = games.iter().filter(|game| match game["resigned"].as_str() {
        Some(loser) => (loser == "black") != (game["a_is_first"] == true),
        None => (game["result"] == "black") == (game["a_is_first"] == true),
    });
    assert_eq!(result["wins_a"].as_u64().unwrap() as usize, won_by_a.count(), "{fault}: {result}");
    assert_eq!(games.iter().filter(|game| game["fault"].is_string()).count(), 3);
    assert_eq!(games.iter().filter(|game| game["on_time"] == true).count(), if fault == "hangs" { 3 } else { 0 });
    hexzero(folder, &["replay", "games.jsonl"]).success().stdout(contains("\n").count(6));
}

/// Neither of these is a fault: a move within the margin of time, and an end between two games.
#[test]
fn slow_moves_and_restarts_are_no_faults() {
    for (fault, options) in [("slow", "@time=0.1,margin=60"), ("once", "")] {
        let folder = &*Folder::empty();
        let program = faulty(folder, fault, options);
        let played = arena(folder, &program, "random", "--game hex-noswap --games 4");
        played.success().stderr("").stdout(contains(" in 4 games ").and(contains("faults").not()));
    }
}

#[test]
fn fault_limit_ends_the_match() {
    let folder = &*Folder::empty();
    let program = faulty(folder, "broken", "");
    for (limit, games) in [("1", "1"), ("5", "5"), ("200", "20")] {
        let options = format!("--game hex-noswap --games 20 --max-faults {limit}");
        let played = arena(folder, &program, "random", &options).code(i32::from(games != "20"));
        played.stdout(contains(format!("0 wins, {games} loss")).and(contains(format!("{program} {games} game"))));
    }
}

/// A tournament goes on without a program that is out; its games are played when it has been mended.
#[test]
fn tournament_goes_on_without_a_broken_program() {
    let folder = &*Folder::empty();
    let program = faulty(folder, "$FAULT", "").replace("gtp:", "gtp:sh -c '") + "'";
    let play = |fault: &str, more: &[&str]| {
        let players = ["tournament", "random", &program, "alphabeta:1", "--game", "hex-noswap", "--size", "3"];
        let options = ["--games", "6", "--threads", "1", "--save", "games.jsonl"];
        let mut command = assert_cmd::Command::cargo_bin("hexzero").unwrap();
        command.current_dir(folder).env("FAULT", fault).args(players).args(options).args(more).assert()
    };
    let played = play("broken", &[]).code(1);
    let told = "error: random against gtp:sh -c 'python3 faulty.py $FAULT' at 3×3: gtp:sh -c 'python3 faulty.py \
                $FAULT' failed in game 3 at move ";
    played
        .stderr(contains(told).and(contains("(fault 3 in a row)")))
        .stdout(contains("faults").and(contains("\nLost by faults, counted as losses:\n\n  random against gtp:sh")));
    assert_eq!(saved(folder).len(), 3 + 6);
    let played = play("none", &["--json"]).success().stderr(contains("9 of 18 games have been played already"));
    let result = json_stdout(&played);
    let players = result["sizes"][0]["players"].as_array().unwrap();
    let figures = players.iter().map(|player| (player["games"].as_u64(), player["faults"].as_u64()));
    assert_eq!(figures.collect::<Vec<_>>(), [0, 3, 0].map(|faults| (Some(12), Some(faults))));
    let faults = result["faults"].as_array().unwrap();
    assert_eq!(faults.len(), 3, "faults are read back: {result}");
    assert_eq!((&faults[0]["a"], &faults[0]["size"], &faults[0]["game"]), (&"random".into(), &3.into(), &1.into()));
}
