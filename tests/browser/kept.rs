//! What the browser keeps, and what must not get lost on the way.

use serde_json::json;

use crate::driver::{DESK, ENTER};
use crate::page::{Page, text};

const OWN: &str = "document.querySelectorAll('#own-games .own').length";
const IS_READY: &str = "!document.documentElement.classList.contains('unready')";
const CELLS: &str = "document.querySelectorAll('.table .cell').length";
const NOTICE: &str = "document.getElementById('notice').textContent";

/// Begins a game of two people on such a board, in place of another one.
fn begin(page: &Page, size: usize) {
    page.begin_for_two(size);
    page.wait(&format!("{CELLS} === {}", size * size));
}

fn lose_the_files(page: &Page) {
    page.run("window.fetch = () => Promise.reject(new TypeError('no network'));");
}

#[test]
#[ignore = "needs Chromium"]
fn deleting_a_game_gone_elsewhere_spares_others() {
    let page = Page::open(DESK);
    for (size, first) in [(5, "c1"), (6, "d1"), (7, "e1")] {
        begin(&page, size);
        page.place(first);
    }
    page.click("#open-games");
    page.wait(&format!("{OWN} === 2"));
    page.run(
        "const games = JSON.parse(localStorage.getItem('hexzero.games'));
         localStorage.setItem('hexzero.games', JSON.stringify(games.slice(1)));",
    );
    page.click("#own-games .own:first-child button:nth-child(3)");
    page.wait(&format!("{OWN} === 1"));
    page.click(".gone button");
    page.wait(&format!("{OWN} === 2"));
}

#[test]
#[ignore = "needs Chromium"]
fn unreadable_storage_does_not_stop_the_page() {
    let page = Page::open(DESK);
    for games in ["[", "{}", r#"[null,{"line":7},{"line":"{}"}]"#] {
        page.open_with(&[("games", games)]);
        assert_eq!(page.title(), "You are red", "{games}");
    }
    let without_roles = r#"{"setup":{"game":"hex","size":5,"level":"casual","clock":null},"tree":[null,[]],"tip":[],"current":[],"ended":null,"clocks":null}"#;
    for game in [without_roles, "{}", "7"] {
        page.open_with(&[("game", game)]);
        assert_eq!(page.title(), "You are red", "{game}");
    }
}

#[test]
#[ignore = "needs Chromium"]
fn each_window_goes_on_with_its_own_game() {
    let page = Page::open(DESK);
    begin(&page, 5);
    page.place("c1");
    page.go(&format!("{}assets/icon.svg", page.address()));
    // What another window would have kept.
    page.run("localStorage.setItem('hexzero.game', localStorage.getItem('hexzero.game').replace('\"size\":5', '\"size\":6'));");
    page.go(&page.address());
    page.wait(IS_READY);
    assert_eq!(page.value(CELLS), 25);
    assert_eq!(page.moves(), ["c1"]);
}

#[test]
#[ignore = "needs Chromium"]
fn keeping_a_file_reports_how_many_games_fit() {
    let page = Page::open(DESK);
    let game = |number| format!("{{\"game\":\"hex\",\"size\":5,\"moves\":[\"a1\"],\"name\":\"{number}\"}}\n");
    let file: String = (0..501).map(game).collect();
    page.open_file("many.jsonl", &file);
    page.wait("document.querySelectorAll('#shelves .opener').length === 501");
    page.run("window.before = fetch;");
    lose_the_files(&page);
    page.run("document.querySelector('.shelf .plain').click();");
    page.wait("document.getElementById('games-error').textContent === 'The server cannot be reached.'");
    page.run("window.fetch = window.before; document.querySelector('.shelf .plain').click();");
    page.wait("document.getElementById('shared').textContent === '500 games kept.'");
    assert_eq!(page.run("return document.getElementById('games-error').hidden;"), true);
}

#[test]
#[ignore = "needs Chromium"]
fn moves_after_the_start_of_a_new_game_are_kept() {
    let page = Page::open(DESK);
    begin(&page, 5);
    page.place_all(&["c1", "d2", "b4"]);
    page.click("#back");
    page.click("#open-new");
    page.click("#from-here");
    page.click("#start");
    page.wait_for_moves(2);
    page.click("#open-games");
    page.wait(&format!("{OWN} === 1"));
    let told = page.text_of("#own-games .opener");
    assert!(told.contains("3 moves"), "{told}");
}

/// Undo takes back one move; moves after it that the game has left stay.
#[test]
#[ignore = "needs Chromium"]
fn undo_leaves_the_rest_of_a_game() {
    let page = Page::open(DESK);
    begin(&page, 5);
    page.place_all(&["c1", "d2", "b4", "d5"]);
    page.click("#back");
    page.click("#back");
    page.press_offer("Play from here");
    page.wait("![...document.querySelectorAll('.offers button')].some((offer) => ['Play from here', 'Back to the game'].includes(offer.textContent))");
    page.click("#undo");
    page.wait("document.getElementById('title').textContent !== 'A variation'");
    page.settle();
    assert_eq!(page.moves(), ["c1", "d2", "b4", "d5"]);
    // Another move makes them a variation.
    page.place("e5");
    page.wait("document.querySelectorAll('.variation .move').length === 3");
    assert_eq!(page.moves().len(), 5);
}

/// A game is kept if the new one does not contain all of it.
#[test]
#[ignore = "needs Chromium"]
fn variations_are_kept_when_a_game_is_branched() {
    let page = Page::open(DESK);
    begin(&page, 5);
    page.place_all(&["c1", "d2"]);
    page.click("#back");
    page.place("b4");
    page.press_offer("Back to the game");
    page.wait("![...document.querySelectorAll('.offers button')].some((offer) => ['Play from here', 'Back to the game'].includes(offer.textContent))");
    page.click("#open-new");
    page.click("#from-here");
    page.click("#start");
    page.wait("document.querySelectorAll('.variation .move').length === 0");
    page.click("#open-games");
    page.wait(&format!("{OWN} === 1"));
}

#[test]
#[ignore = "needs Chromium"]
fn latest_requested_game_is_shown() {
    let page = Page::open_under_control(DESK);
    page.run("window.kind = 'states'; window.held = true; location.hash = '#hex/5/*';");
    page.wait("typeof window.release === 'function'");
    page.run("window.held = false; location.hash = '#hex/4/.b2*';");
    page.wait(&format!("{CELLS} === 16"));
    page.run("release();");
    // This is answered after the request that was held back.
    page.place("c3");
    assert_eq!(page.moves(), ["b2", "c3"]);
}

#[test]
#[ignore = "needs Chromium"]
fn pending_move_leaves_other_positions_playable() {
    let page = Page::open_under_control(DESK);
    begin(&page, 5);
    page.place_all(&["c1", "d2"]);
    page.run("window.kind = 'states'; window.held = true;");
    page.pick("b4");
    page.wait("typeof window.release === 'function'");
    page.click("#back");
    page.wait("!document.querySelector('.table .cell.playable')");
    page.run("release();");
    page.wait("document.querySelector('.table .cell.playable')");
    assert_eq!(page.moves(), ["c1", "d2"]);
}

#[test]
#[ignore = "needs Chromium"]
fn failures_without_a_server_are_reported() {
    let page = Page::open_under_control(DESK);
    let address = text(&page.run("return location.hash;"));
    page.lose_the_server();
    page.run("location.hash = '#hex/6/.c3*';");
    page.wait(&format!("{NOTICE} === 'There is no connection to the server.'"));
    assert_eq!(page.run("return location.hash;"), address.as_str());
    lose_the_files(&page);
    page.click("#open-lesson");
    page.wait(&format!("{NOTICE} === 'The server cannot be reached.'"));
    assert_eq!(page.run("return document.getElementById('lesson').open;"), false);
}

#[test]
#[ignore = "needs Chromium"]
fn changing_the_game_keeps_the_players() {
    let page = Page::open(DESK);
    page.click("#open-new");
    page.click("#choose-side input[value=blue]");
    page.choose_game("hex");
    assert_eq!(page.run("return document.querySelector('#choose-side input:checked').value;"), "white");
}

#[test]
#[ignore = "needs Chromium"]
fn analysis_is_kept_when_the_board_changes() {
    let page = Page::open(DESK);
    begin(&page, 4);
    // Switches off what is kept at intervals.
    page.run(
        "const later = setTimeout; window.setTimeout = (action, time) => (time === 1000 ? 1 : later(action, time));",
    );
    page.click("#analyse");
    page.wait("document.querySelectorAll('.lines .line').length > 0");
    page.begin_for_two(5);
    page.wait("localStorage.getItem('hexzero.openings cachex 4')");
}

#[test]
#[ignore = "needs Chromium"]
fn settings_of_another_window_stay() {
    let page = Page::open(DESK);
    // As another window would.
    page.run("localStorage.setItem('hexzero.preferences', JSON.stringify({ mirrored: true }));");
    page.press("r");
    let kept = "const { mirrored, turns } = JSON.parse(localStorage.getItem('hexzero.preferences')); return [mirrored, turns];";
    assert_eq!(page.run(kept), json!([true, 1]));
}

#[test]
#[ignore = "needs Chromium"]
fn enter_key_starts_the_chosen_game() {
    let page = Page::open(DESK);
    page.click("#open-new");
    page.click("#choose-side input[value=people]");
    page.click("#choose-clock input[value=own]");
    page.run("document.getElementById('clock-minutes').focus();");
    page.press(ENTER);
    page.wait("document.querySelectorAll('.player .clock').length === 2");
    assert_eq!(page.run("return document.querySelector('.player.second').dataset.role;"), "person");
}

#[test]
#[ignore = "needs Chromium"]
fn selecting_text_past_a_dialog_leaves_it_open() {
    let page = Page::open(DESK);
    page.click("#comment");
    let click = |from: &str| {
        page.run(&format!(
            "document.getElementById('{from}').dispatchEvent(new PointerEvent('pointerdown', {{ bubbles: true }}));
             document.getElementById('comment-dialog').dispatchEvent(new MouseEvent('click', {{ bubbles: true }}));"
        ));
        page.run("return document.getElementById('comment-dialog').open;")
    };
    assert_eq!(click("comment-text"), true);
    assert_eq!(click("comment-dialog"), false);
}

/// The players of a game are kept with it, for the lists of games and when it is opened again. Renaming a game adds no second one.
#[test]
#[ignore = "needs Chromium"]
fn kept_game_knows_its_players_and_is_kept_once() {
    let page = Page::open(DESK);
    page.begin(5, "red", 1);
    page.place("a1");
    page.wait("document.querySelectorAll('.move').length >= 2");
    page.wait_for_turn();
    let free = page.cells().into_iter().find(|cell| cell.is_playable).unwrap().name;
    page.place(&free);
    page.wait_for_turn();
    page.click("#open-home");
    // It is kept once it is left.
    page.click("#continue");
    page.begin_for_two(6);
    page.click("#open-home");
    page.wait("document.querySelector('#recent-games .opener')?.textContent.includes('You – Engine (beginner)')");
    page.click("#recent-games .opener");
    page.wait("document.querySelectorAll('.move').length >= 2");
    let who = "[...document.querySelectorAll('.player .quiet')].map((one) => one.textContent)";
    assert_eq!(page.value(who), json!(["You", "Engine, beginner"]));

    page.click("#open-games");
    page.wait(&format!("{OWN} === 1"));
    page.click("#own-games .own button:nth-child(2)");
    page.press(&format!("My game{ENTER}"));
    page.wait("document.querySelector('#own-games .opener span').textContent === 'My game'");
    page.click("dialog[open] .close");
    // It is continued and left.
    page.click("#last");
    let free = page.cells().into_iter().find(|cell| cell.is_playable).unwrap().name;
    page.place(&free);
    page.begin_for_two(7);
    page.click("#open-games");
    page.wait(&format!("{OWN} === 1"));
    let told = page.text_of("#own-games .opener");
    assert!(told.starts_with("My game") && told.contains("You – Engine (beginner)"), "{told}");
}

/// A game that is only opened and moved through keeps its day, and stays among the recent ones.
#[test]
#[ignore = "needs Chromium"]
fn looking_at_a_game_does_not_change_it() {
    let page = Page::open(DESK);
    for size in [5, 6] {
        begin(&page, size);
        page.place_all(&["c1", "b3", "d4"]);
    }
    begin(&page, 4);
    page.run(
        "const games = JSON.parse(localStorage.getItem('hexzero.games')).map((game) => ({ ...game, when: game.when - 40 * 864e5 }));
         localStorage.setItem('hexzero.games', JSON.stringify(games));",
    );
    let kept = || page.run("return localStorage.getItem('hexzero.games');");
    let before = kept();
    page.click("#open-home");
    page.click("#recent-games li:last-child .opener");
    page.wait(&format!("{CELLS} === 25"));
    page.click("#first");
    begin(&page, 4);
    assert_eq!(kept(), before);
    page.click("#open-home");
    page.wait("document.querySelectorAll('#recent-games .opener').length === 2");
}
