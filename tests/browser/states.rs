//! Walks through the states that a person can bring the page into, for tests that look at all of them.

use crate::driver::{DESK, Screen};
use crate::page::Page;

/// What a state shows, beside its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One of the game of Cachex that the states begin with: its board stays where it is.
    Game,
    Other,
}

/// A finished game with mistakes in it.
pub const FINISHED: &str = r#"{"game":"cachex","size":7,"moves":["e1","swap","c4","d3","d5","e4","c5","b6","c3","d2","f2","e3","f4","d4"],"resigned":"blue"}"#;

/// Goes through the states, and calls `look` in each.
pub fn walk(look: impl FnMut(&Page, &str, Kind)) {
    walk_on(&Page::open_under_control(DESK), look);
}

/// Does the same on an open page under control.
pub fn walk_on(page: &Page, mut look: impl FnMut(&Page, &str, Kind)) {
    a_game(page, &mut look);
    a_review(page, &mut look);
    dialogs(page, &mut look);
    home(page, &mut look);
    other_games(page, &mut look);
    page.lose_the_server();
    look(page, "the server is away", Kind::Other);
}

fn a_game(page: &Page, look: &mut impl FnMut(&Page, &str, Kind)) {
    look(page, "the first visit", Kind::Game);
    page.run("window.held = true;");
    page.pick("c2");
    page.wait("document.querySelector('.status.busy')");
    look(page, "the engine is thinking", Kind::Game);
    page.begin_for_two(7);
    page.click("label:has(#show-openings)");
    page.click("#analyse");
    page.wait("document.querySelectorAll('.opening').length > 3");
    look(page, "an opening map", Kind::Game);
    page.click("#analyse");
    look(page, "an opening map alone", Kind::Game);
    page.click("label:has(#show-openings)");
    page.click_setting("#show-numbers");
    page.place_all(&["b1", "d4", "c5", "e3", "d3", "c4"]);
    look(page, "a game of two people", Kind::Game);
    page.click_setting("#show-numbers");
    page.run("window.scrollTo(0, 0);");
    page.pick("d4");
    page.click("#hint");
    page.wait("document.querySelector('.marks .hint')");
    look(page, "a hint", Kind::Game);
    page.click("#resign");
    look(page, "about to resign", Kind::Game);
    page.click("#analyse");
    page.wait("document.querySelectorAll('.lines .line').length > 1");
    page.wait("document.querySelector('.chart .curve')?.getAttribute('d').split('L').length === 7");
    look(page, "an analysis", Kind::Game);
    page.click("#back");
    look(page, "a look back", Kind::Game);
    page.click("#back");
    page.place("f2");
    page.wait("document.querySelector('.variation')");
    look(page, "a variation", Kind::Game);
    page.click("#analyse");
    page.wait("document.getElementById('findings').hidden");
    look(page, "a variation without an analysis", Kind::Game);
}

fn a_review(page: &Page, look: &mut impl FnMut(&Page, &str, Kind)) {
    page.run("window.held = false;");
    page.open_file("finished.jsonl", FINISHED);
    page.wait("document.querySelectorAll('.move').length === 14 && document.querySelector('.player.won')");
    look(page, "a finished game", Kind::Game);
    page.review();
    page.click("#first");
    page.click("#next-mistake");
    page.wait("document.querySelector('.expected')");
    look(page, "a mistake in a review", Kind::Game);
    page.click("#last");
    page.click("#analyse");
    page.wait("document.querySelector('.chart .curve')?.getAttribute('d').split('L').length === 15");
    look(page, "a review and an analysis", Kind::Game);
    page.click("#first");
    look(page, "the start of a review", Kind::Game);
    page.click("#analyse");
}

fn home(page: &Page, look: &mut impl FnMut(&Page, &str, Kind)) {
    page.click("#open-home");
    page.wait("document.querySelector('#gallery .board')");
    look(page, "the home screen", Kind::Other);
    page.click("#continue");
    page.wait("document.getElementById('home').hidden");
}

fn dialogs(page: &Page, look: &mut impl FnMut(&Page, &str, Kind)) {
    for dialog in ["open-new", "open-games", "open-lesson", "open-settings", "comment"] {
        page.click(&format!("#{dialog}"));
        page.wait("document.querySelector('dialog[open]')");
        if dialog == "open-new" {
            page.click("#choose-clock input[value=own]");
        }
        if dialog == "open-games" {
            page.click("#name-game");
        }
        if dialog == "open-lesson" {
            page.wait("document.querySelectorAll('#lesson figure').length > 1");
        }
        look(page, dialog, Kind::Other);
        if dialog == "open-new" {
            page.click("#choose-clock input[value=none]");
        }
        page.click("dialog[open] .close");
        page.wait("!document.querySelector('dialog[open]')");
    }
}

fn other_games(page: &Page, look: &mut impl FnMut(&Page, &str, Kind)) {
    page.run("window.held = true;");
    page.begin(3, "engine", 0);
    page.wait("document.querySelector('.pace') && document.querySelector('.status.busy')");
    look(page, "the engine plays itself", Kind::Other);
    page.click(".offers button");
    page.wait("!document.querySelector('.status.busy')");
    look(page, "the engine waits", Kind::Other);
    for (game, clicks) in [("infexion", 3), ("3connection", 6), ("link", 6), ("hex", 2)] {
        page.run("document.querySelector('.table .board').dataset.game = 'before';");
        page.click("#open-new");
        page.choose_game(game);
        page.click("#choose-side input[value=people]");
        page.click("#choose-clock input[value='3+2']");
        page.click("#start");
        let next = ".table .board:not([data-game]) .cell.playable";
        page.wait(&format!("!document.querySelector('dialog[open]') && document.querySelector('{next}')"));
        page.forget_shifts();
        for _ in 0..clicks {
            let next =
                ".choices button, .way .reach, .table .cell.lit, .table .cell[aria-disabled=false]:not([data-owner])";
            page.run(&format!(
                "document.querySelector('{next}')?.dispatchEvent(new MouseEvent('click', {{ bubbles: true }}));"
            ));
            page.settle();
        }
        page.click("#analyse");
        page.wait("document.querySelectorAll('.lines .line').length > 0");
        look(page, game, Kind::Other);
        page.click("#analyse");
    }
    page.click("#open-new");
    page.click("#edit");
    page.wait("document.querySelector('.tools')");
    page.pick("b2");
    look(page, "a position is set up", Kind::Other);
    page.click(".offers .primary");
    page.wait("!document.querySelector('.tools')");
}

/// A small telephone on its side.
pub const LYING: Screen = Screen { width: 740, height: 360, is_telephone: true };

/// The screens that the page is made for, from a telephone to a desk.
pub const SCREENS: [Screen; 7] = [
    Screen { width: 360, height: 740, is_telephone: true },
    LYING,
    Screen { width: 844, height: 390, is_telephone: true },
    Screen { width: 1024, height: 768, is_telephone: false },
    Screen { width: 1280, height: 640, is_telephone: false },
    Screen { width: 1366, height: 657, is_telephone: false },
    Screen { width: 1920, height: 1080, is_telephone: false },
];
