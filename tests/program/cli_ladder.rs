//! `hexzero tournament ladder`, and the same while a run trains.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use hexzero::ladder;
use hexzero::training::RunFolder;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::common::hexzero_line;
use crate::output::{json_stdout, timeless};
use crate::process::{Process, wait_until};
use crate::runs::{assert_learnt_the_same, copy, state};
use crate::tiny::{Folder, RECIPE, folder_with_own_recipe, train};

/// A folder with a run `a` of three iterations, whose checkpoints are all kept.
fn folder_with_run() -> Folder {
    let folder = folder_with_own_recipe(&format!("{RECIPE}keep_every = 1\n"));
    train(&folder, "--recipe tiny.toml --games 18 --run a --rate 0").success();
    assert!(!folder.join("a/ladder.jsonl").exists());
    folder
}

fn ladder(folder: &Path, arguments: &str) -> assert_cmd::assert::Assert {
    hexzero_line(folder, &format!("tournament ladder {arguments}"))
}

/// The result without the thinking times, which differ each time.
fn json(folder: &Path, arguments: &str) -> Value {
    timeless(json_stdout(&ladder(folder, &format!("{arguments} --json")).success()))
}

fn games(run: &Path) -> Vec<String> {
    fs::read_to_string(run.join("ladder.jsonl")).unwrap_or_default().lines().map(str::to_owned).collect()
}

#[test]
fn checkpoints_are_rated_with_the_opponents() {
    let folder = &*folder_with_run();
    let run = folder.join("a");
    let before = json(folder, "a --games 0");
    assert!(!run.join("ladder.jsonl").exists(), "it only reads");
    let players = before["sizes"][0]["players"].as_array().unwrap();
    assert!(players.len() == 7 && players.iter().all(|player| player["games"] == 0), "{before}");
    let result = json(folder, "a --games 150 --visits 4");
    assert_eq!((result["game"].as_str(), result["limits"].as_str()), (Some("cachex"), Some("visits=4")));
    let standings = &result["sizes"][0];
    assert_eq!((standings["size"].as_u64(), standings["anchor"].as_u64()), (Some(3), Some(1)));
    assert!(result["sizes"].as_array().unwrap().len() == 1 && result["overall"].is_null());
    let entrants = standings["players"].as_array().unwrap();
    let steps = RunFolder::open(&run).unwrap().checkpoint_steps();
    assert_eq!(steps.len(), 3);
    let names: Vec<String> = entrants.iter().map(|entrant| entrant["name"].as_str().unwrap().to_owned()).collect();
    let opponents = ["random", "alphabeta:2", "alphabeta:3", "mcts:1000"].map(str::to_owned);
    let checkpoints = steps.iter().map(|step| format!("step-{step:08}"));
    assert_eq!(names, opponents.into_iter().chain(checkpoints).collect::<Vec<_>>());
    assert_eq!(entrants[4..].iter().map(|entrant| entrant["step"].as_u64().unwrap()).collect::<Vec<_>>(), steps);
    assert!(entrants[..4].iter().all(|entrant| entrant["step"].is_null()));
    let total: u64 = entrants.iter().map(|entrant| entrant["games"].as_u64().unwrap()).sum();
    assert_eq!((total, games(&run).len()), (300, 150));
    for entrant in entrants {
        let [low, elo, high] = ["elo_low", "elo", "elo_high"].map(|field| entrant[field].as_f64().unwrap());
        assert!(low <= elo && elo <= high && (low < high) == (entrant["name"] != "alphabeta:2"), "{entrant}");
        assert!(entrant["games"].as_u64().unwrap() >= 12, "{entrant}");
    }
    assert!(entrants[0]["elo_high"].as_f64().unwrap() < -100.0, "random is the weakest: {}", entrants[0]);

    // What the library reads is the same.
    let read = ladder::read(&RunFolder::open(&run).unwrap()).unwrap();
    assert_eq!((read.len(), read[0].size, read[0].players.len()), (1, Some(3), 7));
    assert_eq!(read[0].players[4].step, Some(steps[0]));
    // A float may lose its last bit in JSON.
    assert!((read[0].players[4].elo.unwrap() - entrants[4]["elo"].as_f64().unwrap()).abs() < 1e-9);

    ladder(folder, "a --games 150").success().stderr("").stdout(
        predicate::str::starts_with("cachex 3×3, visits=4, 150 games, alphabeta:2 = 0:\n\n")
            .and(contains("player"))
            .and(contains("95 % interval"))
            .and(contains("\n7  step-"))
            .and(contains(" split 1:1, ")),
    );
    assert_eq!(games(&run).len(), 150, "nothing was left to play");
    // Another board is another ladder.
    json(folder, "a --games 8 --size 4");
    let read = ladder::read(&RunFolder::open(&run).unwrap()).unwrap();
    assert_eq!(read.iter().map(|standings| standings.size).collect::<Vec<_>>(), [Some(3), Some(4)]);
    assert_eq!(json(folder, "a --games 150"), result);
    hexzero_line(folder, "replay a/ladder.jsonl").success().stdout(contains("\n").count(158));
}

#[test]
fn further_games_have_the_openings_asked_for() {
    let folder = &*folder_with_run();
    let run = folder.join("a");
    let openings = "{\"game\":\"cachex\",\"size\":3,\"moves\":[\"c1\",\"c2\"]}\n";
    fs::write(folder.join("openings.jsonl"), openings).unwrap();
    ladder(folder, "a --games 16 --visits 4").success();
    ladder(folder, "a --games 80 --openings openings.jsonl").success();
    let listed = |lines: &[String]| lines.iter().filter(|line| line.contains("\"moves\":[\"c1\",\"c2\"")).count();
    let lines = games(&run);
    assert!(listed(&lines[..16]) < 4 && listed(&lines[16..]) > 4, "{lines:?}");
    let of_book = lines.iter().filter(|line| line.contains("\"book\":\"")).count();
    assert_eq!(of_book, 64);
    let refused = "openings.jsonl: no openings for a 4×4 board, only for 3×3";
    ladder(folder, "a --size 4 --openings openings.jsonl").code(1).stderr(contains(refused));
}

#[test]
fn threads_and_interruptions_change_nothing() {
    let folder = &*folder_with_run();
    ["b", "c", "d"].iter().for_each(|run| copy(&folder.join("a"), &folder.join(run)));
    let whole = json(folder, "a --games 64 --visits 4 --threads 1");
    assert_eq!(whole, json(folder, "b --games 64 --visits 4 --threads 3"));
    json(folder, "c --games 32 --visits 4");
    assert_eq!(whole, json(folder, "c --games 64"));
    // Killed while it wrote.
    let run = folder.join("d");
    let mut child = Process::start(folder, "said", "tournament ladder d --games 1000000 --visits 4");
    wait_until("games", || games(&run).len() >= 10);
    // Nobody else adds to it meanwhile, but everybody may read it.
    ladder(folder, "d --games 1").code(1).stderr(contains("another process is adding games to d/ladder.jsonl"));
    assert!(ladder::read(&RunFolder::open(&run).unwrap()).unwrap().len() == 1);
    ladder(folder, "d --games 0").success().stdout(predicate::str::starts_with("cachex 3×3, visits=4, "));
    child.kill();
    let there = games(&run).len();
    OpenOptions::new().append(true).open(run.join("ladder.jsonl")).unwrap().write_all(b"{\"game\":").unwrap();
    assert!(ladder::read(&RunFolder::open(&run).unwrap()).is_ok());
    ladder(folder, &format!("d --games {}", there + 4))
        .success()
        .stderr(contains("warning: d/ladder.jsonl: cut off 8 bytes at the end"));
    assert_eq!(games(&run).len(), there + 4);
}

#[test]
fn deleted_or_replaced_checkpoints_are_noticed() {
    let folder = &*folder_with_run();
    let run = RunFolder::open(&folder.join("a")).unwrap();
    json(folder, "a --games 60 --visits 4");
    let steps = run.checkpoint_steps();
    let name = format!("step-{:08}", steps[1]);
    fs::remove_file(run.checkpoint(steps[1])).unwrap();
    let played = |result: &Value| {
        let entrants = result["sizes"][0]["players"].as_array().unwrap();
        let gone = entrants.iter().find(|entrant| entrant["name"] == name.as_str()).unwrap();
        (entrants.len(), gone["games"].as_u64().unwrap())
    };
    let before = played(&json(folder, "a --games 60"));
    assert_eq!(played(&json(folder, "a --games 90")), before);
    // Another checkpoint in its place must not get its rating.
    fs::copy(run.checkpoint(steps[0]), run.checkpoint(steps[1])).unwrap();
    ladder(folder, "a --games 100")
        .code(1)
        .stdout("")
        .stderr(contains(format!("'{name}' is not the network that played the games in ladder.jsonl")));
}

#[cfg(unix)]
#[test]
fn rating_while_training_changes_no_run() {
    let folder = &*folder_with_own_recipe(&format!("{RECIPE}keep_every = 2\n"));
    let order = "train --recipe tiny.toml --games 1000000000 --run a --no-matches --workers 1 --rate 4";
    let mut child = Process::start(folder, "said", order);
    let run = folder.join("a");
    let said = || fs::read_to_string(folder.join("said")).unwrap();
    wait_until("a rating", || said().contains("), alphabeta:2 = 0\n"));
    child.stop();
    let said = fs::read_to_string(folder.join("said")).unwrap();
    assert!(said.ends_with("\nstopped; continue with: hexzero train --resume --run a\n"), "{said}");

    // The same run without ratings.
    let goal = state(&run).counters.games;
    train(folder, &format!("--recipe tiny.toml --games {goal} --run b --workers 1 --rate 0")).success();
    assert_learnt_the_same(&run, &folder.join("b"), "rated");
    // Only checkpoints that stay have been rated, and the ladder goes on with the same games.
    let kept = RunFolder::open(&run).unwrap().checkpoint_steps();
    for entrant in &ladder::read(&RunFolder::open(&run).unwrap()).unwrap()[0].players {
        assert!(entrant.step.is_none_or(|step| kept.contains(&step)), "{entrant:?}");
    }
    let there = games(&run).len();
    ladder(folder, &format!("a --games {}", there + 4)).success();
    assert_eq!(games(&run).len(), there + 4);
}

#[test]
fn failed_rating_does_not_end_the_training() {
    let folder = &*folder_with_own_recipe(&format!("{RECIPE}keep_every = 1\n"));
    train(folder, "--recipe tiny.toml --games 6 --run a --rate 0").success();
    fs::write(folder.join("a/ladder.jsonl"), "something else\n").unwrap();
    train(folder, "--resume --games 60 --run a --rate 4").success().stderr(
        contains("warning: the checkpoints are no longer rated: a/ladder.jsonl line 1: not a game")
            .and(contains("\n").count(1)),
    );
    assert_eq!(state(&folder.join("a")).counters.games, 60);
}
