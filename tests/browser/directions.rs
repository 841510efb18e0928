//! Moves in a direction are described as the board is drawn.

use crate::driver::DESK;
use crate::page::{Page, text};

const SHOWN: &str = "document.querySelector('.move[aria-current] .name').textContent";

/// Whether an arrow points to where the stack went: the sign of x and y on the screen, from one cell to the other.
fn points_right_and_down(page: &Page) -> (bool, bool) {
    let way = page.run(
        "const middle = (name) => { const { left, top, width, height } = document.querySelector(`.cell[aria-label^='${name},'] .area`).getBoundingClientRect(); return [left + width / 2, top + height / 2]; };
         const [[x, y], [to, below]] = [middle('3,3'), middle('3,4')]; return [to > x, below > y];",
    );
    (way[0] == true, way[1] == true)
}

fn assert_it_fits(page: &Page) {
    let shown = text(&page.value(SHOWN));
    let (is_right, is_down) = points_right_and_down(page);
    let title = text(&page.run("return document.querySelector('.move[aria-current]').title;"));
    let arrow = shown.strip_prefix("3,3 ").unwrap_or_else(|| panic!("{shown}"));
    let (right, down) = ("→↗↘".contains(arrow), "↓↘↙".contains(arrow));
    // An arrow straight up, down or sideways shows only one of the two.
    assert!("↑↓".contains(arrow) || right == is_right, "{shown}: right is {is_right}");
    assert!("→←".contains(arrow) || down == is_down, "{shown}: down is {is_down}");
    let words = ["right", "left"].into_iter().find(|word| title.contains(word));
    assert!(words.is_none_or(|word| (word == "right") == is_right), "{title}: right is {is_right}");
    assert!(title.starts_with("3,3 "), "{title}");
}

#[test]
#[ignore = "needs Chromium"]
fn spread_is_described_as_the_board_is_turned() {
    let page = Page::open(DESK);
    // The game's own word for the way from 3,3 to 3,4 fits a board that is drawn differently.
    page.visit("#infexion/7/.s%3A3%2C3.s%3A0%2C0.m%3A3%2C3%3ADownRight.s%3A0%2C2");
    page.wait_for_moves(4);
    page.click("#back");
    page.wait_for_title("Move 3 of 4");
    let mut seen = Vec::new();
    for key in ["", "r", "r", "f", "r"] {
        page.press(key);
        page.settle();
        assert_it_fits(&page);
        seen.push(text(&page.value(SHOWN)));
    }
    seen.dedup();
    assert!(seen.len() > 3, "{seen:?}");
    assert!(!page.text_of(".panel").contains("DownRight"));
}
