//! `hexzero report`: the page about a run.

use std::fs;
use std::path::Path;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::common::hexzero;
use crate::games::cachex;
use crate::tiny::{RECIPE, folder_with_recipe, train};

/// A recipe for two board sizes.
fn two_sizes() -> String {
    RECIPE.replace("{ size = 3, weight = 1.0 }", "{ size = 3, weight = 1.0 }, { size = 4, weight = 1.0 }")
}

/// The data that the page's script reads, and the whole page.
fn page(path: &Path) -> (Value, String) {
    let html = fs::read_to_string(path).unwrap();
    let begin = "<script type=\"application/json\" id=\"run-data\">";
    let (_, rest) = html.split_once(begin).unwrap();
    let (data, _) = rest.split_once("</script>").unwrap();
    (serde_json::from_str(data).unwrap(), html)
}

/// Follows a sample game by its changes, and the same moves by the rules.
fn assert_follows_the_rules(sample: &Value) {
    let size = sample["size"].as_u64().unwrap() as usize;
    let mut game = cachex().start(size).unwrap();
    let mut board = vec![Value::Null; size * size];
    for ply in sample["plies"].as_array().unwrap() {
        assert_eq!(ply["player"].as_u64(), Some(game.to_move().index() as u64), "{ply}");
        game.play_named(ply["name"].as_str().unwrap()).unwrap();
        for change in ply["pieces"].as_array().unwrap() {
            board[change[0].as_u64().unwrap() as usize] = change[1].clone();
        }
        let pieces: Vec<Value> = (0..size * size).map(|place| serde_json::json!(game.piece(place))).collect();
        assert_eq!(board, pieces, "{ply}");
    }
    let winner = game.outcome().and_then(|outcome| outcome.winner);
    assert_eq!(sample["result"].as_str(), Some(winner.map_or("draw", |winner| cachex().seat_name(winner))));
}

#[test]
fn page_has_curves_calibration_games_and_recipe() {
    let folder = folder_with_recipe();
    fs::write(folder.path().join("two.toml"), two_sizes()).unwrap();
    train(folder.path(), "--recipe two.toml --games 36 --run run").success();
    let run = folder.path().join("run");
    hexzero(folder.path(), &["report", "run"]).success().stdout("run/report.html\n").stderr("");
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
        let found: Vec<&str> = series.iter().map(|series| series["name"].as_str().unwrap()).collect();
        assert_eq!(found, names, "{id}");
        assert!(html.contains(&format!("id=\"{id}\"")), "{id}");
        assert!(series.iter().all(|series| !series["points"].as_array().unwrap().is_empty()), "{id}");
    }
    let metrics = fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    let last: Value = serde_json::from_str(metrics.lines().last().unwrap()).unwrap();
    let losses = data["charts"]["loss"][0]["points"].as_array().unwrap();
    assert_eq!((losses.len(), &losses[5][0]), (6, &Value::from(36.0)));
    assert!((losses[5][1].as_f64().unwrap() - last["losses"]["total"].as_f64().unwrap()).abs() < 1e-5);

    assert_eq!(data["players"], serde_json::json!(["red", "blue"]));
    assert_eq!(data["layouts"]["4"]["places"].as_array().map(Vec::len), Some(16));
    let games = data["games"].as_array().unwrap();
    let of_size = |size: u64| games.iter().filter(|game| game["size"] == size).count();
    assert_eq!((of_size(3), of_size(4)), (3, 3));
    for game in games {
        let plies = game["plies"].as_array().unwrap();
        assert_follows_the_rules(game);
        let values = plies.iter().filter_map(|ply| ply["value"].as_f64());
        assert!(values.clone().count() > 0 && values.clone().all(|value| (0.0..=1.0).contains(&value)), "{game}");
    }
    let shares = games.iter().flat_map(|game| game["plies"].as_array().unwrap());
    let shares = shares.flat_map(|ply| ply["policy"].as_array().unwrap()).map(|found| found["share"].as_f64().unwrap());
    assert!(shares.clone().count() > 10 && shares.clone().all(|share| share > 0.0 && share <= 1.0));

    assert!(html.contains("games_per_iteration = 6"), "the recipe");
    assert!(data["charts"]["reliability"].is_array());
    // The name of a language is the only address in it.
    assert!(!html.replace("http://www.w3.org/2000/svg", "").contains("http"), "the page needs no other file");
    for attribute in ["src=", "href=\"/", "@import", "url("] {
        assert!(!html.contains(attribute), "{attribute}");
    }
}

#[test]
fn ratings_are_shown_once_they_exist() {
    let folder = folder_with_recipe();
    train(folder.path(), "--recipe tiny.toml --games 12 --rate 0 --run run").success();
    hexzero(folder.path(), &["report", "run"]).success();
    let (data, html) = page(&folder.path().join("run/report.html"));
    assert!(html.contains("<code>hexzero tournament ladder run</code>") && data["charts"]["elo-3"].is_null());
    let ladder = ["tournament", "ladder", "run", "--size", "3", "--games", "24", "--visits", "2"];
    hexzero(folder.path(), &ladder).success();
    hexzero(folder.path(), &["report", "run"]).success();
    let (data, html) = page(&folder.path().join("run/report.html"));
    let series = data["charts"]["elo-3"].as_array().unwrap();
    let names: Vec<&str> = series.iter().map(|series| series["name"].as_str().unwrap()).collect();
    assert!(names[0] == "checkpoints" && names.contains(&"alphabeta:2"), "{names:?}");
    assert_eq!(series[0]["points"].as_array().unwrap().len(), 1);
    assert!(html.contains("class=\"whisker s0\"") && html.contains("id=\"elo-rows-3\""));
    fs::write(folder.path().join("run/ladder.jsonl"), "nonsense\n").unwrap();
    let warned = contains("warning: run/ladder.jsonl line 1: ").and(contains("; skipped"));
    hexzero(folder.path(), &["report", "run"]).success().stderr(warned);
}

#[test]
fn new_run_has_a_page_and_no_run_has_none() {
    let folder = folder_with_recipe();
    // A recipe is all that a run must have.
    fs::create_dir(folder.path().join("begun")).unwrap();
    fs::write(folder.path().join("begun/recipe.toml"), "game = \"hex\" # </pre><script>\n").unwrap();
    hexzero(folder.path(), &["report", "begun", "--output", "page.html"]).success().stdout("page.html\n").stderr("");
    let (data, html) = page(&folder.path().join("page.html"));
    assert_eq!((data["games"].as_array().unwrap().len(), data["charts"].as_object().unwrap().len()), (0, 0));
    assert!(html.contains("No iteration is finished yet.") && html.contains("There are no games yet."));
    assert!(html.contains("# &lt;/pre&gt;&lt;script&gt;"), "what a recipe says is no markup");
}

#[test]
fn damaged_parts_are_named_and_skipped() {
    let folder = folder_with_recipe();
    train(folder.path(), "--recipe tiny.toml --games 18 --run run").success();
    let run = folder.path().join("run");
    let shard = run.join("games/000002.games");
    let mut bytes = fs::read(&shard).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&shard, &bytes).unwrap();
    let metrics = fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    // The last line was cut off by a crash; the first is of an older version that said less.
    let older = "{\"games\":6,\"losses\":{\"total\":9.5}}";
    let lines: Vec<&str> = metrics.lines().collect();
    let cut = format!("{older}\n{}\n{}", lines[1], &lines[2][..40]);
    fs::write(run.join("metrics.jsonl"), cut).unwrap();

    hexzero(folder.path(), &["inspect", "run"]).success().stderr(contains("warning: run/metrics.jsonl, line 3: "));
    let warned = contains("warning: run/metrics.jsonl, line 3: ")
        .and(contains("warning: shard run/games/000002.games: damaged: its checksum is "));
    hexzero(folder.path(), &["report", "run"]).success().stderr(warned);
    let (data, html) = page(&run.join("report.html"));
    assert!(html.contains("class=\"problem\">shard run/games/000002.games: damaged"));
    assert_eq!(data["charts"]["loss"][0]["points"].as_array().unwrap().len(), 2);
    assert_eq!(data["charts"]["captures"][0]["points"].as_array().unwrap().len(), 1);
    let games = data["games"].as_array().unwrap();
    assert!(games.len() == 3 && games.iter().all(|game| game["shard"] == "000001"), "{games:?}");
    assert!(fs::read(&shard).unwrap() == bytes, "looking changes nothing");
}
