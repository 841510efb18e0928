//! Matches against other programs in `hexzero arena`.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use assert_cmd::assert::Assert;
use hexzero::players::{GtpPlayer, Player, ProgramOptions};
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::common::hexzero;
use crate::games::cachex;
use crate::output::{json_lines, json_stdout};
use crate::process::{Process, wait_until};
use crate::tiny::Folder;

/// A program that writes down what it hears and does something special at a `genmove`.
fn fake(folder: &Path, at_genmove: &str) -> &'static str {
    let script = format!(
        "echo $$ > pid\nwhile read -r line; do\n  echo \"$line\" >> heard\n  case \"$line\" in\n    \
         genmove*) {at_genmove};;\n    quit) printf '=\\n\\n'; exit;;\n    *) printf '= \\n\\n';;\n  esac\ndone\n"
    );
    fs::write(folder.join("fake.sh"), script).unwrap();
    "gtp:sh fake.sh"
}

/// A match of games on 4×4, one at a time, saved to a new file.
pub fn arena(folder: &Path, a: &str, b: &str, options: &str) -> Assert {
    let _ = fs::remove_file(folder.join("games.jsonl"));
    let common = ["arena", a, b, "--size", "4", "--threads", "1", "--save", "games.jsonl"];
    hexzero(folder, &common.into_iter().chain(options.split_whitespace()).collect::<Vec<_>>())
}

pub fn saved(folder: &Path) -> Vec<Value> {
    json_lines(&folder.join("games.jsonl"))
}

fn itself(options: &str) -> String {
    format!("gtp:'{}' gtp {options}", assert_cmd::cargo::cargo_bin("hexzero").display())
}

#[test]
fn hexzero_plays_hexzero() {
    let folder = &*Folder::empty();
    for (game, b) in [("cachex", "alphabeta:1"), ("hex", "mcts:50"), ("hex", "shipped@visits=20")] {
        let program = itself(&format!("--game {game} --visits 10"));
        let played = arena(folder, &program, b, &format!("--game {game} --games 8 --json")).success().stderr("");
        let result = json_stdout(&played);
        assert_eq!((result["a"].as_str(), result["games"].as_u64()), (Some(program.as_str()), Some(8)));
        hexzero(folder, &["replay", "games.jsonl"]).success().stdout(contains("\n").count(8));
    }
}

/// A GTP program plays like the arena's own engine. A player's own `visits` overrides the default of 200.
#[test]
fn gtp_program_plays_like_the_built_in_engine() {
    let folder = &*Folder::empty();
    let mut moves = Vec::new();
    for player in [itself("--visits 30"), "shipped@visits=30".to_owned()] {
        arena(folder, &player, "alphabeta:2", "--games 6").success();
        moves.push(saved(folder).into_iter().map(|game| game["moves"].clone()).collect::<Vec<_>>());
    }
    assert_eq!(moves[0], moves[1]);
}

#[test]
fn gtp_commands_reach_the_program() {
    let folder = &*Folder::empty();
    let program = fake(folder, "printf '= resign\\n\\n'");
    arena(folder, program, "random", "--games 2 --time 0.25")
        .success()
        .stdout(contains("0 wins, 2 losses").and(contains("\nElo difference below ")).and(contains("faults").not()));
    let games = saved(folder);
    let name = |game: usize, turn: usize| games[game]["moves"][turn].as_str().unwrap();
    let heard = fs::read_to_string(folder.join("heard")).unwrap();
    let begin = "boardsize 4\nclear_board\ntime_settings 0 0.25 1\n";
    // Which commands the program knows is asked once.
    let first = "boardsize 4\nclear_board\nknown_command time_settings\ntime_settings 0 0.25 1\n\
                 known_command param_game\n";
    assert_eq!(
        heard,
        format!(
            "{first}play black {}\nplay white {}\ngenmove black\n{begin}play black {}\ngenmove white\nquit\n",
            name(0, 0),
            name(0, 1),
            name(1, 0)
        )
    );
    assert_eq!((&games[0]["resigned"], games[0].get("result")), (&Value::from("red"), None));
    hexzero(folder, &["replay", "games.jsonl"]).success();
}

#[test]
fn failing_program_loses_its_games() {
    // They mostly wait, so they run side by side.
    let cases = [
        ("printf '= pass\\n\\n'", "answered 'genmove black' with \"pass\", which cannot be played: "),
        (
            "echo 'out of luck' >&2; exit 3",
            "the program ended (exit status: 3) instead of answering 'genmove black'; its last words were \"out of luck\"",
        ),
        // A process that it has started keeps its output open.
        (
            "sleep 1000 & echo $! > child; exit 3",
            "the program ended (exit status: 3) instead of answering 'genmove black'",
        ),
        ("exec sleep 1000 >&- 2>&-", "the program closed its input or output instead of answering 'genmove black'"),
    ];
    std::thread::scope(|scope| {
        for (at_genmove, said) in cases {
            scope.spawn(move || assert_loses(at_genmove, said));
        }
    });
}

/// Plays a match with a program that does this at its fourth move, and asserts what is said of it.
fn assert_loses(at_genmove: &str, said: &str) {
    let folder = &*Folder::empty();
    // It gives up its first three games.
    let count = "echo x >> count; if [ $(wc -l < count) -lt 4 ]; then printf '= resign\\n\\n'; else";
    let program = fake(folder, &format!("{count} {at_genmove}; fi"));
    let played = arena(folder, program, "alphabeta:1", "--games 100").code(1);
    let listed = "\nEnded after 6 of 100 games\nElo difference below ";
    let lost = "\nLost by faults, counted as losses: gtp:sh fake.sh 3 games, alphabeta:1 0 games\n  game 4, move ";
    let played =
        played.stdout(contains("0 wins, 6 losses, 0 draws in 6 games").and(contains(listed)).and(contains(lost)));
    let white = said.replace("genmove black", "genmove white");
    let found = predicate::str::starts_with("error: gtp:sh fake.sh failed in game 6 at move ");
    played.stderr(found.and(contains(said).or(contains(white))).and(contains(" (fault 3 in a row)\n")));
    let games = saved(folder);
    assert_eq!(games.len(), 6);
    for (number, game) in games.iter().enumerate() {
        let loser = if game["a_is_first"] == true { "red" } else { "blue" };
        assert_eq!((&game["resigned"], game["fault"].is_string()), (&Value::from(loser), number >= 3), "{game}");
    }
    hexzero(folder, &["replay", "games.jsonl"]).success().stdout(contains("\n").count(6));
    for process in ["pid", "child"] {
        assert!(!lives_on(&folder.join(process)), "{at_genmove}: {process} lives on");
    }
}

/// Whether the process whose number is in a file, if there is one, is still running after a moment.
fn lives_on(pid: &Path) -> bool {
    let Ok(pid) = fs::read_to_string(pid) else { return false };
    let began = Instant::now();
    while lives(&pid) {
        if began.elapsed() > Duration::from_secs(5) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

/// Whether a process is running; a zombie is not.
fn lives(pid: &str) -> bool {
    let shown = std::process::Command::new("ps").args(["-o", "stat=", "-p", pid.trim()]).output().unwrap();
    let state = String::from_utf8(shown.stdout).unwrap();
    !matches!(state.trim().chars().next(), None | Some('Z'))
}

/// The processes that a program has started end with it, even if nobody tells them to quit.
#[test]
fn child_processes_of_a_program_end_with_it() {
    let folder = &*Folder::empty();
    let program = fake(folder, "sleep 1000 <&- >&- 2>&- & echo $! > child; printf '= resign\\n\\n'");
    arena(folder, program, "random", "--games 2").success();
    assert!(folder.join("child").exists() && !lives_on(&folder.join("child")));
}

#[test]
fn non_gtp_program_is_refused() {
    let refused = "which is not a GTP reply: those begin with '=' or '?'";
    let cases = [
        ("gtp:cat", format!("the program answered 'boardsize 4' with \"boardsize 4\", {refused}")),
        ("gtp:yes =", "the program's answer to 'boardsize 4' has no end after 1000 lines".to_owned()),
        ("gtp:yes ''", "the program's answer to 'boardsize 4' has no end after 1000 lines".to_owned()),
        ("gtp:sh -c \"tr '\\0' x < /dev/zero\"", format!("with \"{}\", {refused}", "x".repeat(200))),
    ];
    let check = |(program, said)| {
        let folder = &*Folder::empty();
        arena(folder, program, "random", "--games 2").code(1).stderr(contains(said));
    };
    std::thread::scope(|scope| cases.into_iter().for_each(|case| drop(scope.spawn(move || check(case)))));
}

/// The first Ctrl-C ends a match in which a program thinks for long. The program gets no signal, but it ends too.
#[test]
fn ctrl_c_ends_a_match_while_a_program_thinks() {
    let json = interrupted("--json");
    let result: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((result["games"].as_u64(), result["stopped_early"].as_bool()), (Some(0), Some(true)));
    assert_eq!(result["elo"], 0.0);
    let said = interrupted("");
    assert!(said.ends_with(" in 0 games (0 distinct)\nInterrupted after 0 of 2 games\n"), "{said}");
}

/// What a match prints if it is interrupted in its first game.
fn interrupted(options: &str) -> String {
    let folder = &*Folder::empty();
    let program = fake(folder, "touch thinking; exec sleep 1000");
    let order = format!("arena '{program}' random --games 2 --size 4 --threads 1 {options}");
    let mut child = Process::start(folder, "said", &order);
    wait_until("the program's thinking", || folder.join("thinking").exists());
    child.stop();
    let pid = fs::read_to_string(folder.join("pid")).unwrap();
    let alive = std::process::Command::new("kill").args(["-0", pid.trim()]).output().unwrap();
    assert!(!alive.status.success(), "the program lives on");
    fs::read_to_string(folder.join("said")).unwrap()
}

#[test]
fn silent_program_times_out() {
    let words = ["sleep", "1000"].map(str::to_owned).to_vec();
    let mut player =
        GtpPlayer::new("sleepy", words, ProgramOptions::default()).with_patience(Duration::from_millis(50));
    let error = player.start_game(&cachex().start(5).unwrap(), 1).unwrap_err();
    assert_eq!(error.to_string(), "the program has not answered 'boardsize 5' in 0.05 seconds");
}

/// A program with a time for a move has that and a margin, whether or not it can be told the time.
#[test]
fn silent_program_loses_on_time() {
    for (known, said) in [("true", ""), ("false", "; it does not know its time, as it has no time_settings")] {
        let folder = &*Folder::empty();
        let log = folder.join("heard");
        let script = format!(
            "while read -r line; do echo \"$line\" >> '{}'; case $line in genmove*) ;; known*) printf '= {known}\\n\\n';; \
             *) printf '= \\n\\n';; esac; done",
            log.display()
        );
        let words = ["sh", "-c", &script].map(str::to_owned).to_vec();
        let options = "time=0.01,margin=0.05".parse().unwrap();
        let mut player = GtpPlayer::new("sleepy", words, options);
        let position = cachex().start(5).unwrap();
        player.start_game(&position, 1).unwrap();
        let error = player.choose(&position).unwrap_err();
        let lost = "it lost on time: no answer to 'genmove black' in 0.01 seconds and a margin of 0.05";
        assert!(error.to_string().starts_with(&format!("{lost}{said}")), "{error}");
        assert_eq!(error.to_string().contains("does not know"), known == "false", "{error}");
    }
}

/// A program like those of the benzene family, in Python: it keeps the stone where it is at a swap, or mirrors it, or
/// knows no swap; it swaps whenever it may, checks that cells are free, and has neither clock nor `showboard`.
const BENZENE: &str = r#"
import sys

style, size, stones, allowed, swapped = sys.argv[1], 11, {}, False, False
known = ["boardsize", "clear_board", "play", "genmove", "known_command", "param_game", "name", "quit"]

def take(colour, point):
    global stones, swapped
    if point == "swap-pieces":
        if style == "none" or not allowed or len(stones) != 1:
            return "? illegal move"
        swapped = True
        if style == "pieces":
            (cell, _), = stones.items()
            stones = {chr(ord("a") + int(cell[1:]) - 1) + str(ord(cell[0]) - ord("a") + 1): colour}
    elif point in stones:
        return "? illegal move"
    else:
        stones[point] = colour
    return "= "

for line in sys.stdin:
    words = line.split()
    reply = "= "
    if words[0] not in known:
        reply = "? unknown command"
    elif words[0] == "known_command":
        reply = "= " + str(words[1] in known).lower()
    elif words[0] == "param_game":
        allowed = words[2] == "1"
    elif words[0] == "boardsize":
        size = int(words[1])
    elif words[0] == "clear_board":
        stones, swapped = {}, False
    elif words[0] == "play":
        reply = take(words[1], words[2])
    elif words[0] == "genmove":
        may_swap = words[1] == "white" and list(stones.values()) == ["black"] and not swapped
        if may_swap and take("white", "swap-pieces") == "= ":
            reply = "= swap-pieces"
        else:
            cells = [c + str(r) for r in range(1, size + 1) for c in "abcdefghijk"[:size]]
            free = [cell for cell in cells if cell not in stones]
            reply = "= " + free[(len(stones) * 5) % len(free)]
            take(words[1], reply[2:])
    print(reply + "\n", flush=True)
    if words[0] == "quit":
        break
"#;

fn benzene(folder: &Path, style: &str, option: &str) -> String {
    fs::write(folder.join("benzene.py"), BENZENE).unwrap();
    format!("gtp:python3 benzene.py {style}{option}")
}

/// However a program understands the swap, each of its moves is possible on its opponent's board, and all games can be
/// played again.
#[test]
fn swaps_with_programs_of_all_kinds() {
    for style in ["pieces", "sides", "none"] {
        let same = if style == "none" { "@swap=setup".to_owned() } else { format!("@swap={style}") };
        let mut played = Vec::new();
        for option in ["", &same, "@swap=setup"] {
            let folder = &*Folder::empty();
            let program = benzene(folder, style, option);
            let options = "--game hex --games 12 --time 0.01 --openings random";
            arena(folder, &program, "alphabeta:1", options).success();
            let games = saved(folder);
            let moves: Vec<Value> = games.iter().map(|game| game["moves"].clone()).collect();
            assert!(moves.iter().any(|moves| moves[1] == "swap"), "{style}{option}: nobody swaps");
            hexzero(folder, &["replay", "games.jsonl"]).success().stdout(contains("\n").count(12));
            played.push(moves);
        }
        assert_eq!(played[0], played[1], "{style}");
    }
}

/// A style of swap that is not the program's ends the match instead of corrupting its games.
#[test]
fn wrong_swap_styles_are_noticed() {
    let folder = &*Folder::empty();
    for (style, option, said) in [
        ("sides", "@swap=pieces", "on a cell that is taken with swap=pieces; choose another of"),
        ("pieces", "@swap=sides", "on a cell that is taken with swap=sides; choose another of"),
        ("sides", "@swap=none", "the swap was played, but swap=none says the program does not know it"),
    ] {
        let program = benzene(folder, style, option);
        let options = "--game hex --games 12 --openings random";
        let played = arena(folder, &program, "gtp:python3 benzene.py pieces", options);
        played.code(1).stderr(contains(said));
    }
    // This may be a fault of the program.
    let program = benzene(folder, "none", "@swap=pieces");
    let options = "--game hex --games 12 --max-faults 50 --openings random";
    arena(folder, &program, "gtp:python3 benzene.py pieces", options)
        .success()
        .stdout(contains("the program answered 'play white swap-pieces' with \"? illegal move\""));
}
