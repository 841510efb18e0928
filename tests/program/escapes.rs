//! Text from elsewhere cannot control the terminal: escape sequences and marks of direction in files, names and
//! messages are shown as their numbers.

use std::fs;
use std::path::Path;

use hexzero::network::Checkpoint;

use crate::common::hexzero_with_input;
use crate::tiny::{Folder, RECIPE, folder_with_recipe, train};

/// Texts that control a terminal: escape sequences, a bell, a backspace and a carriage return; C1 and marks of
/// direction, which TOML allows in literal strings; DEL, which TOML refuses before it looks at the rest.
const EVIL: [&str; 3] = ["\x1b]0;x\x07\x1b[2J\x1b[31m\u{8}\rx", "\u{9b}31m\u{202e}txt\u{2066}", "\u{7f}"];

fn steers(char: char) -> bool {
    char.is_control() && !matches!(char, '\n' | '\t')
        || matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Runs the program, which must print something and no control characters. Returns all that it prints.
fn said(at: &Path, arguments: &[&str], input: &str) -> String {
    let assert = hexzero_with_input(at, arguments, input);
    let output = assert.get_output();
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    let text = String::from_utf8(text).unwrap();
    assert!(!text.is_empty() && !text.contains(steers), "{arguments:?}: {text:?}");
    text
}

/// Runs the program, which must quote the text. Returns all that it prints.
fn quotes(at: &Path, arguments: &[&str], input: &str) -> String {
    let text = said(at, arguments, input);
    assert!(
        ["\\u{1b}", "\\u{9b}", "\\u{7f}", "\\u{202e}"].iter().any(|shown| text.contains(shown)),
        "{arguments:?}: {text}"
    );
    text
}

fn json(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

#[test]
fn games() {
    let at = &*Folder::empty();
    for evil in EVIL {
        let quoted = [
            format!("(;GM[11]SZ[5];B[{}a1])", evil.replace(']', "\\]")),
            format!("(;GM[11]SZ[{}5];B[a1])", evil.replace(']', "\\]")),
            format!("{{\"game\":{},\"size\":5,\"moves\":[]}}\n", json(&format!("{evil}hex"))),
            format!("{{\"game\":\"hex\",\"size\":5,\"moves\":[{}]}}\n", json(&format!("a1{evil}"))),
            format!("{{\"game\":\"hex\",\"size\":5,\"moves\":[],\"result\":{}}}\n", json(evil)),
            format!("{{\"game\":\"hex\",\"size\":5,\"moves\":[],\"resigned\":{}}}\n", json(evil)),
            format!("https://hexworld.org/board/#5,{evil}a1\n"),
        ];
        // A field that no game has is not named, and a name is no reason to refuse a game.
        let passed_over = [
            format!("{{\"game\":\"hex\",\"size\":5,{}:[]}}\n", json(evil)),
            format!(
                "{{\"game\":\"hex\",\"size\":3,\"name\":{0},\"players\":{{\"black\":{0}}},\"comments\":{{\"1\":{0}}},\"moves\":[\"a1\"]}}\n",
                json(evil)
            ),
        ];
        for command in [&["replay", "-"][..], &["review", "-", "--visits", "2"]] {
            quoted.iter().for_each(|file| drop(quotes(at, command, file)));
            passed_over.iter().for_each(|file| drop(said(at, command, file)));
        }
        let mut conversation = String::new();
        for (number, file) in quoted.iter().chain(&passed_over).enumerate() {
            fs::write(at.join(format!("game{number}")), file).unwrap();
            conversation += &format!("loadsgf game{number}\nshowboard\n");
        }
        conversation += &format!("play {evil} {evil}\n{evil}\n1 play b a1{evil}\nloadsgf {evil}\nquit\n");
        said(at, &["gtp", "--game", "hex", "--visits", "1"], &conversation);
        said(
            at,
            &["play", "--plain", "--size", "3", "--visits", "1"],
            &format!("{evil}\nsave {evil}\nlevel {evil}\nquit\n"),
        );
        // The name of a file.
        let name = format!("{}.sgf", evil.replace('/', ""));
        quotes(at, &["replay", &name], "");
        quotes(at, &["inspect", &name], "");
    }
}

#[test]
fn checkpoints_recipes_and_runs() {
    let at = &*folder_with_recipe();
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/tack.safetensors");
    let shipped = Checkpoint::from_bytes(&fs::read(shipped).unwrap(), "tack").unwrap();
    train(at, "--recipe tiny.toml --run a --games 6 --workers 1").success();
    let read = |name: &str| fs::read_to_string(at.join("a").join(name)).unwrap();
    let (metrics, recipe) = (read("metrics.jsonl"), read("recipe.toml"));
    for evil in EVIL {
        let mut checkpoint = shipped.clone();
        let metadata = &mut checkpoint.metadata;
        (metadata.parent, metadata.rating) = (Some(format!("{evil}\nrating 9000")), Some(evil.to_owned()));
        fs::write(at.join("net"), checkpoint.to_bytes().unwrap()).unwrap();
        assert!(!quotes(at, &["inspect", "net"], "").contains("\nrating 9000"), "a line of its own");
        checkpoint.metadata.game = format!("{evil}cachex");
        fs::write(at.join("net"), checkpoint.to_bytes().unwrap()).unwrap();
        quotes(at, &["inspect", "net"], "");
        quotes(at, &["gtp", "--model", "net"], "quit\n");

        // A literal string of TOML has no control characters but those of C1.
        for line in [format!("{} = 1\n", json(evil)), format!("{evil} = 1\n"), format!("game = {}\n", json(evil))] {
            fs::write(at.join("evil.toml"), line + RECIPE).unwrap();
            said(at, &["train", "--no-matches", "--recipe", "evil.toml", "--run", "b", "--games", "1"], "");
        }
        for (name, whole, line) in [
            ("metrics.jsonl", &metrics, format!("{{\"{evil}\":{evil}}}\n")),
            ("ladder.jsonl", &String::new(), format!("{{{}:1}}\n", json(evil))),
            ("recipe.toml", &recipe, format!("{} = 1\n", json(evil))),
        ] {
            let path = at.join("a").join(name);
            fs::write(&path, line + whole).unwrap();
            said(at, &["report", "a"], "");
            said(at, &["inspect", "a"], "");
            said(at, &["tournament", "ladder", "a", "--size", "3", "--games", "2", "--visits", "1"], "");
            fs::write(&path, whole).unwrap();
        }
    }
}

#[test]
fn tournaments_and_players() {
    let at = &*Folder::empty();
    for evil in EVIL {
        let game = format!(
            "{{\"game\":\"hex\",\"seed\":0,\"limits\":\"visits=200\",\"size\":3,\"moves\":[\"c1\",\"b3\",\"a3\",\"a2\",\"b2\"],\
             \"result\":\"black\",\"a\":{{\"name\":{0}}},\"b\":{{\"name\":\"random\"}},\"number\":0,\"a_is_first\":false,\
             \"opening\":1,\"thinking\":[]}}\n",
            json(evil)
        );
        for line in [game.clone(), game.replace("\"seed\":0", &format!("{}:0", json(evil)))] {
            fs::write(at.join("games.jsonl"), line).unwrap();
            let words = "tournament random alphabeta:1 --game hex --size 3 --games 2 --save games.jsonl";
            said(at, &words.split(' ').collect::<Vec<_>>(), "");
        }
        for player in
            [format!("alphabeta:{evil}"), evil.to_owned(), format!("gtp:no-such-{}", evil.replace(['/', '\r'], ""))]
        {
            said(at, &["arena", "random", &player, "--game", "hex", "--size", "3", "--games", "2"], "");
        }
    }
}
