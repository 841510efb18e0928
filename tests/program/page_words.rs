//! The texts of the page: every one that is asked for is in the table, and every one in the table is asked for.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use hexzero::search::Level;
use serde_json::{Map, Value};

/// The page's files of a kind, by name.
fn files(ending: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/interfaces/web/page");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let wanted = paths.filter(|path| path.extension().is_some_and(|end| end == ending));
    wanted
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(&path).unwrap()))
        .collect()
}

fn words() -> Map<String, Value> {
    let (_, table) = files("js").into_iter().find(|(name, _)| name == "words.js").unwrap();
    let (_, json) = table.split_once("export const WORDS = ").unwrap();
    let (json, _) = json.split_once("\n};").unwrap();
    serde_json::from_str(&format!("{json}\n}}")).unwrap()
}

/// What stands in quotes in a script: texts, and the parts of templates around what is put in.
#[derive(Debug, Default)]
struct Quoted {
    texts: BTreeSet<String>,
    /// The beginning and the end of templates with one gap.
    templates: BTreeSet<(String, String)>,
}

impl Quoted {
    fn read(script: &str) -> Self {
        let mut found = Self::default();
        for line in script.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let pieces: Vec<&str> = line.split('"').collect();
            found.texts.extend(pieces.iter().skip(1).step_by(2).map(|&text| text.to_owned()));
            for template in line.split('`').skip(1).step_by(2) {
                if let Some((start, rest)) = template.split_once("${")
                    && let Some((_, end)) = rest.rsplit_once('}')
                {
                    found.templates.insert((start.to_owned(), end.to_owned()));
                }
            }
        }
        found
    }
}

/// The values of attributes of the page that name texts.
fn named_in_html(html: &str) -> BTreeSet<String> {
    let attributes = ["data-word", "data-label", "data-about", "data-hint", "data-content"];
    let values = attributes.iter().flat_map(|name| {
        let begin = format!("{name}=\"");
        html.split(&begin).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect::<Vec<_>>()
    });
    values.collect()
}

/// Whether something may be the name of a text: words with dots between them, the first of which other names have too.
fn is_name(text: &str, areas: &BTreeSet<&str>) -> bool {
    let is_word = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphabetic());
    text.contains('.') && text.split('.').all(is_word) && areas.contains(text.split('.').next().unwrap())
}

/// The texts that are directly asked for in a script.
fn said(script: &str) -> impl Iterator<Item = &str> {
    script.split("say(\"").skip(1).map(|rest| rest.split('"').next().unwrap())
}

#[test]
fn every_text_that_is_asked_for_is_in_the_table() {
    let words = words();
    let areas: BTreeSet<&str> = words.keys().map(|key| key.split('.').next().unwrap()).collect();
    let mut missing = BTreeSet::new();
    for (name, script) in files("js").into_iter().filter(|(name, _)| name != "words.js") {
        let quoted = Quoted::read(&script);
        let named = quoted.texts.iter().map(String::as_str).filter(|text| is_name(text, &areas));
        for key in named.chain(said(&script)).filter(|&key| !words.contains_key(key)) {
            missing.insert(format!("{name}: {key}"));
        }
    }
    for (name, html) in files("html") {
        missing.extend(
            named_in_html(&html).into_iter().filter(|key| !words.contains_key(key)).map(|key| format!("{name}: {key}")),
        );
    }
    for level in Level::ALL {
        let key = format!("level.{}", level.name());
        if !words.contains_key(&key) {
            missing.insert(key);
        }
    }
    assert!(missing.is_empty(), "words.js lacks {missing:#?}");
}

#[test]
fn every_text_of_the_table_is_asked_for() {
    let mut asked = BTreeSet::new();
    let mut templates = BTreeSet::new();
    for (_, script) in files("js").into_iter().filter(|(name, _)| name != "words.js") {
        let quoted = Quoted::read(&script);
        asked.extend(quoted.texts);
        templates.extend(quoted.templates.into_iter().filter(|(start, _)| start.ends_with('.')));
    }
    asked.extend(files("html").iter().flat_map(|(_, html)| named_in_html(html)));
    let is_built = |key: &str| templates.iter().any(|(start, end)| key.starts_with(start) && key.ends_with(end));
    let words = words();
    let idle: Vec<&String> = words.keys().filter(|key| !asked.contains(*key) && !is_built(key)).collect();
    assert!(idle.is_empty(), "nothing asks for {idle:#?}");
}

/// The page itself holds no text of its own but its name.
#[test]
fn the_page_has_all_its_texts_from_the_table() {
    let (_, html) = files("html").into_iter().find(|(name, _)| name == "index.html").unwrap();
    let mut rest = html.as_str();
    let mut texts = Vec::new();
    while let Some((_, after)) = rest.split_once('>') {
        let (text, next) = after.split_once('<').unwrap_or((after, ""));
        texts.extend(Some(text.trim()).filter(|text| text.chars().any(char::is_alphabetic)));
        rest = next;
    }
    // The title in the head, and the heading.
    assert_eq!(texts, ["hexzero", "hexzero"]);
    for attribute in ["aria-label=", "title=", "placeholder="] {
        assert!(!html.contains(&format!(" {attribute}")), "{attribute}");
    }
}
