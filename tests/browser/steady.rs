//! Nothing moves by itself: the browser's own count of layout shifts, which leaves out what follows a click, a touch or a key
//! within half a second. On a slow machine a click's own picture may come later, and a new game much later: these are left out, too.

use crate::driver::Screen;
use crate::page::{Page, text};
use crate::process::wait_for_some;
use crate::states::{SCREENS, walk_on};

/// Records all shifts from the beginning; `takeShifts()` returns those since its last call.
const WATCH: &str = "
    const shifts = [];
    let drawn = 0;
    addEventListener('click', ({ isTrusted }) => {
        if (!isTrusted) return;
        drawn = Infinity;
        requestAnimationFrame(() => requestAnimationFrame(() => { drawn = performance.now(); }));
    }, true);
    const nameOf = (node) => node ? `${node.tagName ?? 'text'}#${node.id ?? ''}.${node.getAttribute?.('class') ?? ''}` : 'something that is gone';
    const where = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join();
    const note = (entries) => {
        for (const { value, hadRecentInput, startTime, sources } of entries)
            if (!hadRecentInput && startTime > drawn) shifts.push(`${value.toFixed(5)}: ${sources.map((one) => `${nameOf(one.node)} from ${where(one.previousRect)} to ${where(one.currentRect)}`).join('; ')}`);
    };
    const watcher = new PerformanceObserver((list) => note(list.getEntries()));
    watcher.observe({ type: 'layout-shift', buffered: true });
    window.takeShifts = () => { note(watcher.takeRecords()); return shifts.splice(0); };";

/// Lists the shifts since the last call, a sentence for each.
fn shifts(page: &Page) -> Vec<String> {
    page.settle();
    let found = page.run("return window.takeShifts();");
    found.as_array().unwrap().iter().map(text).collect()
}

fn open(screen: Screen) -> Page {
    let page = Page::open_under_control(screen);
    page.run_first(WATCH);
    page.run("localStorage.clear();");
    page.visit("");
    page
}

/// Looks after moves of the engine, during an analysis, and after a review.
fn while_the_engine_works(page: &Page, look: &mut impl FnMut(&Page, &str)) {
    page.begin(5, "blue", 2);
    page.wait("document.querySelector('.offers .swap')");
    look(page, "a swap is offered");
    page.click(".offers .swap");
    page.wait("document.querySelectorAll('.move').length >= 3");
    page.wait_for_turn();
    look(page, "the engine has answered");
    page.click("#analyse");
    let visits = "Number(document.getElementById('searched').dataset.visits)";
    page.wait(&format!("{visits} > 300 || document.querySelector('.line .chance')?.textContent.match(/[a-z]/)"));
    look(page, "an analysis has grown");
    page.click("#analyse");
    page.begin(4, "engine", 0);
    page.click(".pace input[value=fast]");
    page.wait("document.querySelectorAll('.move').length > 4 || document.querySelector('.player.won')");
    look(page, "the engine has played itself");
    page.wait("document.querySelector('.player.won')");
    look(page, "it has won");
    page.review();
    look(page, "a review is done");
}

fn assert_steady(screen: Screen) {
    let page = open(screen);
    let mut faults = Vec::new();
    let size = format!("{}×{}", screen.width, screen.height);
    let mut look = |page: &Page, state: &str| {
        faults.extend(shifts(page).into_iter().map(|shift| format!("{size}, {state}: {shift}")));
    };
    look(&page, "the first visit");
    walk_on(&page, |page, state, _| look(page, state));
    drop(page);
    while_the_engine_works(&open(screen), &mut look);
    assert!(faults.is_empty(), "{} shifts:\n{}", faults.len(), faults.join("\n"));
}

/// Writes a test for each of the [`SCREENS`], so that they run side by side.
macro_rules! nothing_shifts {
    ($($name:ident)*) => {
        const TESTS: &[&str] = &[$(stringify!($name)),*];

        $(#[test]
        #[ignore = "needs Chromium"]
        fn $name() {
            let screen = TESTS.iter().position(|name| *name == stringify!($name)).unwrap();
            assert_steady(SCREENS[screen]);
        })*
    };
}

nothing_shifts! {
    nothing_shifts_on_a_telephone
    nothing_shifts_on_a_small_telephone_on_its_side
    nothing_shifts_on_a_telephone_on_its_side
    nothing_shifts_on_a_tablet
    nothing_shifts_on_a_low_screen
    nothing_shifts_on_a_laptop
    nothing_shifts_on_a_desk
}

const _: () = assert!(TESTS.len() == SCREENS.len());

/// Checks that the browser counts shifts at all: a note that comes and goes above the board shifts it. Once is not enough, as the browser
/// counts nothing before the first picture of the page, or soon after its window was resized.
#[test]
#[ignore = "needs Chromium"]
fn layout_shift_is_detected() {
    let page = open(SCREENS[0]);
    assert_eq!(shifts(&page), [""; 0]);
    page.run("window.sentence = Object.assign(document.createElement('p'), { textContent: 'Here.' });");
    wait_for_some("a shift", || {
        page.run("if (sentence.isConnected) sentence.remove(); else document.querySelector('main').prepend(sentence);");
        shifts(&page).pop()
    });
}

/// Resign asks "Sure?" for three seconds: neither the question nor its end moves the buttons beside it.
#[test]
#[ignore = "needs Chromium"]
fn unanswered_question_shifts_nothing() {
    let page = open(SCREENS[0]);
    page.begin_for_two(5);
    page.place("b2");
    page.click("#resign");
    page.wait("document.querySelector('#resign.sure')");
    page.wait("!document.querySelector('#resign.sure')");
    assert_eq!(shifts(&page), [""; 0]);
}
