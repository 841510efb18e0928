//! Hex as a user and as other programs meet it: every command, with a model that a tiny run has made.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{hexzero, hexzero_with_input};
use crate::gtp;
use crate::tiny::{folder_with_recipe, train};

/// A folder with a run of Hex, `runs/hex-001`, and one of Cachex, `runs/cachex-001`.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = folder_with_recipe();
        train(folder.path(), "--game hex --recipe tiny.toml --games 6").success().stdout(contains("runs/hex-001"));
        train(folder.path(), "--recipe tiny.toml --games 6").success().stdout(contains("runs/cachex-001"));
        folder
    });
    folder.path()
}

const MODEL: [&str; 2] = ["--model", "runs/hex-001"];

/// The checkpoints of both variants are for the same network, so the run's folder must say which it plays.
#[test]
fn run_without_the_swap_is_played_without_it() {
    let folder = folder_with_recipe();
    train(folder.path(), "--game hex-noswap --recipe tiny.toml --games 6 --run run").success();
    let moves =
        hexzero_with_input(folder.path(), &["gtp", "--model", "run", "--size", "3"], "play b a1\nall_legal_moves\n");
    moves.success().stdout(contains("b2").and(contains("swap").not()));
    let arena = ["arena", "run", "random", "--games", "2", "--size", "3", "--json"];
    hexzero(folder.path(), &arena).success().stdout(contains("\"game\":\"hex-noswap\"").and(contains("cache_hits")));
    train(folder.path(), "--from run --recipe tiny.toml --games 6 --run next").success();
    hexzero(folder.path(), &["inspect", "next", "--int8"]).success().stdout(contains("divergence of the policy"));
}

#[test]
fn legal_moves_end_with_the_game() {
    let input = "boardsize 2\nplay b a1\nplay w b1\nplay b a2\nall_legal_moves\nall_legal_moves w\n";
    let replies = hexzero_with_input(folder(), &["gtp", MODEL[0], MODEL[1]], input).success();
    let output = String::from_utf8(replies.get_output().stdout.clone()).unwrap();
    assert!(output.ends_with("=\n\n=\n\n") || output.ends_with("= \n\n= \n\n"), "{output:?}");
}

#[test]
fn sgf_may_begin_with_a_byte_order_mark() {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), "\u{feff}(;GM[11]SZ[3];B[a1];W[b2])").unwrap();
    hexzero(Path::new("."), &["replay", file.path().to_str().unwrap()]).success().stdout(contains("\"turns\":2"));
}

#[test]
fn client_conversation() {
    gtp::transcript(folder(), &MODEL, "hex.txt");
}

#[test]
fn position_is_set_up() {
    gtp::transcript(folder(), &MODEL, "hex_setup.txt");
}

#[test]
fn games_in_sgf_are_loaded() {
    for (name, text) in [
        ("game.sgf", "(;FF[4]GM[11]SZ[5:5];B[d2];W[swap-pieces];B[d5];W[a5];B[c3];W[resign]RE[B+Resign])"),
        ("setup.sgf", "(;FF[4]GM[11]SZ[3](;AB[a1][b2];W[c3])(;B[c1];W[b2]))"),
        ("illegal.sgf", "(;GM[11]SZ[3];B[a1];W[a1])"),
        ("go.sgf", "(;FF[4]GM[1]SZ[9];B[aa])"),
        ("broken.sgf", "(;GM[11]SZ[3];B[a1];W["),
        ("empty.sgf", "\n"),
    ] {
        fs::write(folder().join(name), text).unwrap();
    }
    gtp::transcript(folder(), &MODEL, "hex_sgf.txt");
}

#[test]
fn models_runs_and_games_know_their_game() {
    let say = |arguments: &[&str]| hexzero(folder(), arguments);
    say(&["inspect", "runs/hex-001"]).success().stdout(contains("game        hex, network"));
    let checkpoint = fs::read_dir(folder().join("runs/hex-001/checkpoints")).unwrap().next().unwrap().unwrap().path();
    say(&["inspect", checkpoint.to_str().unwrap()]).success().stdout(contains("game        hex, inputs version 1"));
    say(&["inspect", "runs/hex-001/games/000000.games"]).success().stdout(contains("6 games of hex at 3×3"));
    // The game follows from the model.
    say(&["play", "--model", "runs/hex-001", "--size", "3"]).success().stdout(contains("hex on a 3×3 board"));
    say(&["play", "--model", "runs/cachex-001", "--size", "3"]).success().stdout(contains("cachex on a 3×3 board"));
    say(&["play", "--size", "3"]).success().stdout(contains("cachex on a 3×3 board"));
    let play =
        hexzero_with_input(folder(), &["play", "--game", "hex-noswap", "--model", "runs/hex-001"], "d4\nboard\n");
    play.success().stdout(contains("hex-noswap on an 11×11 board").and(contains("swap'").not()));
    let arena = say(&["arena", "runs/hex-001", "random", "--size", "3", "--games", "4", "--visits", "4", "--json"]);
    let result: Value = serde_json::from_slice(&arena.success().get_output().stdout).unwrap();
    assert_eq!((result["game"].as_str(), result["games"].as_u64()), (Some("hex"), Some(4)));
}

#[test]
fn mismatched_games_and_sizes_are_refused() {
    let fails = |arguments: &[&str], message: &str| {
        hexzero(folder(), arguments).code(1).stderr(contains(message));
    };
    for command in ["play", "gtp"] {
        fails(
            &[command, "--game", "cachex", "--model", "runs/hex-001"],
            "checkpoint runs/hex-001: plays hex, but cachex is to be played",
        );
        fails(&[command, "--size", "2"], "cachex is played on boards of size 3 to 15, not 2");
        fails(&[command, "--model", "runs/hex-001", "--size", "20"], "hex is played on boards of size 2 to 19, not 20");
    }
    fails(&["arena", "runs/hex-001", "runs/cachex-001"], "runs/cachex-001: plays cachex, but hex is to be played");
    fails(&["arena", "runs/hex-001", "random", "--game", "cachex"], "plays hex, but cachex is to be played");
    fails(&["play", "--model", "runs/hex-001", "--side", "red"], "'red' is not a side of hex; choose black or white");
    fails(&["play", "--side", "white"], "'white' is not a side of cachex; choose red or blue");
    fs::write(folder().join("hex.toml"), "game = \"hex\"\n").unwrap();
    fails(
        &["train", "--game", "cachex", "--recipe", "hex.toml", "--run", "x"],
        "recipe hex.toml is for the game hex, not for cachex; leave out '--game cachex' to train hex, or choose a recipe",
    );
    fails(
        &["train", "--resume", "--run", "runs/hex-001", "--game", "cachex"],
        "run runs/hex-001 trains hex, not cachex; leave out '--game cachex' to resume it",
    );
    fs::write(folder().join("go.toml"), "game = \"go\"\n").unwrap();
    fails(
        &["train", "--recipe", "go.toml", "--run", "x"],
        "recipe go.toml: game = \"go\"; accepted: \"cachex\", \"hex\"",
    );
}

#[test]
fn hex_run_is_resumed_and_begun_from_checkpoint() {
    let folder = folder_with_recipe();
    train(folder.path(), "--game hex --recipe tiny.toml --games 6").success();
    // Without a word on the game: the run that was worked on last.
    train(folder.path(), "--resume --games 12").success().stdout(contains("run runs/hex-001: hex network"));
    let recipe = fs::read_to_string(folder.path().join("runs/hex-001/recipe.toml")).unwrap();
    assert!(recipe.contains("game = \"hex\""), "{recipe}");
    let checkpoint = fs::read_dir(folder.path().join("runs/hex-001/checkpoints")).unwrap().next().unwrap().unwrap();
    let from = format!("--recipe tiny.toml --games 6 --from {}", checkpoint.path().display());
    train(folder.path(), &from).success().stdout(contains("run runs/hex-002: hex network"));
    train(folder.path(), "--resume --game cachex").code(1).stderr(contains("runs holds no run"));
}

#[test]
fn matches_after_training_are_played_at_hex() {
    let folder = folder_with_recipe();
    let arguments = ["train", "--game", "hex", "--recipe", "tiny.toml", "--games", "6", "--run", "run"];
    let trained = hexzero(folder.path(), &arguments).success();
    trained.stdout(contains("trained against random at 3×3").and(contains("trained against alphabeta:2 at 3×3")));
}

#[test]
fn person_plays_hex() {
    let arguments = ["play", "--model", "runs/hex-001", "--size", "3", "--side", "white", "--visits", "20"];
    let played = hexzero_with_input(folder(), &arguments, "swap\nquit\n").success();
    let text = String::from_utf8_lossy(&played.get_output().stdout).into_owned();
    assert!(text.contains("You may type 'swap'.") && text.contains("white swap\nblack "), "{text}");
}

const GAME: &str = r#"{"game":"hex","size":3,"moves":["c1","swap","b2","b3","c2","c3"],"result":"white"}"#;

#[test]
fn recorded_games_convert_both_ways() {
    let replay = |arguments: &[&str], input: &str| {
        let replayed = hexzero_with_input(folder(), &[&["replay", "-"], arguments].concat(), input).success();
        String::from_utf8(replayed.get_output().stdout.clone()).unwrap()
    };
    let summary = "{\"game\":\"hex\",\"size\":3,\"turns\":6,\"result\":\"white\",\"reason\":\"connection\"}\n";
    let sgf = replay(&["--to", "sgf"], &format!("{GAME}\n\n{GAME}\n"));
    assert_eq!(sgf.lines().count(), 2);
    assert!(sgf.contains(";B[c1];W[swap-pieces];B[b2];"), "{sgf}");
    assert_eq!(replay(&["--to", "jsonl"], &sgf), format!("{GAME}\n{GAME}\n"));
    assert_eq!(replay(&[], &sgf), summary.repeat(2));
    assert_eq!(replay(&["--to", "sgf"], &sgf), sgf);
    assert_eq!(replay(&[], GAME), summary);
    let states = replay(&["--states"], &sgf);
    assert!(states.contains("..B......") && states.contains("......W.."), "{states}");
}

/// HexGui up to 0.9 says that pieces are swapped where the stone stays and the same colour moves again.
#[test]
fn swap_of_sides_is_read_from_sgf() {
    let replay = |options: &[&str], text: &str| {
        let mut command = assert_cmd::Command::cargo_bin("hexzero").unwrap();
        command.args([&["replay", "-"], options].concat()).write_stdin(text).assert()
    };
    let states = |text: &str| -> Value {
        let output = replay(&["--states"], text).success().get_output().stdout.clone();
        serde_json::from_slice::<Value>(&output).unwrap()["states"].clone()
    };
    let after = |stones: [&str; 3]| Value::from(stones.map(str::to_owned).to_vec());
    let game = |client: &str, word: &str| format!("(;AP[{client}]GM[11]SZ[3];B[a2];W[{word}];W[c3])");
    let sides = after(["...B.....", "...B.....", "...B....W"]);
    for (client, word) in [("HexGui:0.9.GIT", "swap-pieces"), ("other:1", "swap-sides"), ("other:1", "swap-pieces")] {
        assert_eq!(states(&game(client, word))[2], sides[2], "{client} {word}");
    }
    assert_eq!(states(&game("HexGui:0.9.GIT", "swap-pieces")), sides);
    let pieces = "(;AP[HexGui:0.10.GIT]GM[11]SZ[3];B[a2];W[swap-pieces];B[c3])";
    assert_eq!(states(pieces), after(["...B.....", ".W.......", ".W......B"]));
    // It is written so that others understand it, and read back.
    let written = replay(&["--to", "sgf"], &game("HexGui:0.9.GIT", "swap-pieces")).success();
    let written = String::from_utf8(written.get_output().stdout.clone()).unwrap();
    assert!(written.contains(";B[a2];W[swap-sides];W[c3])"), "{written}");
    assert_eq!(states(&written), sides);
}

/// On the board nothing changes by it, so a form without colours leaves it out.
#[test]
fn swap_of_sides_is_left_out_of_json() {
    let replay = |text: &str| {
        let replayed = hexzero_with_input(folder(), &["replay", "-", "--to", "jsonl"], text).success();
        String::from_utf8(replayed.get_output().stdout.clone()).unwrap()
    };
    let line = |rest: &str| format!("{{\"game\":\"hex\",\"size\":3,{rest}}}\n");
    let hexgui = "(;AP[HexGui:0.9]GM[11]SZ[3];B[a2];W[swap-pieces]C[mine now];W[c3](;B[b2])(;B[b1]))";
    let expected = r#""moves":["a2","c3","b2"],"comments":{"1":"mine now"},"variations":[{"ply":2,"moves":["b1"]}]"#;
    assert_eq!(replay(hexgui), line(expected));
    // The same without a word of its own, and beside a swap of pieces.
    let both = "(;GM[11]SZ[3];B[a2];W[swap-pieces](;W[c3])(;B[b2]))";
    assert_eq!(replay(both), line(r#""moves":["a2","c3"],"variations":[{"ply":1,"moves":["swap","b2"]}]"#));
    assert_eq!(
        replay("https://hexworld.org/board/#3,a2:S,c3:rb"),
        line(r#""moves":["a2","c3"],"resigned":"black","shown":1"#)
    );
}

/// A part of such a game ends with the turn of who goes on, and the stone where it was.
#[test]
fn game_can_be_cut_after_a_swap_of_sides() {
    fs::write(folder().join("sides.sgf"), "(;GM[11]SZ[3];B[a2];W[swap-sides];W[c3])").unwrap();
    let arguments = ["analyze", "--file", "sides.sgf", "--after", "2", "--visits", "200", "--lines", "9", "--json"];
    let analysed = hexzero(folder(), &arguments).success().get_output().stdout.clone();
    let analysis: Value = serde_json::from_slice(&analysed).unwrap();
    assert_eq!(analysis["to_move"], "white");
    let moves: Vec<&str> =
        analysis["lines"].as_array().unwrap().iter().map(|line| line["move"].as_str().unwrap()).collect();
    assert!(moves.contains(&"b1") && !moves.contains(&"a2"), "{moves:?}");

    let conversation = "loadsgf sides.sgf 3\nplay white a2\nplay white b1\nquit\n";
    let said = hexzero_with_input(folder(), &["gtp", "--game", "hex", "--size", "3"], conversation).success();
    let said = String::from_utf8(said.get_output().stdout.clone()).unwrap();
    let replies: Vec<&str> = said.split("\n\n").map(|reply| reply.trim().get(..1).unwrap_or_default()).collect();
    assert_eq!(replies[..3], ["=", "?", "="], "{said}");
}

/// The swapper of sides has the other colour from then on.
#[test]
fn swap_of_sides_is_reviewed_as_a_swap() {
    let faults = |sides: &str, after: &str| {
        let game = format!("(;GM[11]SZ[5];B[a1];W[{sides}];{after})");
        fs::write(folder().join("swapped.sgf"), game).unwrap();
        let arguments = ["review", "swapped.sgf", "--visits", "400", "--json"];
        let review = hexzero(folder(), &arguments).success().get_output().stdout.clone();
        let review: Value = serde_json::from_slice(&review).unwrap();
        review["moves"][1]["loss"].as_f64().unwrap()
    };
    // To take a1 on gives the game away, either way.
    let (sides, pieces) = (faults("swap-sides", "W[c3]"), faults("swap-pieces", "B[c3]"));
    assert!(sides > 0.5 && pieces > 0.5, "{sides} {pieces}");
}

#[test]
fn hexworld_links_are_games() {
    let replay = |arguments: &[&str], text: &str| {
        let replayed = hexzero_with_input(folder(), &[&["replay", "-"], arguments].concat(), text).success();
        String::from_utf8(replayed.get_output().stdout.clone()).unwrap()
    };
    let link = "https://hexworld.org/board/#5,a2:sb3,d4\n";
    let line = "{\"game\":\"hex\",\"size\":5,\"moves\":[\"a2\",\"swap\",\"b3\",\"d4\"],\"shown\":3}\n";
    assert_eq!(replay(&["--to", "jsonl"], link), line);
    assert_eq!(replay(&["--to", "hexworld"], line), link);
    assert_eq!(replay(&["--to", "hexworld"], &link.replace(",d4", ":rw")), link.replace(",d4", ":rw"));
    let turned = link.replace("#5", "#5x5r9mnc1");
    assert_eq!(replay(&["--to", "hexworld"], &turned), link);
    assert!(replay(&["--to", "sgf"], link).contains(";B[a2];W[swap-pieces];B[b3];W[d4])"));
}

#[test]
fn unreadable_or_unwritable_games_are_named() {
    let fails = |arguments: &[&str], input: &str, message: &str| {
        let replayed = hexzero_with_input(folder(), &[&["replay", "-"], arguments].concat(), input);
        replayed.code(1).stderr(contains(message));
    };
    let setup = "(;GM[11]SZ[3];B[a1](;B[b2];W[c3])(;W[b3]))";
    fails(&["--to", "jsonl"], setup, "game 1: a player places two stones in a row or passes, which only SGF can hold");
    fails(&[], "(;SZ[3];B[a1])", "game 1: the file does not say which game it is");
    fails(&[], "(;GM[1]SZ[3])", "game 1: GM[1] is another game");
    fails(&[], "(;GM[11]SZ[3];B[a1])(;GM[11]SZ[3];B[a1];W[a1])", "game 2: move 2 'a1': a1 is occupied");
    fails(&[], "(;GM[11]SZ[3", "game 1, character 13: it ends in the middle of a game");
    // Other programs have no such games.
    fails(&["--to", "jsonl"], "(;HZ[y]SZ[5];B[b3];W[swap-sides];W[c3])", "game 1: move 2 'swap-sides'");
    let cachex = r#"{"game":"cachex","size":5,"moves":["d2"]}"#;
    fails(&["--to", "hexworld"], cachex, "game 1 (line 1): HexWorld has no cachex, only Hex");
    fails(&[], "https://hexworld.org/board/#5x6,a1", "game 1 (line 1): the board is 5×6; Hex is played");
    fails(&[], "20,a1", "game 1 (line 1): hex is played on boards of size 2 to 19, not 20");
    fails(&[], "hello", "game 1 (line 1): 'hello' is no game: give SGF, a HexWorld link, or a line such as {\"game\":");
    fails(&[], "{\"game\":\"hex\"", "game 1 (line 1): not a game in JSON, character 13: it ends too early");
    let swapped = GAME.replace("\"hex\"", "\"hex-noswap\"");
    fails(&[], &swapped, "move 2 'swap': there is no swap in hex-noswap");
}

/// Games in the form of other places, in the words of this program.
fn as_lines(text: &str) -> String {
    let replayed = hexzero_with_input(folder(), &["replay", "-", "--to", "jsonl"], text).success();
    String::from_utf8(replayed.get_output().stdout.clone()).unwrap()
}

#[test]
fn little_golem_games_are_read() {
    let game = "(;FF[4]EV[hex.ld.13.1]PB[alice]PW[bob]SZ[13]RE[B]SO[http://www.littlegolem.com];W[kc];B[swap];W[ge];B[am];W[bb];B[resign])";
    let expected = r#"{"game":"hex","size":13,"moves":["k3","swap","g5","a13","b2"],"resigned":"white","name":"hex.ld.13.1","players":{"black":"alice","white":"bob"}}"#;
    assert_eq!(as_lines(game), format!("{expected}\n"));
    let black = "(;FF[4]EV[hex.ch.1.1.1]PB[alice]PW[bob]SZ[11]SO[http://www.littlegolem.com];B[ab];W[cc])";
    assert!(as_lines(black).starts_with(
        r#"{"game":"hex","size":11,"moves":["a2","c3"],"name":"hex.ch.1.1.1","players":{"black":"alice","#
    ));
}

#[test]
fn hexgui_setup_stones_and_labels_are_kept() {
    let game = "(;FF[4]GM[11]SZ[5]AB[a1][b2]AW[c3]LB[a1:one][e5:a:b];W[d4]LB[d4:1])";
    let expected = r#"{"game":"hex","size":5,"setup":{"first":["a1","b2"],"second":["c3"],"to_move":"second"},"moves":["d4"],"marks":{"0":{"a1":"one","e5":"a:b"},"1":{"d4":"1"}}}"#;
    let line = as_lines(game);
    assert_eq!(line, format!("{expected}\n"));
    let back = hexzero_with_input(folder(), &["replay", "-", "--to", "sgf"], line.as_str()).success();
    let back = String::from_utf8(back.get_output().stdout.clone()).unwrap();
    assert!(back.contains("AB[a1][b2]AW[c3]PL[W]LB[a1:one][e5:a:b];W[d4]LB[d4:1])"), "{back}");
    assert_eq!(as_lines(&back), line);
    // With moves before them they are moves.
    let swapped = "(;FF[4]GM[11]SZ[5];B[a1]LB[a1:x](;W[swap-pieces];B[c3])(;W[b2]LB[b2:y]))";
    assert!(
        as_lines(swapped)
            .contains(r#""marks":{"1":{"a1":"x"}},"variations":[{"ply":1,"moves":["b2"],"marks":{"2":{"b2":"y"}}}]"#)
    );
}

#[test]
fn links_with_passes_or_no_address_are_games() {
    assert_eq!(as_lines("11r9c1,a2b3"), "{\"game\":\"hex\",\"size\":11,\"moves\":[\"a2\",\"b3\"]}\n");
    let passed = "https://hexworld.org/board/#5,a2:pb3,c4:rw";
    let expected = r#"{"game":"hex","size":5,"setup":{"first":["a2"],"second":[],"to_move":"first"},"moves":["b3","c4"],"resigned":"white","shown":1}"#;
    assert_eq!(as_lines(passed), format!("{expected}\n"));
    let sgf = hexzero_with_input(folder(), &["replay", "-", "--to", "sgf"], passed).success();
    sgf.stdout(contains(";B[a2];B[b3];W[c4])"));
    // A pass at the end says whose turn it is.
    let turn = |stones: &str| format!("{{\"game\":\"hex\",\"size\":5,\"setup\":{{{stones}}},\"moves\":[]}}\n");
    assert_eq!(as_lines("#5,a2:p"), turn(r#""first":["a2"],"second":[],"to_move":"first""#));
    assert_eq!(as_lines("#5,a2:pb3c4:p"), turn(r#""first":["a2","b3"],"second":["c4"],"to_move":"second""#));
    assert_eq!(as_lines("#5,a2:p:p"), "{\"game\":\"hex\",\"size\":5,\"moves\":[\"a2\"]}\n");
    assert!(as_lines("(;GM[11]SZ[5];B[a2];W[pass];B[b3])").contains(r#""first":["a2"]"#));
}
