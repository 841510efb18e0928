//! Files of games as other programs write them: what is read, and which warnings the rest gives.

use std::fs;
use std::path::Path;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::common::{hexzero, hexzero_with_input};
use crate::output::{stderr, stdout};
use crate::tiny::Folder;

/// What `hexzero replay` printed, and its exit code.
struct Replayed {
    games: Vec<Value>,
    said: String,
    code: Option<i32>,
}

fn replay(options: &[&str], input: impl Into<Vec<u8>>) -> Replayed {
    let done = hexzero_with_input(Path::new("."), &[&["replay", "-"], options].concat(), input.into());
    let games = stdout(&done).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    Replayed { games, said: stderr(&done), code: done.get_output().status.code() }
}

/// Reads a file with one game, which has no error. Returns the game in JSON, and standard error.
fn only(input: impl Into<Vec<u8>>) -> (Value, String) {
    let mut replayed = replay(&["--to", "jsonl"], input);
    assert_eq!((replayed.games.len(), replayed.code), (1, Some(0)), "{}", replayed.said);
    (replayed.games.remove(0), replayed.said)
}

fn encoded(text: &str, encoding: &'static encoding_rs::Encoding) -> Vec<u8> {
    let (bytes, _, unmappable) = encoding.encode(text);
    assert!(!unmappable, "{text}");
    bytes.into_owned()
}

/// All files in SGF that the tests have: 9 of 9 are read, 14 games, none with a result against its moves.
#[test]
fn real_files_are_read() {
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/files");
    let mut paths: Vec<_> = fs::read_dir(files).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "sgf"));
    paths.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/games/swap.sgf"));
    let (mut accepted, mut refused, mut games) = (0, Vec::new(), 0);
    for path in &paths {
        let mut whole = true;
        for form in [&["--states"][..], &["--to", "jsonl"], &["--to", "sgf"]] {
            let done = hexzero(Path::new("."), &[&["replay", path.to_str().unwrap()], form].concat());
            let output = done.get_output();
            whole &= output.status.success();
            games += output.stdout.iter().filter(|&&byte| byte == b'\n').count();
            let said = stderr(&done);
            assert!(!said.contains("resignation counts") && !said.contains("moves count"), "{path:?}: {said}");
        }
        if whole { accepted += 1 } else { refused.push(path) }
    }
    assert_eq!((accepted, refused.as_slice(), games), (9, &[][..], 3 * 14), "{paths:?}");
}

#[test]
fn little_golem_lets_pb_begin_and_names_winners() {
    // (players, winner, moves, last move) as the pages of the site show them.
    let list = include_str!("../data/files/little_golem_list.sgf");
    let replayed = replay(&["--to", "jsonl"], list);
    assert_eq!(replayed.code, Some(0), "{}", replayed.said);
    let lost = |game: &Value| game["resigned"].as_str().unwrap_or("nobody").to_owned();
    let resigned: Vec<String> = replayed.games.iter().map(lost).collect();
    assert_eq!(resigned, ["white", "black", "white", "nobody", "black", "white"]);
    let players: Vec<_> = replayed.games[..5].iter().map(|game| game["players"]["black"].as_str().unwrap()).collect();
    assert_eq!(players, ["Maciej Celuch", "firehand", "leela_bot", "Tiziano", "greghe"]);
    assert_eq!(replayed.games[5]["players"]["white"], "Shumacher;]");
    let last =
        |game: &Value| game["moves"].as_array().unwrap().last().map_or("", |name| name.as_str().unwrap()).to_owned();
    assert_eq!(replayed.games.iter().map(last).collect::<Vec<_>>(), ["h11", "e4", "c2", "j9", "", "e7"]);
    assert_eq!(replayed.games[4]["name"], "hex.ld.DEFAULT");
    assert_eq!(replayed.games[5]["name"], Value::Null);
    // One warning is about a result without its reason, the other about a bracket that is not escaped.
    assert_eq!(replayed.said.lines().count(), 2, "{}", replayed.said);
    assert!(replayed.said.contains("warning: game 5: the stated result is 'white', but after its 0 moves"));
    assert!(replayed.said.contains("warning: game 6: a ']' inside a value"), "{}", replayed.said);
}

#[test]
fn named_character_set_is_used() {
    let game = |charset: &str, name: &str| {
        format!("(;FF[4]{charset}GM[11]SZ[5]PB[{name}]PW[x]C[{name}];B[c3]C[{name}];W[b2])")
    };
    // In Shift-JIS and the others the second byte of some of these is a bracket or a backslash.
    for (label, name) in [
        ("Shift_JIS", "党毅飛表示ソ能"),
        ("GB18030", "琝𠂇王"),
        ("GB2312", "聂卫平"),
        ("Big5", "功許蓋"),
        ("EUC-KR", "이세돌"),
        ("ISO-2022-JP", "表示ソ漢字"),
        ("windows-1251", "Фёдор"),
        ("ISO-8859-1", "Jørgen Müller"),
        ("UTF-8", "Łukasz 表"),
    ] {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
        let (read, said) = only(encoded(&game(&format!("CA[{label}]"), name), encoding));
        assert_eq!((&read["players"]["black"], &read["comments"]["1"]), (&name.into(), &name.into()), "{label}");
        assert_eq!((read["moves"].as_array().unwrap().len(), said.as_str()), (2, ""), "{label}");
    }
    // Without a name: UTF-8 if it is, else Latin-1. A mark counts more than a name.
    for bytes in [game("", "Müller").into_bytes(), encoded(&game("", "Müller"), encoding_rs::WINDOWS_1252)] {
        assert_eq!(only(bytes).0["players"]["black"], "Müller");
    }
    let utf_16 = |mark: &str, big: bool| -> Vec<u8> {
        let units = format!("{mark}{}", game("CA[Big5]", "党 Müller"));
        units.encode_utf16().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    };
    for bytes in [utf_16("\u{feff}", true), utf_16("\u{feff}", false), utf_16("", true), utf_16("", false)] {
        let (read, said) = only(bytes);
        assert_eq!((&read["players"]["black"], said.as_str()), (&"党 Müller".into(), ""));
    }
    let said = |bytes: Vec<u8>| only(bytes).1;
    assert!(said(game("CA[klingon]", "Müller").into_bytes()).contains("the character set 'klingon' is not known"));
    assert!(said(game("CA[Shift_JIS]", "表示").into_bytes()).contains("says that its character set is Shift_JIS"));
    let (read, said) = only(encoded(&game("CA[UTF-8]", "Müller"), encoding_rs::WINDOWS_1252));
    assert!(read["players"]["black"] == "Müller" && said.contains("that was read as windows-1252"), "{said}");
}

#[test]
fn character_sets_are_those_of_each_game() {
    let game = |label: &str, name: &str| {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
        encoded(&format!("(;GM[11]CA[{label}]SZ[5]PB[{name}];B[c3](;W[b2])(;W[a1]))\n"), encoding)
    };
    let file = [game("Shift_JIS", "表ソ"), game("windows-1252", "Müller"), game("GBK", "聂卫平"), vec![0]].concat();
    let sgf = stdout(&hexzero_with_input(Path::new("."), &["replay", "-", "--to", "sgf"], file).success().stderr(""));
    assert_eq!(sgf.matches("CA[UTF-8]").count(), 3);
    let names: Vec<Value> =
        replay(&["--to", "jsonl"], sgf).games.iter().map(|game| game["players"]["black"].clone()).collect();
    assert_eq!(names, ["表ソ", "Müller", "聂卫平"]);
}

#[test]
fn warnings_of_many_variations_are_counted() {
    let text = format!("(;GM[11]SZ[5];B[a1](;W[b1]){})", "(;W[x])".repeat(20_000));
    let Replayed { games, said, .. } = replay(&[], text);
    assert_eq!(games[0]["turns"], 2);
    assert!(said.lines().count() == 11 && said.contains("19990 more variations were left out"), "{said}");
}

#[test]
fn warnings_are_told_wherever_a_game_is_read() {
    let folder = &*Folder::empty();
    std::fs::write(folder.join("game.sgf"), "x(;GM[11]SZ[3]RE[W];B[a1];W[resign])").unwrap();
    let told = || contains("the text before the game").and(contains("the resignation counts"));
    hexzero(folder, &["review", "game.sgf", "--visits", "10"]).success().stderr(told());
    hexzero(folder, &["analyze", "--file", "game.sgf", "--visits", "10"]).success().stderr(told());
    let gtp = hexzero_with_input(folder, &["gtp", "--game", "hex", "--size", "3"], "loadsgf game.sgf\nquit\n");
    gtp.success().stdout(contains("=")).stderr(told());
}

/// The examples of docs/formats/games.md: games as JSON lines, as SGF and as links.
#[test]
fn documented_examples_are_read() {
    let page = include_str!("../../docs/formats/games.md");
    let is_game = |text: &&str| {
        text.starts_with("{\"game\":\"") && text.contains("\"moves\":[")
            || text.starts_with("(;")
            || text.starts_with("https://hexworld.org/board/#")
    };
    // In blocks of code, and in the text between backticks.
    let examples: Vec<&str> = page.lines().flat_map(|line| line.split('`')).filter(is_game).collect();
    assert!(examples.len() >= 6, "{examples:?}");
    for example in examples {
        hexzero_with_input(Path::new("."), &["replay", "-"], example).success().stderr("");
    }
}

#[test]
fn set_up_games_are_analysed_and_reviewed() {
    let folder = &*Folder::empty();
    let game =
        r#"{"game":"hex","size":3,"setup":{"first":["a1","a2"],"second":["c1"],"to_move":"second"},"moves":["c2"]}"#;
    fs::write(folder.join("game.jsonl"), game).unwrap();
    let analysis = hexzero(folder, &["analyze", "--file", "game.jsonl", "--visits", "50"]).success();
    analysis.stdout(contains("black to move, turn 2: won in 1 ply").and(contains("a3")));
    let review = hexzero(folder, &["review", "game.jsonl", "--visits", "50"]).success();
    review.stdout(contains("   1  white   c2"));
    let long = game.replace("\"c1\"", &format!("{:?}", "c".repeat(100_000)));
    hexzero_with_input(folder, &["replay", "-"], long)
        .code(1)
        .stderr(predicates::function::function(|said: &str| said.len() < 600 && said.contains("set-up: ")));
}

#[test]
fn unreadable_lines_are_never_written() {
    let folder = &*Folder::empty();
    let to = |form: &str, sgf: &str| hexzero_with_input(folder, &["replay", "-", "--to", form], sgf);
    let commented = format!("(;GM[11]SZ[3];B[a1]C[{}])", "x".repeat(1 << 20));
    // Each variation replaces the second move of the one around it.
    let moves: Vec<String> = (0..80).map(|ply| format!("{}{}", (b'a' + ply % 10) as char, ply / 10 + 1)).collect();
    let mut deep = String::new();
    for (ply, name) in moves.iter().enumerate().rev() {
        let colour = if ply % 2 == 0 { "B" } else { "W" };
        let other = if ply % 2 == 0 { "B[j10]" } else { "W[j10]" };
        deep = if ply == 79 { format!(";{colour}[{name}]") } else { format!("(;{other})(;{colour}[{name}]{deep})") };
    }
    let deep = format!("(;GM[11]SZ[10]{deep})");
    for sgf in [commented, deep] {
        let advice = "it does not fit on a line of JSON, which has less than 1048576 bytes and some 60 variations inside one another; write SGF";
        to("sgf", &sgf).success();
        to("jsonl", &sgf).code(1).stderr(contains(advice));
    }
}
