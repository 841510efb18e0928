//! A game of two people who send each other links.

use serde_json::json;

use crate::driver::DESK;
use crate::page::{Page, text};
use crate::states::LYING;

/// Presses the button for the link, and returns what follows the page's address in it.
fn link(page: &Page) -> String {
    page.run("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); };");
    page.click(".offers .primary");
    let link = text(&page.wait("window.copied"));
    page.run("delete window.copied;");
    link.strip_prefix(&page.address()).expect("a link to this page").to_owned()
}

/// Returns who plays each side.
pub const ROLES: &str =
    "return ['first', 'second'].map((seat) => document.querySelector(`.player.${seat}`).dataset.role);";

#[test]
#[ignore = "needs Chromium"]
fn two_people_play_by_links() {
    let page = Page::open_of(DESK, &["--game", "hex"]);
    page.click("#open-new");
    page.slide("choose-size", 4);
    page.click("#choose-side input[value=friend]");
    assert_eq!(page.run("return document.getElementById('clock-field').checkVisibility();"), false);
    page.click("#start");
    page.wait("document.querySelectorAll('.table .cell').length === 16");
    assert_eq!(page.title(), "You are black");
    page.place("c1");
    page.wait_for_title("Your friend's turn");
    assert_eq!(page.run("return document.querySelectorAll('.cell.playable').length;"), 0);
    let sent = link(&page);
    assert_eq!(sent, "#friend/2/hex/4/.c1*");
    // The friend has never been here, and the page serves all that is needed.
    let friend = Page::open_for_newcomer(LYING, &sent);
    friend.wait("document.querySelector('.move')");
    assert_eq!(friend.run(ROLES), json!(["friend", "person"]));
    assert_eq!(friend.title(), "You may swap");
    friend.click(".offers .swap");
    friend.wait_for_title("Your friend's turn");
    // A reload changes nothing.
    friend.go(&friend.address());
    friend.wait_for_title("Your friend's turn");
    let answer = link(&friend);
    assert_eq!(answer, "#friend/1/hex/4/.c1.swap*");
    page.run(&format!("location.hash = {};", json!(answer)));
    page.wait_for_moves(2);
    assert_eq!(page.run(ROLES), json!(["person", "friend"]));
    assert_eq!(page.title(), "Your turn");
    page.place("b2");
    page.wait_for_title("Your friend's turn");
    assert_eq!(link(&page), "#friend/2/hex/4/.c1.swap.b2*");
    // The games before an answer are not kept as games of their own.
    page.click("#open-games");
    assert_eq!(page.run("return document.querySelectorAll('#own-games .own').length;"), 0);
}
