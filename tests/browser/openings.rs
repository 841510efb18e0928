//! The opening map, and the ways to see a board: turned, mirrored, with numbers on its stones.

use serde_json::json;

use crate::driver::{DESK, LEFT, RIGHT};
use crate::page::{Page, text};

const SHARES: &str = "[...document.querySelectorAll('.marks .opening')].map((one) => one.dataset.share)";

#[test]
#[ignore = "needs Chromium"]
fn shipped_map_is_shown_and_grows_by_analysis() {
    let page = Page::for_two(DESK, 5);
    page.click("label:has(#show-openings)");
    page.wait(&format!("{SHARES}.length === 24"));
    let label = |name: &str| {
        let script =
            format!("return document.querySelector('.cell[aria-label^=\"{name},\"]').getAttribute('aria-label');");
        text(&page.run(&script))
    };
    assert!(label("d2").starts_with("d2, empty, ") && label("d2").ends_with("%, would be swapped"), "{}", label("d2"));
    assert_eq!(label("c3"), "c3, empty, not allowed");
    let note = "document.getElementById('openings-note').textContent";
    page.wait(&format!("{note}.startsWith('Win rate of red after each first move, in percent.')"));
    page.picture("openings");
    page.place("a2");
    page.wait(&format!("{note}.includes('Win rate of blue after each reply') && {note}.includes('After the swap: ')"));
    page.picture("openings-replies");
    page.place("d4");
    page.wait("document.getElementById('openings-toggle').hidden && !document.querySelector('.opening')");

    // No map ships for this board: it is empty until something is analysed, and is kept.
    page.begin_for_two(4);
    page.wait(&format!("{note} === 'There is no shipped opening map for this board. Your analyses build one.'"));
    assert_eq!(page.run(&format!("return {SHARES}.length;")), 0);
    page.click("#analyse");
    page.wait(&format!("{SHARES}.length > 3"));
    page.click("#analyse");
    page.wait("localStorage.getItem('hexzero.openings cachex 4')");
    page.visit("");
    page.wait(&format!("{SHARES}.length > 3 && {note}.includes('From your analyses')"));
    page.press("m");
    page.wait("!document.querySelector('.opening') && document.getElementById('openings-note').hidden");
}

/// The rows of the table of opening moves: move, own games, the engine's win rate.
const ROWS: &str =
    "[...document.querySelectorAll('#explorer tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))";

#[test]
#[ignore = "needs Chromium"]
fn own_games_stand_beside_the_opening_map() {
    let page = Page::open(DESK);
    page.run(
        "const kept = (moves, end) => ({ line: JSON.stringify({ game: 'cachex', size: 5, moves, ...end }), when: 1,
             seats: { red: 'You', blue: 'Engine, casual' } });
         localStorage.setItem('hexzero.games', JSON.stringify([kept(['c1', 'b2'], { result: 'red' }), kept(['c1', 'd4'], { resigned: 'red' }), kept(['a1', 'b2'], { result: 'blue' })]));",
    );
    page.begin_for_two(5);
    assert_eq!(page.run("return document.getElementById('explorer').checkVisibility();"), false);
    page.click("label:has(#show-openings)");
    page.wait(&format!("{ROWS}.length === 5"));
    let rows = page.value(ROWS);
    assert_eq!([&rows[0][0], &rows[0][1], &rows[1][0], &rows[1][1]], ["c1", "1 won, 1 lost", "a1", "1 lost"]);
    assert_eq!(rows[2][1], "–", "the best of the map come after one's own");
    for row in rows.as_array().unwrap() {
        assert!(text(&row[2]).ends_with('%'), "{row}");
    }
    page.picture("own-openings");
    page.click("#explorer tr[data-move=c1] button");
    page.wait_for_moves(1);
    assert_eq!(page.moves(), ["c1"]);
    page.wait(&format!("{ROWS}.some(([move, games]) => move === 'd4' && games === '1 lost')"));
    // A board without a map, on which nothing was played.
    page.begin_for_two(4);
    page.wait("document.getElementById('openings-note').textContent.startsWith('There is no shipped opening map')");
    page.wait("!document.getElementById('explorer').checkVisibility()");
}

/// Where the middle of a place is on the screen, in the middle of the board.
fn at(page: &Page, name: &str) -> (f64, f64) {
    let found = page.run(&format!(
        "const middle = (one) => {{ const {{ left, top, width, height }} = one.getBoundingClientRect(); return [left + width / 2, top + height / 2]; }};
         const all = [...document.querySelectorAll('.table .cell .area')].map(middle);
         const centre = [0, 1].map((axis) => all.reduce((sum, point) => sum + point[axis], 0) / all.length);
         const [x, y] = middle(document.querySelector('.cell[aria-label^=\"{name},\"] .area'));
         return [x - centre[0], y - centre[1]];"
    ));
    (found[0].as_f64().unwrap(), found[1].as_f64().unwrap())
}

fn angle((x, y): (f64, f64)) -> f64 {
    y.atan2(x).to_degrees().rem_euclid(360.0)
}

#[test]
#[ignore = "needs Chromium"]
fn board_is_turned_and_mirrored() {
    let page = Page::for_two(DESK, 5);
    page.place("c1");
    page.run("document.activeElement.blur();");
    let before = angle(at(&page, "a1"));
    page.press("r");
    page.settle();
    let turned = (angle(at(&page, "a1")) - before).rem_euclid(360.0);
    assert!((turned - 60.0).abs() < 1.0, "{turned}");
    page.press("rr");
    page.settle();
    let (x, y) = at(&page, "a1");
    assert!(x > 0.0 && y > 0.0, "half a turn: a1 is at the lower right");
    page.picture("half-a-turn");
    // The arrow keys go as they look, and the labels stand where their rows are.
    page.run("document.querySelector('.cell[aria-label^=\"c3,\"]').focus();");
    page.press(LEFT);
    assert_eq!(page.run("return document.activeElement.getAttribute('aria-label').split(',')[0];"), "d3");
    let near = page.run(
        "const middle = (one) => { const { left, top, width, height } = one.getBoundingClientRect(); return [left + width / 2, top + height / 2]; };
         const [x, y] = middle([...document.querySelectorAll('.coordinate')].find((one) => one.textContent === 'a'));
         return [...document.querySelectorAll('.table .cell')].map((cell) => { const [cx, cy] = middle(cell.querySelector('.area')); return [Math.hypot(cx - x, cy - y), cell.getAttribute('aria-label')]; }).sort(([a], [b]) => a - b)[0][1];",
    );
    assert!(text(&near).starts_with('a'), "{near}");
    page.run("document.activeElement.blur();");
    let before = at(&page, "a5");
    page.press("f");
    page.settle();
    let after = at(&page, "a5");
    assert!((angle(before) - angle(after)).abs() > 20.0, "{before:?} {after:?}");
    page.run("document.querySelector('.cell[aria-label^=\"c3,\"]').focus();");
    page.press(RIGHT);
    let there = text(&page.run("return document.activeElement.getAttribute('aria-label').split(',')[0];"));
    let ((from, _), (to, _)) = (at(&page, "c3"), at(&page, &there));
    assert!(to > from, "right is to the right: {there}");
    page.place("e5");
    page.visit("");
    assert_eq!(page.run("return JSON.parse(localStorage.getItem('hexzero.preferences')).turns;"), json!(3));
    let (kept, now) = (angle(after), angle(at(&page, "a5")));
    assert!((kept - now).abs() < 1.0, "the board lies as it did: {kept} {now}");
}

#[test]
#[ignore = "needs Chromium"]
fn stones_show_their_move_numbers() {
    let page = Page::for_two(DESK, 5);
    page.place_all(&["c1", "b2", "a5", "c2", "b3"]);
    page.click_setting("#show-numbers");
    page.wait("document.querySelectorAll('.cell .number').length === 3");
    let numbers = "return [...document.querySelectorAll('.cell:has(.number)')].map((cell) => `${cell.getAttribute('aria-label').split(',')[0]} ${cell.querySelector('.number').textContent}`);";
    // Both of blue's stones were captured.
    assert_eq!(page.run(numbers), json!(["c1 1", "b3 5", "a5 3"]));
    assert!(
        text(&page.run("return document.querySelector('.cell[aria-label^=\"a5,\"]').getAttribute('aria-label');"))
            .ends_with("move 3")
    );
    page.click("#back");
    page.wait("document.querySelectorAll('.cell .number').length === 4");
    page.picture("numbers");
}
