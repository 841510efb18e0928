//! Reviews of finished games.

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
fn finished_game_is_reviewed() {
    let page = under_review();
    let file = page.file("short.jsonl", &format!("{GAME}\n"));
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
        page.wait_for_title(&format!("Move {} of 8", fault["ply"]));
        let remark = page.text_of("#remark");
        let expected = format!("{} is {}: ", text(&fault["move"]), article(&fault["fault"]));
        assert!(remark.to_lowercase().contains(&expected.to_lowercase()), "{remark}, not {expected}");
        assert!(remark.contains(&format!("Best was {}", text(&fault["best"]))), "{remark}");
        let is_certain = !fault["proven_before"].is_null() || !fault["proven_after"].is_null();
        assert_eq!(remark.contains(" a win in ") || remark.contains(" a loss in "), is_certain, "{remark}");
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
        page.wait_for_title(&format!("Move {ply} of 8"));
    }
    // Another move in place of the last mistake, against the engine, becomes a variation.
    page.click("#last");
    page.click("#previous-mistake");
    page.click("#try-again");
    page.wait_for_title("Try again");
    let other = if text(&faults[faults.len() - 1]["move"]) == "b1" { "b2" } else { "b1" };
    page.pick(other);
    page.wait("document.querySelectorAll('.variation .move').length === 2 && !document.querySelector('.status.busy')");
    assert!(["A variation", "The best move", "A good move", "A blunder"].contains(&page.title().as_str()));
    // Another game has no review.
    page.begin_for_two(5);
    page.wait("document.getElementById('reviewed').hidden");
}

fn article(fault: &Value) -> String {
    let fault = text(fault);
    format!("{} {fault}", if fault == "inaccuracy" { "an" } else { "a" })
}

#[test]
#[ignore = "needs Chromium"]
fn running_review_can_be_stopped() {
    let page = Page::open_under_control(DESK);
    let moves: Vec<String> =
        (1..=9).flat_map(|row| ["a", "b", "c", "d", "e"].map(|column| format!("{column}{row}"))).collect();
    let game = json!({"game": "hex-noswap", "size": 13, "moves": moves});
    page.open_file("long.jsonl", &format!("{game}\n"));
    page.wait_for_moves(45);
    page.click(".offers .review");
    page.wait("document.getElementById('reviewing').checkVisibility()");
    page.click("#stop-review");
    page.wait("document.getElementById('reviewing').hidden && document.getElementById('reviewed').hidden");
    // The server is free for something else.
    page.click("#analyse");
    page.wait("document.querySelectorAll('.lines .line').length");
}

/// A page with [`GAME`] and its review.
fn under_review() -> Page {
    let page = Page::open_under_control(DESK);
    page.open_file("short.jsonl", &format!("{GAME}\n"));
    page.wait("document.querySelectorAll('.move').length === 8 && document.querySelector('.player.won')");
    page.review();
    page
}

/// Undo goes back before another try together with the engine's reply; both stay as a variation.
#[test]
#[ignore = "needs Chromium"]
fn undo_goes_back_before_a_retry() {
    let page = under_review();
    page.click("#last");
    page.click("#previous-mistake");
    let title = page.title();
    page.click("#try-again");
    page.wait_for_title("Try again");
    let other = if title == "Move 8 of 8" { "b1" } else { "b2" };
    page.pick(other);
    page.wait("document.querySelectorAll('.variation .move').length === 2 && !document.querySelector('.status.busy')");
    page.click("#undo");
    page.wait_for_title("Try again");
    assert_eq!(page.run("return document.querySelectorAll('.variation .move').length;"), 2);
}

/// Goes to Black's c3 by the list of moments.
fn go_to_the_blunder(page: &Page) {
    page.run("[...document.querySelectorAll('.moment')].find((moment) => moment.textContent.includes('c3')).click();");
    page.wait_for_title("Move 5 of 8");
}

/// Another try gets a verdict with numbers, whatever it is.
#[test]
#[ignore = "needs Chromium"]
fn retry_gets_a_verdict() {
    let page = under_review();
    // Black's c3 overlooks a win at once on a3.
    go_to_the_blunder(&page);
    let remark = page.text_of("#remark");
    assert!(remark.starts_with("c3 is a blunder: black had a win in 1, and now has a loss in "), "{remark}");
    page.wait("document.querySelector('.marks .fault text').textContent === '??'");
    page.wait("document.querySelector('.marks .expected text').textContent === '!'");
    page.click("#try-again");
    page.wait_for_title("Try again");
    let told = page.text_of("#remark");
    assert!(told.starts_with("Shortest paths: "), "not the verdict on the move before: {told}");
    page.pick("b1");
    page.wait_for_title("A blunder");
    let said = page.text_of("#text");
    assert!(
        said.starts_with(
            "Black's win rate is 0% after b1; 100% after the best move; 0% after c3, as played. White played "
        ),
        "{said}"
    );
    let told = page.text_of("#remark");
    assert!(told.starts_with("Shortest paths: black needs "), "{told}");
    page.click("#undo");
    page.wait_for_title("Try again");
    page.pick("a3");
    page.wait_for_title("The best move");
    let said = page.text_of("#text");
    assert_eq!(said, "Black's win rate is 100% after a3; 0% after c3, as played. It wins.");
}

/// Why a move was bad is told in the game's terms, and drawn: the answer cuts the way from side to side.
#[test]
#[ignore = "needs Chromium"]
fn blunder_is_explained_by_the_way_it_cuts() {
    // Black plays elsewhere, and White cuts the stone in the middle off from the lower side.
    let game = r#"{"game":"hex-noswap","size":5,"moves":["c3","b4","e1","c4"]}"#;
    let page = Page::open_under_control(DESK);
    page.open_file("cut.jsonl", &format!("{game}\n"));
    page.wait_for_moves(4);
    page.review();
    page.run("document.querySelectorAll('.move')[2].click();");
    page.wait_for_title("Move 3 of 4");
    let remark = "document.getElementById('remark').textContent";
    page.wait(&format!("/^e1 is a blunder: .*The answer c4 stops black's threat to win in 3\\./.test({remark})"));
    page.wait("document.querySelectorAll('.marks .way-across.first circle').length >= 1");
    page.picture("cut-way");
}

/// The better line becomes a variation, to be gone through.
#[test]
#[ignore = "needs Chromium"]
fn better_line_is_added_to_the_game() {
    let page = under_review();
    go_to_the_blunder(&page);
    page.click("#show-better");
    page.wait("document.querySelector('.variation .move[aria-current] .name')?.textContent === 'a3'");
    assert_eq!(page.title(), "A variation");
}

/// Deleted moves are no longer among the mistakes. Deleting asks for confirmation.
#[test]
#[ignore = "needs Chromium"]
fn deleted_moves_are_no_mistakes() {
    let page = under_review();
    page.click("#first");
    page.wait("!document.getElementById('next-mistake').disabled");
    page.click("#forward");
    page.click("#delete");
    page.wait("document.querySelector('#delete span').textContent === 'Sure?'");
    assert_eq!(page.moves().len(), 8);
    page.click("#delete");
    page.wait_for_moves(0);
    assert_eq!(page.run("return document.getElementById('next-mistake').disabled;"), true);
    assert_eq!(page.run("return document.querySelectorAll('.moment').length;"), 0);
}

/// Going back in a game from a file leaves it as it was.
#[test]
#[ignore = "needs Chromium"]
fn undo_leaves_a_loaded_game_unchanged() {
    let page = under_review();
    page.click("#last");
    for _ in 0..3 {
        page.click("#undo");
    }
    page.wait_for_title("Move 5 of 8");
    assert_eq!(page.moves().len(), 8);
    page.click("#redo");
    page.wait_for_title("Move 6 of 8");
    // A variation becomes the main line.
    page.pick("b1");
    page.wait("document.querySelectorAll('.variation .move').length === 1");
    page.click("#raise");
    page.wait("document.querySelectorAll('.variation .move').length === 2");
    assert_eq!(page.moves()[6], "b1");
}
