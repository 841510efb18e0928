//! Everything can be reached, on every screen and in every state, and stays where it is.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::access::SCHEMES;
use crate::driver::{DESK, Screen};
use crate::page::{Page, text};
use crate::states::{FINISHED, Kind, SCREENS, walk};

/// Lists what is wrong with the page, a sentence for each: controls that lie under something else and cannot be scrolled out of it,
/// a current move out of view, and text that is cut off.
const FAULTS: &str = r#"
    const faults = [];
    const root = document.querySelector("dialog[open]") ?? document.body;
    const name = (one) => one ? `${one.tagName}#${one.id}.${one.getAttribute("class")} '${(one.getAttribute("aria-label") ?? one.textContent).slice(0, 30)}'` : "nothing";
    const centre = (one) => {
        const { left, top, width, height } = one.getBoundingClientRect();
        return [left + width / 2, top + height / 2];
    };
    const holds = ({ left, top, right, bottom }, [x, y]) => x >= left && x < right && y >= top && y < bottom;
    // Whether the bar of a telephone lies over a point, which the page can scroll away from it.
    const isUnderBar = (one, [, y]) => !one.closest(".steps, .actions, dialog") && [...document.querySelectorAll(".steps, .actions")]
        .some((bar) => bar.checkVisibility() && getComputedStyle(bar).position === "fixed" && y >= bar.getBoundingClientRect().top);
    // Whether something that scrolls hides a point.
    const isClipped = (one, at) => {
        if (isUnderBar(one, at)) return true;
        if (!holds({ left: 0, top: 0, right: innerWidth, bottom: innerHeight }, at)) return true;
        for (let above = one.parentElement; above; above = above.parentElement) {
            if (getComputedStyle(above).overflowY === "visible" || above === document.body) continue;
            const { left, top } = above.getBoundingClientRect();
            const [x, y] = [left + above.clientLeft, top + above.clientTop];
            if (!holds({ left: x, top: y, right: x + above.clientWidth, bottom: y + above.clientHeight }, at)) return true;
        }
        return false;
    };
    const scrolled = [...document.querySelectorAll("*")].filter((one) => one.scrollHeight > one.clientHeight);
    const before = scrolled.map((one) => [one, one.scrollTop]);
    const rest = () => before.forEach(([one, top]) => (one.scrollTop = top));
    const controls = "button:enabled, a[href], input:enabled, select, [role=button], [role=slider], .cell[aria-disabled=false]";
    for (const control of root.querySelectorAll(controls)) {
        const shown = control.closest("label") ?? control;
        // What only shows when the Tab key leads to it is not clicked on.
        if (!shown.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
        const isHit = () => {
            const hit = document.elementFromPoint(...centre(shown));
            // Buttons and arrows that belong to a place lie on its neighbours until they are used.
            return hit && (shown.contains(hit) || (shown.matches(".cell") && hit.closest(".choices, .way"))) ? null : hit ?? document.documentElement;
        };
        const wasClipped = isClipped(shown, centre(shown));
        if (wasClipped) shown.scrollIntoView({ block: "center", inline: "center" });
        const over = isHit();
        if (over) faults.push(`${name(shown)} is under ${name(over)}${wasClipped ? ", though scrolled to" : ""}`);
        if (wasClipped) rest();
    }
    const list = document.getElementById("moves");
    const current = list.querySelector("[aria-current]");
    if (current && root === document.body) {
        const [{ top, bottom }, inside] = [current.getBoundingClientRect(), list.getBoundingClientRect()];
        if (top < inside.top - 1 || bottom > inside.bottom + 1) faults.push(`the current move (${top} to ${bottom}) is out of the list (${inside.top} to ${inside.bottom})`);
    }
    for (const one of root.querySelectorAll(".chances span, .actions button, .offers button, .player .name, .player .quiet, .player .notes, .lines b, #searched, .game, .notice, .status p, nav button")) {
        if (one.checkVisibility() && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1))
            faults.push(`${name(one)} is cut off: ${one.scrollWidth}×${one.scrollHeight} in ${one.clientWidth}×${one.clientHeight}`);
    }
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
    if (scrollWidth > clientWidth) faults.push(`the page is ${scrollWidth - clientWidth} too wide`);
    const isHome = !document.getElementById("home").hidden;
    if (!isHome && innerWidth > innerHeight && scrollHeight > clientHeight) faults.push(`the page is ${scrollHeight - clientHeight} too high`);
    const panel = document.querySelector(".panel");
    if (innerWidth > innerHeight && panel.scrollHeight > panel.clientHeight) faults.push(`the panel is ${panel.scrollHeight - panel.clientHeight} too high`);
    return faults;"#;

/// Where the board lies. On an upright telephone it makes room for the engine's lines or a review: there is one place for each case.
const BOARD: &str =
    "const { left, top, width, height } = document.querySelector('.table .board').getBoundingClientRect();
    return [left, top + scrollY, width, height].map(Math.round);";
const MAKES_ROOM: &str =
    "return innerWidth < innerHeight && ['lines', 'review'].some((id) => !document.getElementById(id).hidden);";

#[test]
#[ignore = "needs Chromium"]
fn controls_are_never_covered() {
    let mut faults = Vec::new();
    let mut boards: HashMap<(u32, bool), Value> = HashMap::new();
    walk(|page, state, kind| {
        // A scheme changes nothing but colours, so each screen is seen in one.
        for (screen, scheme) in SCREENS.into_iter().zip(SCHEMES.into_iter().cycle()) {
            page.prefer(&[("prefers-color-scheme", scheme)]);
            page.resize(screen);
            let what = format!("{state}, {}×{}, {scheme}", screen.width, screen.height);
            let found = page.run(FAULTS);
            faults.extend(found.as_array().unwrap().iter().map(|fault| format!("{what}: {}", text(fault))));
            if kind == Kind::Game {
                let board = page.run(BOARD);
                let makes_room = page.run(MAKES_ROOM) == true;
                let before = boards.entry((screen.width, makes_room)).or_insert_with(|| board.clone());
                if board != *before {
                    faults.push(format!("{what}: the board has moved from {before} to {board}"));
                }
            }
            page.picture(&format!("state-{}-{}x{}", state.replace(' ', "-"), screen.width, screen.height));
        }
        page.resize(DESK);
    });
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// Where everything that can be clicked lies.
const PLACES: &str = "return [...document.querySelectorAll('button, .table .cell, .player, h2, h3')].filter((one) => one.checkVisibility())
    .map((one) => { const { left, top } = one.getBoundingClientRect(); return [one.id, Math.round(left), Math.round(top)].join(' '); });";

fn assert_nothing_moves_for_a_notice(screen: Screen) {
    let page = Page::open_under_control(screen);
    page.begin_for_two(7);
    page.run("window.scrollTo(0, 0); document.activeElement.blur();");
    page.settle();
    let before = page.run(PLACES);
    for notice in ["notice", "away"] {
        match notice {
            // The middle, where nobody may begin.
            "notice" => page.pick("d4"),
            _ => page.lose_the_server(),
        }
        page.wait(&format!("document.getElementById('{notice}').checkVisibility()"));
        page.settle();
        assert_eq!(page.run(PLACES), before, "{screen:?}: {notice}");
        page.picture(&format!("{notice}-{}x{}", screen.width, screen.height));
    }
}

#[test]
#[ignore = "needs Chromium"]
fn notices_move_nothing() {
    for screen in SCREENS {
        assert_nothing_moves_for_a_notice(screen);
    }
}

/// A rim label belongs to the line whose cells are nearest.
#[test]
#[ignore = "needs Chromium"]
fn letters_stand_at_their_columns() {
    let page = Page::open(DESK);
    let far = page.run(
        "return [...document.querySelectorAll('.table .coordinate')].flatMap((label) => {
            const middle = (one) => { const { left, top, width, height } = one.getBoundingClientRect(); return [left + width / 2, top + height / 2]; };
            const text = label.textContent;
            if (Number(text)) return [];
            const [x, y] = middle(label);
            const distances = [...document.querySelectorAll('.table .cell')].map((cell) => {
                const [cx, cy] = middle(cell.querySelector('.area'));
                return [Math.hypot(cx - x, cy - y), Math.abs(cx - x), cell.getAttribute('aria-label')];
            }).sort(([a], [b]) => a - b);
            const [[, aside, nearest]] = distances;
            return nearest.startsWith(text) && aside < 2 ? [] : [`${text} is ${aside} beside ${nearest}`];
        });",
    );
    assert_eq!(far, json!([]));
}

const DESKS: [Screen; 3] = [
    Screen { width: 1280, height: 800, is_telephone: false },
    Screen { width: 1440, height: 900, is_telephone: false },
    Screen { width: 1920, height: 1080, is_telephone: false },
];

/// Lists what does not fit on one screen of a desk, a sentence for each.
const CROWDED: &str = "
    const faults = [];
    const box = (selector) => document.querySelector(selector).getBoundingClientRect();
    for (const one of document.querySelectorAll('.panel, #findings, .card.moves, #review'))
        if (one.scrollHeight > one.clientHeight + 1) faults.push(`${one.id || one.className} has ${one.scrollHeight} in ${one.clientHeight}`);
    const lines = [...document.querySelectorAll('.lines .line')].filter((line) => line.checkVisibility());
    if (lines.length < 3) faults.push(`${lines.length} lines`);
    const order = ['#chances', '#lines', '#moves', '#review', '#undo'].map((selector) => box(selector).top);
    if (order.some((top, i) => i && top <= order[i - 1])) faults.push(`not in order: ${order}`);
    if (box('#undo').bottom > innerHeight) faults.push('the actions are out of the window');
    if (box('#moves').height < 80) faults.push(`the moves have ${box('#moves').height} pixels`);
    // The picture of the board fills its place, and that is all that the panel leaves.
    const { clientWidth, clientHeight } = document.getElementById('table');
    const ratio = Math.min(box('.table .board').width / clientWidth, box('.table .board').height / clientHeight);
    if (ratio < 0.99) faults.push(`the board has ${ratio} of its place`);
    if (innerWidth - clientWidth > 520) faults.push(`the place of the board is ${clientWidth} wide`);
    return faults;";

/// A review with an analysis: the evaluation and the lines, the moves and the review, without scrolling.
#[test]
#[ignore = "needs Chromium"]
fn one_screen_has_room_for_review_and_analysis() {
    let page = Page::open(DESK);
    page.open_file("finished.jsonl", FINISHED);
    page.wait("document.querySelectorAll('.move').length === 14 && document.querySelector('.player.won')");
    page.review();
    page.click("#first");
    for _ in 0..5 {
        page.click("#forward");
    }
    page.click("#analyse");
    page.wait("document.querySelectorAll('.lines .line').length > 2");
    for screen in DESKS {
        page.resize(screen);
        assert_eq!(page.run(CROWDED), json!([]), "{screen:?}");
        page.picture(&format!("review-and-analysis-{}", screen.width));
    }
}

/// The moves of each player stand in a column of their own, however long the game.
#[test]
#[ignore = "needs Chromium"]
fn moves_keep_their_columns() {
    let page = Page::open(DESK);
    page.visit("#hex/11/.b2.c3.d4.e5.f6.g7.h8.i9.j10.k11.a11.b10.c9.d8.e7.g5.h4.i3.j2.k1.a1.a2.a3.a4");
    page.wait_for_moves(24);
    let columns = || {
        page.run(
            "const lefts = (side) => new Set([...document.querySelectorAll(`.moves-row .move.${side}`)].map((move) => Math.round(move.getBoundingClientRect().left)));
             return [lefts('first').size, lefts('second').size];",
        )
    };
    assert_eq!(columns(), json!([1, 1]));
    assert_eq!(page.run("return document.querySelectorAll('.moves-row').length;"), 12);
    // A variation stands between the rows; the game goes on in its column.
    page.run("document.querySelectorAll('.move')[1].click();");
    page.place("k5");
    page.wait("document.querySelectorAll('.variation .move').length === 1");
    assert_eq!(columns(), json!([1, 1]));
}

/// A link to another board than that of the last game shows the other board at once.
#[test]
#[ignore = "needs Chromium"]
fn link_shows_no_other_board_first() {
    let page = Page::open(DESK);
    page.visit("#hex/11/.c3");
    page.wait("document.querySelectorAll('.table .cell').length === 121");
    page.run_first(
        "window.boards = new Set();
         const look = () => {
             const table = document.querySelector('.table .board');
             if (table?.checkVisibility({ visibilityProperty: true })) boards.add(table.querySelectorAll('.cell').length);
             requestAnimationFrame(look);
         };
         requestAnimationFrame(look);",
    );
    page.visit("#hex/5/.c3");
    page.wait("document.querySelectorAll('.table .cell').length === 25");
    page.settle();
    assert_eq!(page.run("return [...boards];"), json!([25]));
}

/// A click on a button that comes before the page's scripts is not lost.
#[test]
#[ignore = "needs Chromium"]
fn early_click_opens_the_dialog() {
    let page = Page::open(DESK);
    page.run_first("addEventListener('DOMContentLoaded', () => { document.getElementById('open-new')?.click(); });");
    page.visit("");
    page.wait("document.querySelector('#new-game').open");
}

/// Names of rows and columns are whole: no comma hangs on a number.
#[test]
#[ignore = "needs Chromium"]
fn coordinates_have_no_dangling_commas() {
    let page = Page::open(DESK);
    for link in ["#infexion/7/", "#hexifence/2/"] {
        page.visit(link);
        page.settle();
        let texts = "return [...document.querySelectorAll('.table .coordinate')].map((one) => one.textContent).filter((text) => text.includes(','));";
        assert_eq!(page.run(texts), json!([]), "{link}");
    }
}
