//! The page as a site of plain files (`hexzero serve site`), whose engine runs in the browser. All other tests that use the shared server
//! are about such a site too where `HEXZERO_SITE=1` is set.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use serde_json::json;

use crate::driver::{Browser, DESK};
use crate::page::text;
use crate::plain_files::PlainFiles;
use crate::process::wait_until;

/// The bytes that a browser may load to play one game.
const MAX_BYTES: usize = 3_000_000;

/// The engine's modules, any of which a browser may choose.
const MODULES: [&str; 4] = ["hexzero", "hexzero-relaxed", "hexzero-threads", "hexzero-threads-relaxed"];

/// A folder with a site in its folder `hexzero`. All tests read it, and none changes it.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("host");
    // What an older site had and this one lacks must not be found.
    let _ = fs::remove_dir_all(&folder);
    let site = folder.join("hexzero");
    let output = Command::new(env!("CARGO_BIN_EXE_hexzero")).args(["serve", "site"]).arg(site).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder
});

/// A site below the path `hexzero/` of a host of its own.
struct Site {
    host: PlainFiles,
}

impl Site {
    fn new() -> Self {
        Self { host: PlainFiles::of(&FOLDER) }
    }

    fn address(&self) -> String {
        format!("http://127.0.0.1:{}/hexzero/", self.host.port)
    }

    fn open(&self) -> Browser {
        let browser = Browser::open(DESK);
        browser.go(&self.address());
        browser.wait("document.querySelector('.cell.playable')");
        browser
    }
}

/// Plays a move and waits for the engine's.
fn play(browser: &Browser, name: &str) {
    let before = browser.run("return document.querySelectorAll('.move').length;").as_u64().unwrap();
    browser.click(&format!(".cell[aria-label^='{name},']"));
    browser.wait(&format!("document.querySelectorAll('.move').length === {}", before + 2));
}

#[test]
#[ignore = "needs Chromium"]
fn site_in_a_subfolder_plays_offline() {
    let site = Site::new();
    let browser = site.open();
    play(&browser, "c2");
    let sent = site.host.sent();
    assert!(sent <= MAX_BYTES, "{sent} bytes for a game");
    println!("{sent} bytes were sent for the first game");

    browser.wait("navigator.serviceWorker.controller");
    browser.run_async(
        "const done = arguments[0];
         const kept = async () => (await caches.match(new URL('models/cachex.safetensors.gz', document.baseURI))) ? done(true) : setTimeout(kept, 50);
         kept();",
    );
    site.host.go_away();
    browser.go("about:blank");
    browser.go(&site.address());
    browser.wait("document.querySelectorAll('.move').length === 2 && document.querySelector('.cell.playable')");
    browser.click("#open-new");
    browser.click("#choose-side input[value=red]");
    browser.click("#start");
    browser.wait("!document.querySelector('dialog[open]') && !document.querySelector('.move')");
    play(&browser, "d3");
    // A game whose model was never loaded cannot be: that is said, and the page goes on.
    browser.go(&format!("{}#hex/5/.a1", site.address()));
    browser.wait("document.getElementById('playing').textContent.includes('Hex')");
    browser.click("#analyse");
    let notice = browser.wait("document.getElementById('notice').textContent");
    assert!(text(&notice).contains("hex.safetensors.gz cannot be"), "{notice}");
}

/// Returns the number of threads that the page says it searches on.
fn threads(browser: &Browser) -> u64 {
    let said = text(
        &browser.wait("document.getElementById('version').textContent.match(/[0-9]+(?= threads? in this tab)/)?.[0]"),
    );
    said.parse().unwrap()
}

/// The threads that Chromium lets an isolated page have, at most eight.
fn possible_threads(browser: &Browser) -> u64 {
    browser.run("return Math.min(navigator.hardwareConcurrency, 8);").as_u64().unwrap()
}

#[test]
#[ignore = "needs Chromium"]
fn isolated_page_searches_on_several_threads() {
    let site = Site::new();
    let browser = site.open();
    assert_eq!(browser.run("return crossOriginIsolated;"), false, "this host sends no headers");
    assert_eq!(threads(&browser), 1);
    play(&browser, "c2");
    browser.wait("navigator.serviceWorker.controller");
    for is_first in [true, false] {
        browser.go("about:blank");
        browser.go(&site.address());
        browser.wait("document.querySelector('.cell.playable')");
        assert_eq!(browser.run("return crossOriginIsolated;"), true);
        assert_eq!(threads(&browser), possible_threads(&browser));
        browser.click("#open-new");
        browser.click("#choose-side input[value=red]");
        browser.click("#start");
        browser.wait("!document.querySelector('dialog[open]') && !document.querySelector('.move')");
        play(&browser, "d3");
        // The analysis goes on when the page is opened again.
        if is_first {
            browser.click("#analyse");
        }
        browser.wait("Number(document.getElementById('searched').dataset.visits) > 100");
        // The same without a network.
        site.host.go_away();
    }
    assert_eq!(browser.console(), Vec::<String>::new());
}

#[test]
#[ignore = "needs Chromium"]
fn one_thread_searches_where_no_other_starts() {
    for (path, contents) in [
        ("assets/engine/thread.js", "throw new Error('no thread today');"),
        ("assets/engine/thread.js", "onmessage = () => postMessage({ failed: 'no thread today' });"),
        ("engine/hexzero-threads.wasm.gz", "no module"),
    ] {
        let site = Site::new();
        site.host.isolate();
        site.host.replace(&format!("hexzero/{path}"), contents.as_bytes());
        if path.ends_with(".gz") {
            site.host.replace("hexzero/engine/hexzero-threads-relaxed.wasm.gz", contents.as_bytes());
        }
        let browser = site.open();
        assert_eq!(browser.run("return crossOriginIsolated;"), true);
        browser.wait("document.getElementById('version').textContent.includes('1 thread ')");
        play(&browser, "c2");
    }
}

#[test]
#[ignore = "needs Chromium"]
fn chromium_offers_to_install_the_site() {
    let site = Site::new();
    let browser = site.open();
    browser.wait("navigator.serviceWorker.controller");
    let manifest = browser.chrome("Page.getAppManifest", &json!({}));
    assert_eq!(manifest["errors"], json!([]));
    assert!(text(&manifest["url"]).ends_with("/hexzero/manifest.webmanifest"), "{manifest}");
    let errors = browser.chrome("Page.getInstallabilityErrors", &json!({}));
    let errors = errors["installabilityErrors"].as_array().unwrap();
    // The browser of each test keeps nothing, as a private window.
    let others: Vec<_> = errors.iter().filter(|error| error["errorId"] != "in-incognito").collect();
    assert!(others.is_empty(), "{others:?}");
}

#[test]
#[ignore = "needs Chromium"]
fn damaged_files_are_named() {
    let site = Site::new();
    site.host.replace("hexzero/models/cachex.safetensors.gz", b"no checkpoint");
    let browser = site.open();
    browser.click(".cell[aria-label^='c2,']");
    let notice = text(&browser.wait("document.getElementById('notice').textContent"));
    assert!(notice.contains("cachex.safetensors") && notice.contains("not a hexzero checkpoint"), "{notice}");

    let site = Site::new();
    for name in MODULES {
        site.host.replace(&format!("hexzero/engine/{name}.wasm.gz"), &[0x1f, 0x8b, 1, 2, 3]);
    }
    let browser = Browser::open(DESK);
    browser.go(&site.address());
    let away =
        text(&browser.wait("!document.getElementById('away').hidden && document.getElementById('away').textContent"));
    assert!(away.contains("hexzero.wasm.gz is damaged"), "{away}");
}

#[test]
#[ignore = "needs Chromium"]
fn unsupported_browser_says_why() {
    let site = Site::new();
    for (lacking, said) in [
        ("WebAssembly.validate = () => false;", "no SIMD"),
        ("delete window.WebAssembly;", "no WebAssembly"),
        ("delete window.Worker;", "no workers"),
        ("delete window.DecompressionStream;", "cannot decompress"),
    ] {
        let browser = Browser::open(DESK);
        browser.run_first(lacking);
        browser.go(&site.address());
        let away =
            browser.wait("!document.getElementById('away').hidden && document.getElementById('away').textContent");
        assert!(text(&away).contains(said), "{lacking} {away}");
        assert_eq!(browser.run("return getComputedStyle(document.getElementById('away')).visibility;"), "visible");
    }
}

#[test]
#[ignore = "needs Chromium"]
fn new_version_replaces_the_old_one() {
    let site = Site::new();
    let browser = site.open();
    browser.wait("navigator.serviceWorker.controller");
    let worker = "hexzero/service_worker.js";
    let old = fs::read_to_string(FOLDER.join(worker)).unwrap();
    site.host.replace(worker, old.replacen("const VERSION = \"", "const VERSION = \"newer", 1).as_bytes());
    let about = fs::read_to_string(FOLDER.join("hexzero/about.json")).unwrap();
    site.host.replace("hexzero/about.json", about.replacen("\"version\":\"", "\"version\":\"9.", 1).as_bytes());
    // The browser looks for a newer worker when the page is opened; that serves the page opened after it.
    browser.go(&site.address());
    browser.run_async(
        "const done = arguments[0];
         const look = async () =>
             (await navigator.serviceWorker.getRegistration()).waiting ? done(true) : setTimeout(look, 50);
         look();",
    );
    // It becomes active some time after the last page of the old one is left.
    wait_until("the newer page", || {
        browser.go("about:blank");
        browser.go(&site.address());
        browser.wait("document.querySelector('.cell.playable')");
        let version = text(&browser.run("return document.getElementById('version').textContent;"));
        version.starts_with("hexzero 9.")
    });
}

#[test]
#[ignore = "needs Chromium"]
fn served_page_offers_the_engine_in_the_tab() {
    let page = crate::page::Page::open(DESK);
    if page.run("return document.documentElement.hasAttribute('data-site');") == true {
        return;
    }
    page.click("#open-settings");
    page.click("#choose-engine input[value=tab]");
    page.wait("performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/assets/engine/worker.js'))");
    page.wait("document.querySelector('.cell.playable')");
    page.place("c2");
    page.wait("document.querySelectorAll('.move').length === 2");
}

#[test]
#[ignore = "needs Chromium, and the package of browser/pack"]
fn npm_package_plays_in_a_page() {
    let target = Path::new(env!("CARGO_BIN_EXE_hexzero")).parent().unwrap().parent().unwrap();
    let package = target.join("npm");
    assert!(package.join("index.js").exists(), "this test needs 'browser/pack'");
    let host = PlainFiles::of(&package);
    host.replace("index.html", b"<!doctype html><title>A page</title>");
    let browser = Browser::open(DESK);
    browser.go(&format!("http://127.0.0.1:{}/", host.port));
    let said = browser.run_async(
        "const done = arguments[0];
         const play = async () => {
             const { load } = await import('/index.js');
             const engine = await load();
             await engine.loadModel('hex');
             return (await engine.bestMove({ game: 'hex', size: 5, moves: ['a1'] }, { visits: 50 })).visits;
         };
         play().then(done, (error) => done(error.message));",
    );
    assert_eq!(said, 50);
}
