//! The page in another language: one that is made up for the test, with the alphabet, plurals, numbers and dates of
//! Ukrainian, so that every word of English that is left is found.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::driver::DESK;
use crate::page::{Page, text};
use crate::states::walk_on;
use crate::tiny;
use crate::translation::{translated, translated_table};

/// The forms of a text with plurals; what they are is to be seen by a sign at their end.
fn plurals(forms: &Map<String, Value>) -> Value {
    let (one, other) = (translated(&text(&forms["one"])), translated(&text(&forms["other"])));
    json!({"one": one, "few": format!("{other}²"), "many": format!("{other}⁵"), "other": other})
}

/// All texts in what a server tells, whatever they are.
fn texts(told: &Value, found: &mut Map<String, Value>) {
    match told {
        Value::String(text) => drop(found.insert(text.clone(), translated(text).into())),
        Value::Array(parts) => parts.iter().for_each(|part| texts(part, found)),
        Value::Object(fields) => fields.values().for_each(|part| texts(part, found)),
        _ => {}
    }
}

/// Writes the page's files into a folder.
fn page_files() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let from = std::env::var("HEXZERO_PAGE").map_or_else(
        |_| Path::new(env!("CARGO_MANIFEST_DIR")).join("src/interfaces/web/page"),
        |folder| Path::new(&folder).to_owned(),
    );
    for file in fs::read_dir(from).unwrap().map(|file| file.unwrap().path()) {
        fs::copy(&file, folder.path().join(file.file_name().unwrap())).unwrap();
    }
    folder
}

/// Translates the page in a folder; `about` is what the server tells of the games.
fn translate(folder: &Path, about: &Value) {
    let path = folder.join("words.js");
    let table = fs::read_to_string(&path).unwrap();
    let (_, json) = table.split_once("export const WORDS = ").unwrap();
    let (json, _) = json.split_once("\n};").unwrap();
    let mut words: Map<String, Value> = serde_json::from_str(&format!("{json}\n}}")).unwrap();
    for word in words.values_mut() {
        *word = match &*word {
            Value::Object(forms) => plurals(forms),
            plain => translated(&text(plain)).into(),
        };
    }
    let mut games = Map::new();
    texts(&about["games"], &mut games);
    // What is counted in some games is told with their positions.
    for what in ["captured cells", "games won", "power"] {
        games.insert(what.to_owned(), translated(what).into());
    }
    let words = format!(
        "export const LANGUAGE = \"uk\";\nexport const WORDS = {};\nexport const GAMES = {};\n",
        Value::from(words),
        Value::from(games)
    );
    fs::write(path, words).unwrap();
}

/// The page in the other language, and the folder with its files.
fn open_translated() -> (Page, TempDir) {
    let folder = page_files();
    let page = Page::open_under_control_of(DESK, &["--page", folder.path().to_str().unwrap()]);
    let about =
        page.run_async("const done = arguments[0]; fetch('/api/about').then((answer) => answer.json()).then(done);");
    translate(folder.path(), &about);
    page.run("localStorage.clear(); sessionStorage.clear();");
    page.visit("");
    (page, folder)
}

/// Words of two Latin letters and more that are seen or heard. What the server says of a move that is not allowed is its
/// own, and so are the names of moves and of the program, and that of the file that is opened.
const LATIN: &str = r#"
    const found = new Set();
    const own = "hexzero swap pass finished jsonl Up Down UpLeft UpRight DownLeft DownRight n s ne nw se sw".split(" ");
    const take = (text, where) => {
        for (const [word] of (text ?? "").matchAll(/\b[A-Za-z]{2,}\b/g)) if (!own.includes(word)) found.add(`${word} in ${where}`);
    };
    const name = (one) => `${one.tagName}#${one.id}.${one.getAttribute("class")}`;
    take(document.title, "the title of the page");
    for (const one of document.querySelectorAll("body *")) {
        if (!one.checkVisibility({ visibilityProperty: true }) && !one.matches(".unseen, .unseen *, title, option")) continue;
        if (one.closest("[hidden], code, pre, #notice, #told, .symbols") || one.closest("dialog:not([open])")) continue;
        for (const node of one.childNodes) if (node.nodeType === Node.TEXT_NODE) take(node.textContent, name(one));
        for (const attribute of ["aria-label", "title", "placeholder", "aria-valuetext", "alt"]) take(one.getAttribute(attribute), `${attribute} of ${name(one)}`);
    }
    return [...found];"#;

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn another_language_is_everywhere() {
    let (page, _folder) = open_translated();
    assert_eq!(page.run("return document.documentElement.lang;"), "uk");
    let mut faults = Vec::new();
    let mut heard = Vec::new();
    walk_on(&page, |page, state, _| {
        let found = page.run(LATIN);
        faults.extend(found.as_array().unwrap().iter().map(|word| format!("{state}: {}", text(word))));
        heard.push(page.told());
        page.picture(&format!("translated-{}", state.replace(' ', "-")));
        // Once the server is away the browser complains of every attempt to reach it.
        if state != "the server is away" {
            page.assert_silent();
        }
    });
    assert!(faults.is_empty(), "{} words of English:\n{}", faults.len(), faults.join("\n"));
    // What is told of moves, too.
    let is_english = |word: &str| word.len() > 1 && word.chars().all(|c| c.is_ascii_alphabetic()) && word != "swap";
    let latin = |told: &&String| told.split(|c: char| !c.is_ascii_alphanumeric()).any(is_english);
    let english: Vec<&String> = heard.iter().filter(latin).collect();
    assert!(english.is_empty(), "{english:?}");
}

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn another_language_is_on_the_page_of_a_run() {
    let folder = tiny::folder_with_recipe();
    tiny::train(folder.path(), "--recipe tiny.toml --games 12 --run run --rate 0").success();
    let words = folder.path().join("words.json");
    fs::write(&words, translated_table(&["red", "blue", "connection", "stones captured", "captures"]).to_string())
        .unwrap();
    let run = folder.path().join("run");
    let page = Page::open_of(DESK, &["--run", run.to_str().unwrap(), "--words", words.to_str().unwrap()]);
    page.go(&format!("{}run", page.address()));
    page.wait("document.getElementById('viewer')?.children.length && !document.getElementById('back').hidden");
    assert_eq!(page.run("return document.documentElement.lang;"), "uk");
    // The names of what the run is and was made with.
    let latin = LATIN.replace("\"hexzero swap", "\"run recipe toml step safetensors cachex portable neon hexzero swap");
    let mut faults = Vec::new();
    let mut look = |state: &str| {
        let found = page.run(&latin);
        faults.extend(found.as_array().unwrap().iter().map(|word| format!("{state}: {}", text(word))));
    };
    let last = page.run("return document.querySelectorAll('#viewer option').length;").as_u64().unwrap() - 1;
    for game in 0..=last {
        page.run(&format!(
            "const games = document.querySelector('#viewer select'); games.value = {game}; games.dispatchEvent(new Event('change'));"
        ));
        let plies = page.run("return Number(document.querySelector('#viewer input').max);").as_u64().unwrap();
        for ply in 0..=plies {
            look(&format!("game {game}, ply {ply}"));
            page.click("#viewer .controls button:nth-child(4)");
        }
    }
    page.click("#viewer .controls button:nth-child(3)");
    look("while it plays");
    page.run("document.getElementById('length').dispatchEvent(new PointerEvent('pointermove', { clientX: 300, clientY: 300 }));");
    let values = text(&page.run("return document.querySelector('#length + figcaption').textContent;"));
    assert!(values.contains(&translated("longest")) && values.contains(": "), "{values}");
    look("values of a chart");
    assert!(faults.is_empty(), "{} words of English:\n{}", faults.len(), faults.join("\n"));
    page.assert_silent();
}

#[test]
#[ignore = "needs Chromium and chromedriver"]
fn plurals_numbers_and_dates_are_those_of_the_language() {
    let (page, _folder) = open_translated();
    let game =
        |moves: &str| format!("{{\"game\":\"cachex\",\"size\":5,\"moves\":[{moves}],\"date\":\"2026-11-22\"}}\n");
    let games = ["\"c1\"", "\"c1\",\"b2\"", "\"c1\",\"b2\",\"a5\",\"c2\",\"d4\""].map(game).concat();
    page.click("#open-games");
    page.choose_file("#file", &page.file("games.jsonl", &games));
    page.wait("document.querySelectorAll('.shelf li').length === 3");
    let shelf = page.run("return [...document.querySelectorAll('.shelf li .quiet')].map((one) => one.textContent);");
    let [one, other] = ["{n} move", "{n} moves"].map(translated);
    for (i, moves) in [
        one.replace("{n}", "1"),
        format!("{}²,", other.replace("{n}", "2")),
        format!("{}⁵,", other.replace("{n}", "5")),
    ]
    .iter()
    .enumerate()
    {
        let said = text(&shelf[i]);
        assert!(said.starts_with(moves), "{said}");
        assert!(said.contains("22 лист. 2026"), "{said}");
    }
    // Thousands, as the language separates them.
    let visits = page.run_async("const done = arguments[0]; import('/assets/say.js').then(({ say }) => done(say('review.visits', { n: 4000 })));");
    assert!(text(&visits).contains("4\u{a0}000"), "{visits}");
    page.assert_silent();
}
