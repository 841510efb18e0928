//! Everything can be reached, on every screen and in every state, and stays where it is.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::driver::{DESK, Screen};
use crate::page::{Page, text};
use crate::states::{Kind, SCREENS, walk};

/// What is wrong with what is seen, a sentence each: controls that lie under something else and cannot be scrolled out of it,
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
    // Whether something that scrolls hides a point.
    const isClipped = (one, at) => {
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
        // What only those see who come by the Tab key is not clicked on.
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

const BOARD: &str =
    "const { left, top, width, height } = document.querySelector('.table .board').getBoundingClientRect();
    return [left, top + scrollY, width, height].map(Math.round);";

#[test]
#[ignore = "needs Chromium"]
fn controls_are_never_covered() {
    let mut faults = Vec::new();
    let mut boards: HashMap<u32, Value> = HashMap::new();
    walk(|page, state, kind| {
        for screen in SCREENS {
            page.resize(screen);
            for scheme in ["dark", "light"] {
                page.prefer(&[("prefers-color-scheme", scheme)]);
                let what = format!("{state}, {}×{}, {scheme}", screen.width, screen.height);
                let found = page.run(FAULTS);
                faults.extend(found.as_array().unwrap().iter().map(|fault| format!("{what}: {}", text(fault))));
                if kind == Kind::Game {
                    let board = page.run(BOARD);
                    let before = boards.entry(screen.width).or_insert_with(|| board.clone());
                    if board != *before {
                        faults.push(format!("{what}: the board has moved from {before} to {board}"));
                    }
                }
            }
            page.picture(&format!("state-{}-{}x{}", state.replace(' ', "-"), screen.width, screen.height));
        }
        page.resize(DESK);
    });
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// Where all that can be clicked on lies.
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
            _ => drop(page.run("window.away = true; socket.close();")),
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
