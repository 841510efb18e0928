//! The page on which a network learns, on a board so small that an iteration takes seconds: in the tab, and in the program.

use std::fs;
use std::process::Command;

use crate::access::{SCHEMES, axe, violations};
use crate::driver::{DESK, Screen, TELEPHONE};
use crate::page::{Page, text};
use crate::process::wait_until;
use crate::{common, tiny};

/// Opens the page.
fn open(screen: Screen) -> Page {
    let page = Page::open(screen);
    page.go(&format!("{}learn.html", page.address()));
    page.wait("document.querySelector('#begin:not(:disabled)')");
    page
}

/// Starts learning Hex 3×3 with few visits, and waits for the first `iterations` iterations.
fn begin(page: &Page, iterations: u64) {
    page.run("document.getElementById('settings').open = true;");
    for (selector, value) in [("#size", "3"), ("[data-knob=visits]", "8"), ("[data-knob=network]", "tiny")] {
        page.run(&format!("document.querySelector('{selector}').value = '{value}';"));
    }
    page.click("#begin");
    wait_for(page, iterations);
}

fn wait_for(page: &Page, iterations: u64) {
    page.wait(&format!("Number(document.querySelector('.run-panel')?.dataset.iterations) >= {iterations}"));
}

/// Ends the iteration under way.
fn rest(page: &Page) {
    page.click(".run-panel .primary");
    page.wait("document.querySelector('.run-panel .primary:not(:disabled)')?.textContent === 'Continue'");
}

/// Opens the page, and rests after the first `iterations` iterations of a run.
fn rested(screen: Screen, iterations: u64) -> Page {
    let page = open(screen);
    begin(&page, iterations);
    rest(&page);
    page
}

fn iterations(page: &Page) -> u64 {
    page.run("return Number(document.querySelector('.run-panel').dataset.iterations);").as_u64().unwrap()
}

/// Reloads the page and waits until it shows a run with this number of iterations.
fn reload(page: &Page, iterations: u64) {
    page.go("about:blank");
    page.go(&format!("{}learn.html", page.address()));
    wait_for(page, iterations);
}

/// Presses the button with this text.
fn press(page: &Page, name: &str) {
    page.run(&format!(
        "[...document.querySelectorAll('.run-panel button')].find(({{ textContent }}) => textContent === '{name}').click();"
    ));
}

/// Asks what the network thinks of another position than the empty board.
fn explore(page: &Page) {
    let pieces = |count| format!("document.querySelectorAll('.explorer .piece').length === {count}");
    page.run("document.querySelector('.explorer [data-place=\"0\"]').dispatchEvent(new MouseEvent('click', { bubbles: true }));");
    page.wait(&pieces(1));
    page.wait("document.querySelectorAll('.explorer .heat').length === 8");
    press(page, "Empty board");
    page.wait(&pieces(0));
}

#[test]
#[ignore = "needs Chromium and 'cargo wasm'"]
fn network_learns_rests_and_goes_on_after_a_reload() {
    let page = open(DESK);
    begin(&page, 2);
    page.wait("document.querySelectorAll('.games .piece').length > 0");
    assert_eq!(page.run("return document.querySelectorAll('.heat').length;"), 9, "the opinion of each cell");
    let told = page.text_of(".run-panel");
    assert!(told.contains("of 9; guessing"), "the truth about the openings is known: {told}");
    assert!(told.contains("Rating: ") && told.contains("Elo, random moves 0"), "{told}");
    rest(&page);
    explore(&page);
    let before = iterations(&page);

    reload(&page, before);
    assert_eq!(iterations(&page), before, "nothing is lost");
    page.click(".run-panel .primary");
    wait_for(&page, before + 1);
    rest(&page);
    let shards = page.run_async(
        "const done = arguments[0];
         const request = indexedDB.open('hexzero-learn');
         request.onsuccess = () => {
           const keys = request.result.transaction('files').objectStore('files').getAllKeys();
           keys.onsuccess = () => done(keys.result.filter(([, path]) => path.startsWith('run/games/')).length);
         };",
    );
    assert_eq!(shards, iterations(&page), "the games of each iteration are kept");
}

/// A window shows a run that another one trains, and goes on with it after that.
#[test]
#[ignore = "needs Chromium and 'cargo wasm'"]
fn run_is_trained_in_one_window_at_a_time() {
    let page = rested(DESK, 1);
    let before = iterations(&page);
    reload(&page, before);
    // As the other window would.
    page.run_async(
        "const done = arguments[0];
         const hold = (id) => navigator.locks.request(`hexzero run ${id}`, () => new Promise((end) => done((window.end = end) && null)));
         indexedDB.open('hexzero-learn').onsuccess = ({ target }) => {
           const keys = target.result.transaction('runs').objectStore('runs').getAllKeys();
           keys.onsuccess = () => hold(keys.result[0]);
         };",
    );
    page.click(".run-panel .primary");
    page.wait("document.getElementById('away').textContent.startsWith('Another window is training this run')");
    explore(&page);
    page.run("window.end();");
    page.click(".run-panel .primary");
    wait_for(&page, before + 1);
    assert_eq!(page.run("return document.getElementById('away').hidden;"), true);
    rest(&page);
}

#[test]
#[ignore = "needs Chromium and 'cargo wasm'"]
fn network_of_any_moment_plays() {
    let page = rested(TELEPHONE, 1);
    page.run("window.open = (address) => (window.asked = address);");
    press(&page, "Play against it");
    let asked = text(&page.wait("window.asked"));
    page.go(&format!("{}{}", page.address(), asked.trim_start_matches("./")));
    page.wait("document.querySelector('.cell.playable')");
    page.click(".cell[aria-label^='a1,']");
    page.wait_for_moves(2);
}

#[test]
#[ignore = "needs Chromium and 'cargo wasm'"]
fn saved_run_goes_on_in_the_program() {
    let page = rested(DESK, 1);
    press(&page, "Save the run");
    let archive = page.downloads().join("hex-3.tar");
    wait_until("the archive", || archive.exists());
    let unpacked = Command::new("tar").arg("-xf").arg(&archive).current_dir(page.downloads()).status().unwrap();
    assert!(unpacked.success());
    let games = 100 * (iterations(&page) + 1);
    let output = Command::new(env!("CARGO_BIN_EXE_hexzero"))
        .args(["train", "--resume", "--games", &games.to_string(), "--run"])
        .arg(page.downloads().join("hex-3"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metrics = fs::read_to_string(page.downloads().join("hex-3/metrics.jsonl")).unwrap();
    assert_eq!(metrics.lines().count() as u64, games / 100, "the iterations of the page and one more");
}

/// Asks axe about the page on a desk and on a telephone, light and dark.
fn is_accessible(page: &Page, name: &str) {
    page.allow_complaints();
    let axe = axe();
    for screen in [DESK, TELEPHONE] {
        page.resize(screen);
        for scheme in SCHEMES {
            page.prefer(&[("prefers-color-scheme", scheme), ("prefers-reduced-motion", "reduce")]);
            page.settle();
            assert_eq!(violations(page, &axe), [""; 0], "{scheme}");
            page.picture(&format!("{name}-{scheme}-{}", screen.width));
        }
    }
}

#[test]
#[ignore = "needs Chromium, 'cargo wasm' and axe-core"]
fn axe_finds_no_violations_while_a_network_learns() {
    let page = rested(DESK, 2);
    is_accessible(&page, "learn");
}

/// Trains a run with two kept checkpoints and ratings, in the folder `run`.
fn trained() -> tiny::Folder {
    let folder = tiny::folder_with_recipe();
    std::fs::write(folder.path().join("tiny.toml"), format!("{}keep_every = 1\n", tiny::RECIPE)).unwrap();
    tiny::train(folder.path(), "--recipe tiny.toml --games 12 --run run --rate 0").success();
    let ladder = ["tournament", "ladder", "run", "--size", "3", "--games", "24", "--visits", "2"];
    common::hexzero(folder.path(), &ladder).success();
    folder
}

/// Opens the page that watches the run in `run`.
fn watch(folder: &tiny::Folder) -> Page {
    let page = Page::open_of(DESK, &["--run", folder.path().join("run").to_str().unwrap()]);
    page.go(&format!("{}run", page.address()));
    wait_for(&page, 2);
    page
}

#[test]
#[ignore = "needs Chromium"]
fn run_of_the_program_is_watched() {
    let folder = trained();
    let page = watch(&folder);
    assert_eq!(page.run("return document.getElementById('setup').hidden;"), true, "nothing starts a run here");
    page.wait("document.querySelectorAll('.explorer .heat').length === 8");
    page.wait("document.querySelectorAll('.games .piece').length > 0");
    let headings = text(&page.run(
        "return [...document.querySelectorAll('.report:not([hidden]) h2')].map((one) => one.textContent).join();",
    ));
    let parts =
        "Figures,Curves,Elo of the checkpoints,Calibration of the values,Boards of the last iteration,Games,Recipe";
    assert_eq!(headings, parts);
    for (part, least) in
        [(".charts figure", 12), (".of-again .whisker", 1), (".report pre", 1), (".report tbody tr", 12)]
    {
        let found = page.run(&format!("return document.querySelectorAll('{part}').length;")).as_u64().unwrap();
        assert!(found >= least, "{found} of {part}");
    }
    // The opinion of an earlier network, and of a position.
    let step = || page.text_of(".run-panel > p:last-of-type");
    let chance = || page.text_of(".of-values .figure");
    let (latest, thinks) = (page.run("return document.querySelector('.run-panel').textContent;").to_string(), chance());
    page.run("const slider = document.querySelector('.timeline input'); slider.value = 0; slider.dispatchEvent(new Event('input'));");
    page.wait(&format!("document.querySelector('.of-values .figure').textContent !== '{thinks}'"));
    assert_ne!(page.run("return document.querySelector('.run-panel').textContent;").to_string(), latest, "{}", step());
    explore(&page);
    // It follows the run; the game that is looked at stays.
    let game = page.run("return document.querySelector('#games option:checked').textContent;");
    tiny::train(folder.path(), "--resume --games 18 --run run --rate 0").success();
    wait_for(&page, 3);
    assert_eq!(page.run("return document.querySelector('#games option:checked').textContent;"), game);
    page.click("#games a");
    page.wait("document.querySelector('.move')");
}

#[test]
#[ignore = "needs Chromium and axe-core"]
fn axe_finds_no_violations_while_a_run_is_watched() {
    let folder = trained();
    let page = watch(&folder);
    page.wait("document.querySelectorAll('.explorer .heat').length === 8");
    is_accessible(&page, "run");
}
