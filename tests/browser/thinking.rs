//! The engine's time: how much of it is used, a move at once, and an analysis without an end.

use crate::driver::DESK;
use crate::page::Page;

const VISITS: &str = "Number(document.getElementById('searched').dataset.visits)";

/// A long thought has a bar that grows, and a button that ends it with a move.
#[test]
#[ignore = "needs Chromium"]
fn long_search_shows_progress_and_can_be_ended() {
    let page = Page::open(DESK);
    page.click("#open-new");
    page.slide("choose-size", 9);
    page.click("#choose-side input[value=red]");
    page.slide("choose-level", 7);
    page.click("#choose-effort input[value=seconds]");
    page.run("document.getElementById('effort').value = '60';");
    page.click("#start");
    page.wait("document.querySelector('.player.second .quiet').textContent === 'Engine, 60 s per move'");
    page.place("a1");
    page.wait("document.getElementById('thinking').checkVisibility()");
    assert_eq!(page.run("return document.getElementById('thinking').max;"), 60);
    page.wait("document.getElementById('thinking').value > 0.2");
    let used = page.run("return document.getElementById('thinking').value;").as_f64().unwrap();
    page.wait(&format!("document.getElementById('thinking').value > {used}"));
    page.press_offer("Move now");
    page.wait_for_moves(2);
    page.wait("!document.getElementById('thinking').checkVisibility()");
    assert!(!page.offers().contains("Move now"), "{}", page.offers());
}

/// A hint belongs to the position that it was asked for.
#[test]
#[ignore = "needs Chromium"]
fn hint_disappears_with_the_next_move() {
    let page = Page::for_two(DESK, 5);
    page.click("#hint");
    page.wait("document.getElementById('notice').textContent.startsWith('Hint: ')");
    page.place("a1");
    page.wait("document.getElementById('notice').hidden");
}

/// Makes the page hidden or visible, as the browser would.
fn hide(page: &Page, is_hidden: bool) {
    page.run(&format!(
        "Object.defineProperty(document, 'hidden', {{ value: {is_hidden}, configurable: true }});
         document.dispatchEvent(new Event('visibilitychange'));"
    ));
}

/// An analysis goes on for as long as it is looked at, and no longer.
#[test]
#[ignore = "needs Chromium"]
fn analysis_pauses_while_the_page_is_hidden() {
    // With a server of its own: where many share the memory, a search ends when its share is full.
    let page = Page::open_alone_under_control(DESK);
    page.run(
        "window.done = 0; window.sent = [];
         socket.addEventListener('message', ({ data }) => JSON.parse(data).analysis?.done && done++);
         const send = socket.send; socket.send = function (text) { sent.push(JSON.parse(text).do); send.call(this, text); };",
    );
    page.begin_for_two(11);
    page.place("c2");
    page.click("#analyse");
    // After the first looks comes the search without an end.
    page.wait("done === 2 && sent.at(-1) === 'analyze'");
    let before = page.wait(VISITS).as_u64().unwrap();
    page.wait(&format!("{VISITS} > {before}"));
    hide(&page, true);
    page.wait("done === 3");
    assert_eq!(page.run("return sent.at(-1);"), "stop");
    let rested = page.value(VISITS).as_u64().unwrap();
    // Changes of settings meanwhile must not wake it.
    page.run("document.getElementById('show-moves').click(); document.getElementById('show-moves').click();");
    page.settle();
    assert_eq!(page.run("return sent.at(-1);"), "stop");
    hide(&page, false);
    // From the tree that is kept, or from a new one where the server needed its memory for others.
    page.wait("sent.at(-1) === 'analyze'");
    page.wait(&format!("{VISITS} !== {rested}"));
}

/// The findings of an analysis are back at once after a look at another position, and after a reload.
#[test]
#[ignore = "needs Chromium"]
fn analysis_is_there_again() {
    // With a server of its own: where many share the memory, a tree has little.
    let page = Page::open_of(DESK, &[]);
    page.begin_for_two(7);
    page.place("c2");
    page.click("#analyse");
    page.wait(&format!("{VISITS} > 3000"));
    let first_seen = |page: &Page| page.wait(&format!("{VISITS} > 0 && {VISITS}")).as_f64().unwrap();
    page.click("#back");
    page.wait(&format!("{VISITS} > 500"));
    page.click("#forward");
    let before = first_seen(&page);
    assert!(before > 3000.0, "{before}");
    // The search goes on with the tree that it had.
    page.wait(&format!("{VISITS} > {before}"));
    let before = page.value(VISITS).as_f64().unwrap();
    page.go(&page.address());
    page.wait_for_moves(1);
    let after = first_seen(&page);
    assert!(after >= 0.99 * before, "{after} after {before} visits");
}
