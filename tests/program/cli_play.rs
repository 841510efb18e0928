//! `hexzero play`, driven by pipe as a person would type.

use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;

use crate::common::{hexzero, hexzero_with_input};
use crate::output::stdout;
use crate::tiny::Folder;

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("hexzero").unwrap();
    command.arg("play").args(["--seed", "1"]).args(arguments).env_remove("NO_COLOR");
    command
}

/// What is shown to somebody who types these lines.
fn play(arguments: &[&str], lines: &[&str]) -> String {
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    // A level has a limit of its own.
    let limit: &[&str] = if arguments.contains(&"--level") { &[] } else { &["--visits", "30"] };
    stdout(&command(&[limit, arguments].concat()).write_stdin(input).assert().success().stderr(""))
}

const CELLS: [&str; 9] = ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"];

#[test]
fn game_is_played_to_its_end() {
    for side in ["red", "blue"] {
        // Occupied cells are refused, so all cells over and over is a game whatever the engine does.
        let mut lines = CELLS.repeat(20);
        lines.extend(["hint", "eval", "resign", "undo", "new", "new", "quit"]);
        let shown = play(&["--size", "3", "--side", side], &lines);
        assert!(shown.contains("wins: the two sides are connected.\nnew, undo or quit> "), "{shown}");
        assert_eq!(shown.matches("connected").count(), 1, "{shown}");
        assert!(shown.contains("The game is over. Type 'new'"), "{shown}");
        assert!(shown.contains("took back"), "{shown}");
        let asked = "The game is not over. Type 'new' again if you mean it, or save it: 'save FILE'.\n";
        assert_eq!(shown.matches(asked).count(), 1, "{shown}");
        assert!(shown.ends_with("> Goodbye.\n"), "{shown}");
        assert!(!shown.contains('\x1b'), "no colours without a terminal: {shown}");
    }
}

#[test]
fn game_by_the_clock_with_pondering() {
    let input: String = CELLS.repeat(20).iter().map(|line| format!("{line}\n")).collect();
    let arguments = ["--size", "3", "--game-time", "2", "--increment", "0.01", "--ponder", "--threads", "2"];
    let shown = stdout(&command(&arguments).write_stdin(input).assert().success().stderr(""));
    assert_eq!(shown.matches("wins: the two sides are connected.\n").count(), 1, "{shown}");
}

#[test]
fn end_of_input_says_goodbye() {
    command(&[]).write_stdin("").assert().success().stdout(predicate::str::ends_with("red> \nGoodbye.\n"));
    command(&[]).write_stdin(&b"\xff\xfe\0\n"[..]).assert().success().stdout(contains("is not a cell"));
    command(&[]).write_stdin(vec![b'a'; 100_000]).assert().success().stdout(contains("too long"));
}

#[test]
fn thinking_time_is_announced() {
    for (arguments, told) in [
        (&[][..], "at full strength, 1 second a move ("),
        (&["--seconds", "0.5"], "at full strength, 0.5 seconds a move ("),
        (&["--visits", "7"], "at full strength, 7 visits a move ("),
        (&["--visits", "1"], "at full strength, 1 visit a move ("),
        (&["--game-time", "49"], "at full strength, 49 seconds for all its moves ("),
        (
            &["--game-time", "49", "--increment", "1"],
            "at full strength, 49 seconds for all its moves and 1 second more after each (",
        ),
        (&["--level", "casual"], "on level casual ("),
        (&["--level", "full", "--visits", "7"], "at full strength, 7 visits a move ("),
    ] {
        let told = format!("\nIt plays {told}");
        command(arguments).write_stdin("").assert().success().stdout(contains(told));
    }
}

/// A winning move and an only move are made at once, whatever time there is.
#[test]
fn certain_moves_come_at_once() {
    let lines = "a1\nc1\na2\nc2\nhint\na3\n";
    let arguments = ["--size", "2", "--game", "hex-noswap", "--seconds", "3600", "--side", "white"];
    command(&arguments).write_stdin(lines).assert().success().stdout(contains("wins: "));
}

#[test]
fn boards_unknown_to_the_network_are_named() {
    let warning = "it plays weakly on this one.";
    for (size, warns) in [("7", false), ("19", true)] {
        let shown = stdout(&command(&["--game", "hex", "--size", size]).write_stdin("").assert().success());
        assert_eq!(shown.contains(warning), warns, "{shown}");
    }
}

#[test]
fn games_are_saved_and_kept_until_confirmed() {
    let folder = &*Folder::empty();
    let play = |game: &str, lines: &[&str]| {
        let mut command = command(&["--game", game, "--size", "4", "--visits", "5"]);
        stdout(&command.current_dir(folder).write_stdin(lines.join("\n")).assert().success())
    };
    let asked = "The game is not over. Type 'quit' again if you mean it";
    let ended = "> Goodbye.\n";
    assert!(play("hex", &["quit"]).ends_with(ended));
    let shown = play("hex", &["a2", "quit", "board", "quit", "quit"]);
    assert_eq!(shown.matches(asked).count(), 2, "{shown}");
    assert!(shown.ends_with(ended), "{shown}");
    // A saved game may be left.
    let shown = play("hex", &["a2", "save Mine.sgf", "quit"]);
    assert!(shown.contains("The game is saved in Mine.sgf.\n") && !shown.contains(asked), "{shown}");
    // Moves after an undo are not saved.
    let shown = play("hex", &["a2", "save Saved.sgf", "undo", "b3", "quit", "quit"]);
    assert_eq!(shown.matches(asked).count(), 1, "{shown}");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let first = read("Mine.sgf");
    assert!(first.contains("GM[11]") && first.contains("SZ[4];B[a2];W["), "{first}");
    // Never over another file without a question.
    let shown = play("hex", &["b3", "save Mine.sgf", "quit", "quit"]);
    assert!(shown.contains("Mine.sgf exists. Type the same again to replace it.\n"), "{shown}");
    assert_eq!(read("Mine.sgf"), first);
    play("hex", &["b3", "save Mine.sgf", "save Mine.sgf"]);
    assert!(read("Mine.sgf").contains(";B[b3];W["));
    play("cachex", &["a2", "resign", "save game.jsonl"]);
    assert!(read("game.jsonl").contains(r#""resigned":"red""#));
    play("cachex", &["a2", "resign", "save game.sgf"]);
    assert!(read("game.sgf").contains("HZ[cachex]") && read("game.sgf").contains("RE[W+R];B[a2]"));
    let shown = play("cachex", &["save game", "save", "save no/such/folder.jsonl"]);
    for said in [
        "a game is saved as FILE.jsonl or FILE.sgf; 'game' ends in neither.\n",
        "; '' ends in neither.\n",
        "no/such/folder.jsonl cannot be written: ",
    ] {
        assert!(shown.contains(said), "{said}: {shown}");
    }
    assert!(!shown.contains("os error"), "{shown}");
    for name in ["Mine.sgf", "game.jsonl", "game.sgf"] {
        hexzero(folder, &["replay", name]).success();
    }
}

#[test]
fn levels_are_shown_and_changed() {
    let shown = play(&["--size", "5"], &["level", "level CASUAL", "level", "level grandmaster", "c3", "hint", "quit"]);
    let list = |chosen: &str| {
        let names = ["newcomer", "beginner", "casual", "intermediate", "advanced", "strong", "expert", "full"];
        names.map(|name| format!("{} {name}\n", if name == chosen { '>' } else { ' ' })).concat()
    };
    assert!(
        shown.contains(&format!("red> {}red> The engine plays on level casual from now on.\n", list("full"))),
        "{shown}"
    );
    assert!(shown.contains(&list("casual")), "{shown}");
    assert!(shown.contains("'grandmaster' is not a level; choose newcomer, beginner, casual, "), "{shown}");
    assert!(
        shown.contains("It plays at full strength, 30 visits a move (see --level, --seconds, --visits)."),
        "{shown}"
    );
    let shown = play(&["--size", "5", "--level", "strong"], &["level", "quit"]);
    assert!(shown.contains("It plays on level strong (see --level") && shown.contains("> strong\n"), "{shown}");
}

#[test]
fn seed_repeats_a_game_on_a_weak_level() {
    let lines = ["a1", "c3", "b3", "a2", "e5", "e4", "hint", "undo", "d1", "quit"];
    let game = |seed: &str| {
        let arguments = ["play", "--size", "5", "--level", "newcomer", "--seed", seed];
        stdout(&hexzero_with_input(Path::new("."), &arguments, lines.join("\n")).success())
    };
    assert_eq!(game("1"), game("1"));
    assert!(["2", "3", "4"].iter().any(|seed| game(seed) != game("1")));
}
