//! Games of other kinds than those that ship, each entered in its own way: `examples/toys`.

use serde_json::json;

use crate::driver::{DESK, ENTER, ESCAPE, LEFT, RIGHT, TELEPHONE, UP};
use crate::page::{Page, text};

fn focused(page: &Page) -> String {
    text(&page.run("return document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent;"))
}

/// A place, then what to put there.
#[test]
#[ignore = "needs Chromium"]
fn choice_is_offered_at_its_place() {
    let page = Page::open_toy(DESK, "toy-hexagon");
    assert_eq!(page.cells().len(), 19);
    page.pick("c3");
    page.wait("document.querySelectorAll('.choices button').length === 2");
    page.picture("choices");
    page.click(".choices button:nth-child(2)");
    page.wait_for_moves(1);
    assert_eq!(page.moves(), ["o:c3"]);
    assert!(page.told().starts_with("Alma puts o on c3."), "{}", page.told());

    // Whoever changes their mind picks the place again, another one, or presses Escape.
    page.pick("c4");
    page.wait("document.querySelector('.choices')");
    page.pick("c4");
    page.wait("!document.querySelector('.choices')");
    page.pick("c4");
    page.pick("b2");
    page.wait("document.querySelector('.choices')?.getAttribute('aria-label') === 'b2'");
    page.press(ESCAPE);
    page.wait("!document.querySelector('.choices')");
    assert_eq!(focused(&page), "b2, empty");
    // By keys alone: up from b2, and the second of the choices there.
    page.press(&format!("{UP}{ENTER}"));
    page.wait("document.querySelector('.choices button') === document.activeElement");
    page.press(&format!("{RIGHT}{ENTER}"));
    page.wait_for_moves(2);
    assert!(page.moves()[1].starts_with("o:"), "{:?}", page.moves());

    page.click("#undo");
    page.wait("document.querySelectorAll('.move:not(.taken-back)').length === 1");
    for name in ["b2", "d4"] {
        page.pick(name);
        page.click(".choices button:nth-child(2)");
        page.wait("!document.querySelector('.choices')");
    }
    page.wait("document.querySelector('.player.won')");
    assert_eq!(page.title(), "Alma wins");
    page.picture("signs");
    page.click("#open-lesson");
    page.wait("document.querySelectorAll('#lesson figure .piece').length === 2");
}

/// A stone of one's own, then a direction, also over the edge of the picture.
#[test]
#[ignore = "needs Chromium"]
fn direction_is_picked_after_a_source() {
    let page = Page::open_toy(DESK, "toy-torus");
    page.place_all(&["1,1", "0,0"]);
    assert_eq!(page.lit(), ["1,1"], "what may be moved is pointed out");
    page.pick("1,1");
    page.wait("document.querySelectorAll('.way').length === 6");
    let mut lit = page.lit();
    lit.sort();
    assert_eq!(lit, ["0,1", "0,2", "1,0", "1,2", "2,0", "2,1"]);
    page.picture("directions");
    page.press(ESCAPE);
    page.wait("!document.querySelector('.way')");
    page.pick("1,1");
    page.place("1,2");
    assert_eq!(page.moves()[2], "1,1:e");
    page.wait("document.querySelector('.trail')");
    page.picture("moved");

    // From the left end of row 0 to the right end, onto an enemy stone, by the arrow at the edge of the cell.
    page.place_all(&["2,2", "0,1"]);
    page.pick("0,0");
    page.wait("document.querySelectorAll('.way').length > 0");
    let onto = "[...document.querySelectorAll('.way')].findIndex((way) => way.textContent === '0,0:e')";
    let number = page.run(&format!("return {onto} + 1;"));
    page.click(&format!(".way:nth-child({number}) .reach"));
    page.wait_for_moves(6);
    assert_eq!(page.moves()[5], "0,0:e");
    assert!(page.told().contains("captures 0,1"), "{}", page.told());
    page.wait("document.querySelectorAll('.move .captures').length === 1");

    // By keys: to the stone, to its neighbour, and there.
    page.press("b");
    page.wait("document.activeElement.classList.contains('cell')");
    page.run("document.querySelector(\".cell[aria-label^='1,2,']\").focus();");
    page.press(&format!("{ENTER}{LEFT}"));
    assert!(focused(&page).contains("plays 1,2:"), "{}", focused(&page));
    page.press(ENTER);
    page.wait_for_moves(7);
}

/// Several boards, and a turn that may end early.
#[test]
#[ignore = "needs Chromium"]
fn boards_side_by_side_with_a_pass_button() {
    let page = Page::open_toy(DESK, "toy-two-boards");
    assert_eq!(page.cells().len(), 18);
    assert_eq!(page.text_of("#playing"), "Twins, 3 cells on a side of each board");
    page.place_all(&["Lb1", "Lc3"]);
    page.click(".offers .pass");
    page.wait_for_moves(3);
    assert_eq!(page.moves(), ["Lb1", "Lc3", "pass"]);
    assert!(page.told().starts_with("White places no second stone."), "{}", page.told());
    page.picture("two-boards");
    page.place_all(&["Lb2", "Ra1", "La1", "Ra2"]);
    page.place("Lb3");
    page.wait("document.querySelector('.player.won')");
    assert_eq!(page.title(), "Black wins");
    assert_eq!(page.run("return document.querySelectorAll('.links .link').length;"), json!(2));

    let page = Page::open_toy(TELEPHONE, "toy-two-boards");
    page.assert_no_sideways_scrolling("two boards");
    page.picture("telephone-two-boards");
}
