//! `hexzero analyze`, and the same over GTP.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use predicates::prelude::*;
use serde_json::Value;

use crate::common::{hexzero, hexzero_with_input};
use crate::gtp::Program;
use crate::output::{json_stdout, stdout, timeless};
#[cfg(unix)]
use crate::process::{Process, wait_until};
use crate::tiny::Folder;

fn analyze(arguments: &[&str]) -> String {
    stdout(&hexzero(Path::new("."), &[&["analyze"], arguments].concat()).success().stderr(""))
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&analyze(&[arguments, &["--json"]].concat())).unwrap()
}

fn keys(object: &Value) -> BTreeSet<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

fn set(names: &str) -> BTreeSet<&str> {
    names.split(' ').collect()
}

/// The form that docs/formats.md promises.
fn assert_form(analysis: &Value) {
    let mut found = keys(analysis);
    if found.remove("proof") {
        assert_eq!(keys(&analysis["proof"]), set("winner cells"));
    }
    let expected = "game size moves to_move visits seconds done stop_reason win draw loss proven lines board";
    assert_eq!(found, set(expected));
    assert_eq!(analysis["done"], Value::Bool(analysis["stop_reason"].is_string()), "{analysis}");
    let chances = |of: &Value| ["win", "draw", "loss"].iter().map(|key| of[key].as_f64().unwrap()).sum::<f64>();
    assert!((chances(analysis) - 1.0).abs() < 1e-3, "{analysis}");
    let proven = |of: &Value| of.is_null() || keys(of) == set("value plies");
    assert!(proven(&analysis["proven"]), "{analysis}");
    for line in analysis["lines"].as_array().unwrap() {
        assert_eq!(keys(line), set("move visits prior win draw loss lower_bound proven variation"));
        assert!((chances(line) - 1.0).abs() < 1e-3, "{line}");
        assert!(proven(&line["proven"]), "{line}");
        assert_eq!(line["variation"][0], line["move"]);
        assert!((0.0..=1.0).contains(&line["lower_bound"].as_f64().unwrap()), "{line}");
    }
    assert_eq!(keys(&analysis["board"]), set("first second"));
    let cells = |player: &str| -> Vec<f64> {
        analysis["board"][player].as_array().unwrap().iter().map(|chance| chance.as_f64().unwrap()).collect()
    };
    let (first, second) = (cells("first"), cells("second"));
    assert_eq!(first.len() as u64, analysis["size"].as_u64().unwrap().pow(2));
    assert_eq!(first.len(), second.len());
    assert!(first.iter().zip(&second).all(|(a, b)| *a >= 0.0 && *b >= 0.0 && a + b <= 1.001), "{analysis}");
}

#[test]
fn position_as_json() {
    let arguments = ["--size", "5", "--visits", "200", "--lines", "3", "d2", "SWAP", "c4"];
    let analysis = json(&arguments);
    assert_form(&analysis);
    assert_eq!(analysis["game"], "cachex");
    assert_eq!(analysis["moves"], serde_json::json!(["d2", "swap", "c4"]));
    assert_eq!((&analysis["to_move"], &analysis["visits"]), (&Value::from("blue"), &Value::from(200)));
    assert_eq!((&analysis["done"], &analysis["proven"]), (&Value::from(true), &Value::Null));
    let visits = |line: &Value| line["visits"].as_u64().unwrap();
    let lines = analysis["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 3);
    // The move to play comes first, though another may have a few more visits.
    assert!(visits(&lines[0]) > 0 && visits(&lines[1]) >= visits(&lines[2]), "{lines:?}");
    // A number of visits gives the same every time, and moves may come as one word.
    let quoted = ["--size", "5", "--visits", "200", "--lines", "3", "d2  SWAP", "c4 "];
    assert_eq!(timeless(json(&quoted)), timeless(analysis));
    assert_form(&json(&["--visits", "30", "--game", "hex", "--size", "4", "--threads", "3"]));
    assert_eq!(json(&["--size", "4", "--lines", "1000", "--visits", "5"])["lines"].as_array().unwrap().len(), 16);
}

#[test]
fn proofs_are_worded_as_by_the_solver() {
    let position = ["--size", "3", "c1", "swap", "b1"];
    let solved = hexzero(Path::new("."), &[&["games", "solve", "--json"][..], &position].concat()).success();
    let solved = json_stdout(&solved);
    assert_eq!((&solved["value"], &solved["plies"]), (&Value::from("won"), &Value::from(3)));
    let analysis = json(&position);
    assert_form(&analysis);
    assert_eq!(analysis["proven"], serde_json::json!({ "value": "won", "plies": 3 }));
    assert_eq!(analysis["lines"][0]["proven"], analysis["proven"]);
    assert_eq!(analysis["win"], 1.0);
    assert_eq!(analysis["stop_reason"], "proven");
    let text = analyze(&position);
    assert!(text.starts_with("blue to move, turn 4: won in 3 plies\n"), "{text}");
    assert!(text.contains(" s (result proven)\n"), "{text}");
    // A win at once needs no search.
    let at_once = json(&["--size", "3", "a1", "c1", "a2", "c2"]);
    assert_form(&at_once);
    assert_eq!(at_once["proven"], serde_json::json!({ "value": "won", "plies": 1 }));
    assert_eq!(at_once["lines"][0]["variation"], serde_json::json!(["a3"]));
    assert_eq!((&at_once["visits"], &at_once["lines"][0]["visits"]), (&Value::from(1), &Value::from(1)));
}

#[test]
fn position_as_text() {
    let text = analyze(&["--size", "4", "--visits", "100", "--lines", "2", "b1"]);
    let form = r"^blue to move, turn 2: win \d+\.\d%, draw \d+\.\d%, loss \d+\.\d%\n100 visits in \d+\.\d s \(visit limit reached\)\n  move   visits   prior     win    draw    loss  line\n( +\w+ +\d+ +\d+\.\d% .*\n){2}at the end \(.*\):\n    a b c d\n( *\d [ RrBb.]+ \d\n){4} +a b c d\n$";
    assert!(predicate::str::is_match(form).unwrap().eval(&text), "{text}");
}

#[test]
fn updates_arrive_during_the_search() {
    // However slow the machine is, so many visits last longer than a few intervals.
    let often = ["--size", "6", "--visits", "20000", "--every", "0.01"];
    let lines = analyze(&[&often[..], &["--json"]].concat());
    let updates: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    updates.iter().for_each(assert_form);
    let (last, before) = updates.split_last().unwrap();
    assert!(!before.is_empty() && before.iter().all(|update| update["done"] == false), "{lines}");
    assert_eq!(last["done"], true);
    let visits = |update: &Value| update["visits"].as_u64().unwrap();
    assert!(updates.windows(2).all(|pair| visits(&pair[0]) <= visits(&pair[1])), "{lines}");
    // Without a terminal nothing is redrawn.
    let text = analyze(&often);
    assert!(text.matches("turn 1: ").count() >= 2 && !text.contains('\x1b'), "{text}");
}

#[test]
fn stop_reason_is_told_and_never_a_full_tree() {
    let full = json(&["--visits", "4000", "--memory", "1", "--size", "7"]);
    assert_form(&full);
    assert_eq!((&full["visits"], &full["stop_reason"]), (&Value::from(4_000), &Value::from("visits")));
    assert_eq!(json(&["--time", "0.05", "--size", "7"])["stop_reason"], "time");
}

#[test]
fn recorded_games() {
    let folder = &*Folder::empty();
    let games = concat!(
        r#"{"game":"cachex","size":3,"moves":["a1","b1","a2","b2","a3"],"result":"red"}"#,
        "\n\n",
        r#"{"game":"hex","size":4,"moves":["a1","swap","c2"]}"#,
    );
    fs::write(folder.join("games.jsonl"), games).unwrap();
    fs::write(folder.join("game.sgf"), "(;GM[11]SZ[4];B[a1];W[b2];B[c3])").unwrap();
    let moves = |arguments: &str| {
        let arguments: Vec<&str> =
            ["analyze", "--json", "--visits", "5", "--file"].into_iter().chain(arguments.split_whitespace()).collect();
        let run = hexzero_with_input(folder, &arguments, games);
        let analysis = json_stdout(&run.success());
        assert_form(&analysis);
        format!("{} {}", analysis["game"], analysis["moves"])
    };
    assert_eq!(moves("games.jsonl --after 2"), r#""cachex" ["a1","b1"]"#);
    assert_eq!(moves("games.jsonl --after 0"), r#""cachex" []"#);
    assert_eq!(moves("games.jsonl --number 2"), r#""hex" ["a1","swap","c2"]"#);
    assert_eq!(moves("- --number 2 --after 2"), r#""hex" ["a1","swap"]"#);
    assert_eq!(moves("game.sgf"), r#""hex" ["a1","b2","c3"]"#);
    fs::write(folder.join("passed.sgf"), "(;GM[11]SZ[5];B[c3];W[pass])").unwrap();
    let run = hexzero(folder, &["analyze", "--json", "--visits", "5", "--file", "passed.sgf"]);
    assert_eq!(json_stdout(&run.success())["to_move"], "black");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_a_last_result() {
    let folder = &*Folder::empty();
    let said = || fs::read_to_string(folder.join("said")).unwrap();
    let mut child = Process::start(folder, "said", "analyze --time 3600 --every 0.01 --json");
    wait_until("an update", || said().contains("\"done\":false"));
    child.stop();
    assert!(said().lines().last().unwrap().contains("\"done\":true,\"stop_reason\":\"stopped\""), "{}", said());
}

/// The fields of each move of a line.
fn infos(line: &str) -> Vec<Vec<&str>> {
    line.split("info ").skip(1).map(|info| info.split_whitespace().collect()).collect()
}

#[test]
fn gtp_analysis_lasts_until_the_next_command() {
    let mut talk = Program::start(&["--size", "5"]);
    talk.send("play b a2\n7 hexzero-analyze w 1 maxmoves 2");
    assert_eq!([talk.line(), talk.line(), talk.line()], ["=", "", "=7"]);
    let mut visits = 0;
    for _ in 0..3 {
        let line = talk.line();
        let infos = infos(&line);
        assert_eq!(infos.len(), 2, "{line}");
        for (order, info) in infos.iter().enumerate() {
            let names: Vec<&str> = info.iter().step_by(2).copied().take(8).collect();
            assert_eq!(names, ["move", "visits", "winrate", "draw", "prior", "lcb", "order", "pv"], "{line}");
            assert_eq!(info[13], order.to_string(), "{line}");
            assert_eq!(info[15], info[1], "{line}");
        }
        let now = infos[0][3].parse().unwrap();
        assert!(now >= visits, "{line}");
        visits = now;
    }
    // The next command ends it with an empty line, and is answered.
    talk.send("showboard");
    let rest = talk.end();
    let (analysis, reply) = rest.split_once("\n= ").unwrap();
    assert!(analysis.lines().all(|line| line.starts_with("info move ")), "{rest}");
    assert!(reply.starts_with("blue to move, turn 2\n"), "{rest}");
}

#[test]
fn gtp_analysis_always_prints_a_line() {
    let mut talk = Program::start(&["--size", "3"]);
    talk.send("play b c1\nplay w swap\nplay b b1\nhexzero-analyze 100000 ownership true");
    (0..7).for_each(|_| drop(talk.line()));
    // It is proven long before an update is due.
    let line = talk.line();
    assert!(line.contains(" value won plies 3 order 0 pv b3 "), "{line}");
    let owners: Vec<f64> = line.split("ownership ").nth(1).unwrap().split(' ').map(|x| x.parse().unwrap()).collect();
    assert!(owners.len() == 9 && owners.iter().all(|owner| (-1.0..=1.0).contains(owner)), "{line}");
    // Whoever ends the conversation ends the analysis; an empty line ends it too.
    talk.send("hexzero-analyze\n\nhexzero-analyze");
    let rest = talk.end();
    assert_eq!(rest.matches("\n=\ninfo ").count(), 2, "{rest}");
    assert!(rest.ends_with("\n\n"), "{rest}");
}

/// GTP calls the swap as other programs do, JSON by its own name.
#[test]
fn hex_swap_is_swap_pieces_over_gtp() {
    let mut talk = Program::start(&["--game", "hex", "--size", "4"]);
    talk.send("play b b2\nhexzero-analyze 100000\n");
    let rest = talk.end();
    let line = rest.lines().find(|line| line.starts_with("info ")).unwrap();
    let swap = infos(line).into_iter().find(|info| info[1] == "swap-pieces").unwrap();
    let pv = swap.iter().position(|&word| word == "pv").unwrap();
    assert_eq!(swap[pv + 1], "swap-pieces", "{line}");
    assert!(!line.split(' ').any(|word| word == "swap"), "{line}");
    let analysis = json(&["--game", "hex", "--size", "4", "--visits", "50", "--lines", "1000", "b2"]);
    let lines = analysis["lines"].as_array().unwrap();
    assert!(lines.iter().any(|line| line["move"] == "swap" && line["variation"][0] == "swap"), "{lines:?}");
}

/// The tree's visits after a move and a pause.
fn visits_after_a_pause(arguments: &[&str]) -> u64 {
    let mut talk = Program::start(&[&["--size", "7", "--visits", "20"], arguments].concat());
    talk.send("genmove b");
    (0..2).for_each(|_| drop(talk.line()));
    sleep(Duration::from_secs(1));
    // The next command stops the analysis, which then shows the tree as it is.
    talk.send("hexzero-analyze 100000\nname");
    let rest = talk.end();
    infos(rest.lines().nth(1).unwrap()).iter().map(|info| info[3].parse::<u64>().unwrap()).sum()
}

#[test]
fn pondering_grows_the_tree_on_the_others_turn() {
    let (without, with) = (visits_after_a_pause(&[]), visits_after_a_pause(&["--ponder"]));
    assert!(with > 4 * without, "{with} visits with pondering, {without} without");
    // In a full tree too.
    let bounded = visits_after_a_pause(&["--ponder", "--memory", "1"]);
    assert!(bounded > 4 * without, "{bounded} visits in a mebibyte, {without} without pondering");
}

#[test]
fn proof_of_hex_shows_its_region() {
    // Black's two stones and the edge bridges join top and bottom, whoever moves.
    let moves = ["--game", "hex-noswap", "--size", "5", "--visits", "200", "c2", "a1", "b4", "a2"];
    let won = json(&moves);
    assert_eq!((&won["proven"]["value"], &won["proof"]["winner"]), (&"won".into(), &"black".into()), "{won}");
    let lost = json(&[&moves[..], &["e5"]].concat());
    assert_eq!((&lost["proven"]["value"], &lost["proof"]["winner"]), (&"lost".into(), &"black".into()), "{lost}");
    assert!(lost["visits"].as_u64() > Some(100), "a lost position is searched: {lost}");
    let cells = lost["proof"]["cells"].as_array().unwrap();
    assert!((2..10).contains(&cells.len()) && !cells.contains(&"e1".into()), "{lost}");
    assert!(analyze(&moves).contains("proven: black wins, even if white has all empty cells but those marked *:"));
    // Nothing is proven while White may swap, nor in other games.
    for start in [["--game", "hex", "--size", "5"], ["--game", "y", "--size", "5"]] {
        assert_eq!(json(&[&start[..], &["--visits", "20"]].concat())["proof"], Value::Null);
    }
}
