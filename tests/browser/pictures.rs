//! The pictures of the README, from the real page: `docs/screenshots/make`.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::driver::{DESK, Screen, TELEPHONE};
use crate::page::Page;

fn keep(page: &Page, name: &str) {
    let seen = page.picture(name);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/screenshots");
    fs::create_dir_all(&folder).unwrap();
    fs::copy(seen, folder.join(format!("{name}.png"))).unwrap();
}

/// A game in which there is something to see.
fn show_game(page: &Page) {
    page.begin(7, "people", 2);
    for name in ["b2", "d4", "c5", "e3", "d3", "c4", "b6", "f2"] {
        page.place(name);
    }
}

#[test]
#[ignore = "writes docs/screenshots"]
fn readme_analysis() {
    let page = Page::open(Screen { width: 1280, height: 800, ..DESK });
    show_game(&page);
    page.click("#analyse");
    page.wait("Number(document.getElementById('searched').dataset.visits) > 20000");
    page.wait("document.querySelector('.chart .curve')?.getAttribute('d').split('L').length === 9");
    keep(&page, "analysis");
}

#[test]
#[ignore = "writes docs/screenshots"]
fn readme_telephone() {
    let page = Page::open(TELEPHONE);
    page.chrome(
        "Emulation.setEmulatedMedia",
        &json!({"features": [{"name": "prefers-color-scheme", "value": "dark"}]}),
    );
    show_game(&page);
    keep(&page, "telephone");
}
