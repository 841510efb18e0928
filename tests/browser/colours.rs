//! The colours of the board, and what is told to those who do not see it.

use serde_json::json;

use crate::driver::{DESK, ENTER};
use crate::page::{Page, text};

const PAINT: &str = "[...document.querySelectorAll('.table .outline, .table .band.first, .table .stone.first .disc')]
    .map((one) => getComputedStyle(one).fill).filter((one, i, all) => all.indexOf(one) === i).join()";

#[test]
#[ignore = "needs Chromium"]
fn board_keeps_the_chosen_colours() {
    let page = Page::open(DESK);
    page.place("c2");
    let mut seen = vec![text(&page.value(PAINT))];
    for board in ["wood", "slate", "safe"] {
        page.click_setting(&format!("#choose-board input[value={board}]"));
        page.settle();
        let paint = text(&page.value(PAINT));
        assert!(!seen.contains(&paint), "{board}: {paint}");
        seen.push(paint.clone());
        page.picture(&format!("board-{board}"));
        page.visit("");
        page.wait(&format!("{PAINT} === '{paint}'"));
    }
    // The cards of the gallery have them too.
    page.click("#open-home");
    page.wait("document.querySelector('#gallery [data-game=cachex] .stone.first')");
    let same = page.run(
        "const fill = (selector) => getComputedStyle(document.querySelector(selector)).fill;
         return fill('#gallery [data-game=cachex] .stone.first .disc') === fill('.table .stone.first .disc');",
    );
    assert_eq!(same, true);
}

#[test]
#[ignore = "needs Chromium"]
fn key_and_button_announce_the_position() {
    let page = Page::for_two(DESK, 5);
    page.place_all(&["c1", "b2", "a5", "c2", "b3"]);
    let position =
        "Blue to move. Move 5: Red plays b3 and captures b2 and c2. Row 1: c1 red. Row 3: b3 red. Row 5: a5 red.";
    page.run("document.activeElement.blur();");
    page.press("t");
    page.wait(&format!("document.getElementById('told').textContent === {}", json!(position)));
    page.run("document.getElementById('told').textContent = ''; document.getElementById('tell').focus();");
    page.press(ENTER);
    page.wait(&format!("document.getElementById('told').textContent === {}", json!(position)));
}
