//! Folders of runs, read and compared.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use hexzero::replay::{Journal, JournalOwner};
use hexzero::training::{Counters, Recipe, RunFolder, TrainingState};
use serde_json::Value;

use crate::games::cachex;
use crate::output::{json_lines, timeless};
use crate::tiny::Folder;

/// All files under a folder, by their paths in it.
pub fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(folder).unwrap().to_owned(), fs::read(path).unwrap());
            }
        }
    }
    found
}

/// Copies a folder.
pub fn copy(from: &Path, to: &Path) {
    for (name, bytes) in files(from) {
        let path = to.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

/// Damages the metrics of a run of three iterations: the last line was cut off by a crash, and the first is of an older
/// version that said less.
pub fn damage_metrics(run: &Path) {
    let path = RunFolder::open(run).unwrap().metrics();
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let older = "{\"games\":6,\"losses\":{\"total\":9.5}}";
    fs::write(path, format!("{older}\n{}\n{}", lines[1], &lines[2][..40])).unwrap();
}

pub fn metrics(run: &Path) -> Vec<Value> {
    json_lines(&RunFolder::open(run).unwrap().metrics())
}

pub fn state(run: &Path) -> TrainingState {
    TrainingState::read(&RunFolder::open(run).unwrap().state()).unwrap()
}

/// The owner of the journal of a run of Cachex in this iteration.
pub fn journal_owner(run: &Path, iteration: u64) -> JournalOwner {
    let recipe = Recipe::read(cachex(), &RunFolder::open(run).unwrap().recipe()).unwrap();
    JournalOwner { iteration, recipe_hash: recipe.hash() }
}

/// The numbers of the games in a run's journal. Returns `None` if there is no journal of this iteration.
pub fn journal_of(run: &Path, iteration: u64) -> Option<BTreeSet<u64>> {
    // A journal is opened for writing, so this opens a copy.
    let elsewhere = Folder::empty();
    let copy = elsewhere.join("journal");
    fs::copy(RunFolder::open(run).unwrap().journal(), &copy).ok()?;
    let games = Journal::open(&copy, &journal_owner(run, iteration)).ok()?.games;
    Some(games.into_iter().map(|(number, _)| number).collect())
}

/// The numbers of the games in the journal of a run's present iteration.
pub fn journalled(run: &Path) -> BTreeSet<u64> {
    journal_of(run, state(run).counters.iteration).unwrap_or_default()
}

/// Whether a file of a run is for TensorBoard. Its name and its contents tell the time.
pub fn is_event_file(name: &Path) -> bool {
    name.to_str().is_some_and(|name| name.starts_with("events.out.tfevents."))
}

/// Everything that must be the same in two runs that learnt the same: recipe, games, checkpoints,
/// weights, moments, restarts, counters and figures; not the time it took.
pub fn assert_same_run(a: &Path, b: &Path) {
    let without_times = |run: &Path| {
        let mut files = files(run);
        assert!(files.remove(Path::new("state.safetensors")).is_some());
        assert!(files.remove(Path::new("metrics.jsonl")).is_some());
        files.retain(|name, _| !is_event_file(name));
        // Checkpoints are rated beside the run; how many games that came to depends on the time.
        files.remove(Path::new("ladder.jsonl"));
        let state = state(run);
        let counters = Counters { seconds: 0.0, ..state.counters };
        let losses: Vec<Value> = metrics(run).into_iter().map(timeless).collect();
        (files, (counters, state.parent, state.restarts, state.tensors), losses)
    };
    let (a_files, a_state, a_losses) = without_times(a);
    let (b_files, b_state, b_losses) = without_times(b);
    assert_eq!(a_files.keys().collect::<Vec<_>>(), b_files.keys().collect::<Vec<_>>());
    for (name, bytes) in &a_files {
        assert!(bytes == &b_files[name], "{} differs", name.display());
    }
    assert!(a_state == b_state, "the states differ");
    assert_eq!(a_losses, b_losses);
}

/// Asserts that a run that was killed has learnt the same as one that was not. A kill may leave a half-written file, or
/// a shard or checkpoint that nothing follows from.
pub fn assert_learnt_the_same(run: &Path, straight: &Path, what: &str) {
    let (found, expected) = (state(run), state(straight));
    let untimed = |counters| Counters { seconds: 0.0, ..counters };
    assert_eq!(untimed(found.counters), untimed(expected.counters), "{what}");
    assert!(found.tensors == expected.tensors, "{what}");
    let found = files(run);
    for (name, bytes) in files(straight) {
        if name.starts_with("games") || name.starts_with("checkpoints") {
            assert!(found[&name] == bytes, "{what}: {} differs", name.display());
        }
    }
}
