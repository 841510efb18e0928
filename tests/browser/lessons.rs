//! The lessons, by clicks: every step of every game, what is said of a wrong move, and that no lesson is kept as a game.

use serde_json::{Value, json};

use crate::driver::{DESK, ENTER};
use crate::page::{Page, text};

/// Resolves with the games that have a lesson, each with the number of its steps.
const LESSONS: &str = "import('./assets/lessons/data.js').then(({ LESSONS }) =>
    done(Object.entries(LESSONS).map(([game, steps]) => [game, steps.length])));";

/// Resolves with the selectors to be clicked for the first answer of a step, a list for each move. A `*` stands for the first
/// legal move that fits.
const CLICKS: &str = "
    const { LESSONS } = await import('./assets/lessons/data.js');
    const step = LESSONS[game][number - 1];
    const info = (await (await fetch('api/about')).json()).games.find(({ id }) => id === game);
    const words = (text) => (text ?? '').split(' ').filter(Boolean);
    const setup = step.stones ? { ...step.stones, first: words(step.stones.first), second: words(step.stones.second) } : null;
    const socket = new WebSocket(`ws://${location.host}/api/play`);
    await new Promise((resolve) => (socket.onopen = resolve));
    const legal = (moves) => new Promise((resolve) => {
        socket.onmessage = ({ data }) => resolve(JSON.parse(data).states[0].legal);
        socket.send(JSON.stringify({ id: 1, do: 'states', game, size: step.size, setup, moves, from: moves.length }));
    });
    const selector = (pick, name) =>
        'place' in pick ? `.table .cell[data-place='${pick.place}']`
        : 'direction' in pick ? `.way[data-direction='${pick.direction}'] .reach`
        : 'choice' in pick ? `choice ${info.choices[pick.choice].label}`
        : `.offers [data-move='${name}']`;
    const moves = words(step.moves);
    const clicks = [];
    for (const word of words(step.answers[0])) {
        const fits = ({ name }) => (word.endsWith('*') ? name.startsWith(word.slice(0, -1)) : name === word);
        const { name, picks } = (await legal(moves)).find(fits);
        clicks.push(picks.map((pick) => selector(pick, name)));
        moves.push(name);
    }
    socket.close();
    done([clicks, Boolean(step.wins)]);";

fn open_lesson(page: &Page, game: &str) {
    page.run(&format!("location.hash = '#learn/{game}/1';"));
}

/// Clicks on what a selector names; `choice x` is the button of that text at a place of the board.
fn click(page: &Page, selector: &str) {
    let Some(label) = selector.strip_prefix("choice ") else {
        page.wait(&format!("document.querySelector({selector:?})"));
        return page.click(selector);
    };
    let button = format!(
        "[...document.querySelectorAll('.choices button')].findIndex((one) => one.textContent === {label:?}) + 1"
    );
    let number = page.wait(&button);
    page.click(&format!(".choices button:nth-child({number})"));
}

/// Plays a step by clicks, and returns whether its answer wins.
fn play_step(page: &Page, game: &str, number: u64) -> bool {
    let found = page.run_async(&format!(
        "const done = arguments[0]; const [game, number] = [{game:?}, {number}]; (async () => {{ {CLICKS} }})();"
    ));
    for clicks in found[0].as_array().unwrap() {
        let before = page.moves().len();
        for selector in clicks.as_array().unwrap() {
            click(page, &text(selector));
        }
        page.wait(&format!("document.querySelectorAll('.move').length > {before}"));
    }
    found[1] == true
}

#[test]
#[ignore = "needs Chromium"]
fn lessons_of_all_games_are_played_by_clicks() {
    // A server of its own: the moves are asked for over its WebSocket.
    let page = Page::open_of(DESK, &[]);
    page.prefer(&[("prefers-reduced-motion", "reduce")]);
    let lessons = page.run_async(&format!("const done = arguments[0]; {LESSONS}"));
    let lessons: Vec<&Value> = lessons.as_array().unwrap().iter().collect();
    assert_eq!(lessons.len(), 16);
    for lesson in lessons {
        let (game, steps) = (text(&lesson[0]), lesson[1].as_u64().unwrap());
        open_lesson(&page, &game);
        for number in 1..=steps {
            let title = format!("Step {number} of {steps}");
            page.wait_for_title(&title);
            assert!(page.told().starts_with(&format!("{title}. ")), "{game} {number}: {}", page.told());
            let wins = play_step(&page, &game, number);
            page.wait_for_title(if number == steps { "Lesson complete" } else { "Right" });
            let is_won = page.run("return document.querySelector('.player.won') !== null;") == true;
            assert!(is_won || !wins, "{game} {number}: the answer does not win");
            if number < steps {
                page.click(".offers .primary");
            }
        }
        page.picture(&format!("lesson-done-{game}"));
    }
    let kept = page.run("return [localStorage.getItem('hexzero.games'), Object.keys(JSON.parse(localStorage.getItem('hexzero.lessons'))).length];");
    assert_eq!(kept, json!([null, 16]), "no lesson is kept as a game");
}

/// A wrong move is explained and can be tried again; the move can be shown, and a step skipped.
#[test]
#[ignore = "needs Chromium"]
fn wrong_move_is_explained() {
    let page = Page::open(DESK);
    open_lesson(&page, "hex");
    page.wait_for_title("Step 1 of 4");
    assert_eq!(page.run("return location.hash;"), "#learn/hex/1");
    page.pick("a1");
    page.wait_for_title("Not that one");
    page.wait("document.getElementById('told').textContent.includes('Not that one. That leaves a gap')");
    // Nothing more can be played before the step is tried again.
    assert!(page.cells().iter().all(|cell| !cell.is_playable));
    page.click(".offers .primary");
    page.wait_for_title("Step 1 of 4");
    assert_eq!(page.moves().len(), 0, "the wrong move is gone");
    page.press_offer("Show me");
    page.wait("document.querySelector('.marks .hint')");
    page.pick("b3");
    page.wait_for_title("Right");
    page.press_offer("Next");
    page.wait_for_title("Step 2 of 4");
    page.press_offer("Skip");
    page.wait_for_title("Step 3 of 4");
    // It comes again with the page.
    page.visit("#learn/hex/3");
    page.wait_for_title("Step 3 of 4");
}

#[test]
#[ignore = "needs Chromium"]
fn pasted_link_opens_a_lesson() {
    let page = Page::open(DESK);
    page.type_link(&format!("{}#learn/hex/2{ENTER}", page.address()));
    page.wait_for_title("Step 2 of 4");
    assert_eq!(page.run("return document.querySelector('dialog[open]') === null;"), true);
}

/// Lessons are offered in "How to play" and before the first move of a game that is new to this browser.
#[test]
#[ignore = "needs Chromium"]
fn lesson_is_offered_to_newcomers() {
    let page = Page::open_for_newcomer(DESK, "#infexion/7/");
    page.click("#open-lesson");
    page.wait("document.querySelector('#lesson[open] #start-lesson')");
    page.click("#start-lesson");
    page.wait_for_title("Step 1 of 5");
    assert_eq!(page.run("return document.querySelector('dialog[open]') === null;"), true);

    page.begin_for_two(7);
    let offers = "[...document.querySelectorAll('.offers button')].map((one) => one.textContent).join()";
    page.wait(&format!("{offers} === 'Lesson'"));
    page.run("localStorage.setItem('hexzero.lessons', JSON.stringify({ infexion: true }));");
    page.visit("#infexion/7/");
    assert_eq!(page.value(offers), "", "once it has been finished it is not offered again");
}

/// By keys alone: the focus goes from the board to the next step and back.
#[test]
#[ignore = "needs Chromium"]
fn lesson_is_played_by_keys() {
    let page = Page::open(DESK);
    open_lesson(&page, "y");
    page.wait_for_title("Step 1 of 3");
    let focused = "(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent)";
    page.tab_until("document.activeElement.matches('.table .cell')");
    page.run("document.querySelector(\".cell[aria-label^='c3,']\").focus();");
    page.press(ENTER);
    page.wait_for_title("Right");
    page.wait(&format!("{focused} === 'Next'"));
    page.press(ENTER);
    page.wait_for_title("Step 2 of 3");
    page.wait("document.activeElement.matches('.table .cell')");
}

/// After the first click of a longer move a notice says how it goes on.
#[test]
#[ignore = "needs Chromium"]
fn begun_move_is_explained() {
    let page = Page::open(DESK);
    let notice = "document.getElementById('notice')";
    for (address, place, words) in [
        ("#infexion/7/.s%3A3%2C3.s%3A0%2C0", "3,3", "Choose an arrow"),
        ("#link/6/.c3", "c3", "Click a highlighted cell"),
        ("#chameleon/4/", "b2", "Choose what to place"),
    ] {
        page.visit(address);
        // The board of the last game may be there for a moment.
        let title = address.split('/').next().unwrap().trim_start_matches('#');
        page.wait(&format!("document.getElementById('playing').textContent.toLowerCase().startsWith('{title}')"));
        page.pick(place);
        page.wait(&format!("!{notice}.hidden && {notice}.textContent.startsWith('{place} is selected. {words}')"));
        page.pick(place);
        page.wait(&format!("{notice}.hidden"));
    }
}
