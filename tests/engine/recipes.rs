//! The recipes under `training/` and their reference, and TensorBoard's event files, against the program.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use crate::events::{Event, read_events};
use crate::tiny::{Folder, folder_with_recipe, train};
use hexzero::games::default_game;
use hexzero::training::{EventFile, Recipe};

fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The keys of a recipe with their values.
fn keys_of(text: &str) -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    keys(&toml::from_str(text).unwrap(), "", &mut found);
    found
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
fn default_recipe_is_written_out_in_full() {
    let path = file("training/default.toml");
    assert_eq!(Recipe::read(default_game(), &path).unwrap(), Recipe::default());
    assert_eq!(keys_of(&fs::read_to_string(path).unwrap()), keys_of(&Recipe::default().to_toml()));
}

#[test]
fn reference_has_every_key_with_its_default() {
    let documented = documented(&fs::read_to_string(file("docs/training.md")).unwrap());
    assert_eq!(documented, keys_of(&Recipe::default().to_toml()));
}

#[test]
fn file_matches_tensorboard() {
    let golden = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/scalars.tfevents")).unwrap();
    let folder = Folder::empty();
    let path = folder.join("events.out.tfevents.1");
    let mut file = EventFile::create(&path, 1_750_000_000.25).unwrap();
    let first = [("run/games".to_owned(), 400.0), ("losses/policy".to_owned(), 1.169_028_9)];
    file.append(1_750_000_001.5, 1, &first).unwrap();
    file.append(1_750_000_002.75, 300_000, &[("by_size/5/ends/connection".to_owned(), -0.5)]).unwrap();
    assert!(fs::read(&path).unwrap() == golden, "{:?}", read_events(&fs::read(&path).unwrap()));
    assert!(EventFile::create(&path, 0.0).is_err(), "no file is begun twice");

    let read = read_events(&golden);
    assert_eq!(read[0].file_version.as_deref(), Some("brain.Event:2"));
    assert_eq!((read[2].wall_time, read[2].step), (1_750_000_002.75, 300_000));
    assert_eq!(read[1].scalars()["losses/policy"], 1.169_028_9);
}

/// The event files of a run, in the order of their names.
fn event_files(run: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(run).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = paths.filter(|path| path.to_str().unwrap().contains("tfevents")).collect();
    files.sort_unstable();
    files
}

#[test]
fn resumed_run_begins_another_file() {
    let folder = folder_with_recipe();
    train(folder.path(), "--recipe tiny.toml --games 12 --run run").success();
    train(folder.path(), "--resume --games 18 --run run").success();
    // Nothing is done, so nothing is begun.
    train(folder.path(), "--resume --games 18 --run run").success();
    let run = folder.path().join("run");
    let files = event_files(&run);
    let events: Vec<Vec<Event>> = files.iter().map(|file| read_events(&fs::read(file).unwrap())).collect();
    assert_eq!(events.iter().map(Vec::len).collect::<Vec<_>>(), [3, 2], "{files:?}");

    let told = events.iter().flat_map(|events| &events[1..]);
    let metrics = fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    let metrics: Vec<serde_json::Value> = metrics.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((told.clone().count(), metrics.len()), (3, 3));
    for (event, line) in told.zip(&metrics) {
        let scalars = event.scalars();
        let same = |tag: &str, figure: &serde_json::Value| {
            let figure = figure.as_f64().unwrap_or_else(|| panic!("{tag} is {figure}"));
            assert_eq!(scalars.get(tag), Some(&(figure as f32)), "{tag}");
        };
        assert_eq!(Some(event.step), line["step"].as_i64());
        for name in ["games", "draws", "second_wins", "captures", "learning_rate", "gradient_length", "mean_plies"] {
            same(&format!("run/{name}"), &line[name]);
        }
        for (name, loss) in line["losses"].as_object().unwrap() {
            same(&format!("losses/{name}"), loss);
        }
        same("length/median", &line["length"]["median"]);
        same("policy_entropy/network", &line["policy_entropy"]["network"]);
        same("by_size/3/first_wins", &line["by_size"]["3"]["first_wins"]);
        assert!(scalars.values().all(|number| number.is_finite()), "{event:?}");
        assert!(event.wall_time > 1.6e9, "{event:?}");
    }
}
