//! Whole games as other programs write them, and what comes after such a game.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::driver::{DESK, ENTER, TELEPHONE, until_saved};
use crate::page::{Page, text};

/// The contents of a file of `tests/data/files`.
fn written(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/files").join(name);
    fs::read_to_string(path).unwrap()
}

fn open_file(page: &Page, name: &str) {
    page.open_file(name, &written(name));
    page.wait("!document.querySelector('dialog[open]')");
}

fn players(page: &Page) -> Value {
    page.run("return [...document.querySelectorAll('.player .quiet')].map((who) => who.textContent);")
}

#[test]
#[ignore = "needs Chromium"]
fn little_golem_game_is_opened_whole() {
    let page = Page::open(DESK);
    open_file(&page, "little_golem.sgf");
    assert_eq!(page.moves().len(), 38);
    // The first move is White's there, and that of PB.
    assert_eq!(page.moves()[..3], ["m6", "swap", "k10"]);
    assert_eq!(players(&page), json!(["Daniel Sepczuk", "Maciej Celuch"]));
    assert_eq!(page.title(), "White wins");
    assert_eq!(page.text_of("#text"), "Black resigns.");
}

#[test]
#[ignore = "needs Chromium"]
fn hexgui_file_keeps_comments_and_letters() {
    let page = Page::open(DESK);
    open_file(&page, "hexgui.sgf");
    assert_eq!(page.moves().len(), 26);
    assert_eq!(players(&page), json!(["Ann", "Bob"]));
    page.click("#first");
    page.click("#forward");
    page.wait("document.getElementById('text').textContent === 'A usual opening.'");
    page.run("document.querySelectorAll('.move')[7].click();");
    page.wait("document.getElementById('text').textContent === 'Cuts [for now].'");
    page.run("document.querySelectorAll('.move')[9].click();");
    page.wait("document.querySelector('.marks .letter')?.textContent === 'A'");
}

#[test]
#[ignore = "needs Chromium"]
fn hexworld_link_opens_at_its_position() {
    let page = Page::open(DESK);
    page.type_link(&format!("{}{ENTER}", written("hexworld.txt").trim()));
    page.wait("!document.querySelector('dialog[open]')");
    assert_eq!((page.title().as_str(), page.moves().len()), ("Move 11 of 19", 19));
    page.click("#last");
    page.wait_for_title("White wins");
}

/// The turn after a pass is kept, although the pass is not listed as a move.
#[test]
#[ignore = "needs Chromium"]
fn pass_at_the_end_of_a_link_changes_the_turn() {
    let page = Page::open(DESK);
    for (link, title) in [("#6,a2", "White may swap"), ("#6,a2c3", "Black to move"), ("#6,a2c3:p", "White begins")] {
        page.click("#open-games");
        page.run("document.getElementById('link').value = '';");
        page.click("#link");
        page.press(&format!("https://hexworld.org/board/{link}{ENTER}"));
        page.wait("!document.querySelector('dialog[open]')");
        page.wait_for_title(title);
    }
    assert_eq!(page.stones(), 2);
}

/// Opening a game from a link or a file does not choose who plays the next one.
#[test]
#[ignore = "needs Chromium"]
fn new_game_after_a_link_is_against_the_engine() {
    let page = Page::open(DESK);
    let chosen = "return document.querySelector('#choose-side input:checked').value;";
    for open in [|page: &Page| page.visit("#cachex/5/.c1.d2"), |page: &Page| open_file(page, "hexgui.sgf")] {
        open(&page);
        page.wait("document.querySelectorAll('.move').length > 1");
        page.click("#open-new");
        assert!(["red", "black"].contains(&text(&page.run(chosen)).as_str()));
        page.click("dialog[open] .close");
    }
    // After a game of two people at this board, two people stay chosen.
    page.begin_for_two(5);
    page.click("#open-new");
    assert_eq!(page.run(chosen), "people");
    page.click("dialog[open] .close");
}

#[test]
#[ignore = "needs Chromium"]
fn long_name_stays_within_its_card() {
    let name = "Wolfeschlegelsteinhausenbergerdorff".repeat(4);
    let page = Page::open(DESK);
    page.open_file("long.sgf", &format!("(;FF[4]GM[11]SZ[5]PB[{name}]PW[B];B[c3];W[d2])"));
    page.wait("!document.querySelector('dialog[open]')");
    for screen in [DESK, TELEPHONE] {
        page.resize(screen);
        let inside = "const [card] = document.querySelectorAll('.player');
            const name = card.querySelector('.name .quiet');
            const [outer, inner] = [card, name].map((element) => element.getBoundingClientRect());
            return [inner.right <= outer.right, inner.bottom <= outer.bottom, name.scrollWidth <= name.clientWidth, name.title];";
        assert_eq!(page.run(inside), json!([true, true, true, name]));
    }
}

/// What the engine found is saved with the game, and shown again where no engine answers.
#[test]
#[ignore = "needs Chromium"]
fn analysis_is_saved_with_the_game() {
    let page = Page::open_under_control(DESK);
    page.begin_for_two(5);
    page.place_all(&["c1", "b2", "a5"]);
    page.click("#analyse");
    page.wait("document.querySelector('.chart .curve')?.getAttribute('d').split('L').length === 4");
    page.wait("document.querySelectorAll('.lines .line').length > 1");
    for (button, file) in [("#save", "cachex-5-3-moves.jsonl"), ("#save-sgf", "cachex-5-3-moves.sgf")] {
        page.click("#open-games");
        page.click(button);
        let path = page.downloads().join(file);
        let saved = until_saved(&path, |saved| saved.ends_with('\n'));
        page.click("#games .close");
        page.begin_for_two(7);
        // No search is answered from here on.
        page.run("window.held = true; window.kind = 'analyze';");
        page.open_file(file, &saved);
        page.wait_for_moves(3);
        page.wait("document.querySelector('.chart .curve')?.getAttribute('d').split('L').length === 4");
        assert_eq!(page.run("return document.querySelectorAll('.lines .line').length;"), 1, "{saved}");
        page.run("window.held = false; window.release?.();");
        page.wait("document.querySelectorAll('.lines .line').length > 1");
    }
}
