//! Games that leave the page and come back: as a link, as SGF, as a line of JSON, and those that are left for a new one.

use std::fs;

use hexzero::games::{GameRng, Position, game_named};
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};

use crate::driver::{DESK, ENTER, ESCAPE, TAB, until_saved};
use crate::page::{Page, is_site, text};
use crate::process::wait_for_some;

/// The tree that the browser keeps: `[move, [children], comment]`.
const TREE: &str = "return JSON.parse(localStorage.getItem('hexzero.game')).tree;";

/// Texts with all characters that have a meaning in files and addresses.
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
        let further = grow(&position.after(action), plies - 1, rng);
        let mut child = vec![json!(name), Value::Array(further)];
        if rng.random_bool(0.3) {
            child.push(json!(COMMENTS[rng.random_range(0..COMMENTS.len())]));
        }
        children.push(Value::Array(child));
    }
    children
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
    page.open_with(&[("game", &kept.to_string())]);
}

/// Presses a button of the dialog that saves a file, and returns its contents.
fn saved(page: &Page, button: &str, ending: &str) -> String {
    page.click("#open-games");
    page.click(button);
    let found = || {
        let files = fs::read_dir(page.downloads()).ok()?;
        files.filter_map(|file| Some(file.ok()?.path())).find(|path| path.extension().is_some_and(|end| end == ending))
    };
    let path = wait_for_some(&format!("a file that ends in .{ending}"), found);
    let contents = until_saved(&path, |contents| contents.ends_with(['\n', ')', '>']));
    fs::remove_file(&path).unwrap();
    contents
}

fn open_file(page: &Page, ending: &str, contents: &str) {
    // Only what is opened can be on the board.
    page.open_with(&[]);
    page.open_file(&format!("game.{ending}"), contents);
    page.wait("!document.querySelector('dialog[open]')");
}

#[test]
#[ignore = "needs Chromium"]
fn links_and_files_give_the_same_tree() {
    let page = Page::open(DESK);
    let games = [("cachex", 5), ("hex", 6), ("infexion", 7), ("hexifence", 2)];
    // On the site, where an engine starts with each page, one tree of each game is enough.
    let trees = if is_site() { games.len() } else { 2 * games.len() };
    for (seed, (game, size)) in games.into_iter().cycle().take(trees).enumerate() {
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

        let link = text(&page.run("return location.href;"));
        let sgf = saved(&page, "#save-sgf", "sgf");
        page.click("dialog[open] .close");
        let line = saved(&page, "#save", "jsonl");

        page.leave_and_forget();
        page.go(&link);
        page.wait_for_moves(moves);
        assert_eq!(page.run(TREE), tree, "{link}");
        assert_eq!(page.run(current), shown, "{link}");
        for (ending, contents) in [("sgf", sgf), ("jsonl", line)] {
            open_file(&page, ending, &contents);
            assert_eq!(page.run(TREE), tree, "{contents}");
        }
    }
}

#[test]
#[ignore = "needs Chromium"]
fn abandoned_game_is_kept() {
    let page = Page::for_two(DESK, 5);
    page.place_all(&["c1", "b2", "a5"]);
    page.begin_for_two(7);
    page.click("#open-games");
    let kept = text(&page.wait("document.querySelector('.shelf li')?.textContent"));
    assert!(kept.starts_with("Cachex 53 moves, not finished, "), "{kept}");
    page.click(".shelf li button");
    page.wait_for_moves(3);
    assert_eq!(page.moves(), ["c1", "b2", "a5"]);
}

/// Moves that are tried after a resignation are not part of the game.
#[test]
#[ignore = "needs Chromium"]
fn resigned_game_ends_at_the_resignation() {
    let page = Page::for_two(DESK, 5);
    page.place_all(&["c1", "b2"]);
    // At once, as the question stands for seconds only.
    page.run("for (let press = 0; press < 2; press++) document.getElementById('resign').click();");
    page.wait("document.querySelector('.player.won')");
    page.place("a5");
    let line = saved(&page, "#save", "jsonl");
    let record: Value = serde_json::from_str(&line).unwrap();
    assert_eq!((&record["moves"], &record["resigned"]), (&json!(["c1", "b2"]), &json!("red")), "{line}");
    assert_eq!(record["variations"], json!([{"ply": 2, "moves": ["a5"]}]));
    open_file(&page, "jsonl", &line);
    page.wait("document.querySelector('.player.won')");
    assert_eq!(page.moves(), ["c1", "b2", "a5"]);
    assert_eq!(page.title(), "Blue wins");
}

#[test]
#[ignore = "needs Chromium"]
fn refused_files_say_why() {
    let page = Page::open(DESK);
    for (contents, message) in [
        ("(;GM[1]SZ[19];B[aa])", "Game 1: GM[1] is another game"),
        ("(;GM[11]SZ[99];B[a1])", "boards of size 2 to 19, not 99"),
        ("(;GM[11]SZ[5];B[a1", "it ends in the middle of a game"),
        ("(;GM[11]SZ[5](;B[a1];B[b2])(;B[c3]))", "Game 1: a player places two stones in a row or passes"),
        ("(;GM[11]SZ[5];B[z9])", "z9"),
        ("https://hexworld.org/board/#5,a1b", "'b' cannot be read as a HexWorld link"),
        (
            r#"{"game":"hex","size":5,"moves":["a1"],"variations":[{"ply":7,"moves":["b2"]}]}"#,
            "A comment or a variation is for ply 7",
        ),
        (
            r#"{"game":"hex","size":5,"moves":["a1"],"variations":[{"ply":0,"moves":["b2","b2"]}]}"#,
            "Move 2 'b2': b2 is occupied",
        ),
        ("hello", "'hello' is no game: give SGF, a HexWorld link"),
    ] {
        page.open_file("game.sgf", contents);
        let told = text(&page.wait("document.getElementById('games-error').textContent"));
        assert!(told.contains(message), "{contents}: {told}");
        page.click("dialog[open] .close");
    }
    page.run("location.hash = '#hex/5/.a1(';");
    page.wait("document.getElementById('notice').textContent === 'This link does not contain a valid game.'");
}

#[test]
#[ignore = "needs Chromium"]
fn bad_link_is_reported_until_the_next_move() {
    let page = Page::for_two(DESK, 5);
    page.place("c2");
    // Other notices go away by themselves after seconds, here at once.
    page.run_first(
        "const later = setTimeout; window.setTimeout = (action, time) => later(action, time < 5000 ? time : 0);",
    );
    // As in a new window: the game that was kept is there first.
    page.visit("#hex/5/.zz9");
    page.wait("document.getElementById('notice').textContent.startsWith(\"Move 1, 'zz9'\")");
    page.settle();
    assert_eq!(page.run("return document.getElementById('notice').hidden;"), false);
    page.place("d4");
    page.wait("document.getElementById('notice').hidden");
}

#[test]
#[ignore = "needs Chromium"]
fn board_is_saved_as_a_picture() {
    let page = Page::for_two(DESK, 5);
    page.place("c2");
    let picture = saved(&page, "#save-svg", "svg");
    assert!(picture.starts_with("<svg") && picture.contains("circle") && picture.contains(">a</text>"), "{picture}");
    assert!(!picture.contains("class=") && !picture.contains("role="), "it stands by itself");
    page.click("#save-png");
    let path = page.downloads().join("cachex-5-1-moves.png");
    // A PNG file ends with this chunk.
    let is_whole = |bytes: &Vec<u8>| bytes.windows(4).any(|name| name == b"IEND");
    let bytes = wait_for_some("the picture", || fs::read(&path).ok().filter(is_whole));
    // The first part of a PNG file: signature, length and name of a chunk, width.
    assert_eq!(&bytes[..4], b"\x89PNG");
    assert_eq!(u32::from_be_bytes(bytes[16..20].try_into().unwrap()), 1200);
}

#[test]
#[ignore = "needs Chromium"]
fn saved_game_names_the_engine() {
    let page = Page::open(DESK);
    page.begin(4, "red", 1);
    page.place("a1");
    page.wait_for_turn();
    let line = saved(&page, "#save", "jsonl");
    assert_eq!(serde_json::from_str::<Value>(&line).unwrap()["players"], json!({"blue": "hexzero, beginner"}));
}

/// HexGui up to 0.9 says that pieces are swapped where the players exchange their sides.
#[test]
#[ignore = "needs Chromium"]
fn game_with_exchanged_sides_is_opened() {
    let page = Page::open(DESK);
    page.click("#open-games");
    let game = "(;AP[HexGui:0.9]GM[11]SZ[5]PB[Ann]PW[Bob];B[a2];W[swap-pieces];W[c3];B[b4])";
    page.choose_file("#file", &page.file("game.sgf", game));
    page.wait("!document.querySelector('dialog[open]')");
    assert_eq!(page.moves(), ["a2", "c3", "b4"]);
    let owner = |name: &str| page.cells().into_iter().find(|cell| cell.name == name).unwrap().owner;
    assert_eq!((owner("a2").as_deref(), owner("c3").as_deref()), (Some("first"), Some("second")));
    // Who played stays with it.
    let line = saved(&page, "#save", "jsonl");
    assert_eq!(serde_json::from_str::<Value>(&line).unwrap()["players"], json!({"black": "Ann", "white": "Bob"}));
}

#[test]
#[ignore = "needs Chromium"]
fn hexworld_links_are_opened_and_made() {
    let page = Page::open(DESK);
    page.run("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); };");
    page.click("#open-games");
    assert_eq!(page.run("return document.getElementById('copy-hexworld').hidden;"), true, "this is not Hex");
    page.click("#link");
    page.press(&format!("https://hexworld.org/board/#6r9c1,a2:sb3,d4c4{ENTER}"));
    page.wait("!document.querySelector('dialog[open]')");
    assert_eq!(page.moves(), ["a2", "swap", "b3", "d4", "c4"]);
    assert_eq!(page.title(), "Move 3 of 5");
    page.click("#open-games");
    page.click("#copy-hexworld");
    assert_eq!(text(&page.wait("window.copied")), "https://hexworld.org/board/#6,a2:sb3,d4c4");

    // A link of this page.
    page.run("window.copied = '';");
    page.click("#copy-link");
    let link = text(&page.wait("window.copied"));
    page.click("dialog[open] .close");
    page.begin_for_two(5);
    page.type_link(&link);
    page.click("#open-link");
    page.wait_for_title("Move 3 of 5");
    page.type_link("https://hexworld.org/board/#6x7,a2");
    page.click("#open-link");
    let told = text(&page.wait("document.getElementById('games-error').textContent"));
    assert_eq!(told, "The board is 6×7; Hex is played here on boards that are as wide as high.");
}

/// Moves from "Copy moves" can be pasted, as a game on a board like the one that is shown.
#[test]
#[ignore = "needs Chromium"]
fn copied_moves_are_pasted() {
    let page = Page::for_two(DESK, 5);
    page.type_link(&format!("a1 b2 c4{ENTER}"));
    page.wait_for_moves(3);
    page.type_link(&format!("a1 zz{ENTER}"));
    let told = text(&page.wait("document.getElementById('games-error').textContent"));
    assert!(told.starts_with("Move 2 'zz': "), "{told}");
    page.click("dialog[open] .close");
}

#[test]
#[ignore = "needs Chromium"]
fn comments_are_written_and_kept() {
    let page = Page::for_two(DESK, 5);
    page.place("c1");
    page.click("#comment");
    page.press("Sharp (but [good])!");
    page.click("#comment-dialog .primary");
    page.wait("document.querySelector('.move .icon')");
    let heard = page.text_of(".move");
    assert!(heard.ends_with(", with a comment"), "{heard}");
    page.place("b2");
    page.press("c");
    page.press("Second.");
    // By the Escape key, too, what was written is kept.
    page.press(ESCAPE);
    page.wait("document.querySelectorAll('.move .icon').length === 2");
    page.click("#first");
    page.click("#forward");
    page.wait("document.getElementById('text').textContent === 'Sharp (but [good])!'");
    assert!(page.told().ends_with("Comment: Sharp (but [good])!"), "{}", page.told());
    page.press("c");
    page.wait("document.getElementById('comment-text').value === 'Sharp (but [good])!'");
    page.press(ESCAPE);
    let sgf = saved(&page, "#save-sgf", "sgf");
    assert!(sgf.contains("B[c1]C[Sharp (but [good\\])!];W[b2]C[Second.]"), "{sgf}");
    page.click("dialog[open] .close");
    let link = text(&page.run("return location.href;"));
    page.leave_and_forget();
    page.go(&link);
    page.wait("document.querySelectorAll('.move .icon').length === 2");
}

/// Letters that somebody puts on the board are kept in files, as LB of SGF.
#[test]
#[ignore = "needs Chromium"]
fn letters_are_placed_and_saved() {
    let page = Page::for_two(DESK, 5);
    page.place("c1");
    let put = |name: &str| {
        page.run(&format!(
            "document.querySelector(\"[aria-label^='{name},']\")
                 .dispatchEvent(new MouseEvent('contextmenu', {{ bubbles: true, cancelable: true }}));"
        ));
    };
    for name in ["d4", "c1", "e5", "c1"] {
        put(name);
    }
    let letters = "return [...document.querySelectorAll('.marks .letter text')].map((one) => one.textContent).join();";
    assert_eq!(page.run(letters), "A,C");
    assert_eq!(page.told(), "Letter removed from c1.");
    let sgf = saved(&page, "#save-sgf", "sgf");
    assert!(sgf.contains("LB[d4:A][e5:C]"), "{sgf}");
    open_file(&page, "sgf", &sgf);
    page.wait("document.querySelectorAll('.marks .letter').length === 2");
}

#[test]
#[ignore = "needs Chromium"]
fn games_are_named_found_deleted_and_restored() {
    let page = Page::for_two(DESK, 5);
    page.place("c1");
    page.click("#open-games");
    page.click("#name-game");
    page.press(&format!("Club final{TAB}Ann{TAB}Bob{ENTER}"));
    page.wait("!document.querySelector('#name-form *')");
    page.click("dialog[open] .close");
    page.begin_for_two(6);
    page.place_all(&["d2", "e3"]);
    page.begin_for_two(7);
    page.click("#open-games");
    let shown =
        "[...document.querySelectorAll('#own-games .opener span:first-child')].map((title) => title.textContent)";
    let games = || page.value(shown);
    assert_eq!(games(), json!(["Cachex 6", "Club final: Ann – Bob"]));

    page.click("#search-games");
    page.press("ann club");
    page.wait(&format!("{shown}.length === 1"));
    page.press("x");
    page.wait("document.querySelector('#own-games .quiet')?.textContent === 'No games found.'");
    page.run("const search = document.getElementById('search-games'); search.value = ''; search.dispatchEvent(new Event('input'));");

    page.click("#own-games .own:first-child button:nth-child(2)");
    page.press(&format!("Second game{ENTER}"));
    page.wait(&format!("{shown}[0] === 'Second game'"));
    page.picture("shelf");
    page.click("#own-games .own:first-child button:nth-child(3)");
    page.wait(&format!("{shown}.length === 1"));
    page.click(".gone button");
    page.wait(&format!("{shown}[0] === 'Second game'"));

    // As one file, and back.
    page.click(".shelf .plain");
    let path = page.downloads().join("hexzero-games.jsonl");
    let file = until_saved(&path, |file| file.lines().count() == 2 && file.ends_with('\n'));
    let first: Value = serde_json::from_str(file.lines().nth(1).unwrap()).unwrap();
    assert_eq!((&first["name"], &first["players"]), (&json!("Club final"), &json!({"red": "Ann", "blue": "Bob"})));
    page.open_with(&[]);
    page.open_file("all.jsonl", &file);
    page.wait("document.querySelectorAll('.shelf li').length === 2");
    page.click(".shelf .plain");
    page.wait(&format!("{shown}.length === 2"));
    // What is there already is not kept twice.
    page.choose_file("#file", &page.file("again.jsonl", &file));
    page.wait("document.querySelectorAll('.shelf').length === 2");
    page.run("document.querySelector('.shelf .plain').click();");
    page.wait("document.querySelectorAll('.shelf').length === 1");
    assert_eq!(games(), json!(["Second game", "Club final: Ann – Bob"]));
    page.click("#own-games .own:nth-child(2) .opener");
    page.wait_for_moves(1);
}
