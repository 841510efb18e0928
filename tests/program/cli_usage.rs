//! Help texts, exit codes and the forms of what can be asked for.

use std::io::Write;
use std::process::{self, Stdio};

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;

fn hexzero(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("hexzero").unwrap().args(arguments).write_stdin("").assert()
}

#[test]
fn commands_explain_themselves() {
    let commands: [(&str, &[&str]); 15] = [
        (
            "play",
            &[
                "--game",
                "--model",
                "--size",
                "--side",
                "--level",
                "--visits",
                "--time",
                "--game-time",
                "--increment",
                "--ponder",
                "--threads",
                "--memory",
                "--seed",
            ],
        ),
        (
            "train",
            &[
                "--game",
                "--recipe",
                "--print-recipe",
                "--size",
                "--run",
                "--resume",
                "--minutes",
                "--games",
                "--steps",
                "--seed",
                "--workers",
                "--rate",
            ],
        ),
        (
            "arena",
            &[
                "--game",
                "--size",
                "--games",
                "--visits",
                "--time",
                "--json",
                "--seed",
                "--save",
                "--threads",
                "alphabeta",
            ],
        ),
        (
            "tournament",
            &[
                "<PLAYER>",
                "--game",
                "--size",
                "--games",
                "--gauntlet",
                "--anchor",
                "--visits",
                "--time",
                "--json",
                "--seed",
                "--save",
                "--picture",
                "--threads",
            ],
        ),
        ("tournament ladder", &["<RUN>", "--size", "--games", "--visits", "--json", "--threads"]),
        (
            "gtp",
            &[
                "--game",
                "--model",
                "--size",
                "--level",
                "--seed",
                "--visits",
                "--time",
                "--game-time",
                "--increment",
                "--ponder",
                "--threads",
                "--memory",
                "list_commands",
            ],
        ),
        (
            "analyze",
            &[
                "--game",
                "--model",
                "--size",
                "--file",
                "--number",
                "--after",
                "--visits",
                "--time",
                "--threads",
                "--memory",
                "--lines",
                "--every",
                "--json",
                "--batch",
                "[MOVES]",
            ],
        ),
        ("review", &["<FILE>", "--number", "--model", "--visits", "--threads", "--json", "--html"]),
        ("replay", &["--states", "--legal", "--to", "<FILE>", "\"moves\""]),
        ("inspect", &["<FILE>"]),
        ("games solve", &["--game", "--size", "--json", "[MOVES]"]),
        ("games", &["--game", "--size", "--json", "layout"]),
        ("games perft", &["--game", "--size", "--depth", "[MOVES]"]),
        ("generate completions", &["<SHELL>", "fish"]),
        ("generate man", &["[DIR]"]),
    ];
    for (command, options) in commands {
        let words: Vec<&str> = command.split(' ').collect();
        hexzero(&["--help"]).success().stdout(contains(format!("  {} ", words[0])));
        let help = hexzero(&[&words[..], &["--help"]].concat()).success().stdout(contains("Examples:"));
        let text = String::from_utf8_lossy(&help.get_output().stdout).into_owned();
        for option in options {
            assert!(text.contains(option), "{command} --help does not mention {option}:\n{text}");
        }
        let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > 100).collect();
        assert!(wide.is_empty(), "{command} --help is too wide: {wide:#?}");
    }
    let help = hexzero(&["--help"]).stdout(contains("Exit codes:"));
    let text = String::from_utf8_lossy(&help.get_output().stdout).into_owned();
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    // The names of earlier versions.
    for command in ["site", "ladder", "openings", "puzzles", "solve", "perft", "completions", "man"] {
        assert!(!text.contains(&format!("\n  {command} ")), "{command} is listed");
        hexzero(&[command, "--help"]).success();
    }
}

#[test]
fn version_is_printed() {
    hexzero(&["--version"]).success().stdout(format!("hexzero {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn bad_arguments_exit_with_2() {
    hexzero(&[]).code(2).stderr(contains("Usage: hexzero"));
    hexzero(&["dance"]).code(2).stderr(contains("unrecognized subcommand 'dance'"));
    for (arguments, said) in [
        (&["play", "--visits", "0"][..], "1..=10000000"),
        (&["play", "--visits", "10000001"], "1..=10000000"),
        (&["play", "--visits", "many"], "invalid digit"),
        (&["play", "--time", "0"], "greater than 0"),
        (&["play", "--time=-1"], "greater than 0"),
        (&["play", "--time", "-1"], "greater than 0"),
        (&["play", "--time", "nan"], "greater than 0"),
        (&["play", "--time", "1e300"], "greater than 0"),
        (&["play", "--time", "1", "--visits", "10"], "cannot be used with"),
        (&["play", "--game-time", "9", "--time", "1"], "cannot be used with"),
        (&["play", "--game-time", "9", "--visits", "10"], "cannot be used with"),
        (&["play", "--game-time", "0"], "greater than 0"),
        (&["gtp", "--increment", "1"], "--game-time"),
        (&["gtp", "--increment", "1", "--visits", "5"], "cannot be used with"),
        (&["gtp", "--game-time", "-1"], "greater than 0"),
        (&["gtp", "--threads", "0"], "1..=255"),
        (&["analyze", "--threads", "256"], "1..=255"),
        (&["gtp", "--memory", "0"], "1..=65536"),
        (&["analyze", "--file", "games.jsonl", "a1"], "cannot be used with"),
        (&["analyze", "--file", "games.jsonl", "--size", "5"], "cannot be used with"),
        (&["analyze", "--number", "2"], "--file"),
        (&["analyze", "--number", "2", "a1"], "cannot be used with"),
        (&["analyze", "--after", "2"], "--file"),
        (&["analyze", "--after", "2", "a1"], "cannot be used with"),
        (&["analyze", "--after", "2", "--size", "5"], "cannot be used with"),
        (&["analyze", "--after", "2", "--game", "hex"], "cannot be used with"),
        (&["analyze", "--time", "-1"], "greater than 0"),
        (&["analyze", "--every", "0"], "greater than 0"),
        (&["analyze", "--every", "-1"], "greater than 0"),
        (&["analyze", "--every", "0.00001"], "give 0.01 or more"),
        (&["analyze", "--visits", "1", "--time", "1"], "cannot be used with"),
        (&["analyze", "--lines", "0"], "1..=1000"),
        (&["play", "--size=-3"], "give one board size, a whole number from 2 to 19"),
        (
            &["gtp", "--size", "7,9"],
            "give one board size, a whole number from 2 to 19; 'hexzero games' lists those of each",
        ),
        (&["arena", "random", "random", "--size", "5×5"], "give one board size"),
        (
            &["tournament", "random", "random", "--size", "5,x"],
            "invalid value 'x' for '--size <N,…>': give one board size",
        ),
        (&["train", "--size", "5;7"], "give one board size"),
        (&["solve", "--size", "three"], "give one board size"),
        (
            &["play", "--level", "casual", "--visits", "20"],
            "level casual has a limit on thinking of its own: leave out",
        ),
        (&["play", "--level", "casual", "--seconds", "2"], "or --level"),
        (&["gtp", "--level", "newcomer", "--game-time", "60"], "level newcomer has a limit on thinking of its own"),
        (&["gtp", "--level", "expert", "--time", "3"], "level expert has a limit on thinking of its own"),
        (&["play", "--game", "go"], "cachex, hex, hex-noswap"),
        (&["gtp", "--visits", "0"], "1..=10000000"),
        (&["arena", "random"], "<B>"),
        (&["arena", "random", "random", "--games", "0"], "1..=1000000"),
        (&["train", "--minutes", "0"], "greater than 0"),
        (&["train", "--games", "1", "--steps", "1"], "cannot be used with"),
        (&["replay"], "<FILE>"),
        (&["inspect"], "<FILE>"),
    ] {
        hexzero(arguments).code(2).stdout("").stderr(contains(said));
    }
}

#[test]
fn failures_exit_with_1() {
    for arguments in [
        &["replay", "no-such-file"][..],
        &["inspect", "no-such-file"],
        &["gtp", "--model", "no-such-file"],
        &["play", "--model", "no-such-file"],
    ] {
        hexzero(arguments).code(1).stdout("").stderr(contains("error: ").and(contains("no-such-file")));
    }
    let player = "shipped@level=casual,visits=20";
    hexzero(&["arena", player, "random"])
        .code(1)
        .stdout("")
        .stderr(contains("level=casual has a limit on thinking of its own; leave out visits and time, or the level"));
    hexzero(&["gtp", "--size", "16"]).code(1).stderr(contains("size 3 to 15, not 16"));
}

#[test]
fn invalid_environment_variables_are_named() {
    for (variable, value, said) in [
        ("HEXZERO_KERNEL", "fast", "HEXZERO_KERNEL: kernel 'fast' is not available here; choose one of: "),
        ("HEXZERO_PRECISION", "f64", "HEXZERO_PRECISION: there is no precision 'f64'; choose f32 or int8"),
        ("HEXZERO_TRAINING_PRECISION", "f8", "HEXZERO_TRAINING_PRECISION: training precision 'f8' is not available"),
    ] {
        let mut command = Command::cargo_bin("hexzero").unwrap();
        let told = command.args(["games"]).env(variable, value).assert().code(1).stdout("");
        told.stderr(contains(said).and(if variable == "HEXZERO_KERNEL" {
            contains("portable")
        } else {
            contains("f32")
        }));
        let mut command = Command::cargo_bin("hexzero").unwrap();
        command.args(["games"]).env(variable, "").assert().success();
    }
}

#[test]
fn closed_stdout_is_no_failure() {
    let mut child = process::Command::new(assert_cmd::cargo::cargo_bin("hexzero"))
        .arg("gtp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    // It may be gone before all of this is written.
    let _ = child.stdin.take().unwrap().write_all(&b"list_commands\n".repeat(100));
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}
