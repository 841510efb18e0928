//! `hexzero bench` through the real binary.

use std::path::Path;

use assert_cmd::assert::Assert;
use serde_json::Value;

use crate::common::hexzero_line;
use crate::output::{json_stdout, stdout};

fn bench(arguments: &str) -> Assert {
    hexzero_line(Path::new("."), &format!("bench {arguments}"))
}

fn report(parts: &str) -> Value {
    json_stdout(&bench(&format!("--json {parts}")).success())
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn every_network_and_kernel_is_measured() {
    let report = report("--part evaluations");
    let evaluations = report["evaluations"].as_array().expect("a list");
    for evaluation in evaluations {
        assert_eq!(
            keys(evaluation),
            ["batch", "kernel", "network", "positions_per_second", "precision", "size", "threads"]
        );
        assert!(evaluation["positions_per_second"].as_f64() > Some(0.0), "{evaluation}");
    }
    for (network, size) in [("b4c32", 7), ("b6c64", 9), ("b10c128", 11)] {
        let single = evaluations.iter().filter(|speed| {
            speed["network"] == network && speed["size"] == size && speed["batch"] == 1 && speed["threads"] == 1
        });
        let kernels: Vec<_> = single.map(|speed| (speed["kernel"].as_str(), speed["precision"].as_str())).collect();
        assert!(kernels.contains(&(Some("portable"), Some("f32"))), "{kernels:?}");
    }
    let parts = report["evaluation_parts"].as_array().expect("a list");
    assert!(parts.iter().all(|part| part["tower"].as_f64() > Some(0.0)), "{parts:?}");
    assert!(report["training"].as_array().is_some_and(Vec::is_empty), "a part that was not asked for");
    let [default] = &report["defaults"].as_array().expect("a list")[..] else { panic!("{}", report["defaults"]) };
    assert_eq!((&default["part"], &default["default"]["kernel"]), (&"evaluations".into(), &report["kernel"]));
    assert!(default["share_of_best"].as_f64() > Some(0.0), "{default}");
}

#[test]
fn other_parts_report_rates_on_boards_of_the_game() {
    let report = report("--part self-play --part training --game 3connection");
    for (part, rate) in [("self_play", "games_per_hour"), ("training", "samples_per_second")] {
        let rows = report[part].as_array().expect("a list");
        assert!(!rows.is_empty(), "{part}");
        assert!(rows.iter().all(|row| row["size"] == 5 && row[rate].as_f64() > Some(0.0)), "{part}: {rows:?}");
    }
    let rows = report["training"].as_array().expect("a list");
    assert!(rows.iter().all(|row| row["batch"] == 256), "{rows:?}");
    let with = |kernel: &str| rows.iter().filter(|row| row["kernel"] == kernel && row["threads"] == 1).count();
    assert!(with("portable") >= 1 && with(report["kernel"].as_str().expect("a name")) >= 1, "{rows:?}");
}

#[test]
fn table_names_what_was_measured() {
    let table = stdout(&bench("--part self-play").success());
    assert!(table.contains("\nSelf-play: games an hour\n") && table.contains("  cachex  b4c32  7×7  "), "{table}");
    assert!(!table.contains("Training"), "{table}");
}
