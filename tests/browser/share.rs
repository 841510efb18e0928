//! Games that leave the page and come back: as a link, as SGF, as a line of JSON, and those that are left for a new one.

use std::fs;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

use hexzero::games::{GameRng, Position, game_named};
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};

use crate::driver::DESK;
use crate::page::{Page, text};

/// The tree that the browser keeps: `[move, [children], comment]`.
const TREE: &str = "return JSON.parse(localStorage.getItem('hexzero.game')).tree;";

/// Words with all that files and addresses have a meaning for.
const COMMENTS: [&str; 4] = ["a [b] \\ (c); d", "two\nlines", "ü ↔ 棋", "x*y~z.!'%25"];

/// Random moves from here, with variations and comments.
fn grow(position: &Position, plies: usize, rng: &mut GameRng) -> Vec<Value> {
    if plies == 0 || position.outcome().is_some() {
        return Vec::new();
    }
    let branches = if rng.random_bool(0.25) { 3 } else { 1 };
    let mut names: Vec<String> = Vec::new();
    let mut children = Vec::new();
    for _ in 0..branches {
        let Some(action) = position.random_action(rng) else { break };
        let name = position.action_name(action);
        if names.contains(&name) {
            continue;
        }
        names.push(name.clone());
        let mut next = position.clone();
        next.play(action);
        let further = grow(&next, plies - 1, rng);
        let mut child = vec![json!(name), Value::Array(further)];
        if rng.random_bool(0.3) {
            child.push(json!(COMMENTS[rng.random_range(0..COMMENTS.len())]));
        }
        children.push(Value::Array(child));
    }
    children
}

fn without_comments(tree: &Value) -> Value {
    let children = tree[1].as_array().unwrap().iter().map(without_comments).collect::<Vec<_>>();
    json!([tree[0], children])
}

/// Puts a tree on the board, as if the browser had kept it.
fn put(page: &Page, game: &str, size: usize, tree: &Value) {
    let game_info = game_named(game).unwrap();
    let first = &game_info.seats;
    let roles = json!({first[0].name: "person", first[1].name: "person"});
    let kept = json!({
        "setup": {"game": game, "size": size, "roles": roles, "level": "casual", "clock": null},
        "tree": tree, "tip": [], "current": [], "ended": null, "clocks": null,
    });
    page.go(&format!("{}assets/icon.svg", page.address()));
    page.run(&format!("localStorage.clear(); localStorage.setItem('hexzero.game', {});", json!(kept.to_string())));
    page.go(&page.address());
    page.wait("document.querySelector('.table .cell') && location.hash.length > 1");
}

/// Forgets everything, so that only what is opened can be on the board.
fn forget(page: &Page) {
    page.go(&format!("{}assets/icon.svg", page.address()));
    page.run("localStorage.clear();");
    page.go(&page.address());
    page.wait("document.querySelector('.table .cell') && location.hash.length > 1");
}

/// What a button of the dialog saves.
fn saved(page: &Page, button: &str, ending: &str) -> (PathBuf, String) {
    page.click("#open-games");
    page.click(button);
    let found = || {
        let files = fs::read_dir(page.downloads()).ok()?;
        files.filter_map(|file| Some(file.ok()?.path())).find(|path| path.extension().is_some_and(|end| end == ending))
    };
    loop {
        // A file that is being written is there, but not whole.
        let contents = found().and_then(|path| Some((fs::read_to_string(&path).ok()?, path)));
        if let Some((contents, path)) = contents.filter(|(contents, _)| contents.ends_with(['\n', ')', '>'])) {
            fs::remove_file(&path).unwrap();
            return (path, contents);
        }
        sleep(Duration::from_millis(20));
    }
}

fn open_file(page: &Page, ending: &str, contents: &str) {
    forget(page);
    page.click("#open-games");
    page.choose_file("#file", &page.file(&format!("game.{ending}"), contents));
    page.wait("!document.querySelector('dialog[open]')");
}

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn links_and_files_give_the_same_tree() {
    let page = Page::open(DESK);
    for (seed, (game, size)) in
        [("cachex", 5), ("hex", 6), ("infexion", 7), ("hexifence", 2)].into_iter().cycle().take(8).enumerate()
    {
        let mut rng = GameRng::seed_from_u64(seed as u64);
        let info = game_named(game).unwrap();
        let size = size.clamp(*info.boards.sizes.start(), *info.boards.sizes.end());
        let children = grow(&info.start(size).unwrap(), 9, &mut rng);
        put(&page, game, size, &json!([null, children, "At the start."]));
        let tree = page.run(TREE);
        assert_eq!(tree, json!([null, children, "At the start."]), "{game}");
        // Somewhere in the tree.
        let moves = page.moves().len();
        if moves > 0 {
            let shown = rng.random_range(0..moves);
            page.run(&format!("document.querySelectorAll('.move')[{shown}].click();"));
        }
        let current = "return JSON.parse(localStorage.getItem('hexzero.game')).current;";
        let shown = page.run(current);

        page.click("#open-games");
        let link = text(&page.run("return location.href;"));
        let (_, sgf) = {
            page.click("dialog[open] .close");
            saved(&page, "#save-sgf", "sgf")
        };
        page.click("dialog[open] .close");
        let (_, line) = saved(&page, "#save", "jsonl");

        forget(&page);
        page.go("about:blank");
        page.go(&link);
        page.wait(&format!("document.querySelectorAll('.move').length === {moves}"));
        assert_eq!(page.run(TREE), without_comments(&tree), "{link}");
        assert_eq!(page.run(current), shown, "{link}");
        for (ending, contents) in [("sgf", sgf), ("jsonl", line)] {
            open_file(&page, ending, &contents);
            assert_eq!(page.run(TREE), tree, "{contents}");
        }
    }
    page.assert_silent();
}

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn a_game_that_is_left_is_kept() {
    let page = Page::open(DESK);
    page.begin_for_two(5);
    for name in ["c1", "b2", "a5"] {
        page.place(name);
    }
    page.begin_for_two(7);
    page.click("#open-games");
    let kept = text(&page.wait("document.querySelector('.shelf li')?.textContent"));
    assert_eq!(kept, "Cachex 53 moves, not finished");
    page.click(".shelf li button");
    page.wait("document.querySelectorAll('.move').length === 3");
    assert_eq!(page.moves(), ["c1", "b2", "a5"]);
    page.assert_silent();
}

/// Moves that are tried after a game was given up are no part of it.
#[test]
#[ignore = "needs Chromium and chromedriver"]
fn a_game_ends_where_it_was_given_up() {
    let page = Page::open(DESK);
    page.begin_for_two(5);
    page.place("c1");
    page.place("b2");
    page.click("#resign");
    page.click("#resign");
    page.wait("document.querySelector('.player.won')");
    page.place("a5");
    let (_, line) = saved(&page, "#save", "jsonl");
    let record: Value = serde_json::from_str(&line).unwrap();
    assert_eq!((&record["moves"], &record["resigned"]), (&json!(["c1", "b2"]), &json!("red")), "{line}");
    assert_eq!(record["variations"], json!([{"ply": 2, "moves": ["a5"]}]));
    open_file(&page, "jsonl", &line);
    page.wait("document.querySelector('.player.won')");
    assert_eq!(page.moves(), ["c1", "b2", "a5"]);
    assert_eq!(page.title(), "Blue wins");
    page.assert_silent();
}

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn what_cannot_be_opened_says_why() {
    let page = Page::open(DESK);
    for (contents, message) in [
        ("(;GM[1]SZ[19];B[aa])", "The game GM[1] is not known here."),
        ("(;GM[11]SZ[99];B[a1])", "The size of the board, SZ, must be from 2 to 19."),
        ("(;GM[11]SZ[5];B[a1]", "This is no game in SGF: a parenthesis is not closed."),
        ("(;GM[11]SZ[5]AB[a1])", "Stones that were set up (AB) cannot be opened here."),
        ("(;GM[11]SZ[5];B[z9])", "z9"),
        (
            r#"{"game":"hex","size":5,"moves":["a1"],"variations":[{"ply":7,"moves":["b2"]}]}"#,
            "Line 1: there is no ply 7",
        ),
        ("hello", "Line 1: this is not a game as a line of JSON"),
    ] {
        page.click("#open-games");
        page.choose_file("#file", &page.file("game.sgf", contents));
        let told = text(&page.wait("document.getElementById('games-error').textContent"));
        assert!(told.contains(message), "{contents}: {told}");
        page.click("dialog[open] .close");
    }
    page.run("location.hash = '#hex/5/.a1(';");
    page.wait("document.getElementById('notice').textContent === 'The address holds no game that can be read.'");
    page.assert_silent();
}

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn the_board_is_kept_as_a_picture() {
    let page = Page::open(DESK);
    page.begin_for_two(5);
    page.place("c2");
    let (_, picture) = saved(&page, "#save-svg", "svg");
    assert!(picture.starts_with("<svg") && picture.contains("circle") && picture.contains(">a</text>"), "{picture}");
    assert!(!picture.contains("class=") && !picture.contains("role="), "it stands by itself");
    page.click("#save-png");
    let path = page.downloads().join("cachex-5-1-moves.png");
    // A PNG file ends with this chunk.
    while !fs::read(&path).is_ok_and(|bytes| bytes.windows(4).any(|name| name == b"IEND")) {
        sleep(Duration::from_millis(20));
    }
    let bytes = fs::read(path).unwrap();
    // The first part of a PNG file: signature, length and name of a chunk, width.
    assert_eq!(&bytes[..4], b"\x89PNG");
    assert_eq!(u32::from_be_bytes(bytes[16..20].try_into().unwrap()), 1200);
    page.assert_silent();
}
