//! `hexzero games`.

use std::path::Path;

use assert_cmd::assert::Assert;
use hexzero::games::all_games;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::{Value, json};

use crate::common::hexzero_line;
use crate::games::hex;
use crate::output::stdout;

fn games(words: &str) -> Assert {
    hexzero_line(Path::new("."), &format!("games {words}"))
}

fn told(words: &str) -> Value {
    let text = stdout(&games(words).success().stderr(""));
    assert_eq!(text.lines().count(), 1, "the list is on one line");
    serde_json::from_str(&text).unwrap()
}

#[test]
fn games_are_listed_with_boards_and_seats() {
    let text = stdout(&games("").success().stderr(""));
    let parts: Vec<&str> = text.split("\n\n").collect();
    assert_eq!(parts.len(), all_games().len());
    for (part, game) in parts.into_iter().zip(all_games()) {
        assert!(part.starts_with(&format!("{}: {}\n", game.name(), game.summary)), "{part}");
        assert!(game.seats.iter().all(|seat| part.contains(&format!("{} {}", seat.name, seat.goal))), "{part}");
        let (least, most) = (game.boards.sizes.start(), game.boards.sizes.end());
        let boards = match least == most {
            true => format!("size {least} only"),
            false => format!("sizes {least} to {most} ({}), {} by default", game.boards.meaning, game.boards.default),
        };
        assert!(part.contains(&boards), "{part}");
    }
    games("--game hex").success().stdout(predicate::str::starts_with("hex: ").and(contains("cachex").not()));
}

#[test]
fn json_describes_a_game_in_full() {
    let list = told("--json");
    let list = list.as_array().unwrap();
    assert_eq!(list.len(), all_games().len());
    for (told, game) in list.iter().zip(all_games()) {
        let mut keys: Vec<&str> = told.as_object().unwrap().keys().map(String::as_str).collect();
        keys.sort_unstable();
        assert_eq!(
            keys,
            ["actions", "boards", "choices", "endings", "id", "model", "network", "seats", "sgf", "summary", "title"]
        );
        let id = [&told["id"], &told["title"], &told["summary"], &told["network"]];
        assert_eq!(id, [game.id, game.title, game.summary, game.network]);
        let boards = json!({
            "least": game.boards.sizes.start(), "most": game.boards.sizes.end(), "default": game.boards.default,
            "meaning": game.boards.meaning,
        });
        assert_eq!(told["boards"], boards);
        let seats: Vec<Value> =
            game.seats.iter().map(|seat| json!({"name": seat.name, "goal": seat.goal, "task": seat.task})).collect();
        assert_eq!(told["seats"], json!(seats));
        let words: Vec<&str> = game.actions.iter().map(|action| action.word).collect();
        let of = |list: &Value, key: &str| -> Vec<Value> {
            list.as_array().unwrap().iter().map(|entry| entry[key].clone()).collect()
        };
        assert_eq!(of(&told["actions"], "word"), words);
        assert_eq!(of(&told["endings"], "key"), game.endings.iter().map(|ending| ending.key).collect::<Vec<_>>());
        assert_eq!(of(&told["choices"], "word"), game.choices.iter().map(|choice| choice.word).collect::<Vec<_>>());
        assert_eq!(told["sgf"], json!(game.sgf));
        assert!(told["model"].is_null() || told["model"]["game"] == game.network, "{}", told["model"]);
    }
    let swap = json!({
        "word": "swap", "aliases": ["swap-pieces"], "foreign": "swap-pieces", "kind": "swap", "label": "Swap",
    });
    assert_eq!(told("--game hex --json")[0]["actions"], json!([swap]));
}

#[test]
fn board_is_shown() {
    let told = told("--game hex --size 5 --json");
    assert_eq!(told.as_array().unwrap().len(), 1);
    let board = &told[0]["board"];
    assert_eq!([&board["size"], &board["cells"], &board["actions"], &board["turn_limit"]], [5, 25, 26, 26]);
    // Through text, as numbers of the layout have no more digits there than they need.
    let layout = serde_json::to_string(&hex().game_board(5).unwrap().board().layout()).unwrap();
    assert_eq!(board["layout"], serde_json::from_str::<Value>(&layout).unwrap());
    games("--game hex --size 2").success().stdout(contains("\n\n    a b\n 1  . .  1\n  2  . .  2\n      a b\n"));
}
