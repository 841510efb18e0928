//! `hexzero report`: the page of a run's curves.

use std::fs;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::common::hexzero_line;
use crate::output::{each, report_page as page};
use crate::runs::damage_metrics;
use crate::tiny::{RECIPE, folder_with_own_recipe, folder_with_recipe, train};

#[test]
fn page_has_curves_and_recipe() {
    let both = RECIPE.replace("{ size = 3, weight = 1.0 }", "{ size = 3, weight = 1.0 }, { size = 4, weight = 1.0 }");
    let folder = &*folder_with_own_recipe(&both);
    train(folder, "--recipe tiny.toml --games 36 --run run").success();
    let run = folder.join("run");
    hexzero_line(folder, "report run").success().stdout("run/report.html\n").stderr("");
    let (data, html) = page(&run.join("report.html"));

    for (id, names) in [
        ("loss", &["loss"][..]),
        ("learning-rate", &["learning rate"]),
        ("entropy", &["search", "network"]),
        ("length", &["mean", "10%", "median", "90%", "longest"]),
        ("results", &["first player", "second player", "draws"]),
        ("swaps", &["swaps"]),
        ("captures", &["captures"]),
        ("first-by-size", &["3×3", "4×4"]),
        ("games-speed", &["games"]),
    ] {
        let series = data["charts"][id].as_array().unwrap();
        assert_eq!(each(&data["charts"][id], "name"), names, "{id}");
        assert!(html.contains(&format!("id=\"{id}\"")), "{id}");
        assert!(series.iter().all(|series| !series["points"].as_array().unwrap().is_empty()), "{id}");
    }
    let metrics = fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    let last: Value = serde_json::from_str(metrics.lines().last().unwrap()).unwrap();
    let losses = data["charts"]["loss"][0]["points"].as_array().unwrap();
    assert_eq!((losses.len(), &losses[5][0]), (6, &Value::from(36.0)));
    assert!((losses[5][1].as_f64().unwrap() - last["losses"]["total"].as_f64().unwrap()).abs() < 1e-5);

    assert!(html.contains("<th>training.games_per_iteration</th><td>6</td>"), "the recipe");
    // The name of a language is the only address in it.
    assert!(!html.replace("http://www.w3.org/2000/svg", "").contains("http"), "the page needs no other file");
    for attribute in ["src=", "href=\"/", "@import", "url("] {
        assert!(!html.contains(attribute), "{attribute}");
    }
}

#[test]
fn ratings_are_shown_once_they_exist() {
    let folder = &*folder_with_recipe();
    train(folder, "--recipe tiny.toml --games 12 --rate 0 --run run").success();
    hexzero_line(folder, "report run").success();
    assert!(page(&folder.join("run/report.html")).0["charts"]["elo-3"].is_null());
    hexzero_line(folder, "tournament ladder run --size 3 --games 24 --visits 2").success();
    hexzero_line(folder, "report run").success();
    let (data, html) = page(&folder.join("run/report.html"));
    let series = &data["charts"]["elo-3"];
    let names = each(series, "name");
    assert!(names[0] == "checkpoints" && names.contains(&"alphabeta:2"), "{names:?}");
    assert_eq!(series[0]["points"].as_array().unwrap().len(), 1);
    assert!(html.contains("class=\"whisker s0\""));
    fs::write(folder.join("run/ladder.jsonl"), "nonsense\n").unwrap();
    let warned = contains("warning: run/ladder.jsonl line 1: ").and(contains("; skipped"));
    hexzero_line(folder, "report run").success().stderr(warned);
}

#[test]
fn new_run_has_a_page_and_no_run_has_none() {
    let folder = &*folder_with_recipe();
    // A recipe is all that a run must have.
    fs::create_dir(folder.join("begun")).unwrap();
    fs::write(folder.join("begun/recipe.toml"), "game = \"hex\"\nnote = \"hex</td><script>\"\n").unwrap();
    hexzero_line(folder, "report begun --output page.html").success().stdout("page.html\n").stderr("");
    let (data, html) = page(&folder.join("page.html"));
    assert_eq!(data["charts"].as_object().unwrap().len(), 0);
    assert!(html.contains("No iteration is finished yet."));
    assert!(html.contains("hex&lt;/td&gt;&lt;script&gt;"), "what a recipe says is no markup");
}

#[test]
fn damaged_parts_are_named_and_skipped() {
    let folder = &*folder_with_recipe();
    train(folder, "--recipe tiny.toml --games 18 --run run").success();
    let run = folder.join("run");
    damage_metrics(&run);
    hexzero_line(folder, "inspect run").success().stderr(contains("warning: run/metrics.jsonl, line 3: "));
    hexzero_line(folder, "report run").success().stderr(contains("warning: run/metrics.jsonl, line 3: "));
    let (data, html) = page(&run.join("report.html"));
    assert!(html.contains("class=\"problem\">run/metrics.jsonl, line 3: "));
    assert_eq!(data["charts"]["loss"][0]["points"].as_array().unwrap().len(), 2);
    assert_eq!(data["charts"]["captures"][0]["points"].as_array().unwrap().len(), 1);
}
