//! The pictures of the README and of the games, from the real page: `docs/screenshots/make`.

use std::fs;
use std::path::Path;

use hexzero::games::{Game, all_games};
use hexzero::players::{AlphaBeta, Player};
use serde_json::json;

use crate::driver::{DESK, Screen, TELEPHONE};
use crate::page::Page;
use crate::tiny;

fn keep(page: &Page, folder: &str, name: &str) {
    let seen = page.picture(name);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(folder);
    fs::create_dir_all(&folder).unwrap();
    fs::copy(seen, folder.join(format!("{name}.png"))).unwrap();
}

/// A game in which there is something to see, opened from a file and analysed.
fn show_game(page: &Page) {
    let moves = ["e1", "swap", "c4", "d3", "d5", "e4", "c5", "b6", "c3", "d2", "f2", "e3", "f4", "d4"];
    let record = json!({"game": "cachex", "size": 7, "moves": moves});
    page.open_file("game.jsonl", &format!("{record}\n"));
    page.wait_for_moves(14);
    page.click("#analyse");
    page.wait("Number(document.getElementById('searched').dataset.visits) > 5000");
    page.wait("document.querySelector('.chart .curve')?.getAttribute('d').split('L').length === 15");
    page.run("document.activeElement.blur();");
}

#[test]
#[ignore = "writes docs/screenshots"]
fn readme_analysis() {
    let page = Page::open(Screen { width: 1280, height: 800, ..DESK });
    show_game(&page);
    keep(&page, "screenshots", "analysis");
}

#[test]
#[ignore = "writes docs/screenshots"]
fn readme_telephone() {
    let page = Page::open(TELEPHONE);
    page.prefer(&[("prefers-color-scheme", "dark")]);
    show_game(&page);
    keep(&page, "screenshots", "telephone");
}

const LAPTOP: Screen = Screen { width: 1280, height: 800, ..DESK };

/// Every other view of the page, one after the other.
#[test]
#[ignore = "writes docs/screenshots"]
fn readme_views() {
    let page = Page::for_two(LAPTOP, 5);
    page.click("label:has(#show-openings)");
    page.wait("document.querySelectorAll('.opening').length === 24");
    page.run("document.activeElement.blur();");
    keep(&page, "screenshots", "openings");
    page.click("label:has(#show-openings)");
    page.place_all(&["b1", "b3"]);
    for (button, name) in [
        ("open-new", "new-game"),
        ("open-games", "games"),
        ("open-lesson", "how-to-play"),
        ("open-settings", "settings"),
    ] {
        page.click(&format!("#{button}"));
        page.wait("document.querySelector('dialog[open]')");
        if button == "open-lesson" {
            page.wait("document.querySelectorAll('#lesson figure').length > 1");
        }
        page.run("document.activeElement.blur();");
        keep(&page, "screenshots", name);
        page.click("dialog[open] .close");
        page.wait("!document.querySelector('dialog[open]')");
    }
    page.click("#open-new");
    page.click("#edit");
    page.wait("document.querySelector('.tools')");
    for name in ["d2", "c4", "d4"] {
        page.pick(name);
    }
    page.run("document.activeElement.blur();");
    keep(&page, "screenshots", "editor");
}

#[test]
#[ignore = "writes docs/screenshots"]
fn readme_review() {
    let page = Page::open(LAPTOP);
    show_game(&page);
    page.click("#analyse");
    page.review();
    page.click("#first");
    page.click("#next-mistake");
    page.wait("document.querySelector('.expected')");
    page.run("document.activeElement.blur();");
    keep(&page, "screenshots", "review");
}

#[test]
#[ignore = "writes docs/screenshots"]
fn readme_run() {
    let folder = tiny::folder_with_recipe();
    tiny::train(folder.path(), "--recipe tiny.toml --games 30 --run run --rate 0").success();
    let page = Page::open_of(LAPTOP, &["--run", folder.path().join("run").to_str().unwrap()]);
    page.go(&format!("{}run", page.address()));
    page.wait("document.querySelectorAll('.games .piece').length > 6");
    keep(&page, "screenshots", "run");
}

/// The first part of a game between two players without a network.
fn opening(game: Game) -> Vec<String> {
    let mut position = game.start(game.boards.default).unwrap();
    let mut player = AlphaBeta::new(1);
    player.start_game(&position, 3).unwrap();
    let plies = (game.usual_plies)(position.topology().cells()) / 2;
    let mut moves = Vec::new();
    while moves.len() < plies {
        let action = player.choose(&position).unwrap().unwrap();
        let next = position.after(action);
        if next.outcome().is_some() {
            break;
        }
        moves.push(position.action_name(action));
        position = next;
    }
    moves
}

#[test]
#[ignore = "writes docs/games"]
fn readme_games() {
    for game in all_games().into_iter().filter(|game| game.network == game.id) {
        let moves = opening(game);
        let page = Page::open(Screen { width: 760, height: 660, ..DESK });
        let record = json!({"game": game.id, "size": game.boards.default, "moves": moves});
        page.open_file("game.jsonl", &format!("{record}\n"));
        page.wait_for_moves(moves.len());
        page.run("document.activeElement.blur(); scrollTo(0, 0);");
        keep(&page, "games", game.id);
    }
}
