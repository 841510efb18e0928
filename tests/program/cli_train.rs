//! `hexzero train`: what a run leaves behind and learns from, and what is not accepted. Runs that were interrupted are
//! those of `cli_resume.rs`.

use std::fs;
use std::path::Path;

use hexzero::games::EndReason;
use hexzero::network::{Checkpoint, TensorData};
use hexzero::replay::{GameRecord, Shard};
use hexzero::training::RunFolder;
use predicates::prelude::*;
use predicates::str::contains;

use crate::common::{hexzero, hexzero_with_input};
use crate::output::{stderr, stdout};
use crate::runs::{assert_same_run, files, is_event_file, metrics, state};
use crate::tiny::{RECIPE, folder_with_own_recipe, folder_with_recipe, train};

/// The names under `losses` in the metrics, in alphabetical order.
const LOSSES: [&str; 5] = ["moves_left", "outcome", "ownership", "policy", "total"];

#[test]
fn run_leaves_its_documented_files() {
    let folder = &*folder_with_recipe();
    let said = train(folder, "--recipe tiny.toml --games 12 --workers 1 --run a").success().stderr("");
    let run = folder.join("a");
    let checkpoint = RunFolder::open(&run).unwrap().latest_checkpoint().unwrap();
    let output = stdout(&said);
    said.stdout(
        contains("run a: cachex network b1c16")
            .and(contains("\n2 iterations, 12 games, "))
            .and(contains(checkpoint.file_name().unwrap().to_str().unwrap()))
            .and(contains("trained against").not()),
    );
    // A line of an iteration begins with its number and has room on any terminal.
    let iterations: Vec<&str> = output.lines().filter(|line| line.starts_with("   ")).collect();
    assert_eq!(iterations.len(), 2, "{output}");
    for line in iterations {
        assert!(line.chars().count() <= 80, "{line}");
        assert!([" games  step ", "  loss ", " games left"].iter().all(|part| line.contains(part)), "{line}");
    }

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
    let state = state(&run).tensors;
    let averages = state.iter().filter_map(|(name, tensor)| Some((name.strip_prefix("average/")?, tensor)));
    assert!(averages.eq(tensors.iter().map(|(name, tensor)| (name.as_str(), tensor))));
}

#[test]
fn seed_determines_a_run_on_any_workers() {
    let folder = &*folder_with_recipe();
    let path = |run: &str| folder.join(run);
    fs::write(folder.join("muon.toml"), with_muon()).unwrap();
    for (run, recipe, options) in [
        ("a", "tiny", "--workers 1"),
        ("b", "tiny", "--workers 2"),
        ("c", "tiny", "--seed 2"),
        ("muon", "muon", "--workers 1"),
        ("muon-again", "muon", "--workers 2"),
    ] {
        train(folder, &format!("--recipe {recipe}.toml --games 12 {options} --run {run}")).success();
    }
    assert_same_run(&path("a"), &path("b"));
    assert_same_run(&path("muon"), &path("muon-again"));
    assert!(state(&path("muon")).tensors != state(&path("a")).tensors);
    let shard = |run: &str| fs::read(path(run).join("games/000000.games")).unwrap();
    assert_ne!(shard("a"), shard("c"));
}

#[test]
fn resumed_run_equals_an_uninterrupted_one() {
    let folder = &*folder_with_recipe();
    fs::write(folder.join("from.toml"), like_shipped()).unwrap();
    // A small window, so that the oldest games are forgotten in the same way.
    let window = "window_least = 20\nwindow_scale = 0.0\nsurprise_weight = 0.5\nkeep_every = 2\n";
    fs::write(folder.join("stages.toml"), format!("{RECIPE}{window}{STAGES}")).unwrap();
    let from = format!("from.toml --from {SHIPPED}");
    fs::write(folder.join("muon.toml"), with_muon()).unwrap();
    train(folder, "--recipe muon.toml --games 12 --run first").success();
    for (name, recipe) in [("stages", "stages.toml"), ("from", &from), ("kept", "muon.toml --from first")] {
        train(folder, &format!("--recipe {recipe} --games 30 --run {name}")).success();
        train(folder, &format!("--recipe {recipe} --games 12 --run {name}-again")).success();
        for games in [24, 24, 30] {
            train(folder, &format!("--resume --run {name}-again --games {games}")).success().stderr("");
        }
        assert_same_run(&folder.join(name), &folder.join(format!("{name}-again")));
    }
    assert_eq!(state(&folder.join("from-again")).parent.as_deref(), Some("cachex.safetensors"));
}

const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/models/cachex.safetensors");

/// [`RECIPE`] with the architecture of the shipped network.
fn like_shipped() -> String {
    let architecture = Checkpoint::read(Path::new(SHIPPED)).unwrap().metadata.architecture;
    RECIPE.replace("blocks = 1\nchannels = 16", &toml::to_string(&architecture).unwrap())
}

/// [`RECIPE`] with Muon, at first.
fn with_muon() -> String {
    format!("{RECIPE}optimiser.method = \"muon\"\n[[stage]]\nafter_steps = 20\ntraining.optimiser.method = \"adamw\"\n")
}

#[test]
fn runs_grow_smaller_networks() {
    let folder = &*folder_with_recipe();
    let larger = RECIPE.replace("blocks = 1\nchannels = 16", "blocks = 2\nchannels = 32");
    fs::write(folder.join("larger.toml"), larger).unwrap();
    train(folder, "--recipe tiny.toml --games 6 --run small").success();
    train(folder, "--recipe larger.toml --from small --games 6 --run large")
        .success()
        .stdout(contains(", grown from b1c16 to b2c32, and with new moments"));
    train(folder, "--recipe tiny.toml --from large --games 6 --run again")
        .failure()
        .stderr(contains("give the recipe the same [network], or a larger one with the same pool_every"));
}

/// The parts of a run's state by the prefix of their names.
fn parts(run: &Path, prefix: &str) -> Vec<TensorData> {
    state(run).tensors.into_iter().filter(|(name, _)| name.starts_with(prefix)).map(|(_, tensor)| tensor).collect()
}

#[test]
fn last_checkpoint_brings_its_moments() {
    let at = &*folder_with_recipe();
    fs::write(at.join("kept.toml"), format!("{RECIPE}keep_every = 1\n")).unwrap();
    train(at, "--recipe kept.toml --games 12 --run a").success();
    let parent = state(&at.join("a"));
    let checkpoints = files(&at.join("a")).into_keys().filter(|name| name.starts_with("checkpoints"));
    let [first, last] = checkpoints.collect::<Vec<_>>().try_into().unwrap();
    let zeros = |tensors: &[TensorData]| tensors.iter().flat_map(|tensor| &tensor.data).all(|value| *value == 0.0);
    for (number, from, keeps) in [(1, Path::new(""), true), (2, &last, true), (3, &first, false)] {
        let (run, from) = (format!("run-{number}"), Path::new("a").join(from));
        let with = if keeps { "the moments of its run" } else { "new moments" };
        let file = if number == 3 { &first } else { &last };
        train(at, &format!("--recipe tiny.toml --from {} --minutes 0.00001 --run {run}", from.display()))
            .success()
            .stdout(contains(format!("begins with a/{}, and with {with}", file.display())));
        let run = at.join(run);
        assert_eq!(state(&run).counters.step, 0);
        assert_eq!(parts(&run, "weights/") == parts(&at.join("a"), "average/"), keeps);
        assert_eq!(parts(&run, "average/"), parts(&run, "weights/"));
        for moments in ["mean/", "square/"] {
            assert_eq!(parts(&run, moments) == parts(&at.join("a"), moments), keeps);
            assert_eq!(zeros(&parts(&run, moments)), !keeps);
        }
        let [usual, earlier, averaged] = state(&run).tensors["optimiser"].data[..] else { panic!("three figures") };
        let expected =
            if keeps { (parent.tensors["optimiser"].data[0], parent.counters.step as f32) } else { (0.0, 0.0) };
        assert_eq!((usual, earlier), expected);
        // A random network's average counts few steps at first.
        assert!(averaged > 1e6, "{averaged}");
    }
    // The run has new moments if it begins from a checkpoint outside of a run.
    fs::write(at.join("shipped.toml"), like_shipped()).unwrap();
    train(at, &format!("--recipe shipped.toml --from {SHIPPED} --minutes 0.00001 --run b"))
        .success()
        .stdout(contains("cachex.safetensors, and with new moments"));
}

#[test]
fn clipping_of_most_steps_is_told() {
    let at = &*folder_with_recipe();
    // Gradients grow a hundredfold at once, and the usual norm follows slowly.
    let stage = "[[stage]]\nafter_steps = 10\ntraining.losses.policy = 100.0\n";
    fs::write(at.join("steep.toml"), format!("{RECIPE}{stage}")).unwrap();
    let said = stderr(&train(at, "--recipe steep.toml --games 60 --run a").success());
    let clipped = |run: &str| -> Vec<f64> {
        metrics(&at.join(run)).iter().map(|line| line["clipped"].as_f64().unwrap()).collect()
    };
    let most: Vec<f64> = clipped("a").into_iter().filter(|share| *share > 0.5).collect();
    assert!(!most.is_empty(), "{:?}", clipped("a"));
    let expected = most
        .iter()
        .map(|share| format!("warning: {:.0}% of the training steps of this iteration were clipped", 100.0 * share));
    assert!(said.lines().zip(expected).all(|(line, expected)| line.starts_with(&expected)), "{said}");
    assert_eq!(said.lines().count(), most.len(), "{said}");
    train(at, "--recipe tiny.toml --games 60 --run b").success().stderr("");
    assert!(clipped("b").iter().all(|share| *share < 0.2), "{:?}", clipped("b"));
}

/// The sizes of the boards of an iteration.
fn sizes(run: &Path, iteration: u64) -> Vec<u8> {
    let shard = Shard::read(&RunFolder::open(run).unwrap().shard(iteration)).unwrap();
    shard.records.iter().map(|record| record.size).collect()
}

/// Stages that begin at steps in the midst of a run.
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
    let folder = &*folder_with_recipe();
    fs::write(folder.join("stages.toml"), format!("{RECIPE}{STAGES}")).unwrap();
    // The hint at the end names the board of the present stage.
    train(folder, "--recipe stages.toml --games 24 --run a").success().stdout(contains("--model a --size 4\n"));
    let run = folder.join("a");
    let steps: Vec<u64> = metrics(&run).iter().map(|line| line["step"].as_u64().unwrap()).collect();
    let begins = steps.iter().position(|&step| step >= 10).unwrap() as u64 + 1;
    assert!((1..4).contains(&begins), "{steps:?}");
    assert_eq!([begins - 1, begins].map(|iteration| sizes(&run, iteration)), [[3; 6], [4; 6]]);
    train(folder, "--recipe tiny.toml --games 24 --run b").success();
    let same = |iteration| {
        let shard = |run: &str| fs::read(folder.join(run).join(format!("games/00000{iteration}.games"))).unwrap();
        shard("a") == shard("b")
    };
    assert!(same(begins - 1) && !same(begins));
}

/// The time counts over all resumptions, so a stage that has begun stays.
#[test]
fn stage_begins_after_its_minutes() {
    let stage = "[[stage]]\nafter_minutes = 0.0001\nselfplay.sizes = [{ size = 4, weight = 1.0 }]\n";
    let never = "[[stage]]\nafter_minutes = 1000\nselfplay.sizes = [{ size = 5, weight = 1.0 }]\n";
    let folder = &*folder_with_own_recipe(&format!("{RECIPE}{stage}{never}"));
    train(folder, "--recipe tiny.toml --games 6 --run a").success();
    train(folder, "--resume --run a --games 18").success();
    let run = folder.join("a");
    assert_eq!([0, 1, 2].map(|iteration| sizes(&run, iteration)), [[3; 6], [4; 6], [4; 6]]);
}

#[test]
fn larger_network_learns_from_games_of_a_run() {
    let folder = &*folder_with_recipe();
    fs::write(folder.join("larger.toml"), RECIPE.replace("blocks = 1", "blocks = 2")).unwrap();
    train(folder, "--recipe tiny.toml --games 12 --run small").success();
    train(folder, "--recipe larger.toml --games 18 --games-of small --run large").success();
    train(folder, "--recipe larger.toml --games 6 --games-of small --run again").success();
    train(folder, "--resume --games 18 --games-of small --run again").success();
    assert_same_run(&folder.join("large"), &folder.join("again"));
    // Iterations of another run's games have no time of self-play.
    let played: Vec<bool> = metrics(&folder.join("large")).iter().map(|line| line["selfplay_seconds"] != 0.0).collect();
    assert_eq!(played, [false, false, true]);
    let shard = |run: &str, number| fs::read(folder.join(run).join(format!("games/00000{number}.games"))).unwrap();
    assert_eq!([0, 1].map(|number| shard("small", number)), [0, 1].map(|number| shard("large", number)));
    assert_eq!(state(&folder.join("large")).counters.games, 18);
    // A shard that cannot be read is named, and games are played in its place.
    fs::write(folder.join("small/games/000001.games"), "no games").unwrap();
    let warned = train(folder, "--recipe larger.toml --games 12 --games-of small --run other").success();
    warned.stderr(contains("000001.games").and(contains("games are played instead")));
    train(folder, "--recipe larger.toml --games-of nowhere --run b").code(1).stderr(contains("holds no run"));
    assert!(!folder.join("b").exists());
}

#[test]
fn runs_are_numbered_and_the_newest_is_resumed() {
    let folder = &*folder_with_recipe();
    for _ in 0..2 {
        train(folder, "--recipe tiny.toml --games 6").success();
    }
    train(folder, "--resume --games 12").success();
    let games = |run: &str| state(&folder.join("runs").join(run)).counters.games;
    assert_eq!((games("cachex-001"), games("cachex-002")), (6, 12));
    // A run with a name of its own is among them.
    train(folder, "--recipe tiny.toml --games 6 --run runs/mine").success().stdout(contains("1 iteration, 6 games"));
    train(folder, "--resume --games 12").success();
    train(folder, "--resume --games 18 --game cachex").success();
    assert_eq!((games("cachex-002"), games("mine")), (12, 18));
    train(folder, "--resume --game hex").code(1);
}

#[test]
fn sides_resign_once_the_error_rate_is_known() {
    let recipe = RECIPE
        .replace("games_per_iteration = 6", "games_per_iteration = 150")
        .replace("full_share = 0.5", "full_share = 0.5\nresignation = { chance = 0.45, moves = 1, most_false = 0.3 }");
    let folder = &*folder_with_own_recipe(&recipe);
    train(folder, "--recipe tiny.toml --games 600 --run a").success();
    let lines = metrics(&folder.join("a"));
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
    let shard = Shard::read(&folder.join("a/games/000003.games")).unwrap();
    let resigned = |record: &&GameRecord| record.outcome.reason == EndReason::RESIGNATION;
    assert!(shard.records.iter().filter(resigned).all(|record| !record.played_out && record.outcome.winner.is_some()));
    hexzero(folder, &["inspect", "a/games/000003.games"])
        .success()
        .stdout(contains(format!("; {} by resignation\n", shard.records.iter().filter(resigned).count())));

    train(folder, "--recipe tiny.toml --games 450 --run again").success();
    train(folder, "--resume --games 600 --run again").success();
    assert_same_run(&folder.join("a"), &folder.join("again"));
}

#[test]
fn final_matches_show_what_was_learnt() {
    let folder = &*folder_with_recipe();
    hexzero(folder, &["train", "--recipe", "tiny.toml", "--games", "6"]).success().stdout(
        contains("trained against random at 3×3: ")
            .and(contains("trained against alphabeta:2 at 3×3: "))
            .and(contains(" distinct)\nElo difference ").count(2)),
    );
}

#[test]
fn run_is_played_on_its_own_board() {
    let folder = &*folder_with_recipe();
    train(folder, "--recipe tiny.toml --run a --games 6").success();
    let moves = hexzero_with_input(folder, &["gtp", "--model", "a"], "all_legal_moves\nquit\n").success();
    moves.stdout(contains("c3").and(contains("d1").not()));
    let analysis = hexzero(folder, &["analyze", "--model", "a", "--visits", "5"]).success();
    analysis.stdout(contains("c3").or(contains("a1")).and(contains("d1").not()));
}

#[test]
fn limits_end_a_run() {
    let folder = &*folder_with_recipe();
    train(folder, "--recipe tiny.toml --steps 3 --run a").success();
    assert!(state(&folder.join("a")).counters.step >= 3);
    let spent = |run: &str| state(&folder.join(run)).counters.evaluations;
    train(folder, "--recipe tiny.toml --evaluations 1 --run e").success();
    let each = spent("e");
    assert!(each > 6, "{each}");
    train(folder, &format!("--resume --evaluations {} --run e", each + 1)).success();
    assert_eq!(state(&folder.join("e")).counters.iteration, 2);
    let lines = metrics(&folder.join("e"));
    assert_eq!(lines[0]["evaluations"].as_u64(), Some(each));
    assert_eq!(lines[1]["evaluations"].as_u64(), Some(spent("e")));
    train(folder, "--recipe tiny.toml --games 6 --run b --seed 9223372036854775807").success();
    assert_eq!(state(&folder.join("b")).counters.iteration, 1);
    // The time may end a run at any point.
    train(folder, "--recipe tiny.toml --minutes 0.002 --run c").success();
}
