//! A handicap in a new game.

use serde_json::json;

use crate::driver::DESK;
use crate::page::{Page, text};

fn begin(page: &Page, game: &str, side: &str, handicap: &str) {
    page.click("#open-new");
    page.choose_game(game);
    page.slide("choose-size", 7);
    page.click(&format!("#choose-side input[value={side}]"));
    page.click(&format!("#choose-handicap input[value='{handicap}']"));
    page.slide("choose-level", 0);
    page.click("#start");
    page.wait("!document.querySelector('dialog[open]')");
}

#[test]
#[ignore = "needs Chromium"]
fn weaker_player_gets_stones() {
    let page = Page::open(DESK);
    begin(&page, "hex", "black", "3");
    // The engine, as white, moves first.
    page.wait_for_moves(1);
    page.wait_for_turn();
    assert_eq!(page.run("return document.querySelectorAll('.table [data-owner=first]').length;"), 3);
    let card = page.text_of(".player.first .notes");
    assert_eq!(card, "+3handicap of 3 stones");
    assert_eq!(page.run("return document.querySelector('.offers .swap');"), json!(null));
    // It is in the address, and stays after a reload.
    let hash = text(&page.run("return location.hash;"));
    assert!(hash.contains("/hex/7/") || hash.starts_with("#hex/7/"), "{hash}");
    page.go(&page.address());
    page.wait("document.querySelectorAll('.table [data-owner=first]').length === 3");
}

#[test]
#[ignore = "needs Chromium"]
fn two_people_play_without_the_swap() {
    let page = Page::open(DESK);
    begin(&page, "hex", "people", "move");
    page.wait("document.getElementById('playing').textContent.includes('without')");
    page.place("d4");
    assert_eq!(page.run("return document.querySelector('.offers .swap');"), json!(null));
}

#[test]
#[ignore = "needs Chromium"]
fn offered_handicaps_fit_the_game() {
    let page = Page::open(DESK);
    page.click("#open-new");
    for (game, size, choices) in [
        ("hex", 11, json!(["none", "move", "2", "3", "4"])),
        ("hex", 5, json!(["none", "move", "2"])),
        ("link", 6, json!(["none"])),
    ] {
        page.choose_game(game);
        page.slide("choose-size", size);
        let offered = "return [...document.querySelectorAll('#choose-handicap input')].map(({ value }) => value);";
        assert_eq!(page.run(offered), choices, "{game}");
        let is_shown = page.run("return document.getElementById('handicap-field').checkVisibility();");
        assert_eq!(is_shown, choices.as_array().unwrap().len() > 1, "{game}");
    }
}
