//! SGF that is not quite as the format or the rules want it: what can be read is read, and the rest is told.

use std::path::Path;

use predicates::prelude::*;
use predicates::str::contains;

use crate::common::{hexzero, hexzero_with_input};

/// What is printed of a file, and what is said of it; there is an error if `fails`.
fn replay(options: &[&str], input: &str, fails: bool) -> (String, String) {
    let done = hexzero_with_input(Path::new("."), &[&["replay", "-"], options].concat(), input);
    let done = if fails { done.code(1) } else { done.success() };
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&done.get_output().stdout), text(&done.get_output().stderr))
}

/// The game in JSON without its name and board, and what is said.
fn line(input: &str) -> (String, String) {
    let (line, said) = replay(&["--to", "jsonl"], input, false);
    let rest = line.split_once("\"size\":5,").unwrap_or_else(|| panic!("{input}: {line}")).1;
    (rest.trim_end().trim_end_matches('}').to_owned(), said)
}

#[test]
fn readable_parts_are_read_with_warnings() {
    let game = r#""moves":["a1","b2"]"#;
    for (text, moves, said) in [
        ("From: a\nSubject: (b)\n\n(;GM[11]SZ[5];B[a1];W[b2])", game, "the text before the game"),
        ("(;GM[11]SZ[5];B[a1];W[b2]))\nbye", game, "the text after the game"),
        ("(;GM[11]SZ[5];B[a1];W[b2]", game, "the closing ')' is missing"),
        ("(;GM[11]SZ[5];B[a1](;W[b2]", game, "the closing ')' is missing"),
        ("(;GM[11]SZ[5];B[a1];W[b2])\n\0", game, ""),
        ("(;GM[11]SZ[5];B[A1];W[PASS];W[B2])", game, ""),
        (
            "(;GM[11]SZ[5];B[a1];W[resign];W[b2];B[c3])",
            r#""moves":["a1"],"resigned":"white","variations":[{"ply":1,"moves":["b2","c3"]"#,
            "kept as a variation",
        ),
        ("(;GM[11]SZ[5];B[a1](;W[b2])(;W[a1];B[c3]))", game, "a variation was left out: move 2 'a1': a1 is occupied"),
        ("(;GM[11]SZ[5];B[a1](;W[b2])(;AE[a1]))", game, "a variation was left out: move 2 'AE[a1]': "),
    ] {
        let (rest, told) = replay(&["--to", "jsonl"], text, false);
        assert!(rest.contains(moves), "{text:?}: {rest}");
        assert!(if said.is_empty() { told.is_empty() } else { told.contains(said) }, "{text:?}: {told}");
        assert_eq!(told.matches("warning: game 1: ").count(), told.lines().count());
    }
}

#[test]
fn moves_after_the_win_are_left_out() {
    let won = "(;GM[11]SZ[2];B[a1];W[b1];B[a2]";
    let summary = "{\"game\":\"hex\",\"size\":2,\"turns\":3,\"result\":\"black\",\"reason\":\"connection\"}\n";
    for (after, dropped) in [(";W[b2])", 1), (";W[b2];B[b2];W[zz])", 3), ("(;W[b2])(;W[b1]))", 2)] {
        let (printed, said) = replay(&[], &format!("{won}{after}"), false);
        assert_eq!(printed, summary, "{after}");
        assert!(said.contains(&format!("after move 3 the game is over (black); moves left out: {dropped}")), "{said}");
    }
    // In a variation too.
    let (printed, said) = replay(&["--to", "sgf"], "(;GM[11]SZ[2];B[a1];W[b1](;B[b2])(;B[a2];W[b2]))", false);
    assert!(printed.contains("(;B[a2])") && said.contains("the game is over (black)"), "{printed}{said}");
    let (_, said) = replay(&[], "https://hexworld.org/board/#2,a1b1a2b2", false);
    assert!(said.contains("moves left out: 1"), "{said}");
}

#[test]
fn one_bad_game_does_not_stop_the_others() {
    let good = "(;GM[11]SZ[3];B[a1])\n";
    for (bad, said) in [
        ("(;GM[11]SZ[3];B[a1];W[a1])", "error: game 2: move 2 'a1': a1 is occupied"),
        ("(;GM[11]SZ[3];B a1])", "error: game 2, character 38: "),
        ("(;GM[1]SZ[3];B[aa])", "error: game 2: GM[1] is another game"),
        ("(;GM[11]SZ[3:4];B[a1](;W[b1])(;W[b2]))", "error: game 2, character 30: the board's size is '3:4'"),
        ("(;GM[11]SZ[3]AE[a1];B[a1])", "error: game 2, character 35: AE[a1] takes stones off the board"),
        (
            "(;HZ[y];B[a1])",
            "error: game 2: the board's size is missing; SGF has SZ[11] for a board of 11×11, or give it by --size",
        ),
    ] {
        let (printed, told) = replay(&[], &format!("{good}{bad}\n{good}{bad}\n"), true);
        assert_eq!(printed.lines().count(), 2, "{bad}");
        assert!(told.starts_with(said) && told.contains("error: game 4"), "{bad}: {told}");
        assert_eq!(told.lines().count(), 2, "{told}");
    }
    // A game that is not closed ends where the next one begins.
    let (printed, told) = replay(&[], &format!("(;GM[11]SZ[3];B[a1]\n{good}"), false);
    assert!(printed.lines().count() == 2 && told.contains("game 1: the closing ')' is missing"), "{told}");
}

#[test]
fn missing_size_is_assumed() {
    let size =
        |options: &[&str], text: &str| replay(options, text, false).0.split_once("\"size\":").unwrap().1.to_owned();
    assert!(size(&[], "(;FF[4]GM[11];B[a3];W[k11])").starts_with("11,\"turns\":2"));
    assert!(size(&["--size", "13"], "(;FF[4]GM[11];B[a3];W[m13])").starts_with("13,\"turns\":2"));
    assert!(size(&["--size", "13"], "(;FF[4]GM[11]SZ[5];B[a3])").starts_with("5,"));
    assert!(size(&["--size", "5"], "(;FF[4]HZ[y];B[b3])").starts_with("5,"));
    hexzero(Path::new("."), &["replay", "-", "--size", "x"]).code(2).stderr(contains("--size"));
}

#[test]
fn stones_may_be_set_up_as_rectangles() {
    let text = "(;GM[11]SZ[5]AB[a1:c1][e5]AW[a2:b3]PL[B])";
    let setup =
        r#""setup":{"first":["a1","b1","c1","e5"],"second":["a2","b2","a3","b3"],"to_move":"first"},"moves":[]"#;
    assert_eq!(line(text), (setup.to_owned(), String::new()));
    // A position without moves is shown.
    let states = |text: &str| replay(&["--states"], text, false).0;
    assert!(states(text).contains("\"states\":[\"BBB..WW...WW............B\"]"), "{}", states(text));
    let json = r#"{"game":"hex","size":2,"setup":{"first":["a1"],"second":["b2"]},"moves":[]}"#;
    assert!(states(json).contains("\"states\":[\"B..W\"]"), "{}", states(json));
    assert!(states(r#"{"game":"hex","size":2,"moves":[]}"#).contains("\"states\":[]"));
}

#[test]
fn white_may_begin() {
    let empty = r#""setup":{"first":[],"second":[],"to_move":"second"},"moves":"#;
    for text in ["(;GM[11]SZ[5]PL[W];W[a3];B[c4];W[d5])", "(;GM[11]SZ[5];W[a3];B[c4];W[d5])"] {
        assert_eq!(line(text), (format!(r#"{empty}["a3","c4","d5"]"#), String::new()));
        let (sgf, _) = replay(&["--to", "sgf"], text, false);
        assert!(sgf.contains("PL[W];W[a3];B[c4];W[d5])"), "{sgf}");
        assert_eq!(line(&sgf).0, format!(r#"{empty}["a3","c4","d5"]"#));
        let (link, _) = replay(&["--to", "hexworld"], text, false);
        assert_eq!(link, "https://hexworld.org/board/#5,:pa3c4d5\n");
        assert_eq!(line(&link).0, format!(r#"{empty}["a3","c4","d5"]"#));
        assert!(
            replay(&["--legal"], text, false)
                .0
                .contains("\"turns\":3,\"result\":null,\"reason\":null,\"legal\":[25,24,23],\"movers\":[1,0,1]")
        );
    }
    assert_eq!(line("(;GM[11]SZ[5]PL[W])").0, format!("{empty}[]"));
    // White wins from side to side as always.
    let won = replay(&[], "(;GM[11]SZ[2];W[a1];B[a2];W[b1])", false);
    assert!(won.0.contains("\"result\":\"white\"") && won.1.is_empty(), "{won:?}");
    // Black's stone after the swap of White's is on the mirrored place, and White moves again.
    let (swapped, said) = line("(;GM[11]SZ[5];W[b3];B[swap];W[b2];B[a1])");
    assert_eq!(swapped, r#""moves":["c2","b2","a1"]"#);
    assert!(
        said.contains("white began and black swapped; read as black's stone on c2, to which white replies"),
        "{said}"
    );
    assert_eq!(line("(;GM[11]SZ[5]PL[W];W[c3];B[swap-pieces];W[b2])").0, r#""moves":["c3","b2"]"#);
}

#[test]
fn stone_stays_after_a_swap_of_sides() {
    let states = |text: &str| replay(&["--states"], text, false);
    let (printed, said) = states("(;GM[11]SZ[3];B[a2];W[swap-sides];B[c3])");
    assert!(printed.contains("\"states\":[\"...B.....\",\"...B....B\"]"), "{printed}");
    assert!(said.contains("after swap-sides the same colour should move again"), "{said}");
    let (printed, said) = states("(;GM[11]SZ[3];W[a2];B[swap-sides];B[c3])");
    assert!(printed.contains("\"states\":[\"...W.....\",\"...W....B\"]") && !said.is_empty(), "{printed}{said}");
    let (printed, said) = states("(;GM[11]SZ[3];B[a2];W[swap-sides];W[c3])");
    assert!(printed.contains("\"...B....W\"]") && said.is_empty(), "{printed}{said}");
}

#[test]
fn control_characters_are_quoted() {
    let (_, said) = replay(&[], "(;GM[11]SZ[5];B[\u{1b}\\]0;x\u{7}])", true);
    assert!(said.contains("\\u{1b}") && !said.contains('\u{1b}'), "{said:?}");
}

#[test]
fn moves_after_a_resignation_keep_the_result() {
    let (told, said) = replay(&[], "(;GM[11]SZ[5];B[a1];W[resign];B[a1])", false);
    assert!(told.contains(r#""turns":1,"result":"black","reason":"resignation""#), "{told}");
    assert!(said.contains("a variation was left out"), "{said}");
}

#[test]
fn odd_swap_after_setup_stones_is_refused() {
    let (told, _) = replay(&[], "(;GM[11]SZ[5]AB[c3][d3]AW[a1]PL[W];W[b3];B[swap];W[b2])", true);
    assert_eq!(told, "");
}

#[test]
fn warnings_of_many_variations_are_counted() {
    let text = format!("(;GM[11]SZ[5];B[a1](;W[b1]){})", "(;W[x])".repeat(20_000));
    let (told, said) = replay(&[], &text, false);
    assert!(told.contains("\"turns\":2"), "{told}");
    assert_eq!(said.lines().count(), 11, "{said}");
    assert!(said.contains("19990 more variations were left out"), "{said}");
}

#[test]
fn warnings_are_told_wherever_a_game_is_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("game.sgf"), "x(;GM[11]SZ[3]RE[W];B[a1];W[resign])").unwrap();
    let told = || contains("the text before the game").and(contains("the resignation counts"));
    hexzero(folder.path(), &["review", "game.sgf", "--visits", "10"]).success().stderr(told());
    hexzero(folder.path(), &["analyze", "--file", "game.sgf", "--visits", "10"]).success().stderr(told());
    let gtp = hexzero_with_input(folder.path(), &["gtp", "--game", "hex", "--size", "3"], "loadsgf game.sgf\nquit\n");
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
