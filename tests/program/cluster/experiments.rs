//! Experiments whose games of self-play workers play.

use std::fs;
use std::path::Path;

use hexzero::training::RunFolder;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use super::asynchronous::{check_numbers, written_down};
use super::{figures, wait_for};
use crate::common::hexzero_line;
use crate::nats::Nats;
use crate::output::{json_file, stdout};
use crate::process::{Process, wait_until};
use crate::runs::{assert_same_run, journalled, state};
use crate::tiny::{Folder, folder_with_recipe};

/// The base and another cell, one seed.
const PAIR: &str = "\
recipe = \"tiny.toml\"
seeds = [1]

[[cell]]
name = \"no symmetries\"
change.training.symmetries = false

[match]
games = 4
visits = 4
";

const RUNS: [&str; 2] = ["base/seed-1", "no-symmetries/seed-1"];

fn folder_with_pair(games: u64) -> Folder {
    let folder = folder_with_recipe();
    fs::write(folder.path().join("pair.toml"), format!("games = {games}\n{PAIR}")).unwrap();
    folder
}

fn begin(at: &Path, output: &str, nats: &Nats, more: &str) -> Process {
    Process::start(at, output, &format!("experiment pair.toml --workers 1 --cluster {} {more}", nats.address()))
}

/// Waits until a run has finished an iteration.
fn wait_for_iteration(experiment: &mut Process, run: &Path) {
    wait_until("an iteration", || {
        assert!(experiment.is_running(), "{} does not get on", run.display());
        RunFolder::open(run).is_ok() && state(run).counters.iteration > 0
    });
}

/// Counts the games that a run has learnt from, and those that wait in its journal.
fn games_of(run: &Path) -> u64 {
    state(run).counters.games + journalled(run).len() as u64
}

/// The names of the cells, and the games of all their runs.
fn cells(folder: &Path) -> Vec<(String, u64)> {
    let table = json_file(&folder.join("table.json"));
    let games = |cell: &Value| cell["runs"].as_array().unwrap().iter().map(|run| run["games"].as_u64().unwrap()).sum();
    let cells = table["cells"].as_array().unwrap().iter();
    cells.map(|cell| (cell["name"].as_str().unwrap().to_owned(), games(cell))).collect()
}

#[test]
fn killed_lock_step_experiment_equals_local_one() {
    let Some(nats) = Nats::start() else { return };
    let at = &*folder_with_pair(120);
    let mut worker = Process::worker(at, "w", &nats.address());
    for run in RUNS {
        let mut killed = begin(at, "killed", &nats, "--lock-step --folder workers");
        wait_for_iteration(&mut killed, &at.join("workers").join(run));
        killed.kill();
    }
    let missing = 120 - games_of(&at.join("workers").join(RUNS[1]));
    let last = format!("experiment pair.toml --folder workers --lock-step --cluster {}", nats.address());
    let said = stdout(&hexzero_line(at, &last).success().stderr(""));
    assert!(said.contains("no-symmetries/seed-1 (run 2 of 2)\n") && !said.contains("base/seed-1 (run"), "{said}");
    // All games that were missing came from the worker.
    let figure = figures(&said);
    assert_eq!((figure("used"), figure("stale")), (missing, 0), "{said}");
    hexzero_line(at, "experiment pair.toml --folder alone").success().stdout(contains("cluster: ").not());
    for run in RUNS {
        assert_same_run(&at.join("workers").join(run), &at.join("alone").join(run));
    }
    assert_eq!(cells(&at.join("workers")), [("base".to_owned(), 120), ("no symmetries".to_owned(), 120)]);
    // The broker, which is needed no more, is not asked.
    drop(nats);
    hexzero_line(at, &last).success().stdout(contains(": 0 of 2 runs to train"));
    worker.stop();
}

#[test]
fn stopped_experiment_keeps_every_finished_game() {
    const GAMES: u64 = 480;

    let Some(nats) = Nats::start() else { return };
    // Whole iterations, and enough that a run does not end between its first one and the interrupt on a busy machine.
    let at = &*folder_with_pair(GAMES);
    let runs = at.join("runs/pair");
    let _worker = Process::worker(at, "w", &nats.address());
    for run in RUNS {
        let mut stopped = begin(at, "stopped", &nats, "");
        wait_for_iteration(&mut stopped, &runs.join(run));
        stopped.stop();
        wait_for(&at.join("stopped"), "stopped; the same command goes on");
    }
    let kept = RUNS.map(|run| written_down(&runs.join(run)));
    let mut last = begin(at, "last", &nats, "");
    assert!(last.wait().success());
    // A run that is stopped at once may not be noticed.
    wait_for(&at.join("w"), "playing for the run pair/no-symmetries/seed-1");
    for (run, kept) in RUNS.iter().zip(kept) {
        check_numbers(&runs.join(run));
        assert_eq!(state(&runs.join(run)).counters.games, GAMES);
        assert!(kept.is_subset(&written_down(&runs.join(run))), "{run}");
    }
    assert_eq!(cells(&runs), [("base".to_owned(), GAMES), ("no symmetries".to_owned(), GAMES)]);
}
