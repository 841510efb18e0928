//! `--device`: what is refused, and commands that compute networks as a card does, here on the processor (`candle`).

use std::fs;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::common::hexzero;
use crate::runs::assert_same_run;
use crate::tiny::{folder_with_recipe, train};

/// Every command with `--device`, with what else it needs to come that far.
const COMMANDS: &[&str] = &[
    "train --minutes 1",
    #[cfg(feature = "cluster")]
    "worker --cluster nats://127.0.0.1:9",
    "arena shipped random --games 2",
    "analyze d2",
    "play",
    "gtp",
    "serve --port 0",
    "bench",
];

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

#[test]
fn missing_device_feature_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for (device, feature) in [("cuda", "cuda"), ("cuda:1", "cuda"), ("metal", "metal")] {
        if cfg!(feature = "cuda") && feature == "cuda" || cfg!(feature = "metal") && feature == "metal" {
            continue;
        }
        for command in COMMANDS {
            let asked = [words(command), vec!["--device", device]].concat();
            hexzero(folder.path(), &asked).failure().stdout("").stderr(
                contains(format!("error: device {device}"))
                    .and(contains(format!("built without the feature '{feature}'")))
                    .and(contains("accepted here: auto, cpu")),
            );
        }
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was begun");
}

#[cfg(not(feature = "cluster"))]
#[test]
fn missing_cluster_feature_says_how_to_build_it() {
    let folder = tempfile::tempdir().unwrap();
    for command in [
        "worker",
        "worker --help",
        "worker --cluster nats://127.0.0.1:9 --threads 2 --device cuda",
        "cluster",
        "cluster status --cluster nats://127.0.0.1:9 --json",
        "train --minutes 1 --cluster nats://127.0.0.1:9 --lock-step",
        "experiment mine.toml --cluster nats://127.0.0.1:9",
        "arena shipped random --cluster nats://127.0.0.1:9",
        "tournament shipped random --cluster=nats://127.0.0.1:9",
        "ladder runs/mine --cluster nats://127.0.0.1:9",
        "serve --run runs/mine --cluster nats://127.0.0.1:9",
    ] {
        hexzero(folder.path(), &words(command)).code(2).stdout("").stderr(
            contains("error: ")
                .and(contains("built without the feature 'cluster'"))
                .and(contains("cargo build --release --features cluster"))
                .and(contains("unrecognized").or(contains("unexpected")).not()),
        );
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was begun");
    // They are not offered either.
    hexzero(folder.path(), &words("--help")).success().stdout(contains("  worker ").not());
    hexzero(folder.path(), &words("train --help")).success().stdout(contains("--cluster").not());
    let pages = String::from_utf8(hexzero(folder.path(), &words("man pages")).success().get_output().stdout.clone());
    assert!(!pages.unwrap().contains("hexzero-worker"));
}

#[test]
fn invalid_devices_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (options, says) in [
        ("--device gpu", "device 'gpu' is not known; accepted: auto, cpu, cuda"),
        (
            "--device candle --device-precision int8",
            "precision 'int8' of a device is not known; accepted: f32, f16, bf16",
        ),
        ("--device candle --device-batch 0", "1..=4096"),
        ("--device-batch 8", "--device <DEVICE>"),
        ("--device cpu --device-batch 8", "--device-wait need a device: cuda, metal or candle"),
    ] {
        let asked = [words("analyze d2"), words(options)].concat();
        hexzero(folder.path(), &asked).failure().stderr(contains(says));
    }
    let of_rules = words("bench --part rules --device candle");
    hexzero(folder.path(), &of_rules).failure().stdout("").stderr(contains("evaluations, self-play and training"));
    let in_vain = words("train --games 6 --device cpu --games-at-once 4");
    hexzero(folder.path(), &in_vain).failure().stdout("").stderr(contains("--games-at-once needs a device"));
}

/// As many games at once as there are, or one at a time; at a stretch, or with a pause between two iterations.
#[test]
fn parallel_games_do_not_change_a_device_run() {
    let folder = folder_with_recipe();
    let device = "--device candle --device-batch 4 --rate 0 --workers 1";
    let begin = |run: &str, more: &str| {
        train(folder.path(), &format!("--recipe tiny.toml --run {run} {device} {more}")).success().stderr("")
    };
    begin("many", "--games 12 --games-at-once 6");
    begin("one", "--games 12 --games-at-once 1");
    assert_same_run(&folder.path().join("many"), &folder.path().join("one"));
    begin("paused", "--games 6");
    train(folder.path(), &format!("--resume --run paused --games 12 {device}")).success().stderr("");
    assert_same_run(&folder.path().join("many"), &folder.path().join("paused"));

    // The metrics say what evaluated, and what was trained on a device plays without.
    let metrics = fs::read_to_string(folder.path().join("many/metrics.jsonl")).unwrap();
    assert!(metrics.contains("candle f32 in batches of 4"), "{metrics}");
    hexzero(folder.path(), &words("analyze a1 --size 3 --model many --visits 20")).success();
}

#[test]
fn searches_and_matches_on_a_device() {
    let folder = tempfile::tempdir().unwrap();
    hexzero(folder.path(), &words("analyze d2 --size 5 --visits 30 --device candle")).success().stderr("");
    let matches = "arena shipped shipped@visits=4 --size 4 --games 4 --visits 8 --device candle --device-batch 8";
    hexzero(folder.path(), &words(matches)).success();
    // A search by time has many leaves in flight.
    hexzero(folder.path(), &words("analyze d2 --size 5 --time 0.3 --device candle --device-wait 0"))
        .success()
        .stderr("");
}

#[test]
fn device_speed_is_measured_by_batch_size() {
    let folder = tempfile::tempdir().unwrap();
    let asked = "bench --json --part evaluations --device candle --device-batch 8";
    let said = hexzero(folder.path(), &words(asked)).success().get_output().stdout.clone();
    let report: Value = serde_json::from_slice(&said).unwrap();
    let device = &report["device"];
    assert_eq!((device["device"].as_str(), device["precision"].as_str()), (Some("candle"), Some("f32")));
    assert!(device["peak_gigaops_per_second"].as_f64() > Some(0.0), "{device}");
    let speeds = device["evaluations"].as_array().unwrap();
    let batches: Vec<_> = speeds.iter().map(|speed| speed["batch"].as_u64().unwrap()).collect();
    assert_eq!(batches, [1, 8]);
    assert!(speeds.iter().all(|speed| speed["positions_per_second"].as_f64() > Some(0.0)), "{speeds:?}");
    assert!(report["evaluations"].as_array().unwrap().is_empty(), "the processor was not asked for");
}
