//! A board that two people share through a server.

use serde_json::{Value, json};

use crate::driver::DESK;
use crate::friend::ROLES;
use crate::page::{Page, text};

/// Whether the engine may be asked: for an analysis, for a hint.
const ADVICE: &str = "return ['analyse', 'hint'].map((id) => !document.getElementById(id).disabled);";

/// Begins a shared board of Hex; returns the links for the other player, for those who watch, and for this one, without the page's
/// address.
fn share(page: &Page) -> [String; 3] {
    page.click("#open-new");
    page.slide("choose-size", 3);
    page.click("#choose-side input[value=shared]");
    assert_eq!(page.run("return document.getElementById('clock-field').checkVisibility();"), false);
    page.click("#start");
    page.wait("document.querySelector('#share-dialog[open] [data-link=mine]')");
    let script = "return [...document.querySelectorAll('#share-dialog input')].map((field) => field.value);";
    let links = page.run(script);
    page.click("#share-dialog .wide");
    let cut = |link: &Value| text(link).strip_prefix(&page.address()).expect("a link to this page").to_owned();
    [cut(&links[0]), cut(&links[1]), cut(&links[2])]
}

/// Opens a link as somebody who has never been there.
fn visit(link: &str) -> Page {
    let page = Page::open_for_newcomer(DESK, "#hex/3/");
    page.run(&format!("location.hash = {};", json!(link)));
    page
}

#[test]
#[ignore = "needs Chromium"]
fn two_pages_play_each_other_to_a_result() {
    let black = Page::open(DESK);
    black.run("location.hash = '#hex/3/';");
    black.wait("document.querySelectorAll('.table .cell').length === 9");
    let [other, watch, _] = share(&black);
    assert_eq!(black.run(ROLES), json!(["person", "friend"]));
    let (white, watcher) = (visit(&other), visit(&watch));
    white.wait("document.querySelector('.player.second').dataset.role === 'person'");
    watcher.wait("document.querySelector('.player.second').dataset.role === 'friend'");
    white.wait_for_title("Your friend's turn");
    black.place("a1");
    white.wait_for_moves(1);
    white.wait_for_title("You may swap");
    assert_eq!(black.run("return document.querySelectorAll('.cell.playable').length;"), 0);
    // The engine advises neither player, but those who watch may analyse.
    assert_eq!((white.run(ADVICE), watcher.run(ADVICE)), (json!([false, false]), json!([true, false])));
    white.place("b2");
    black.wait_for_moves(2);
    watcher.wait_for_moves(2);
    assert_eq!(watcher.run("return document.querySelectorAll('.cell.playable').length;"), 0);

    // A move is taken back, as the other one allows it.
    white.press_offer("Ask to undo");
    black.wait_for_title("White asks to undo");
    white.wait_for_title("You asked to undo");
    black.press_offer("Allow");
    black.wait_for_title("Your friend's turn");
    white.wait("document.querySelectorAll('.move:not(.taken-back)').length === 1");
    white.pick("c1");
    black.wait("document.querySelectorAll('.cell.playable').length === 7");

    // A reload comes back to the game, with what has happened meanwhile.
    black.go("about:blank");
    assert_eq!(watcher.run("return document.querySelectorAll('.table [data-owner=second]').length;"), 1);
    black.go(&black.address());
    black.wait("document.querySelectorAll('.cell.playable').length === 7");
    assert_eq!(black.run(ROLES), json!(["person", "friend"]));
    black.pick("a2");
    white.wait("document.querySelectorAll('.cell.playable').length === 6");
    white.pick("c2");
    black.wait("document.querySelectorAll('.cell.playable').length === 5");
    black.pick("a3");
    black.wait_for_title("You win");
    white.wait_for_title("Your friend wins");
    watcher.wait_for_title("Black wins");
    assert_eq!(white.run(ADVICE), json!([true, false]));
}

#[test]
#[ignore = "needs Chromium"]
fn lost_connection_returns_to_the_board() {
    let black = Page::open_under_control(DESK);
    black.run("location.hash = '#hex/3/.b2';");
    black.wait("document.querySelectorAll('.table .cell').length === 9");
    black.click("#open-games");
    black.click("#share-board");
    black.wait("document.querySelector('#share-dialog[open]')");
    let links = black.run("return [...document.querySelectorAll('#share-dialog input')].map((field) => field.value);");
    black.click("#share-dialog .wide");
    // White is to move, and shared it: the other link is black's.
    assert_eq!(black.run(ROLES), json!(["friend", "person"]));
    let white = black;
    let black = visit(text(&links[0]).strip_prefix(&white.address()).unwrap());
    black.wait("document.querySelector('.player.first').dataset.role === 'person'");
    white.run("window.before = window.socket; window.socket.close();");
    white.wait("window.socket !== window.before && window.socket.readyState === 1");
    black.press_offer("Ask to undo");
    black.wait_for_title("You asked to undo");
    white.wait_for_title("Black asks to undo");
    white.press_offer("Refuse");
    black.wait_for_title("Your friend's turn");
    // Resigning is told, too.
    white.click("#resign");
    white.click("#resign");
    black.wait_for_title("You win");
    white.wait_for_title("Your friend wins");
}

#[test]
#[ignore = "needs Chromium"]
fn link_to_an_unknown_board_is_reported() {
    let page = visit("#shared/0123456789abcdef0123456789abcdef");
    page.wait("document.getElementById('notice').textContent.startsWith('There is no board with this link')");
}
