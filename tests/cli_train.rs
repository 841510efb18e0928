//! `hexzero train`, from the first game to a run that was killed and taken up again.

mod common;
#[path = "common/tiny.rs"]
mod tiny;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use hexzero::games::{Cachex, EndReason};
use hexzero::network::Checkpoint;
use hexzero::replay::{GameRecord, Journal, JournalOwner, Shard};
use hexzero::training::{Counters, Recipe, RunFolder, TrainingState};
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use common::hexzero;
use tiny::{RECIPE, folder_with_recipe, train};

/// All files under a folder, by their paths in it.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
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

/// What stands under `losses` in the metrics, by the alphabet.
const LOSSES: [&str; 11] = [
    "captured_soon",
    "future_board",
    "moves_left",
    "outcome",
    "ownership",
    "policy",
    "reply",
    "short_term_value",
    "soft_policy",
    "total",
    "winning_chain",
];

fn metrics(run: &Path) -> Vec<Value> {
    let text = fs::read_to_string(RunFolder::open(run).unwrap().metrics()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn state(run: &Path) -> TrainingState {
    TrainingState::read(&RunFolder::open(run).unwrap().state()).unwrap()
}

/// Whether a file of a run is for TensorBoard. Its name and its contents tell the time.
fn is_event_file(name: &Path) -> bool {
    name.to_str().is_some_and(|name| name.starts_with("events.out.tfevents."))
}

/// The figures of an iteration that do not depend on time, nor on what an evaluation cache happened to know.
fn untimed(line: &Value) -> Value {
    let mut figures = line.as_object().unwrap().clone();
    figures.retain(|name, _| !name.ends_with("seconds") && name != "cache_hits");
    figures.into()
}

/// Everything that must be the same in two runs that learnt the same: recipe, games, checkpoints,
/// weights, moments, counters and figures; not the time it took.
fn assert_same_run(a: &Path, b: &Path) {
    let without_times = |run: &Path| {
        let mut files = files(run);
        assert!(files.remove(Path::new("state.safetensors")).is_some());
        assert!(files.remove(Path::new("metrics.jsonl")).is_some());
        files.retain(|name, _| !is_event_file(name));
        // Checkpoints are rated beside the run; how many games that came to depends on the time.
        files.remove(Path::new("ladder.jsonl"));
        let state = state(run);
        let counters = Counters { seconds: 0.0, ..state.counters };
        let losses: Vec<Value> = metrics(run).iter().map(untimed).collect();
        (files, (counters, state.parent, state.tensors), losses)
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

#[test]
fn a_run_leaves_recipe_games_checkpoints_metrics_and_state() {
    let folder = folder_with_recipe();
    let said = train(folder.path(), "--recipe tiny.toml --games 12 --workers 1 --run a").success().stderr("");
    let run = folder.path().join("a");
    let checkpoint = RunFolder::open(&run).unwrap().latest_checkpoint().unwrap();
    said.stdout(
        contains("run a: cachex network b1c16")
            .and(contains("\n2 iterations, 12 games, "))
            .and(contains(checkpoint.file_name().unwrap().to_str().unwrap()))
            .and(contains("trained against").not()),
    );

    let files = files(&run);
    let names: Vec<String> = files.keys().map(|name| name.display().to_string()).collect();
    let expected =
        ["games/000000.games", "games/000001.games", "lock", "metrics.jsonl", "recipe.toml", "state.safetensors"];
    assert!(names[0].starts_with("checkpoints/step-"), "{names:?}");
    assert!(is_event_file(Path::new(&names[1])), "{names:?}");
    assert_eq!(names[2..], expected);
    let recipe = String::from_utf8(files[Path::new("recipe.toml")].clone()).unwrap();
    assert!(recipe.contains("games_per_iteration = 6") && recipe.contains("learning_rate"), "{recipe}");

    let metrics = metrics(&run);
    assert_eq!(metrics.len(), 2);
    for (number, line) in (1..).zip(&metrics) {
        assert_eq!((line["iteration"].as_u64(), line["games"].as_u64()), (Some(number), Some(number * 6)));
        let losses = line["losses"].as_object().unwrap();
        let names: Vec<&str> = losses.keys().map(String::as_str).collect();
        assert_eq!(names, LOSSES, "{line}");
        assert!(losses.values().all(|loss| loss.as_f64().is_some_and(|loss| loss > 0.0)), "{line}");
    }
    let Checkpoint { metadata, tensors } = Checkpoint::read(&checkpoint).unwrap();
    assert_eq!((metadata.game.as_str(), metadata.games, metadata.parent), ("cachex", 12, None));
    assert_eq!(Some(metadata.step), metrics[1]["step"].as_u64());
    // The run goes on with all heads; a checkpoint has those that play.
    let state = state(&run).tensors;
    let averages = state.iter().filter_map(|(name, tensor)| Some((name.strip_prefix("average/")?, tensor)));
    let (training, playing): (Vec<_>, Vec<_>) = averages.partition(|(name, _)| name.starts_with("auxiliary."));
    assert_eq!(training.len(), 6);
    assert!(playing.into_iter().eq(tensors.iter().map(|(name, tensor)| (name.as_str(), tensor))));
}

#[test]
fn a_seed_is_a_run_whatever_the_number_of_workers() {
    let folder = folder_with_recipe();
    let path = |run: &str| folder.path().join(run);
    for (run, options) in [("a", "--workers 1"), ("b", "--workers 1"), ("c", "--workers 2"), ("d", "--seed 2")] {
        train(folder.path(), &format!("--recipe tiny.toml --games 12 {options} --run {run}")).success();
    }
    assert_same_run(&path("a"), &path("b"));
    assert_same_run(&path("a"), &path("c"));
    let shard = |run: &str| fs::read(path(run).join("games/000000.games")).unwrap();
    assert_ne!(shard("a"), shard("d"));
}

#[test]
fn a_resumed_run_goes_on_as_if_nothing_had_happened() {
    let folder = folder_with_recipe();
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/models/cachex.safetensors");
    // The shipped network has its own architecture.
    let from_shipped = RECIPE.replace("blocks = 1\nchannels = 16", &architecture_of(Path::new(shipped)));
    fs::write(folder.path().join("from.toml"), from_shipped).unwrap();
    // A small window, so that the oldest games are forgotten in the same way.
    let small_window =
        format!("{RECIPE}window_least = 20\nwindow_scale = 0.0\nsurprise_weight = 0.5\nkeep_every = 2\n");
    fs::write(folder.path().join("window.toml"), small_window).unwrap();
    fs::write(folder.path().join("stages.toml"), format!("{RECIPE}{STAGES}")).unwrap();
    let from = format!("from.toml --from {shipped}");
    for (name, recipe) in [("tiny", "tiny.toml"), ("window", "window.toml"), ("stages", "stages.toml"), ("from", &from)]
    {
        train(folder.path(), &format!("--recipe {recipe} --games 30 --run {name}")).success();
        train(folder.path(), &format!("--recipe {recipe} --games 6 --run {name}-again")).success();
        for games in [12, 24, 24, 30] {
            train(folder.path(), &format!("--resume --run {name}-again --games {games}")).success().stderr("");
        }
        assert_same_run(&folder.path().join(name), &folder.path().join(format!("{name}-again")));
    }
    assert_eq!(state(&folder.path().join("from-again")).parent.as_deref(), Some("cachex.safetensors"));
}

/// From a step within the second iteration on.
const STAGES: &str = "
[[stage]]
after_steps = 10
selfplay.sizes = [{ size = 4, weight = 1.0 }]
selfplay.full_visits = 16
training.optimiser.learning_rate = 0.0001

[[stage]]
after_steps = 20
training.losses.ownership = 0.0
";

#[test]
fn stages_change_the_recipe_on_the_way() {
    let folder = folder_with_recipe();
    fs::write(folder.path().join("stages.toml"), format!("{RECIPE}{STAGES}")).unwrap();
    // What is told at the end is of the present stage.
    train(folder.path(), "--recipe stages.toml --games 24 --run a").success().stdout(contains("--model a --size 4\n"));
    let run = folder.path().join("a");
    let steps: Vec<u64> = metrics(&run).iter().map(|line| line["step"].as_u64().unwrap()).collect();
    let sizes = |iteration: u64| {
        let shard = Shard::read(&RunFolder::open(&run).unwrap().shard(iteration)).unwrap();
        shard.records.iter().map(|record| record.size).collect::<Vec<_>>()
    };
    let begins = steps.iter().position(|&step| step >= 10).unwrap() as u64 + 1;
    assert!((1..4).contains(&begins), "{steps:?}");
    assert_eq!((sizes(begins - 1), sizes(begins)), (vec![3; 6], vec![4; 6]));
    train(folder.path(), "--recipe tiny.toml --games 24 --run b").success();
    let same = |iteration| {
        let shard =
            |run: &str| fs::read(folder.path().join(run).join(format!("games/00000{iteration}.games"))).unwrap();
        shard("a") == shard("b")
    };
    assert!(same(begins - 1) && !same(begins));
}

#[test]
fn a_larger_network_learns_from_the_games_of_a_smaller_one() {
    let folder = folder_with_recipe();
    fs::write(folder.path().join("larger.toml"), RECIPE.replace("blocks = 1", "blocks = 2")).unwrap();
    train(folder.path(), "--recipe tiny.toml --games 12 --run small").success();
    train(folder.path(), "--recipe larger.toml --games 18 --games-of small --run large").success();
    train(folder.path(), "--recipe larger.toml --games 6 --games-of small --run again").success();
    train(folder.path(), "--resume --games 18 --games-of small --run again").success();
    assert_same_run(&folder.path().join("large"), &folder.path().join("again"));
    let shard =
        |run: &str, number| fs::read(folder.path().join(run).join(format!("games/00000{number}.games"))).unwrap();
    assert_eq!([0, 1].map(|number| shard("small", number)), [0, 1].map(|number| shard("large", number)));
    assert_eq!(state(&folder.path().join("large")).counters.games, 18);
    // A shard that cannot be read is named, and games are played in its place.
    fs::write(folder.path().join("small/games/000001.games"), "no games").unwrap();
    let warned = train(folder.path(), "--recipe larger.toml --games 12 --games-of small --run other").success();
    warned.stderr(contains("000001.games").and(contains("games are played instead")));
    train(folder.path(), "--recipe larger.toml --games-of nowhere --run b").code(1).stderr(contains("holds no run"));
    assert!(!folder.path().join("b").exists());
}

fn architecture_of(checkpoint: &Path) -> String {
    toml::to_string(&Checkpoint::read(checkpoint).unwrap().metadata.architecture).unwrap()
}

#[test]
fn runs_are_numbered_and_the_newest_is_resumed() {
    let folder = folder_with_recipe();
    train(folder.path(), "--resume").code(1).stderr(contains("runs holds no run"));
    for _ in 0..2 {
        train(folder.path(), "--recipe tiny.toml --games 6").success();
    }
    train(folder.path(), "--resume --games 12").success();
    let games = |run: &str| state(&folder.path().join("runs").join(run)).counters.games;
    assert_eq!((games("cachex-001"), games("cachex-002")), (6, 12));
}

#[test]
fn a_run_is_not_overwritten() {
    let folder = folder_with_recipe();
    train(folder.path(), "--recipe tiny.toml --games 6 --run a").success();
    let before = files(&folder.path().join("a"));
    train(folder.path(), "--recipe tiny.toml --games 6 --run a")
        .code(1)
        .stdout("")
        .stderr(contains("a already holds a run").and(contains("--resume")).and(contains("--run")));
    assert!(files(&folder.path().join("a")) == before);
}

#[test]
fn there_is_no_run_to_resume() {
    let folder = folder_with_recipe();
    train(folder.path(), "--resume --run b --games 6").code(1).stdout("").stderr(contains("b holds no run"));
    assert!(!folder.path().join("b").exists());
}

/// Starts a run that would take hours.
fn start(folder: &Path, arguments: &str) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin("hexzero"))
        .args(["train", "--games", "1000000000", "--run", "a", "--no-matches"])
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .stdout(File::create(folder.join("said")).unwrap())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Waits until more games have been learnt from.
fn wait_for_games(run: &Path, more_than: u64) {
    let state = run.join("state.safetensors");
    let start = Instant::now();
    while !TrainingState::read(&state).is_ok_and(|state| state.counters.games > more_than) {
        assert!(start.elapsed() < Duration::from_secs(60), "the run does not get on");
        sleep(Duration::from_millis(5));
    }
}

fn wait(mut child: Child) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if start.elapsed() > Duration::from_secs(30) {
            child.kill().unwrap();
            panic!("the run does not stop");
        }
        sleep(Duration::from_millis(5));
    }
}

/// Takes the run `a` up again for one more iteration, and makes the run `straight` that comes as far
/// without a stop.
fn finish_both(folder: &Path) {
    let goal = state(&folder.join("a")).counters.games + 6;
    train(folder, &format!("--resume --run a --games {goal}")).success().stderr("");
    train(folder, &format!("--recipe tiny.toml --run straight --games {goal}")).success();
}

#[test]
fn two_cannot_train_in_one_folder() {
    let folder = folder_with_recipe();
    let mut first = start(folder.path(), "--recipe tiny.toml");
    wait_for_games(&folder.path().join("a"), 0);
    train(folder.path(), "--resume --run a --games 100")
        .code(1)
        .stderr(contains("another process is training in a; stop it first"));
    first.kill().unwrap();
    first.wait().unwrap();
    // The lock goes with its process.
    let goal = state(&folder.path().join("a")).counters.games + 1;
    train(folder.path(), &format!("--resume --run a --games {goal}")).success();
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_cleanly() {
    let folder = folder_with_recipe();
    let mut games = 0;
    for begin in ["--recipe tiny.toml", "--resume", "--resume"] {
        let child = start(folder.path(), begin);
        wait_for_games(&folder.path().join("a"), games);
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        assert_eq!(wait(child).code(), Some(0));
        let said = fs::read_to_string(folder.path().join("said")).unwrap();
        assert!(said.ends_with("\nstopped; go on with: hexzero train --resume --run a\n"), "{said}");
        games = state(&folder.path().join("a")).counters.games;
        assert!(said.contains(&format!(" iterations, {games} games, ")), "{said}");
    }
    finish_both(folder.path());
    assert_same_run(&folder.path().join("a"), &folder.path().join("straight"));
}

#[test]
fn a_killed_run_loses_only_the_iteration_under_way() {
    let folder = folder_with_recipe();
    let run = folder.path().join("a");
    let mut games = 0;
    for (begin, pause) in [("--recipe tiny.toml", 0), ("--resume", 3), ("--resume", 7)] {
        let mut child = start(folder.path(), begin);
        wait_for_games(&run, games);
        sleep(Duration::from_millis(pause));
        child.kill().unwrap();
        assert_eq!(wait(child).code(), None);
        games = state(&run).counters.games;
    }
    finish_both(folder.path());
    // Where it was killed it may have left a half-written file, a shard or checkpoint that nothing follows
    // from, or a line of metrics too few; what counts is the same.
    let (found, straight) = (state(&run), state(&folder.path().join("straight")));
    assert_eq!(Counters { seconds: 0.0, ..found.counters }, Counters { seconds: 0.0, ..straight.counters });
    assert!(found.tensors == straight.tensors);
    let found = files(&run);
    for (name, bytes) in files(&folder.path().join("straight")) {
        if name.starts_with("games") || name.starts_with("checkpoints") {
            assert!(found[&name] == bytes, "{} differs", name.display());
        }
    }
    hexzero(folder.path(), &["inspect", "a"]).success();
}

/// The numbers of the games in the run's journal.
fn journalled(run: &Path) -> BTreeSet<u64> {
    let folder = RunFolder::open(run).unwrap();
    let recipe_hash = Recipe::read::<Cachex>(&folder.recipe()).unwrap().hash();
    let owner = JournalOwner { iteration: state(run).counters.iteration, recipe_hash };
    let copy = run.join("copy");
    match fs::copy(folder.journal(), &copy) {
        Err(_) => BTreeSet::new(),
        Ok(_) => Journal::open(&copy, &owner).map_or(BTreeSet::new(), |opened| opened.games.into_keys().collect()),
    }
}

#[cfg(unix)]
#[test]
fn a_run_that_is_interrupted_loses_only_the_games_in_flight() {
    let folder = folder_with_recipe();
    let run = folder.path().join("a");
    let many = RECIPE.replace("games_per_iteration = 6", "games_per_iteration = 1000");
    fs::write(folder.path().join("many.toml"), many).unwrap();
    let mut before = BTreeSet::new();
    // By turns killed and asked to stop, once there are so many games.
    for (begin, games, signal) in [
        ("--recipe many.toml --workers 1", 1, "-KILL"),
        ("--resume --workers 1", 90, "-INT"),
        ("--resume --workers 1", 180, "-KILL"),
        ("--resume --workers 1", 300, "-KILL"),
    ] {
        let child = start(folder.path(), begin);
        let began = Instant::now();
        while !run.join("recipe.toml").exists() || journalled(&run).len() < games {
            assert!(began.elapsed() < Duration::from_secs(60), "the run does not get on");
            sleep(Duration::from_millis(2));
        }
        let seen = journalled(&run);
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        wait(child);
        assert_eq!(state(&run).counters.games, 0, "still in the first iteration");
        let left = journalled(&run);
        assert!(left.is_superset(&seen) && seen.is_superset(&before), "nothing finished is lost");
        before = left;
    }
    fs::remove_file(run.join("copy")).unwrap();
    train(folder.path(), "--resume --run a --games 1000").success().stderr("");
    train(folder.path(), "--recipe many.toml --run straight --games 1000 --workers 1").success();
    assert_same_run(&run, &folder.path().join("straight"));
}

/// A run after its first iteration of six games, whose journal holds these games of the second, and the record of each.
fn run_with_journal(folder: &Path, recipe: &str, numbers: &[u64], record: &GameRecord) -> PathBuf {
    train(folder, &format!("--recipe {recipe} --games 6 --run a")).success();
    let run = folder.join("a");
    let recipe_hash = Recipe::read::<Cachex>(&run.join("recipe.toml")).unwrap().hash();
    let owner = JournalOwner { iteration: 1, recipe_hash };
    let mut journal = Journal::open(&run.join("journal"), &owner).unwrap().journal;
    numbers.iter().for_each(|&number| journal.add(number, record).unwrap());
    run
}

/// A game that no run would play so: its number of evaluations tells it.
fn foreign_game(folder: &Path) -> GameRecord {
    train(folder, "--recipe tiny.toml --games 6 --run other --seed 3").success();
    let shard = Shard::read(&folder.join("other/games/000000.games")).unwrap();
    GameRecord { evaluations: 4242, ..shard.records[0].clone() }
}

#[test]
fn what_stands_in_the_journal_is_not_played_again() {
    let folder = folder_with_recipe();
    let record = foreign_game(folder.path());
    // Those of the iteration are 6 to 11.
    let run = run_with_journal(folder.path(), "tiny.toml", &[10, 7, 12], &record);
    train(folder.path(), "--resume --run a --games 12").success().stderr("");
    train(folder.path(), "--recipe tiny.toml --run straight --games 12").success();
    let games = |run: &Path| Shard::read(&run.join("games/000001.games")).unwrap().records;
    let mut expected = games(&folder.path().join("straight"));
    (expected[1], expected[4]) = (record.clone(), record);
    assert!(games(&run) == expected);
    assert!(!run.join("journal").exists());
}

#[test]
fn a_journal_that_is_damaged_or_of_something_else_is_no_hindrance() {
    let folder = folder_with_recipe();
    let record = foreign_game(folder.path());
    train(folder.path(), "--recipe tiny.toml --run straight --games 12").success();
    let run = run_with_journal(folder.path(), "tiny.toml", &[], &record);
    let fresh = files(&run);
    let whole = &fresh[Path::new("journal")];
    let of = |iteration, recipe_hash: &str| {
        let path = folder.path().join("made");
        let owner = JournalOwner { iteration, recipe_hash: recipe_hash.to_owned() };
        let mut journal = Journal::open(&path, &owner).unwrap().journal;
        journal.add(8, &record).unwrap();
        let bytes = fs::read(&path).unwrap();
        fs::remove_file(path).unwrap();
        bytes
    };
    let own_hash = Recipe::read::<Cachex>(&run.join("recipe.toml")).unwrap().hash();
    let mut damaged = of(1, &own_hash);
    *damaged.last_mut().unwrap() ^= 1;
    let cut = of(1, &own_hash);
    for (bytes, said, aside) in [
        (whole.clone(), "", false),
        (cut[..cut.len() - 3].to_vec(), "", false),
        // The run was interrupted at the very end of the iteration before.
        (of(0, &own_hash), "", false),
        (damaged, "warning: a/journal: damaged after 0 games; the others are played again\n", false),
        (of(2, &own_hash), "warning: a/journal: of iteration 2 and recipe ", true),
        (of(1, "01234567"), "warning: a/journal: of iteration 1 and recipe 01234567, not of iteration 1 and ", true),
        (b"HXZ".to_vec(), "warning: a/journal: not a journal of games, or damaged at its beginning; set aside", true),
        (vec![0; 5000], "warning: a/journal: not a journal of games", true),
        (Vec::new(), "warning: a/journal: not a journal of games", true),
        ([b"HXZJOURN", &[7u8, 0][..]].concat(), "warning: a/journal: format version 7; this program reads", true),
    ] {
        for name in files(&run).keys() {
            fs::remove_file(run.join(name)).unwrap();
        }
        for (name, bytes) in &fresh {
            fs::write(run.join(name), bytes).unwrap();
        }
        fs::write(run.join("journal"), &bytes).unwrap();
        let lines = usize::from(!said.is_empty());
        let warned = predicate::str::starts_with(said).and(contains("\n").count(lines));
        train(folder.path(), "--resume --run a --games 12").success().stderr(warned);
        let kept = run.join("journal.damaged");
        assert_eq!(kept.exists(), aside, "{said}");
        if aside {
            assert!(fs::read(&kept).unwrap() == bytes);
            fs::remove_file(kept).unwrap();
        }
        assert_same_run(&run, &folder.path().join("straight"));
    }
}

#[test]
fn sides_resign_when_it_is_known_how_often_that_is_wrong() {
    let folder = folder_with_recipe();
    let recipe = RECIPE
        .replace("games_per_iteration = 6", "games_per_iteration = 150")
        .replace("full_share = 0.5", "full_share = 0.5\nresignation = { chance = 0.45, moves = 1, most_false = 0.3 }");
    fs::write(folder.path().join("resigning.toml"), recipe).unwrap();
    train(folder.path(), "--recipe resigning.toml --games 600 --run a").success();
    let lines = metrics(&folder.path().join("a"));
    let figure = |line: usize, name: &str| lines[line]["resignation"][name].as_f64().unwrap();
    assert_eq!([0, 1, 2].map(|line| figure(line, "checked")), [0.0, 150.0, 300.0]);
    let resigned = |line: usize| lines[line]["ends"]["resignation"].as_f64().unwrap_or(0.0);
    assert_eq!([0, 1].map(|line| (figure(line, "threshold"), resigned(line))), [(0.0, 0.0); 2]);
    for line in [2, 3] {
        assert!(figure(line, "threshold") > 0.0 && figure(line, "threshold") <= 0.45 + 1e-6, "{}", lines[line]);
        assert!(figure(line, "false_share") <= 0.3, "{}", lines[line]);
        assert!(resigned(line) > 0.1, "{}", lines[line]);
    }
    // Some of the third iteration's games were played out to be checked, and others were not.
    assert!((1.0..150.0).contains(&(figure(3, "checked") - 300.0)), "{}", lines[3]);
    let shard = Shard::read(&folder.path().join("a/games/000003.games")).unwrap();
    let resigned = |record: &&GameRecord| record.outcome.reason == EndReason::Resignation;
    assert!(shard.records.iter().filter(resigned).all(|record| !record.played_out && record.outcome.winner.is_some()));
    hexzero(folder.path(), &["inspect", "a/games/000003.games"])
        .success()
        .stdout(contains(format!("; {} by resignation\n", shard.records.iter().filter(resigned).count())));

    train(folder.path(), "--recipe resigning.toml --games 450 --run again").success();
    train(folder.path(), "--resume --games 600 --run again").success();
    assert_same_run(&folder.path().join("a"), &folder.path().join("again"));
}

#[test]
fn the_matches_at_the_end_say_what_was_learnt() {
    let folder = folder_with_recipe();
    hexzero(folder.path(), &["train", "--recipe", "tiny.toml", "--games", "6"]).success().stdout(
        contains("trained against random at 3×3: ")
            .and(contains("trained against alphabeta:2 at 3×3: "))
            .and(contains(" distinct)\nElo difference ").count(2)),
    );
}

#[test]
fn recipes_that_are_not_accepted() {
    let folder = folder_with_recipe();
    let misspelt = ["bacth", "batch", "games_per_iteration", "optimiser", "did you mean `batch`?"];
    let stage = |changes: &str| format!("{RECIPE}\n[[stage]]\n{changes}\n");
    for (wrong, said) in [
        (RECIPE.replace("batch", "bacth"), &misspelt[..]),
        (RECIPE.replace("blocks", "block"), &["`block`", "`blocks`", "`channels`"]),
        (RECIPE.replace("full_visits", "visits"), &["`visits`", "`full_visits`", "`cheap_visits`"]),
        (format!("colour = 1\n{RECIPE}"), &["`colour`", "`seed`", "`network`", "`selfplay`", "`training`"]),
        (format!("game = \"go\"\n{RECIPE}"), &["game = \"go\"", "\"cachex\""]),
        (format!("seed = -1\n{RECIPE}"), &["integer `-1`"]),
        (RECIPE.replace("blocks = 1", "blocks = 0"), &["blocks = 0", "1 to 40"]),
        (RECIPE.replace("channels = 16", "channels = 17"), &["channels = 17", "a multiple of 16"]),
        (RECIPE.replace("batch = 16", "batch = 0"), &["batch = 0", "1 to 65536"]),
        (RECIPE.replace("batch = 16", "batch = \"many\""), &["invalid type: string \"many\""]),
        (RECIPE.replace("size = 3", "size = 16"), &["size 16", "3 to 15"]),
        (RECIPE.replace("weight = 1.0", "weight = inf"), &["weight inf", "above 0"]),
        (RECIPE.replace("weight = 1.0", "weight = nan"), &["weight NaN", "above 0"]),
        (RECIPE.replace("full_visits = 8", "full_visits = 4000000000"), &["full_visits = 4000000000", "2 to 1000000"]),
        (RECIPE.replace("full_share = 0.5", "full_share = 1.5"), &["full_share = 1.5", "up to 1"]),
        (RECIPE.replace("full_share = 0.5", "noise.concentration = inf"), &["noise", "above 0"]),
        (RECIPE.replace("full_share = 0.5", "temperature.end = 0.0"), &["temperature", "above 0"]),
        (RECIPE.replace("full_share = 0.5", "search.init = nan"), &["search", "init and base above 0"]),
        (format!("{RECIPE}optimiser.learning_rate = -1.0\n"), &["learning_rate = -1", "above 0"]),
        (format!("{RECIPE}optimiser.beta1 = 1.0\n"), &["optimiser", "beta1 and beta2 from 0 to below 1"]),
        (format!("{RECIPE}losses.policy = nan\n"), &["training: losses: policy = NaN", "0 or more"]),
        (format!("{RECIPE}losses.soft_plicy = 1.0\n"), &["soft_plicy", "did you mean `soft_policy`?", "`moves_left`"]),
        (stage("selfplay.full_visits = 9"), &["missing field `after_steps`"]),
        (stage("after_steps = 0"), &["after_steps = 0", "above 0"]),
        (stage("after_steps = 5\n[[stage]]\nafter_steps = 5"), &["after_steps = 5", "stage before"]),
        (stage("after_steps = 5\nnetwork.blocks = 2"), &["`network`", "`selfplay`", "`training`"]),
        (
            stage("after_steps = 5\nselfplay.fullvisits = 9"),
            &["the stage after 5 steps: ", "`fullvisits`", "did you mean `full_visits`?"],
        ),
        (stage("after_steps = 5\nselfplay.full_visits = 1"), &["the stage after 5 steps: ", "full_visits = 1", "2 to"]),
        (stage("after_steps = 5\ntraining.batch = \"many\""), &["the stage after 5 steps: ", "string \"many\""]),
        (stage("after_steps = 5\ntraining.window_least = 9"), &["the stage after 5 steps: ", "window_least"]),
        ("[network".to_owned(), &["TOML"]),
    ] {
        fs::write(folder.path().join("wrong.toml"), &wrong).unwrap();
        let refused = train(folder.path(), "--recipe wrong.toml --games 6 --run a").code(1).stdout("");
        let mut message = String::from_utf8(refused.get_output().stderr.clone()).unwrap();
        assert!(message.starts_with("error: recipe wrong.toml: "), "{message}");
        // The line of the file that is quoted says nothing about what is accepted.
        message = message.lines().filter(|line| !line.contains(" | ")).collect();
        for part in said {
            assert!(message.contains(part), "no {part} in {message}");
        }
        assert!(!folder.path().join("a").exists(), "a refused recipe leaves no run behind");
    }
    train(folder.path(), "--recipe no-such.toml").code(1).stderr(contains("recipe no-such.toml: No such file"));
    let partial = RECIPE.replace("full_share = 0.5", "noise.fraction = 0.1\ntemperature.start = 0.9");
    fs::write(folder.path().join("partial.toml"), partial).unwrap();
    train(folder.path(), "--recipe partial.toml --games 6 --run a").success();
}

#[test]
fn checkpoints_to_begin_with_that_do_not_fit() {
    let folder = folder_with_recipe();
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/models/cachex.safetensors");
    fs::write(folder.path().join("half.safetensors"), &fs::read(shipped).unwrap()[..1000]).unwrap();
    for (file, said) in [
        (shipped, contains("cachex.safetensors: its network is {").and(contains("blocks = 1, channels = 16"))),
        ("half.safetensors", contains("half.safetensors: not a").and(contains("hexzero checkpoint"))),
        ("none.safetensors", contains("none.safetensors").and(contains("No such file"))),
    ] {
        train(folder.path(), &format!("--recipe tiny.toml --from {file} --run a")).code(1).stdout("").stderr(said);
        assert!(!folder.path().join("a").exists());
    }
}

#[test]
fn a_damaged_shard_is_set_aside_and_the_run_goes_on() {
    let folder = folder_with_recipe();
    let run = folder.path().join("a");
    train(folder.path(), "--recipe tiny.toml --games 18 --run a").success();
    let before = files(&run);
    let shard = run.join("games/000001.games");
    let mut damaged = fs::read(&shard).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 4;
    fs::write(&shard, &damaged).unwrap();

    train(folder.path(), "--resume --games 24 --run a").success().stderr(
        predicate::str::starts_with("warning: shard a/games/000001.games: damaged: ")
            .and(contains("set aside as a/games/000001.games.damaged\n"))
            .and(contains("warning").count(1)),
    );
    let after = files(&run);
    assert!(after[Path::new("games/000001.games.damaged")] == damaged);
    assert!(!shard.exists());
    for untouched in ["games/000000.games", "games/000002.games", "recipe.toml"] {
        assert!(after[Path::new(untouched)] == before[Path::new(untouched)], "{untouched}");
    }
    assert_eq!(state(&run).counters.games, 24);
    assert_eq!(metrics(&run).len(), 4);
    // What is gone is still missed, but that is all.
    let passed_over = contains("000001.games: No such file").and(contains("passed over"));
    train(folder.path(), "--resume --games 30 --run a").success().stderr(passed_over);
    hexzero(folder.path(), &["inspect", "a"]).success().stdout(contains("games       30, "));
}

#[test]
fn a_run_whose_state_or_recipe_is_damaged_is_refused_and_left_alone() {
    let folder = folder_with_recipe();
    let run = folder.path().join("a");
    train(folder.path(), "--recipe tiny.toml --games 6 --run a").success();
    let whole = files(&run);
    for (name, said) in [("state.safetensors", "--from"), ("recipe.toml", "recipe a/recipe.toml: ")] {
        let bytes = &whole[Path::new(name)];
        for cut in [0, 7, 100, bytes.len() / 2, bytes.len() - 1] {
            if name == "recipe.toml" && toml::from_slice::<toml::Table>(&bytes[..cut]).is_ok() {
                continue;
            }
            fs::write(run.join(name), &bytes[..cut]).unwrap();
            let before = files(&run);
            train(folder.path(), "--resume --games 12 --run a")
                .code(1)
                .stdout("")
                .stderr(contains(format!("a/{name}: ")).and(contains(said)));
            assert!(files(&run) == before);
        }
        fs::write(run.join(name), bytes).unwrap();
    }
    let recipe = fs::read_to_string(run.join("recipe.toml")).unwrap();
    for (other, problem) in [("blocks = 2", "is missing"), ("blocks = 1\nvalue_channels = 48", "has shape")] {
        let without = recipe.replace("value_channels = 32\n", "");
        fs::write(run.join("recipe.toml"), without.replace("blocks = 1", other)).unwrap();
        train(folder.path(), "--resume --games 12 --run a").code(1).stdout("").stderr(
            contains("a/state.safetensors: the run cannot go on from it: it does not fit the recipe, tensor '")
                .and(contains(problem))
                .and(contains("\n").count(1)),
        );
    }
    fs::write(run.join("recipe.toml"), recipe).unwrap();
    train(folder.path(), "--resume --games 12 --run a").success().stderr("");
}

#[test]
fn limits_that_are_none() {
    let folder = folder_with_recipe();
    for (arguments, said) in [
        ("--minutes 0", "greater than 0"),
        ("--minutes=-1", "greater than 0"),
        ("--minutes nan", "greater than 0"),
        ("--games 0", "not in 1.."),
        ("--steps 0", "not in 1.."),
        ("--workers 0", "not in 1..=1024"),
        ("--minutes 1 --games 6", "cannot be used with"),
        ("--minutes 1 --steps 6", "cannot be used with"),
        ("--evaluations 0", "not in 1.."),
        ("--games 1 --evaluations 6", "cannot be used with"),
        ("--seed 18446744073709551615", "not in 0..=9223372036854775807"),
        ("--resume --recipe tiny.toml", "cannot be used with"),
        ("--resume --seed 1", "cannot be used with"),
    ] {
        train(folder.path(), arguments).code(2).stdout("").stderr(contains(said));
    }
    train(folder.path(), "--recipe tiny.toml --steps 3 --run a").success();
    assert!(state(&folder.path().join("a")).counters.step >= 3);
    let spent = |run: &str| state(&folder.path().join(run)).counters.evaluations;
    train(folder.path(), "--recipe tiny.toml --evaluations 1 --run e").success();
    let each = spent("e");
    assert!(each > 6, "{each}");
    train(folder.path(), &format!("--resume --evaluations {} --run e", each + 1)).success();
    assert_eq!(state(&folder.path().join("e")).counters.iteration, 2);
    let lines = metrics(&folder.path().join("e"));
    assert_eq!(lines[0]["evaluations"].as_u64(), Some(each));
    assert_eq!(lines[1]["evaluations"].as_u64(), Some(spent("e")));
    train(folder.path(), "--recipe tiny.toml --minutes 0.002 --run b --seed 9223372036854775807").success();
    assert!(state(&folder.path().join("b")).counters.iteration > 0);
}
