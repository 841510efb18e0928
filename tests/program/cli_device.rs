//! `--device`: what is refused, and commands that compute networks as a card does, here on the processor (`candle`).

use std::fs;

use crate::common::hexzero_line;
use crate::output::json_stdout;
use crate::runs::assert_same_run;
use crate::tiny::{Folder, folder_with_recipe, train};

#[cfg(not(feature = "cluster"))]
#[test]
fn missing_cluster_feature_says_how_to_build_it() {
    use predicates::prelude::*;
    use predicates::str::contains;

    let folder = &*Folder::empty();
    for command in [
        "cluster worker",
        "cluster worker --help",
        "cluster worker --cluster nats://127.0.0.1:9 --threads 2 --device cuda",
        "cluster",
        "cluster status --cluster nats://127.0.0.1:9 --json",
        "train --minutes 1 --cluster nats://127.0.0.1:9",
        "experiment mine.toml --cluster nats://127.0.0.1:9",
        "arena shipped random --cluster nats://127.0.0.1:9",
        "tournament shipped random --cluster=nats://127.0.0.1:9",
        "tournament ladder runs/mine --cluster nats://127.0.0.1:9",
        "serve --run runs/mine --cluster nats://127.0.0.1:9",
    ] {
        hexzero_line(folder, command).code(2).stdout("").stderr(
            contains("error: ")
                .and(contains("built without the feature 'cluster'"))
                .and(contains("cargo build --release --features cluster"))
                .and(contains("unrecognized").or(contains("unexpected")).not()),
        );
    }
    assert_eq!(fs::read_dir(folder).unwrap().count(), 0, "nothing was begun");
    // They are not offered either.
    hexzero_line(folder, "--help").success().stdout(contains("  worker ").not());
    hexzero_line(folder, "train --help").success().stdout(contains("--cluster").not());
    hexzero_line(folder, "generate man pages").success().stdout(contains("hexzero-worker").not());
}

/// All games at once or one at a time, without or with a pause between two iterations.
#[test]
fn parallel_games_do_not_change_a_device_run() {
    let folder = &*folder_with_recipe();
    let device = "--device candle --device-batch 4 --rate 0 --workers 1";
    let begin = |run: &str, more: &str| {
        train(folder, &format!("--recipe tiny.toml --run {run} {device} {more}")).success().stderr("")
    };
    begin("many", "--games 12 --games-at-once 6");
    begin("one", "--games 12 --games-at-once 1");
    assert_same_run(&folder.join("many"), &folder.join("one"));
    begin("paused", "--games 6");
    train(folder, &format!("--resume --run paused --games 12 {device}")).success().stderr("");
    assert_same_run(&folder.join("many"), &folder.join("paused"));

    // The metrics name the evaluator, and a network trained on a device plays without one.
    let metrics = fs::read_to_string(folder.join("many/metrics.jsonl")).unwrap();
    assert!(metrics.contains("candle f32 in batches of 4"), "{metrics}");
    hexzero_line(folder, "analyze a1 --size 3 --model many --visits 20").success();
}

#[test]
fn searches_and_matches_on_a_device() {
    let folder = &*Folder::empty();
    hexzero_line(folder, "analyze d2 --size 5 --visits 30 --device candle").success().stderr("");
    let matches = "arena shipped shipped@visits=4 --size 4 --games 4 --visits 8 --device candle --device-batch 8";
    hexzero_line(folder, matches).success();
    // A search by time has many leaves in flight.
    hexzero_line(folder, "analyze d2 --size 5 --time 0.3 --device candle --device-wait 0").success().stderr("");
}

#[test]
fn device_speed_is_measured_by_batch_size() {
    let folder = &*Folder::empty();
    let asked = "bench --json --part evaluations --device candle --device-batch 8";
    let report = json_stdout(&hexzero_line(folder, asked).success());
    let device = &report["device"];
    assert_eq!((device["device"].as_str(), device["precision"].as_str()), (Some("candle"), Some("f32")));
    let speeds = device["evaluations"].as_array().unwrap();
    let batches: Vec<_> = speeds.iter().map(|speed| speed["batch"].as_u64().unwrap()).collect();
    assert_eq!(batches, [1, 8]);
    assert!(speeds.iter().all(|speed| speed["positions_per_second"].as_f64() > Some(0.0)), "{speeds:?}");
    assert!(report["evaluations"].as_array().unwrap().is_empty(), "the processor was not asked for");
}
