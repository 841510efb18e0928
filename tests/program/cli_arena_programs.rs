//! Matches against other programs in `hexzero arena`.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::time::Duration;

use assert_cmd::assert::Assert;
use hexzero::arena::{GtpPlayer, Player};
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::common::hexzero;
use crate::games::cachex;

/// A program that writes down what it hears and does something special at a `genmove`.
fn fake(folder: &Path, at_genmove: &str) -> &'static str {
    let script = format!(
        "echo $$ > pid\nwhile read -r line; do\n  echo \"$line\" >> heard\n  case \"$line\" in\n    \
         genmove*) {at_genmove};;\n    quit) printf '=\\n\\n'; exit;;\n    *) printf '= \\n\\n';;\n  esac\ndone\n"
    );
    fs::write(folder.join("fake.sh"), script).unwrap();
    "gtp:sh fake.sh"
}

/// A match of games on 4×4, one at a time.
fn arena(folder: &Path, a: &str, b: &str, options: &[&str]) -> Assert {
    let common = ["arena", a, b, "--size", "4", "--threads", "1", "--save", "games.jsonl"];
    hexzero(folder, &[&common, options].concat())
}

fn saved(folder: &Path) -> Vec<Value> {
    let games = fs::read_to_string(folder.join("games.jsonl")).unwrap();
    games.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn itself(options: &str) -> String {
    format!("gtp:'{}' gtp {options}", assert_cmd::cargo::cargo_bin("hexzero").display())
}

#[test]
fn hexzero_plays_hexzero() {
    let folder = tempfile::tempdir().unwrap();
    for (game, b) in [("cachex", "alphabeta:1"), ("hex", "mcts:50"), ("hex", "shipped@visits=20")] {
        let program = itself(&format!("--game {game} --visits 10"));
        let options = ["--game", game, "--games", "8", "--json"];
        let played = arena(folder.path(), &program, b, &options).success().stderr("");
        let result: Value = serde_json::from_slice(&played.get_output().stdout).unwrap();
        assert_eq!((result["a"].as_str(), result["games"].as_u64()), (Some(program.as_str()), Some(8)));
        hexzero(folder.path(), &["replay", "games.jsonl"]).success().stdout(contains("\n").count(8));
    }
}

/// Both players of a game in GTP are the same engine as the one of the arena.
#[test]
fn a_program_follows_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let mut moves = Vec::new();
    for player in [itself("--visits 30"), "shipped@visits=30".to_owned()] {
        arena(folder.path(), &player, "alphabeta:2", &["--games", "6"]).success();
        moves.push(saved(folder.path()).into_iter().map(|game| game["moves"].clone()).collect::<Vec<_>>());
    }
    assert_eq!(moves[0], moves[1]);
}

#[test]
fn what_a_program_hears() {
    let folder = tempfile::tempdir().unwrap();
    let program = fake(folder.path(), "printf '= resign\\n\\n'");
    arena(folder.path(), program, "random", &["--games", "2", "--time", "0.25"])
        .success()
        .stdout(contains("0 wins, 2 losses"));
    let games = saved(folder.path());
    let name = |game: usize, turn: usize| games[game]["moves"][turn].as_str().unwrap();
    let heard = fs::read_to_string(folder.path().join("heard")).unwrap();
    let begin = "boardsize 4\nclear_board\ntime_settings 0 0.25 1\n";
    assert_eq!(
        heard,
        format!(
            "{begin}play black {}\nplay white {}\ngenmove black\n{begin}play black {}\ngenmove white\nquit\n",
            name(0, 0),
            name(0, 1),
            name(1, 0)
        )
    );
    assert_eq!((&games[0]["resigned"], games[0].get("result")), (&Value::from("red"), None));
    hexzero(folder.path(), &["replay", "games.jsonl"]).success();
}

#[test]
fn a_program_that_fails() {
    for (at_genmove, said) in [
        ("printf '= Z99\\n\\n'", "answered 'genmove black' with \"Z99\", which cannot be played: "),
        ("printf '= pass\\n\\n'", "answered 'genmove black' with \"pass\", which cannot be played: "),
        ("printf '?  no idea\\n\\n'", "answered 'genmove black' with \"?  no idea\""),
        ("printf 'a1\\n\\n'", "answered 'genmove black' with \"a1\", which is no reply of GTP"),
        (
            "echo 'out of luck' >&2; exit 3",
            "the program ended (exit status: 3) instead of answering 'genmove black'; its last words were \"out of luck\"",
        ),
        ("exec sleep 1000 >&- 2>&-", "the program closed its input or output instead of answering 'genmove black'"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        // It gives up its first three games.
        let count = "echo x >> count; if [ $(wc -l < count) -lt 4 ]; then printf '= resign\\n\\n'; else";
        let program = fake(folder.path(), &format!("{count} {at_genmove}; fi"));
        let played = arena(folder.path(), program, "alphabeta:1", &["--games", "100"]).code(1);
        let played = played.stdout(contains("0 wins, 3 losses, 0 draws in 3 games (3 distinct)"));
        let black = said.replace("genmove black", "genmove white");
        let found = predicate::str::starts_with("error: gtp:sh fake.sh failed in game ");
        played.stderr(found.and(contains(said).or(contains(black))));
        assert_eq!(saved(folder.path()).len(), 3);
        let pid = fs::read_to_string(folder.path().join("pid")).unwrap();
        let alive = std::process::Command::new("kill").args(["-0", pid.trim()]).output().unwrap();
        assert!(!alive.status.success(), "{at_genmove} lives on");
    }
}

#[test]
fn a_program_that_does_not_speak_the_protocol() {
    let folder = tempfile::tempdir().unwrap();
    let refused = "which is no reply of GTP: those begin with '=' or '?'";
    for (program, said) in [
        ("gtp:cat", format!("the program answered 'boardsize 4' with \"boardsize 4\", {refused}")),
        ("gtp:yes =", "the program's answer to 'boardsize 4' has no end after 1000 lines".to_owned()),
        ("gtp:yes ''", "the program's answer to 'boardsize 4' has no end after 1000 lines".to_owned()),
        ("gtp:sh -c \"tr '\\0' x < /dev/zero\"", format!("with \"{}\", {refused}", "x".repeat(200))),
    ] {
        arena(folder.path(), program, "random", &["--games", "2"]).code(1).stderr(contains(said));
    }
}

/// The first Ctrl-C ends a match in which a program thinks for long, and the program, which does not hear of it.
#[test]
fn ctrl_c_while_a_program_thinks() {
    use std::process::{Command, Stdio};

    let folder = tempfile::tempdir().unwrap();
    let program = fake(folder.path(), "touch thinking; exec sleep 1000");
    let child = Command::new(assert_cmd::cargo::cargo_bin("hexzero"))
        .args(["arena", program, "random", "--games", "2", "--size", "4", "--threads", "1", "--json"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !folder.path().join("thinking").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((result["games"].as_u64(), result["stopped_early"].as_bool()), (Some(0), Some(true)));
    let pid = fs::read_to_string(folder.path().join("pid")).unwrap();
    let alive = Command::new("kill").args(["-0", pid.trim()]).output().unwrap();
    assert!(!alive.status.success(), "the program lives on");
}

#[test]
fn a_program_that_is_silent() {
    let words = ["sleep", "1000"].map(str::to_owned).to_vec();
    let mut player = GtpPlayer::new("sleepy", words, None).with_patience(Duration::from_millis(50));
    let error = player.start_game(&cachex().start(5).unwrap(), 1).unwrap_err();
    assert_eq!(error.to_string(), "the program has not answered 'boardsize 5' in 0.05 seconds");
}
