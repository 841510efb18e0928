//! A site with a game from outside the crate: that of the template, in the module that `.ci/template` builds.

use std::path::Path;
use std::process::Command;

use crate::driver::{Browser, DESK};
use crate::page::text;
use crate::plain_files::PlainFiles;

#[test]
#[ignore = "needs Chromium, and the module of .ci/template"]
fn site_plays_an_external_game() {
    let release = Path::new(env!("CARGO_BIN_EXE_hexzero")).parent().unwrap();
    let module = release.with_file_name("template").join("built/wasm/hexzero.wasm");
    assert!(module.exists(), "this test needs '.ci/template'");
    let program = release.join("examples/own_game");
    assert!(program.exists(), "this test needs 'cargo build --release --examples'");
    let folder = tempfile::tempdir().unwrap();
    let mut site = Command::new(program);
    site.args(["serve", "site"]).arg(folder.path()).args(["--game", "fours", "--wasm"]).arg(module);
    let output = site.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    let host = PlainFiles::of(folder.path());
    let browser = Browser::open(DESK);
    browser.go(&format!("http://127.0.0.1:{}/", host.port));
    browser.wait("document.querySelector('.cell.playable')");
    assert!(text(&browser.run("return document.getElementById('playing').textContent;")).contains("Fours"));
    // Without a network, by random games.
    browser.click(".cell[aria-label^='d4,']");
    browser.wait("document.querySelectorAll('.move').length === 2");
    browser.wait("document.querySelector('.cell.playable')");
    browser.click("#analyse");
    browser.wait("Number(document.getElementById('searched').dataset.visits) > 100");
    // The other games are there, with their networks.
    browser.go(&format!("http://127.0.0.1:{}/#hex/5/.a1", host.port));
    browser.wait("document.getElementById('playing').textContent.includes('Hex')");
    browser.wait("Number(document.getElementById('searched').dataset.visits) > 100");
    assert_eq!(browser.console(), Vec::<String>::new());
}
