//! What a telephone must show without scrolling, and in full.

use serde_json::json;

use crate::driver::{DESK, Screen, TELEPHONE};
use crate::page::Page;
use crate::states::LYING;

/// Where an element lies on the screen: top and bottom.
fn lies(page: &Page, selector: &str) -> (f64, f64) {
    let found = page.run(&format!(
        "scrollTo(0, 0); const {{ top, bottom }} = document.querySelector('{selector}').getBoundingClientRect(); return [top, bottom];"
    ));
    (found[0].as_f64().unwrap(), found[1].as_f64().unwrap())
}

/// An upright telephone in common use, and the same on its side.
const UPRIGHT: Screen = Screen { width: 390, height: 844, is_telephone: true };
const ON_ITS_SIDE: Screen = Screen { width: 844, height: 390, is_telephone: true };

/// The board, the sentence, the engine's best lines, the actions and the steps, all at once.
#[test]
#[ignore = "needs Chromium"]
fn telephone_shows_what_matters_without_scrolling() {
    let page = Page::open(UPRIGHT);
    for size in [3, 7, 11] {
        page.resize(UPRIGHT);
        page.begin_for_two(size);
        for analysis in [false, true] {
            if analysis {
                page.click("#analyse");
                page.wait("document.querySelectorAll('.lines .line').length > 1");
            }
            for screen in [UPRIGHT, ON_ITS_SIDE, TELEPHONE, LYING] {
                page.resize(screen);
                let bar = lies(&page, ".actions").0;
                let mut parts = vec![".table .board", "#title", "#text", "#analyse"];
                if analysis {
                    parts.extend(["#chances", ".lines .line:first-child", ".lines .line:nth-child(2)"]);
                }
                for part in parts {
                    let (top, bottom) = lies(&page, part);
                    let end = if part.contains("board") && screen.width > screen.height {
                        f64::from(screen.height)
                    } else {
                        bar
                    };
                    assert!(
                        top >= 0.0 && bottom <= end + 0.5,
                        "{screen:?}, size {size}, analysis {analysis}: {part} is at {top} to {bottom}, the bar at {bar}"
                    );
                }
                for id in ["undo", "hint", "resign", "first", "back", "forward", "last"] {
                    let (top, bottom) = lies(&page, &format!("#{id}"));
                    assert!(
                        top >= 0.0 && bottom <= f64::from(screen.height),
                        "{screen:?}: {id} is at {top} to {bottom}"
                    );
                }
            }
        }
        page.resize(UPRIGHT);
        page.click("#analyse");
    }
}

/// The offer of a swap is wholly in sight, with the board.
#[test]
#[ignore = "needs Chromium"]
fn swap_is_offered_above_the_bar() {
    let page = Page::for_two(UPRIGHT, 11);
    page.place("c2");
    page.wait("document.querySelector('.offers .swap')");
    for screen in [UPRIGHT, TELEPHONE] {
        page.resize(screen);
        let ((_, bottom), (bar, _)) = (lies(&page, ".offers .swap"), lies(&page, ".actions"));
        assert!(bottom <= bar, "{screen:?}: {bottom}, {bar}");
    }
}

#[test]
#[ignore = "needs Chromium"]
fn steps_are_above_the_moves_or_in_the_bar() {
    let page = Page::for_two(TELEPHONE, 5);
    page.resize(DESK);
    let ((_, bottom), (top, _)) = (lies(&page, ".steps"), lies(&page, "#moves"));
    assert!((top - bottom).abs() < 3.0, "{bottom}, {top}");
    page.resize(TELEPHONE);
    page.place("d1");
    page.click("#back");
    page.wait_for_title("Move 0 of 1");
}

#[test]
#[ignore = "needs Chromium"]
fn landscape_telephone_shows_the_level() {
    let page = Page::open(LYING);
    page.begin(7, "red", 3);
    // The first game of a visit looks alike, but for the level.
    page.wait("document.querySelector('.player.second .quiet')?.textContent === 'Engine, intermediate'");
    let shown = page.run(
        "const level = document.querySelector('.player.second .quiet'); const range = document.createRange();
         range.selectNodeContents(level.lastChild); const { width, height } = range.getBoundingClientRect();
         return [level.textContent, level.checkVisibility(), width > 20 && height > 8, level.scrollWidth <= level.clientWidth];",
    );
    assert_eq!(shown, json!(["Engine, intermediate", true, true, true]));
}

/// The button that begins a game is in sight, however little of the dialog is.
#[test]
#[ignore = "needs Chromium"]
fn new_game_can_be_started_without_scrolling() {
    for screen in [TELEPHONE, LYING, DESK] {
        let page = Page::open(screen);
        page.click("#open-new");
        page.click("#choose-side input[value=engine]");
        page.slide("choose-level", 7);
        for top in ["0", "fields.scrollHeight / 2", "fields.scrollHeight"] {
            let hit = page.run(&format!(
                "const fields = document.querySelector('.dialog-fields'); fields.scrollTop = {top};
                 const {{ left, top, width, height }} = document.getElementById('start').getBoundingClientRect();
                 return document.elementFromPoint(left + width / 2, top + height / 2)?.id;"
            ));
            assert_eq!(hit, "start", "{screen:?}, scrolled to {top}");
        }
    }
}

/// Where cells are so small that a touch may miss, the first touch asks for a second one.
#[test]
#[ignore = "needs Chromium"]
fn first_touch_of_a_small_cell_asks_for_another() {
    let page = Page::for_two(TELEPHONE, 13);
    page.run(
        "window.touch = (name) => document.querySelector(`.cell[aria-label^='${name},']`)
            .dispatchEvent(new PointerEvent('click', { bubbles: true, pointerType: 'touch' }));
         touch('c4');",
    );
    page.wait("document.getElementById('notice').textContent === 'Tap c4 again to play there.'");
    assert!(page.moves().is_empty());
    page.run("touch('c4');");
    page.wait_for_moves(1);
    assert_eq!(page.run("return document.getElementById('notice').checkVisibility();"), false);
}

/// Lists text that is cut off. Only the moves expected after a move may end in an ellipsis.
const CUT: &str = "
    const parts = '.player, .lines .line, .card-head, .actions button, .offers button, .move, .candidate';
    return [...document.querySelectorAll(parts)].flatMap((part) => {
        if (!part.checkVisibility()) return [];
        const box = (part.querySelector('.plate') ?? part).getBoundingClientRect();
        const texts = [...part.querySelectorAll('*'), part].flatMap((one) => [...one.childNodes]).filter(({ nodeType, data }) => nodeType === 3 && data.trim());
        return texts.filter((text) => {
            const one = text.parentElement;
            if (!one.checkVisibility() || one.closest('.unseen, .found, .engine, .beyond') || getComputedStyle(one).clipPath !== 'none') return false;
            const range = document.createRange();
            range.selectNodeContents(text);
            const isDrawn = one.namespaceURI.endsWith('svg');
            const { left, right } = (isDrawn ? one : range).getBoundingClientRect();
            const isShortened = !isDrawn && one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1;
            return isShortened || left < box.left - 1 || right > box.right + 1;
        }).map((text) => `${part.className.baseVal ?? part.className}: '${text.data}'`);
    });";

/// Games with long names of moves, with turned pieces, and with small places.
#[test]
#[ignore = "needs Chromium"]
fn texts_are_not_cut_off() {
    let page = Page::open(TELEPHONE);
    for link in [
        "#infexion/7/.s%3A3%2C3.s%3A0%2C0.s%3A4%2C4.s%3A4%2C3",
        "#tack/8/.a6.g1.f1.h8.e1.d1.c1.b1.g2",
        "#quickwin/7/.Lb1.La2.Rb2.Lc3.Rc3",
    ] {
        page.visit(link);
        let moves = link.matches('.').count();
        page.wait_for_moves(moves);
        page.settle();
        page.click("#analyse");
        for screen in [TELEPHONE, LYING, DESK] {
            page.resize(screen);
            page.wait("document.querySelector('.lines .line')");
            if link.contains("infexion") {
                page.wait(
                    "[...document.querySelectorAll('.lines b')].some((move) => /[↗↑↖↙↓↘]/.test(move.textContent))",
                );
            }
            assert_eq!(page.run(CUT), json!([]), "{link}, {screen:?}");
        }
        page.click("#analyse");
    }
}
