//! The layers of the library: each folder of `src/` imports only from those below it (docs/architecture.md, "The house"), and
//! what play needs of the network knows nothing of candle.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The folders of `src/` from the ground up. Folders of one layer do not import each other. Files beside the folders, such as
/// `files.rs`, are the ground unless they are listed here.
const LIBRARY: &[&[&str]] = &[
    &["board", "board_ui"],
    &["games"],
    &["network"],
    &["models"],
    &["search"],
    &["replay"],
    &["players", "contract"],
    &["arena", "selfplay"],
    &["cluster", "training"],
    &["ladder"],
    &["engine", "report", "export", "benchmark"],
    &["experiment"],
    &["interfaces"],
];

/// Imports against the order, (importing, imported), each with its reason. There are none.
const EXCEPTIONS: &[(&str, &str)] = &[];

/// The parts of `src/network/` from the ground up. `graph`, `tower` and `device` are the network in candle, one layer whose
/// parts use each other.
const NETWORK: &[&[&str]] =
    &[&["kernels"], &["batch"], &["file"], &["play"], &["graph", "tower", "device"], &["computing"], &["evaluator"]];

/// All that choosing a move needs (feature `play`).
const PLAY: &[&str] = &["board", "games", "search", "network/kernels", "network/batch", "network/file", "network/play"];

fn sources(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
            found.push(path.to_str().unwrap().to_owned());
        }
    }
}

/// Returns the path below `src/` and the code of each source file below `folder`, without comments and unit tests.
fn code_below(folder: &str) -> Vec<(String, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    sources(&src.join(folder), &mut paths);
    paths.sort_unstable();
    let below = |path: String| {
        let text = fs::read_to_string(&path).unwrap();
        (path.strip_prefix(src.to_str().unwrap()).unwrap()[1..].to_owned(), code_of(&text))
    };
    paths.into_iter().map(below).collect()
}

/// Removes comments, and the unit tests at the end of a file: they may use what is above.
fn code_of(text: &str) -> String {
    let is_code = |line: &&str| line.starts_with(' ') || !line.ends_with("mod tests {");
    text.lines().take_while(is_code).map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n")
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the first name of a path; of a list in braces the first name of each entry.
fn first_names(text: &str) -> Vec<&str> {
    let name = |text: &'_ str| text.find(|c| !is_of_name(c)).unwrap_or(text.len());
    let Some(list) = text.strip_prefix('{') else { return vec![&text[..name(text)]] };
    let (mut depth, mut names, mut at_entry) = (0, Vec::new(), true);
    for (start, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => at_entry = true,
            _ if at_entry && is_of_name(c) => {
                names.push(&list[start..start + name(&list[start..])]);
                at_entry = false;
            }
            _ => {}
        }
    }
    names
}

/// Returns the modules directly below `root` (a path such as `crate::network`) that a file's code names. `depth` is the
/// number of `super` that lead from the file to `root`.
fn imports<'a>(code: &'a str, root: &str, depth: usize) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    for prefix in [format!("{root}::"), "super::".repeat(depth)] {
        for (start, _) in code.match_indices(&prefix) {
            let is_inside = code[..start].ends_with(|c: char| is_of_name(c) || c == ':');
            if !is_inside {
                found.extend(first_names(&code[start + prefix.len()..]));
            }
        }
    }
    found
}

/// Lists what contradicts `order` among the modules directly below `folder` of `src/`.
fn violations(folder: &str, order: &[&[&str]], shares_layers: bool, exceptions: &[(&str, &str)]) -> Vec<String> {
    let root = if folder.is_empty() { "crate".to_owned() } else { format!("crate::{folder}") };
    let files = code_below(folder);
    let module = |path: &str| {
        let below = path.strip_prefix(folder).unwrap().trim_start_matches('/');
        below.split('/').next().unwrap().trim_end_matches(".rs").to_owned()
    };
    let modules: BTreeSet<String> = files.iter().map(|(path, _)| module(path)).collect();
    let layer = |module: &str| order.iter().position(|layer| layer.contains(&module));
    let mut found = Vec::new();
    for (path, code) in &files {
        let own = module(path);
        if ["lib", "main", "mod"].contains(&own.as_str()) {
            continue;
        }
        let is_folder = path.strip_prefix(folder).unwrap().trim_start_matches('/').contains('/');
        if is_folder && layer(&own).is_none() {
            found.push(format!("src/{path}: add the folder '{own}' to a layer here and in docs/architecture.md"));
        }
        let parts = path.strip_prefix(folder).unwrap().trim_start_matches('/').split('/').count();
        let depth = if path.ends_with("/mod.rs") { parts - 1 } else { parts };
        for used in imports(code, &root, depth) {
            let is_known = used != own && modules.contains(used);
            let is_below = match (layer(&own), layer(used)) {
                (own, used) if used < own => true,
                (own, used) => used == own && (shares_layers || used.is_none()),
            };
            if is_known && !is_below && !exceptions.contains(&(&own, used)) {
                found.push(format!("src/{path}: '{own}' imports '{used}', which is not below it"));
            }
        }
    }
    found
}

#[test]
fn folders_import_from_below() {
    let found = violations("", LIBRARY, false, EXCEPTIONS);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn parts_of_the_network_import_from_below() {
    let found = violations("network", NETWORK, true, &[]);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn play_knows_nothing_of_candle() {
    for folder in PLAY {
        let files = code_below(folder);
        assert!(!files.is_empty(), "src/{folder} has no sources");
        for (path, code) in files {
            assert!(!code.contains("candle_"), "src/{path} names candle, and play has to do without");
            // Not by the names that `network` re-exports either: some of them are in candle.
            for used in imports(&code, "crate::network", 2) {
                let is_play = PLAY.contains(&format!("network/{used}").as_str());
                assert!(is_play || !path.starts_with("network/"), "src/{path} imports network::{used}");
            }
        }
    }
}

#[test]
fn the_picture_of_the_house_has_all_layers() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md")).unwrap();
    let picture = page.split("```").nth(1).expect("a picture");
    for folder in LIBRARY.iter().copied().flatten().filter(|&&folder| folder != "models") {
        let is_there = [format!("{folder}/"), format!("{folder}.rs")].iter().any(|name| picture.contains(name));
        assert!(is_there, "{folder} is not in the picture of docs/architecture.md");
    }
}

#[test]
fn imports_are_found() {
    let code = code_of(
        "use crate::games::{Game, Seat};\n// crate::report\nuse crate::{board::{Cell, Board}, network, search::Tree};\n\
         fn f() -> crate::replay::Record {}\nuse super::super::arena;\nuse super::own;\n#[cfg(test)]\nmod tests {\n\
         use crate::training;\n}\n",
    );
    let found: Vec<&str> = imports(&code, "crate", 2).into_iter().collect();
    assert_eq!(found, ["arena", "board", "games", "network", "replay", "search"]);
    let of_network = "use crate::network::{file::Checkpoint, play};\npub(in crate::network) use crate::networks::x;\n";
    assert_eq!(imports(of_network, "crate::network", 2).into_iter().collect::<Vec<_>>(), ["file", "play"]);
}
