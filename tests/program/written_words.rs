//! The texts of the pages that the program writes itself, that of a run and the review, are in one table.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value};

use crate::common::hexzero;
use crate::tiny::{folder_with_recipe, train};
use crate::translation::{translated, translated_table};

fn source(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn words() -> Map<String, Value> {
    let table: Value = serde_json::from_str(&source("src/report/words.json")).unwrap();
    table["words"].as_object().unwrap().clone()
}

/// The sources that ask for texts, without their tests.
fn sources() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/report");
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let asking = names.filter(|name| name.ends_with(".rs") || name.ends_with(".js"));
    let paths = asking.map(|name| format!("src/report/{name}"));
    let paths = paths.chain(["review.rs", "review_page.rs"].map(|name| format!("src/interfaces/cli/{name}")));
    let code = |path: &str| source(path).split("#[cfg(test)]").next().unwrap().to_owned();
    // What say.js takes for lists.
    let shared = [("say.js".to_owned(), "\"comma\"".to_owned())];
    paths.map(|path| (path.clone(), code(&path))).chain(shared).collect()
}

/// What stands in quotes in a source.
fn quoted(source: &str) -> BTreeSet<String> {
    let lines = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    let texts = lines.flat_map(|line| {
        let line = line.replace("\\\"", "'");
        let (plain, templates) = (line.split('"'), line.split('`'));
        plain.skip(1).step_by(2).chain(templates.skip(1).step_by(2)).map(str::to_owned).collect::<Vec<_>>()
    });
    texts.collect()
}

/// The beginnings of names that are put together, such as `told.`.
fn beginnings(quoted: &BTreeSet<String>) -> BTreeSet<&str> {
    let begin = quoted.iter().filter_map(|text| text.split_once('{')).map(|(begin, _)| begin.trim_end_matches('$'));
    begin.filter(|begin| begin.ends_with('.')).collect()
}

/// The names of texts in the template of the page.
fn named_in_html() -> BTreeSet<String> {
    let html = source("src/report/page.html");
    html.split("{{say ").skip(1).map(|rest| rest.split("}}").next().unwrap().to_owned()).collect()
}

#[test]
fn every_text_that_is_asked_for_is_in_the_table_and_none_is_idle() {
    let words = words();
    let areas: BTreeSet<&str> = words.keys().filter_map(|key| Some(key.split_once('.')?.0)).collect();
    let is_name = |text: &&String| {
        let is_word =
            |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphabetic() || "-_".contains(c));
        let is_file = [".css", ".js", ".json", ".html", ".rs"].iter().any(|ending| text.ends_with(ending));
        text.contains('.')
            && text.split('.').all(is_word)
            && areas.contains(text.split('.').next().unwrap())
            && !is_file
    };
    let (mut missing, mut asked, mut built) = (Vec::new(), named_in_html(), BTreeSet::new());
    missing.extend(asked.iter().filter(|key| !words.contains_key(*key)).map(|key| format!("page.html: {key}")));
    for (path, code) in sources() {
        let found = quoted(&code);
        let unknown = found.iter().filter(is_name).filter(|key| !words.contains_key(*key));
        missing.extend(unknown.map(|key| format!("{path}: {key}")));
        built.extend(beginnings(&found).into_iter().map(str::to_owned));
        asked.extend(found);
    }
    assert!(missing.is_empty(), "words.json lacks {missing:#?}");
    let is_built = |key: &str| built.iter().any(|begin| key.starts_with(begin.as_str()));
    let idle: Vec<&String> = words.keys().filter(|key| !asked.contains(*key) && !is_built(key)).collect();
    assert!(idle.is_empty(), "nothing asks for {idle:#?}");
}

#[test]
fn the_template_has_all_its_texts_from_the_table() {
    let html = source("src/report/page.html");
    let mut bare = String::new();
    for (number, piece) in html.split("{{").enumerate() {
        bare += if number == 0 { piece } else { piece.split_once("}}").unwrap().1 };
    }
    assert_eq!(seen(&bare), ["· hexzero", "recipe.toml"]);
}

/// What is seen or heard of a page without its scripts: texts, labels and tooltips. The style and the recipe are neither.
fn seen(html: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut hidden: Option<String> = None;
    for piece in html.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').unwrap_or((piece, ""));
        let name = tag.split_whitespace().next().unwrap_or_default().to_owned();
        if hidden.as_ref().is_some_and(|open| name != format!("/{open}")) {
            continue;
        }
        hidden = Some(name).filter(|name| ["style", "script", "pre", "code"].contains(&name.as_str()));
        for attribute in [" aria-label=\"", " title=\"", " placeholder=\"", " alt=\""] {
            texts.extend(tag.split(attribute).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()));
        }
        texts.extend(Some(text.trim().to_owned()).filter(|_| hidden.is_none()));
    }
    texts.retain(|text| text.chars().any(char::is_alphabetic));
    texts
}

/// Writes the table in a language that is made up, with what the game says of itself.
fn translation(folder: &Path, games: &[&str]) {
    fs::write(folder.join("words.json"), translated_table(games).to_string()).unwrap();
}

/// Texts with words of two Latin letters and more, but for names, and numbers with a point.
fn english(html: &str, names: &[&str]) -> Vec<String> {
    let is_english = |text: &String| {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != ':').map(|word| word.trim_end_matches(':'));
        let words = words.filter(|word| !names.contains(word));
        let mut latin = words.filter(|word| word.chars().filter(char::is_ascii_alphabetic).count() > 1);
        let has_point = |part: &[u8]| part[0].is_ascii_digit() && part[1] == b'.' && part[2].is_ascii_digit();
        latin.next().is_some() || text.as_bytes().windows(3).any(has_point)
    };
    seen(html).into_iter().filter(is_english).collect()
}

#[test]
fn another_language_is_everywhere_on_the_page_of_a_run() {
    let folder = folder_with_recipe();
    translation(folder.path(), &["red", "blue", "connection", "repetition", "captures", "stones captured"]);
    let page = |run: &str| {
        hexzero(folder.path(), &["report", run, "--words", "words.json", "--output", "page.html"]).success();
        fs::read_to_string(folder.path().join("page.html")).unwrap()
    };
    let names = [
        "run",
        "begun",
        "hexzero",
        "recipe",
        "toml",
        "cachex",
        "alphabeta:2",
        "alphabeta:3",
        "mcts:1000",
        "random",
        "int8",
        "f32",
    ];
    let made = ["avx512", "avx2", "neon", "portable", "step", "safetensors"];
    let names = [&names[..], &made].concat();
    // At first there is nothing to show.
    fs::create_dir(folder.path().join("begun")).unwrap();
    fs::write(folder.path().join("begun/recipe.toml"), "game = \"cachex\"\n").unwrap();
    let begun = page("begun");
    assert!(begun.starts_with("<!DOCTYPE html>\n<html lang=\"uk\""), "{begun}");
    assert!(seen(&begun).contains(&translated("No iteration is finished yet.")));
    assert_eq!(english(&begun, &names), [""; 0]);
    train(folder.path(), "--recipe tiny.toml --games 12 --rate 0 --run run").success();
    let ladder = ["ladder", "run", "--size", "3", "--games", "24", "--visits", "2"];
    hexzero(folder.path(), &ladder).success();
    let whole = page("run");
    assert!(seen(&whole).contains(&translated("Plies of a game")) && whole.contains("id=\"elo-rows-3\""));
    assert_eq!(english(&whole, &names), [""; 0]);
    // What the test would find.
    assert_eq!(english("<p>a 1,5</p><p>Games</p><i title=\"б 0.5\"></i><pre>no text</pre>", &[]), ["Games", "б 0.5"]);
    let refused = hexzero(folder.path(), &["report", "run", "--words", "tiny.toml"]).code(1).stdout("");
    refused.stderr(predicates::str::contains("tiny.toml is no table of texts such as src/report/words.json"));
}

#[test]
fn another_language_is_everywhere_in_a_review() {
    let folder = tempfile::tempdir().unwrap();
    translation(folder.path(), &["black", "white", "Hex without the swap"]);
    let game = r#"{"game":"hex-noswap","size":3,"moves":["a1","c1","a2","c2","c3","a3","b2","b3"]}"#;
    fs::write(folder.path().join("game.jsonl"), game).unwrap();
    let review = ["review", "game.jsonl", "--visits", "50", "--html", "--words", "words.json"];
    let output = hexzero(folder.path(), &review).success().get_output().stdout.clone();
    let page = String::from_utf8(output).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\"uk\">"), "{page}");
    assert!(seen(&page).contains(&translated("Inaccuracies")) && page.contains("<td>a3</td>"), "{page}");
    assert_eq!(english(&page, &[]), [""; 0]);
}
