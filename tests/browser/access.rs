//! Accessibility: axe-core on every view, and a game by keyboard and screen reader alone.

use std::fs;
use std::path::Path;

use crate::driver::{DESK, DOWN, ENTER, HOME, LEFT, RIGHT, TELEPHONE, UP};
use crate::page::{Page, text};
use crate::states::walk;

pub const SCHEMES: [&str; 2] = ["light", "dark"];

/// Rules that are asked for here beside those of the WCAG's levels A and AA.
const MORE_RULES: &str = "{ 'label-content-name-mismatch': { enabled: true }, 'target-size': { enabled: true } }";

pub fn axe() -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("axe").join("axe.min.js");
    fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}; '.ci/axe' fetches axe-core", path.display()))
}

/// Lists what axe finds wrong with the page, a sentence for each.
pub fn violations(page: &Page, axe: &str) -> Vec<String> {
    if page.run("return typeof axe === 'undefined';") == true {
        page.run(axe);
    }
    // Something that fades in or out has colours that belong to no state.
    page.run("for (const animation of document.getAnimations()) animation.finish?.();");
    let found = page.run_async(&format!(
        "const done = arguments[0];
         const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
         const runOnly = {{ type: 'tag', values: tags }};
         axe.run({{ runOnly, rules: {MORE_RULES}, resultTypes: ['violations'] }}).then(({{ violations }}) =>
             done(violations.flatMap(({{ id, help, nodes }}) => nodes.slice(0, 4).map((node) =>
                 `${{id}} (${{help}}): ${{node.html.slice(0, 150)}} ${{node.any.map(({{ message }}) => message).join('; ')}}`))),
             (error) => done([String(error)]));"
    ));
    found.as_array().unwrap().iter().map(text).collect()
}

#[test]
#[ignore = "needs Chromium and axe-core"]
fn axe_finds_no_violations_in_any_state() {
    let axe = axe();
    let mut faults = Vec::new();
    walk(|page, state, _| {
        for scheme in SCHEMES {
            page.prefer(&[("prefers-color-scheme", scheme), ("prefers-reduced-motion", "reduce")]);
            for screen in [TELEPHONE, DESK] {
                page.resize(screen);
                // Colours may still be changing from one scheme to the other: only what persists is a fault.
                let look = || {
                    page.settle();
                    violations(page, &axe)
                };
                let found = (0..3).map(|_| look()).find(Vec::is_empty).unwrap_or_else(look);
                faults.extend(found.into_iter().map(|fault| format!("{state}, {screen:?}, {scheme}: {fault}")));
            }
        }
        page.prefer(&[]);
    });
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// Goes from the focused cell to another by the arrow keys, and plays there.
fn play_by_keys(page: &Page, name: &str) {
    let focused = text(&page.run("return document.activeElement.getAttribute('aria-label');"));
    let at = |name: &str| (i32::from(name.as_bytes()[0]), i32::from(name.as_bytes()[1]));
    let ((column, row), (to_column, to_row)) = (at(&focused), at(name));
    let steps =
        |count: i32, back: &str, on: &str| if count < 0 { back } else { on }.repeat(count.unsigned_abs() as usize);
    page.press(&steps(to_row - row, UP, DOWN));
    page.press(&steps(to_column - column, LEFT, RIGHT));
    let there = text(&page.run("return document.activeElement.getAttribute('aria-label');"));
    assert_eq!(there, format!("{name}, empty"));
    let before = page.moves().len();
    page.press(ENTER);
    page.wait(&format!("document.querySelectorAll('.move').length > {before}"));
}

#[test]
#[ignore = "needs Chromium"]
fn keyboard_and_screen_reader_play_a_game() {
    let page = Page::for_two(DESK, 4);
    page.run("document.activeElement.blur();");
    page.press("b");
    page.wait("document.activeElement.matches('.cell')");
    let board = "document.querySelector('.table .board')";
    assert!(
        text(&page.run(&format!("return {board}.getAttribute('aria-label');")))
            .starts_with("Board, 4 cells on a side. Red connects")
    );
    assert_eq!(page.run("return document.activeElement.getAttribute('role');"), "button");
    assert_eq!(
        page.run("return document.querySelectorAll('.table .cell[tabindex=\"0\"]').length;"),
        1,
        "one stop for the Tab key"
    );
    assert_eq!(page.run("return document.getElementById('told').getAttribute('aria-live');"), "polite");
    for (number, name) in ["b1", "a2", "b2", "a3", "b3", "a4"].into_iter().enumerate() {
        play_by_keys(&page, name);
        let player = ["Red", "Blue"][number % 2];
        assert!(page.told().starts_with(&format!("{player} plays {name}")), "{}", page.told());
    }
    play_by_keys(&page, "b4");
    page.wait("document.querySelector('.player.won')");
    assert!(page.told().contains("ed wins: the two sides are connected"), "{}", page.told());
    // Then back through the game, and into an analysis.
    page.press(HOME);
    page.run("document.activeElement.blur();");
    page.press(LEFT);
    page.wait_for_title("Move 6 of 7");
    page.press("a");
    page.wait("!document.getElementById('findings').hidden");
    let name = "document.querySelector('.move[aria-current=step]').textContent";
    assert_eq!(page.value(name).as_str().unwrap().split('?').next(), Some("Move 6: blue a4"));
}
