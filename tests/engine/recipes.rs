//! The recipes under `training/` and their reference, `docs/training.md`, against the program.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use hexzero::games::default_game;
use hexzero::training::Recipe;
use toml::{Table, Value};

fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The keys of a table and of those within it, as `a.b.c`, with their values.
fn keys(table: &Table, before: &str, found: &mut BTreeMap<String, Value>) {
    for (key, value) in table {
        let key = format!("{before}{key}");
        match value {
            Value::Table(table) => keys(table, &format!("{key}."), found),
            value => drop(found.insert(key, value.clone())),
        }
    }
}

/// The rows `| key | default | …` of the reference.
fn documented(text: &str) -> BTreeMap<String, Value> {
    let cell = |text: &str| text.trim().strip_prefix('`')?.strip_suffix('`').map(str::to_owned);
    let row = |line: &str| {
        let mut cells = line.strip_prefix('|')?.split('|');
        Some((cell(cells.next()?)?, cell(cells.next()?)?))
    };
    let value = |text: &str| {
        let mut table: Table = toml::from_str(&format!("x = {text}")).unwrap_or_else(|error| panic!("{text}: {error}"));
        table.remove("x").unwrap()
    };
    text.lines().filter_map(row).map(|(key, default)| (key, value(&default))).collect()
}

#[test]
fn game_is_read_beside_numbers_of_any_size() {
    let game =
        Recipe::game_in_text("game = \"hex\"\n[training]\nkeep_every = 10000000000000000000\n", "large").unwrap();
    assert_eq!(game.map(|game| game.name()), Some("hex"));
}

#[test]
fn shipped_recipes_are_valid() {
    let entries = fs::read_dir(file("training")).unwrap().map(|entry| entry.unwrap().path());
    let recipes: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    assert!(recipes.iter().any(|path| path.ends_with("default.toml")));
    for path in recipes {
        let game = Recipe::game_in(&path).unwrap().unwrap_or_else(default_game);
        Recipe::read(game, &path).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn default_recipe_is_written_out_in_full() {
    let path = file("training/default.toml");
    assert_eq!(Recipe::read(default_game(), &path).unwrap(), Recipe::default());
    let (mut written, mut expected) = (BTreeMap::new(), BTreeMap::new());
    keys(&toml::from_str(&fs::read_to_string(path).unwrap()).unwrap(), "", &mut written);
    keys(&toml::from_str(&Recipe::default().to_toml()).unwrap(), "", &mut expected);
    assert_eq!(written, expected);
}

#[test]
fn reference_has_every_key_with_its_default() {
    let documented = documented(&fs::read_to_string(file("docs/training.md")).unwrap());
    let mut expected = BTreeMap::new();
    keys(&toml::from_str(&Recipe::default().to_toml()).unwrap(), "", &mut expected);
    assert_eq!(documented, expected);
}
