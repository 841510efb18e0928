//! What stands on the board and beside it.

use crate::driver::DESK;
use crate::page::{Page, text};

#[test]
#[ignore = "needs Chromium"]
fn standings_of_both_players_are_shown() {
    let page = Page::open(DESK);
    for (game, what) in [("hexifence", "captured cells"), ("infexion", ""), ("3connection", "")] {
        page.click("#open-new");
        page.choose_game(game);
        page.click("#choose-side input[value=people]");
        page.click("#start");
        page.wait(
            "!document.querySelector('dialog[open]') && document.querySelectorAll('.player .points').length === 2",
        );
        let shown = page.run(
            "return [...document.querySelectorAll('.player .points')].map((one) => [one.title, one.textContent]);",
        );
        let shown = shown.as_array().unwrap();
        assert!(text(&shown[0][0]).contains(what), "{game}: {shown:?}");
        // The number, with what it counts for those who do not see where it stands.
        assert_eq!(text(&shown[0][1]), format!("{}: 0", text(&shown[0][0])), "{game}");
    }
    page.picture("standing");
}

/// The outlines of all places and sides, with their lines, are within the picture.
#[test]
#[ignore = "needs Chromium"]
fn outlines_are_not_cut_off() {
    let page = Page::open(DESK);
    page.visit("#y/5/");
    page.wait("document.getElementById('playing').textContent.startsWith('Y')");
    let cut = page.run(
        "const { left, top, right, bottom } = document.querySelector('.table .board').getBoundingClientRect();
         return [...document.querySelectorAll('.table .outline, .table .band')].filter((one) => {
             const box = one.getBoundingClientRect();
             const line = Number(getComputedStyle(one).strokeWidth.replace('px', '')) / 2 * one.getScreenCTM().a;
             return box.left - line < left || box.top - line < top || box.right + line > right || box.bottom + line > bottom;
         }).length;",
    );
    assert_eq!(cut, 0);
}
