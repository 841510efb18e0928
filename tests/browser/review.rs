//! A finished game is looked over.

use std::process::Command;

use serde_json::{Value, json};

use crate::driver::{DESK, Screen};
use crate::page::{Page, text};

/// A short game with a move that throws the win away, as a line of a file.
const GAME: &str = r#"{"game":"hex-noswap","size":3,"moves":["a1","c1","a2","c2","c3","a3","b2","b3"]}"#;

/// What the program says of a game in a file.
fn reviewed(path: &str, visits: &str) -> Value {
    let arguments = ["review", path, "--json", "--visits", visits];
    let output = Command::new(env!("CARGO_BIN_EXE_hexzero")).args(arguments).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
#[ignore = "needs Chromium"]
fn a_finished_game_is_reviewed() {
    let page = Page::open_under_control(DESK);
    let file = page.file("short.jsonl", &format!("{GAME}\n"));
    page.click("#open-games");
    page.choose_file("#file", &file);
    page.wait("document.querySelectorAll('.move').length === 8 && document.querySelector('.player.won')");
    page.click(".offers .review");
    page.wait("!document.getElementById('reviewed').hidden");
    let visits = text(&page.wait("document.getElementById('reviewed').dataset.visits"));
    let found = reviewed(file.to_str().unwrap(), &visits);
    let rows = page.run(
        "return [...document.querySelectorAll('#accounts tbody tr')].map((row) =>
             [...row.children].map((cell) => cell.textContent.toLowerCase()));",
    );
    let expected: Vec<Value> = found["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|player| {
            let accuracy = player["accuracy"].as_f64().map_or("–".to_owned(), |accuracy| format!("{accuracy}%"));
            let count = |name: &str| player[name].to_string();
            json!([text(&player["player"]), accuracy, count("inaccuracies"), count("mistakes"), count("blunders")])
        })
        .collect();
    assert_eq!(rows, json!(expected));

    // The marks in the list, and the turning points of the graph.
    let faults: Vec<&Value> = found["moves"].as_array().unwrap().iter().filter(|one| !one["fault"].is_null()).collect();
    assert!(faults.iter().any(|one| one["fault"] == "blunder" && one["move"] == "c3"), "{found}");
    let marked = page.run(
        "return [...document.querySelectorAll('.move')].flatMap((move, i) => {
             const mark = move.querySelector('.mistake')?.textContent;
             return mark ? [[i + 1, { '?!': 'inaccuracy', '?': 'mistake', '??': 'blunder' }[mark]]] : [];
         });",
    );
    assert_eq!(marked, json!(faults.iter().map(|one| json!([one["ply"], one["fault"]])).collect::<Vec<_>>()));
    let turns = "return document.querySelectorAll('#chart .turn').length;";
    assert_eq!(page.run(turns), faults.len());

    // From mistake to mistake.
    page.click("#first");
    for fault in &faults {
        page.click("#next-mistake");
        page.wait(&format!("document.getElementById('title').textContent === 'Move {} of 8'", fault["ply"]));
        let remark = text(&page.run("return document.getElementById('remark').textContent;"));
        let expected =
            format!("{} is {}. Best was {}", text(&fault["move"]), article(&fault["fault"]), text(&fault["best"]));
        assert!(remark.to_lowercase().contains(&expected.to_lowercase()), "{remark}, not {expected}");
        let is_certain = !fault["proven_before"].is_null() || !fault["proven_after"].is_null();
        assert_eq!(remark.contains("certain"), is_certain, "{remark}");
        page.wait("document.querySelector('.expected')");
    }
    for (width, height, is_telephone) in [(390, 844, true), (1366, 657, false)] {
        page.resize(Screen { width, height, is_telephone });
        page.assert_no_sideways_scrolling("a review");
        page.picture(&format!("review-of-a-short-game-{width}"));
    }
    page.resize(DESK);
    assert_eq!(page.run("return document.getElementById('next-mistake').disabled;"), true);
    if faults.len() > 1 {
        page.click("#previous-mistake");
        let ply = &faults[faults.len() - 2]["ply"];
        page.wait(&format!("document.getElementById('title').textContent === 'Move {ply} of 8'"));
    }
    // The last mistake played otherwise, against the engine: another line of the game.
    page.click("#last");
    page.click("#previous-mistake");
    page.click("#try-again");
    page.wait("document.getElementById('title').textContent === 'Try again'");
    let other = if text(&faults[faults.len() - 1]["move"]) == "b1" { "b2" } else { "b1" };
    page.pick(other);
    page.wait("document.querySelectorAll('.variation .move').length === 2 && !document.querySelector('.status.busy')");
    assert_eq!(page.title(), "A variation");
    // Another game has no review.
    page.begin_for_two(5);
    page.wait("document.getElementById('reviewed').hidden");
    page.assert_silent();
}

fn article(fault: &Value) -> String {
    let fault = text(fault);
    format!("{} {fault}", if fault == "inaccuracy" { "an" } else { "a" })
}

#[test]
#[ignore = "needs Chromium"]
fn a_review_is_stopped_by_who_asked_for_it() {
    let page = Page::open_under_control(DESK);
    let moves: Vec<String> =
        (1..=9).flat_map(|row| ["a", "b", "c", "d", "e"].map(|column| format!("{column}{row}"))).collect();
    let game = json!({"game": "hex-noswap", "size": 13, "moves": moves});
    page.click("#open-games");
    page.choose_file("#file", &page.file("long.jsonl", &format!("{game}\n")));
    page.wait("document.querySelectorAll('.move').length === 45");
    page.click(".offers .review");
    page.wait("document.getElementById('reviewing').checkVisibility()");
    page.click("#stop-review");
    page.wait("document.getElementById('reviewing').hidden && document.getElementById('reviewed').hidden");
    // The server is free for something else.
    page.click("#analyse");
    page.wait("document.querySelectorAll('.lines .line').length");
    page.assert_silent();
}

/// A page with [`GAME`] and its review.
fn under_review() -> Page {
    let page = Page::open_under_control(DESK);
    page.click("#open-games");
    page.choose_file("#file", &page.file("short.jsonl", &format!("{GAME}\n")));
    page.wait("document.querySelectorAll('.move').length === 8 && document.querySelector('.player.won')");
    page.click(".offers .review");
    page.wait("!document.getElementById('reviewed').hidden");
    page
}

/// Undo takes back another try together with the engine's reply.
#[test]
#[ignore = "needs Chromium"]
fn undo_takes_another_try_back() {
    let page = under_review();
    page.click("#last");
    page.click("#previous-mistake");
    let title = page.title();
    page.click("#try-again");
    page.wait("document.getElementById('title').textContent === 'Try again'");
    let other = if title == "Move 8 of 8" { "b1" } else { "b2" };
    page.pick(other);
    page.wait("document.querySelectorAll('.variation .move').length === 2 && !document.querySelector('.status.busy')");
    page.click("#undo");
    page.wait("document.querySelectorAll('.variation .move').length === 0");
    page.settle();
    assert_eq!(page.run("return document.querySelectorAll('.variation .move').length;"), 0);
    page.assert_silent();
}

/// A mistake that was taken back is none to go to.
#[test]
#[ignore = "needs Chromium"]
fn what_was_taken_back_is_no_mistake_any_more() {
    let page = under_review();
    page.click("#first");
    page.wait("!document.getElementById('next-mistake').disabled");
    for left in (0..8).rev() {
        page.click("#last");
        page.click("#undo");
        page.wait(&format!("document.querySelectorAll('.move').length === {left}"));
    }
    assert_eq!(page.run("return document.getElementById('next-mistake').disabled;"), true);
    page.assert_silent();
}
