//! The home screen: the gallery, and what to go on with.

use serde_json::json;

use crate::driver::{DESK, ENTER, ESCAPE, HOME, Screen, TAB, TELEPHONE};
use crate::page::{Page, text};

const IS_HOME: &str = "!document.getElementById('home').hidden && !document.querySelector('#table').checkVisibility()";
const IS_GAME: &str = "document.getElementById('home').hidden && document.querySelector('#table').checkVisibility()";
const CELLS: &str = "document.querySelectorAll('.table .cell').length";

#[test]
#[ignore = "needs Chromium"]
fn newcomer_chooses_a_game_from_the_gallery() {
    let page = Page::open_for_newcomer(DESK, "");
    page.wait(IS_HOME);
    assert_eq!(page.run("return document.title;"), "hexzero");
    assert_eq!(page.run("return document.querySelectorAll('#gallery .game').length;"), 16);
    let card = page.text_of("#gallery [data-game=hexifence] .words");
    assert!(card.starts_with("HexiFence") && !card.ends_with(" moves"), "{card}");
    let card = page.text_of("#gallery [data-game=gale] .words");
    assert!(card.ends_with("Usually under 40 moves"), "{card}");
    page.wait("document.querySelector('#gallery [data-game=hex] .stone.first')");
    page.click("#gallery [data-game=hex]");
    page.wait("document.querySelector('#new-game').open");
    assert_eq!(page.run("return document.getElementById('choose-game').value;"), "hex");
    page.click("#start");
    page.wait(&format!("{CELLS} === 49 && {IS_GAME}"));
    assert!(text(&page.run("return location.hash;")).starts_with("#hex-noswap/7/"));
    // The second visit goes on with the game.
    page.visit("");
    page.wait(&format!("{CELLS} === 49 && {IS_GAME}"));
}

#[test]
#[ignore = "needs Chromium"]
fn home_continues_the_game_and_opens_the_latest() {
    let page = Page::for_two(DESK, 5);
    page.place_all(&["c1", "b3", "d4"]);
    // A game of one move is not among the recent ones.
    page.begin_for_two(6);
    page.place("c1");
    page.begin_for_two(4);
    page.place("b1");
    page.run("document.activeElement.blur();");
    page.press("0");
    page.wait(IS_HOME);
    assert_eq!(page.run("return [location.hash, document.activeElement.id];"), json!(["#home", "home-title"]));
    let offered = page.text_of("#continue");
    assert_eq!(offered, "ContinueCachex, 4 cells on a side. Move 1. Blue may swap.");
    // The focus is where it was before a dialog.
    page.run("document.querySelector('#recent-games button').focus();");
    page.press("n");
    page.wait("document.querySelector('#new-game').open");
    page.press(ESCAPE);
    page.wait("!document.querySelector('#new-game').open && document.activeElement.closest('#recent-games')");
    // The keys of the game have no effect here.
    page.press(HOME);
    page.click("#continue");
    page.wait(IS_GAME);
    assert_eq!(page.title(), "Blue may swap");
    page.click("#open-home");
    page.wait(IS_HOME);
    page.click("#recent-games button");
    page.wait(&format!("{CELLS} === 25 && {IS_GAME}"));
    assert_eq!(page.moves(), ["c1", "b3", "d4"]);
    assert!(text(&page.run("return location.hash;")).starts_with("#cachex/5/"));
}

#[test]
#[ignore = "needs Chromium"]
fn links_open_games_and_home() {
    let page = Page::open_for_newcomer(DESK, "#hex/5/.c3");
    page.wait(&format!("{CELLS} === 25 && {IS_GAME}"));
    page.visit("#home");
    page.wait(IS_HOME);
    page.run("location.hash = '#hex/6/.c3';");
    page.wait(&format!("{CELLS} === 36 && {IS_GAME}"));
}

#[test]
#[ignore = "needs Chromium"]
fn gallery_draws_visible_cards_and_takes_keys() {
    let page = Page::open_for_newcomer(TELEPHONE, "");
    page.wait("document.querySelector('#gallery li:first-child .board')");
    let last = "document.querySelector('#gallery section:last-child li:last-child')";
    assert_eq!(page.run(&format!("return {last}.querySelector('.board');")), json!(null));
    page.run(&format!("{last}.scrollIntoView();"));
    page.wait(&format!("{last}.querySelector('.board')"));
    page.assert_no_sideways_scrolling("home");
    page.run("scrollTo(0, 0); document.querySelector('#gallery button').focus();");
    page.press(&format!("{TAB}{ENTER}"));
    page.wait("document.querySelector('#new-game').open");
    assert_eq!(page.run("return document.getElementById('choose-game').value;"), "cachex");
    page.press(ESCAPE);
    page.wait("!document.querySelector('#new-game').open");
    page.wait(IS_HOME);
}

/// The gallery begins with what most people know, and has no card alone in a row.
#[test]
#[ignore = "needs Chromium"]
fn gallery_is_in_groups_without_orphans() {
    let page = Page::open_for_newcomer(DESK, "");
    page.wait(IS_HOME);
    let first = "return [...document.querySelectorAll('#gallery .game')].slice(0, 3).map((card) => card.dataset.game);";
    assert_eq!(page.run(first), json!(["hex", "cachex", "y"]));
    let alone = "return [...document.querySelectorAll('#gallery section')].flatMap((group) => {
        const tops = [...group.querySelectorAll('li')].map((card) => Math.round(card.getBoundingClientRect().top));
        const last = tops.filter((top) => top === tops.at(-1)).length;
        return last === 1 ? [group.querySelector('h3').textContent] : [];
    });";
    for width in [768, 1024, 1280, 1440, 1920] {
        page.resize(Screen { width, height: 900, is_telephone: false });
        assert_eq!(page.run(alone), json!([]), "{width}");
    }
}

/// A finished game is not offered to be continued, and one from a link is not among one's own.
#[test]
#[ignore = "needs Chromium"]
fn home_continues_only_what_goes_on() {
    let page = Page::open(DESK);
    page.visit("#cachex/5/.c1.b3.d4.a1");
    page.begin_for_two(5);
    page.place_all(&["c1", "b3"]);
    page.click("#resign");
    page.click("#resign");
    page.wait("document.querySelector('.player.won')");
    page.click("#open-home");
    page.wait(IS_HOME);
    assert_eq!(page.run("return document.getElementById('recent').hidden;"), true);
    let offered = page.text_of("#continue");
    assert!(offered.starts_with("Back to the board"), "{offered}");
    assert_eq!(page.run("return document.getElementById('continue').classList.contains('primary');"), false);
    page.click("#continue");
    page.wait(IS_GAME);
}
