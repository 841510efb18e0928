//! The page of `hexzero serve` in a real browser. These tests need Chromium, so they only run when they
//! are asked for: `cargo test --release --test browser -- --ignored`. Those with games of other kinds need
//! `cargo build --release --example toys` before. What they see is kept in `target/browser/`.

mod access;
mod board;
mod chromium;
mod colours;
#[path = "../common/mod.rs"]
mod common;
mod directions;
mod driver;
mod editor;
mod every_game;
mod files;
mod friend;
mod handicap;
mod home;
mod kept;
mod layout;
mod learn;
mod lessons;
#[expect(dead_code, reason = "other tests do more with a broker")]
#[cfg(feature = "cluster")]
#[path = "../common/nats.rs"]
mod nats;
mod offers;
mod openings;
mod own_game;
mod page;
mod pictures;
mod plain_files;
#[expect(dead_code, reason = "other tests do more with processes")]
#[path = "../common/process.rs"]
mod process;
mod puzzles;
mod review;
mod same;
#[expect(dead_code, reason = "other tests talk to the server without a browser")]
#[path = "../common/serving.rs"]
mod serving;
mod share;
mod shared;
mod site;
mod small_screens;
mod states;
mod steady;
mod thinking;
#[path = "../common/tiny.rs"]
mod tiny;
mod toys;
mod words;

use serde_json::json;

use driver::{DESK, ENTER, LEFT, TELEPHONE, UP, until_saved};
use page::{Cell, Page, text};

#[test]
#[ignore = "needs Chromium"]
fn first_click_of_a_newcomer_is_a_move() {
    let page = Page::open(DESK);
    assert_eq!(page.title(), "You are red");
    assert_eq!(page.cells().len(), 49);
    page.picture("first-visit");
    page.place("c2");
    page.wait_for_moves(2);
    page.wait_for_turn();
    let moves = page.moves();
    assert_eq!(moves[0], "c2");

    page.go(&page.address());
    page.wait_for_moves(2);
    assert_eq!(page.moves(), moves, "the game survives a reload");
}

#[test]
#[ignore = "needs Chromium"]
fn game_by_clicks_with_swap_and_capture() {
    let page = Page::open(DESK);
    // The engine's weaker levels choose by chance: a game without a capture is possible, twenty are not to be expected.
    for attempt in 0.. {
        assert!(attempt < 20, "twenty games without a capture");
        page.begin(5, "blue", 1);
        page.click(".offers .swap");
        page.wait("document.querySelectorAll('.move').length >= 3");
        assert_eq!(page.moves()[1], "swap");
        page.wait_for_turn();
        let mut captures = 0;
        while page.run("return document.querySelector('.player.won') === null;") == true {
            let cells = page.cells();
            let (name, taken) = choice(&cells);
            let before = page.stones();
            page.place(&name);
            if taken > 0 {
                captures += 1;
                page.wait("document.querySelector('.move .captures')");
                page.picture("capture");
            }
            page.wait_for_turn();
            // One stone each, unless the game is over, less those that were taken.
            assert!(page.stones() <= before + 2 - taken, "{taken} stones were taken");
        }
        page.picture("end-of-game");
        assert!(["You win", "The engine wins"].contains(&page.title().as_str()), "{}", page.title());
        assert!(page.cells().iter().all(|cell| !cell.is_playable));
        assert_ne!(page.run("return document.querySelectorAll('.table .winning').length;"), 0);
        if captures > 0 {
            break;
        }
    }
}

/// A move of blue that captures if there is one, and how many stones it takes; else the middle one of those that may be played.
fn choice(cells: &[Cell]) -> (String, usize) {
    let size = cells.len().isqrt() as isize;
    let owner = |row: isize, column: isize| {
        let is_inside = (0..size).contains(&row) && (0..size).contains(&column);
        is_inside.then(|| cells[(row * size + column) as usize].owner.as_deref()).flatten()
    };
    const STEPS: [(isize, isize); 6] = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)];
    // Two enemies beside the cell, and a friend on the far corner of the diamond.
    let captured = |row: isize, column: isize| {
        let mut taken = Vec::new();
        for (first, apart) in (0..6).flat_map(|first| [(first, 1), (first, 2)]) {
            let (a, b) = (STEPS[first], STEPS[(first + apart) % 6]);
            let enemies = [(row + a.0, column + a.1), (row + b.0, column + b.1)];
            let friend = owner(row + a.0 + b.0, column + a.1 + b.1);
            if friend == Some("second") && enemies.iter().all(|&(row, column)| owner(row, column) == Some("first")) {
                taken.extend(enemies);
            }
        }
        taken.sort_unstable();
        taken.dedup();
        taken.len()
    };
    let playable: Vec<usize> = (0..cells.len()).filter(|&cell| cells[cell].is_playable).collect();
    let gains = |&cell: &usize| captured(cell as isize / size, cell as isize % size);
    let middle = playable[playable.len() / 2];
    let best = playable.iter().copied().max_by_key(gains).filter(|cell| gains(cell) > 0).unwrap_or(middle);
    (cells[best].name.clone(), gains(&best))
}

#[test]
#[ignore = "needs Chromium"]
fn analysis_appears_and_grows() {
    let page = Page::open(DESK);
    page.begin(7, "people", 2);
    page.place_all(&["b2", "d4", "c5", "e3", "d3", "c4", "b6", "f2"]);
    page.click("#analyse");
    let visits = "Number(document.getElementById('searched').dataset.visits)";
    let early = page.wait(visits).as_u64().unwrap();
    page.wait(&format!("{visits} > {early} + 100"));
    page.wait("document.querySelectorAll('.candidate.best .share').length === 1");
    page.wait("document.querySelectorAll('.policy').length > 3");
    page.wait("document.querySelectorAll('.lines .line .chance').length");
    // The positions before get their look too.
    page.wait("document.querySelector('.chart .curve')?.getAttribute('d').split('L').length === 9");
    page.picture("analysis");
    // What is drawn on the cells is chosen.
    let draw = |what: &str| {
        page.run(&format!(
            "const heat = document.getElementById('show-heat'); heat.value = '{what}'; heat.dispatchEvent(new Event('change'));"
        ));
    };
    draw("off");
    page.wait("!document.querySelector('.marks .policy')");
    draw("chance");
    page.wait("document.querySelectorAll('.marks .opening text').length > 3");
    let best = "document.querySelector('.lines .best .chance').textContent";
    page.wait(&format!(
        "[...document.querySelectorAll('.marks .opening')].some((cell) => `${{cell.dataset.share}}%` === {best})"
    ));
    draw("visits");
    page.wait("document.querySelector('.marks .policy') && !document.querySelector('.marks .opening')");
    draw("policy");

    page.point_at(".lines .line");
    page.wait("document.querySelectorAll('.expected').length > 1");
    page.click("label:has(#show-forecast)");
    page.wait("document.querySelectorAll('.forecast').length");
    page.picture("expected-end");

    // Its middle is the middle of the game.
    page.click("#chart");
    page.wait_for_title("Move 4 of 8");
    page.click("#analyse");
    page.wait("document.getElementById('findings').hidden && !document.querySelector('.marks > *')");
}

#[test]
#[ignore = "needs Chromium"]
fn moves_are_taken_back_and_replaced() {
    let page = Page::open(DESK);
    page.place("c2");
    page.wait_for_moves(2);
    page.wait_for_turn();
    page.click("#undo");
    page.wait("document.querySelectorAll('.move.taken-back').length === 2");
    assert_eq!(page.stones(), 0);
    // They can be looked at, and the game can go on with them.
    page.click("#forward");
    page.wait_for_title("Move 1, taken back");
    page.click("#back");
    page.click("#redo");
    page.wait("document.querySelectorAll('.move').length === 2 && !document.querySelector('.taken-back')");
    assert_eq!(page.stones(), 2);
    page.wait_for_turn();
    // Another move takes their place, and they stay as a variation.
    page.click("#undo");
    page.wait("document.querySelectorAll('.move.taken-back').length === 2");
    page.pick("d3");
    page.wait("document.querySelectorAll('.variation .move').length === 2");
    assert_eq!(page.run("return document.getElementById('redo').disabled;"), true);

    // In a variation too.
    page.begin(5, "people", 2);
    page.place_all(&["c1", "b2"]);
    page.click("#first");
    page.place_all(&["d3", "e4"]);
    page.click("#undo");
    page.click("#undo");
    page.click("#redo");
    page.click("#redo");
    page.wait_for_title("A variation");
    assert_eq!(page.run("return document.getElementById('redo').disabled;"), true);
    assert_eq!(page.stones(), 2);

    page.begin(5, "people", 2);
    page.place_all(&["c1", "b2", "a5", "c2"]);
    page.place("b3");
    assert!(page.told().contains("captures b2 and c2"), "{}", page.told());
    assert_eq!(page.stones(), 3);
    page.click("#back");
    page.wait_for_title("Move 4 of 5");
    page.place("e5");
    assert_eq!(page.title(), "A variation");
    assert_eq!(page.moves(), ["c1", "b2", "a5", "c2", "b3", "e5"]);
    page.picture("variation");
    page.click(".offers .primary");
    page.wait("document.querySelectorAll('.table [data-owner]').length === 3");

    // The variation becomes the game, and what was the game a variation.
    page.click(".variation .move");
    page.wait_for_title("A variation");
    page.click(".offers button:not(.primary)");
    page.wait_for_title("Blue to move");
    assert_eq!(page.moves(), ["c1", "b2", "a5", "c2", "e5", "b3"]);
}

#[test]
#[ignore = "needs Chromium"]
fn game_is_saved_and_opened() {
    let page = Page::open(DESK);
    page.begin(5, "people", 2);
    page.place_all(&["c1", "b2", "a5"]);
    page.click("#open-games");
    page.click("#save");
    let path = page.downloads().join("cachex-5-3-moves.jsonl");
    let saved = until_saved(&path, |saved| saved.ends_with('\n'));
    assert_eq!(saved, "{\"game\":\"cachex\",\"size\":5,\"moves\":[\"c1\",\"b2\",\"a5\"]}\n");

    let bad = page.file("bad.jsonl", "{\"game\":\"cachex\",\"size\":5,\"moves\":[\"c1\",\"c1\"]}\n");
    page.choose_file("#file", &bad);
    let problem = text(&page.wait("document.getElementById('games-error').textContent"));
    assert!(problem.contains("c1"), "{problem}");

    let resigned = "{\"game\":\"hex\",\"size\":6,\"moves\":[\"c1\",\"swap\",\"b2\"],\"resigned\":\"black\"}\n";
    let both = page.file("both.jsonl", &format!("{saved}{resigned}"));
    page.choose_file("#file", &both);
    page.wait("document.querySelectorAll('.shelf li').length === 2");
    page.picture("games");
    page.click(".shelf li:nth-child(2) button");
    page.wait("document.getElementById('playing').textContent === 'Hex, 6 cells on a side'");
    assert_eq!(page.moves(), ["c1", "swap", "b2"]);
    assert_eq!(page.title(), "White wins");
    page.click("#open-games");
    page.click(".shelf li:nth-child(1) button");
    page.wait("document.querySelectorAll('.table .cell').length === 25");
    assert_eq!(page.moves(), ["c1", "b2", "a5"]);
}

#[test]
#[ignore = "needs Chromium"]
fn telephone_has_room_for_everything() {
    let page = Page::open(TELEPHONE);
    for (size, played) in [(3, "a1"), (7, "c2"), (11, "d4"), (15, "h9")] {
        page.begin(size, "people", 2);
        page.assert_no_sideways_scrolling(&format!("{size}×{size}"));
        let cell = format!("[aria-label^='{played},']");
        page.click(&cell);
        // Cells that are too small to hit wait for a second touch.
        page.wait("document.querySelector('.cell.chosen, .move')");
        if page.moves().is_empty() {
            page.click(&cell);
        }
        page.wait_for_moves(1);
        page.picture(&format!("telephone-{size}"));
    }
    page.click("#analyse");
    // The mouse may now lie on a line, whose moves are shown in place of the candidates.
    page.wait("document.querySelector('.lines .line')");
    page.assert_no_sideways_scrolling("with an analysis");
    for dialog in ["open-games", "open-lesson", "open-settings", "open-new"] {
        page.click(&format!("#{dialog}"));
        page.wait("document.querySelector('dialog[open]')");
        page.assert_no_sideways_scrolling(dialog);
        let inside = "const open = document.querySelector('dialog[open]'); return open.scrollWidth - open.clientWidth;";
        assert_eq!(page.run(inside), 0, "{dialog}");
        page.picture(&format!("telephone-{dialog}"));
        page.click("dialog[open] .close");
        page.wait("!document.querySelector('dialog[open]')");
    }
}

#[test]
#[ignore = "needs Chromium"]
fn keyboard_suffices() {
    let page = Page::open(DESK);
    let focused = "document.activeElement.getAttribute('aria-label') ?? ''";
    page.tab_until(&format!("({focused}).startsWith('d4')"));
    page.press(&format!("{LEFT}{UP}"));
    assert_eq!(page.value(focused), "c3, empty");
    page.picture("focus");
    page.press(ENTER);
    page.wait_for_moves(2);
    page.wait_for_turn();
    assert_eq!(page.moves()[0], "c3");
    assert!(page.value(focused).as_str().unwrap().starts_with("c3, "), "the focus stays");
    page.press("u");
    page.wait("document.querySelectorAll('.move:not(.taken-back)').length === 0");
    page.press("?");
    page.wait("document.getElementById('settings').open");
}

#[test]
#[ignore = "needs Chromium"]
fn training_run_is_followed_and_its_games_open() {
    let folder = tiny::folder_with_recipe();
    tiny::train(folder.path(), "--recipe tiny.toml --games 12 --run run --rate 0").success();
    let page = Page::open_of(DESK, &["--run", folder.path().join("run").to_str().unwrap()]);
    let badge = |iterations| format!("document.getElementById('run').textContent === 'run, {iterations} iterations'");
    page.wait(&badge(2));
    tiny::train(folder.path(), "--resume --games 18 --run run --rate 0").success();
    page.wait(&badge(3));
    page.click("#open-games");
    page.wait("document.querySelectorAll('.shelf li').length === 18");
    page.picture("run-games");
    page.click(".shelf li button");
    page.wait("document.querySelectorAll('.table .cell').length === 9 && document.querySelector('.move')");
    page.click("#run");
    page.wait("document.querySelector('.run-panel')");
}

#[cfg(feature = "cluster")]
#[test]
#[ignore = "needs Chromium"]
fn run_shows_its_workers() {
    let Some(nats) = nats::Nats::start() else { return };
    let (folder, address) = (tiny::folder_with_recipe(), nats.address());
    let worker = format!("cluster worker --cluster {address} --threads 1 --name lab-1");
    let _worker = process::Process::start(folder.path(), "worker", &worker);
    let train = format!("--recipe tiny.toml --games 12 --run run --rate 0 --lock-step --cluster {address}");
    tiny::train(folder.path(), &train).success();
    let run = folder.path().join("run");
    let page = Page::open_of(DESK, &["--run", run.to_str().unwrap(), "--cluster", &address]);
    page.click("#run");
    let line = text(&page.wait("document.getElementById('cluster-run')?.textContent"));
    assert!(line.starts_with("resting; ") && line.contains("12 games used, 0 stale, 0 doubled"), "{line}");
    page.wait("document.querySelector('#cluster-workers tbody th')?.textContent === 'lab-1'");
    page.picture("run-of-a-cluster");
}

#[test]
#[ignore = "needs Chromium"]
fn test_windows_share_no_storage_or_console() {
    let (page, other) = (Page::open(DESK), Page::open(DESK));
    page.allow_complaints();
    page.run("localStorage.setItem('mark', 'here'); console.warn('heard');");
    assert_eq!(other.run("return localStorage.getItem('mark');"), json!(null));
    assert_eq!(page.console().len(), 1);
    page.run("setTimeout(() => { throw new Error('unforeseen'); });");
    page.settle();
    assert!(page.console()[0].contains("unforeseen"));
    page.run_async("const done = arguments[0]; fetch('/nowhere').then(done);");
    assert!(page.console()[0].contains("404"));
}

#[test]
#[ignore = "needs Chromium"]
#[should_panic(expected = "#undo is under <dialog")]
fn covered_elements_cannot_be_clicked() {
    let page = Page::open(DESK);
    page.click("#open-settings");
    page.wait("document.querySelector('dialog[open]')");
    page.click("#undo");
}
