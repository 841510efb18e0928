//! The texts of the game in the terminal are in one file.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

/// The texts in quotes of a source, without its tests.
fn quoted(source: &str) -> Vec<String> {
    let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let inside = |line: &str| line.split('"').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    lines.flat_map(inside).collect()
}

/// Whether a text has two words or more, apart from what is put in.
fn is_said(text: &str) -> bool {
    let parts = text.split(['{', '}']).step_by(2);
    let is_word = |word: &&str| word.len() > 1 && word.chars().all(|c| c.is_ascii_alphabetic());
    parts
        .flat_map(str::split_whitespace)
        .map(|word| word.trim_matches(['.', ',', ':', ';', '\'']))
        .filter(is_word)
        .count()
        > 1
}

#[test]
fn the_terminal_has_all_its_texts_from_one_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/interfaces/terminal");
    let others = sources(&folder).into_iter().filter(|path| !path.ends_with("words.rs") && !path.ends_with("tests.rs"));
    let faults: Vec<(PathBuf, String)> = others
        .flat_map(|path| {
            let said = quoted(&fs::read_to_string(&path).unwrap()).into_iter().filter(|text| is_said(text));
            said.map(|text| (path.clone(), text)).collect::<Vec<_>>()
        })
        .collect();
    assert!(faults.is_empty(), "texts beside words.rs: {faults:#?}");
    assert!(is_said("the game is over") && !is_said("{name} {}{captures}"));
}
