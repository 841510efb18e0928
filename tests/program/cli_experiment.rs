//! `hexzero experiment`: a grid of recipes and seeds, and `hexzero report` of several runs.

use std::fs;
use std::path::Path;

use assert_cmd::assert::Assert;
use hexzero::training::TrainingState;
use predicates::prelude::*;
use predicates::str::contains;

use crate::common::hexzero_line;
use crate::output::{each, json_file as json, report_page as page, stdout, timeless};
use crate::process::{Process, wait_until};
use crate::runs::{assert_same_run, copy, files, metrics};
use crate::tiny::{Folder, folder_with_recipe, train};

/// Two cells beside the base, two seeds.
const GRID: &str = "\
recipe = \"tiny.toml\"
games = 12
seeds = [1, 2]

[base]
name = \"full\"
change.training.reuse = 2.0

[[cell]]
name = \"no symmetries\"
change.training.symmetries = false

[[cell]]
name = \"Much | reuse\"
change.training.reuse = 9.0

[match]
against = [\"base\", \"random\"]
games = 6
visits = 4
";

/// [`GRID`] with one seed.
fn one_seed() -> String {
    GRID.replace("seeds = [1, 2]", "seeds = [1]")
}

fn experiment(folder: &Path, arguments: &str) -> Assert {
    hexzero_line(folder, &format!("experiment {arguments}"))
}

fn folder_with(grid: &str) -> Folder {
    let folder = folder_with_recipe();
    fs::write(folder.path().join("grid.toml"), grid).unwrap();
    folder
}

#[test]
fn grid_is_trained_and_compared_once() {
    let folder = &*folder_with(GRID);
    let at = folder.join("runs/grid");
    experiment(folder, "grid.toml --plan")
        .success()
        .stdout("experiment runs/grid: 6 of 6 runs to train (games = 12), 10 of 10 matches to play\n");
    let said = stdout(&experiment(folder, "grid.toml --workers 1").success().stderr(""));
    assert!(said.contains("\nmuch-reuse/seed-2 (run 6 of 6)\n"), "{said}");
    let table = fs::read_to_string(at.join("table.md")).unwrap();
    assert!(said.contains(&table), "the table is printed, too");
    let lines: Vec<&str> = table.lines().collect();
    assert!(
        lines[0].starts_with("| cell | runs | games | steps | minutes | Elo against full | of each seed |"),
        "{table}"
    );
    assert!(lines[2].starts_with("| full | 2 | 12 | ") && lines[2].contains(" | – | – | "), "{table}");
    assert!(lines[4].starts_with("| Much \\| reuse | 2 | 12 | "), "{table}");
    assert!(
        lines[6].starts_with("cachex, games = 12 a run, seeds 1, 2. Matches of 6 games at 3×3, 4 visits"),
        "{table}"
    );
    assert!(lines[6].ends_with("are those of the mean over the seeds."), "{table}");

    let found = json(&at.join("table.json"));
    let cells = found["cells"].as_array().unwrap();
    let names = each(&found["cells"], "name");
    assert_eq!(names, ["full", "no symmetries", "Much | reuse"]);
    assert_eq!(each(&cells[0]["against"], "opponent"), ["random"]);
    assert_eq!(each(&cells[1]["against"], "opponent"), ["base", "random"]);
    for one in cells.iter().flat_map(|cell| cell["against"].as_array().unwrap()) {
        let [low, elo, high] = ["elo_low", "elo", "elo_high"].map(|name| one[name].as_f64().unwrap());
        assert!(low <= elo && elo <= high, "{one}");
        let seeds: Vec<f64> =
            one["matches"].as_array().unwrap().iter().map(|seed| seed["elo"].as_f64().unwrap()).collect();
        assert!(seeds.len() == 2 && (elo - (seeds[0] + seeds[1]) / 2.0).abs() < 1e-9, "{one}");
    }
    // The cells differ by their own keys alone, and each from the recipe by those of the base.
    let recipe = |run: &str| fs::read_to_string(at.join(run).join("recipe.toml")).unwrap();
    assert!(
        recipe("no-symmetries/seed-2").contains("symmetries = false\n") && recipe("full/seed-2").contains("seed = 2\n")
    );
    assert!(
        recipe("no-symmetries/seed-2").contains("reuse = 2.0\n")
            && recipe("much-reuse/seed-1").contains("reuse = 9.0\n")
    );
    assert_eq!(metrics(&at.join("full/seed-1")).len(), 2);

    let (data, html) = page(&at.join("report.html"));
    let loss = data["charts"]["curve-0"].as_array().unwrap();
    assert_eq!(each(&data["charts"]["curve-0"], "name"), names);
    let means = loss[0]["points"].as_array().unwrap();
    let last = |seed: u64| metrics(&at.join(format!("full/seed-{seed}")))[1]["losses"]["total"].as_f64().unwrap();
    assert!((means[1][1].as_f64().unwrap() - (last(1) + last(2)) / 2.0).abs() < 1e-5, "{means:?}");
    for part in ["id=\"against-base\"", "<th>training.symmetries</th><td>true</td><td>false</td>", "Much | reuse"] {
        assert!(html.contains(part), "{part}");
    }
    assert!(!html.contains("<th>seed</th>") && !html.contains("<th>training.batch</th>"));

    let before = files(&at);
    experiment(folder, "grid.toml").success().stdout(contains(": 0 of 6 runs to train").and(contains(&table)));
    assert!(files(&at) == before, "nothing is done twice");
    hexzero_line(folder, "replay runs/grid/games.jsonl").success().stdout(contains("\n").count(60));
}

#[cfg(unix)]
#[test]
fn killed_experiment_ends_as_if_uninterrupted() {
    let grid = one_seed().replace("games = 12", "games = 90");
    let at = &*folder_with(&grid.replace("games = 6\nvisits = 4", "games = 40\nvisits = 60"));
    let is_begun = |run: &str| {
        TrainingState::read(&at.join("killed").join(run).join("state.safetensors"))
            .is_ok_and(|state| state.counters.games > 6)
    };
    let games = || fs::read_to_string(at.join("killed/games.jsonl")).map_or(0, |text| text.lines().count());
    let moments: [(&str, &dyn Fn() -> bool); 4] = [
        ("-KILL", &|| is_begun("full/seed-1")),
        ("-INT", &|| is_begun("no-symmetries/seed-1")),
        ("-KILL", &|| games() > 3),
        ("-KILL", &|| games() > 60),
    ];
    for (signal, moment) in moments {
        let mut child = Process::start(at, "said", "experiment grid.toml --folder killed --workers 1");
        wait_until("the moment", || moment() || !child.is_running());
        // Another process must not work in the same folder.
        child.signal(signal);
        child.wait();
    }
    let kept = games();
    assert!((60..200).contains(&kept), "{kept} games");
    experiment(at, "grid.toml --folder killed").success().stderr("");
    experiment(at, "grid.toml --folder straight").success();
    let table = |folder: &str| timeless(json(&at.join(folder).join("table.json")));
    assert_eq!(table("killed"), table("straight"));
    for run in ["full", "no-symmetries", "much-reuse"] {
        let of = |folder: &str| at.join(folder).join(run).join("seed-1");
        assert_same_run(&of("killed"), &of("straight"));
    }
    assert_eq!(games(), 200, "no game is played twice");
}

#[test]
fn changed_file_goes_on_where_possible() {
    let grid = one_seed();
    let folder = &*folder_with(&grid);
    experiment(folder, "grid.toml").success();
    let changed = |from: &str, to: &str| {
        fs::write(folder.join("grid.toml"), grid.replace(from, to)).unwrap();
        experiment(folder, "grid.toml --plan")
    };
    let left = |runs: &str, matches: &str| contains(format!(": {runs} runs to train")).and(contains(matches));
    // Other matches are played anew, the runs stay.
    changed("visits = 4", "visits = 5").success().stdout(left("0 of 3", "5 of 5 matches"));
    let openings = "{\"game\":\"cachex\",\"size\":3,\"moves\":[\"c1\",\"c2\"]}\n";
    fs::write(folder.join("openings.jsonl"), openings).unwrap();
    changed("visits = 4", "visits = 4\nopenings = \"openings.jsonl\"")
        .success()
        .stdout(left("0 of 3", "5 of 5 matches"));
    changed("seeds = [1]", "seeds = [1, 2]").success().stdout(left("3 of 6", "5 of 10 matches"));
    changed("\"base\", \"random\"", "\"base\"").success().stdout(left("0 of 3", "0 of 2 matches"));
    // Longer runs go on.
    changed("games = 12", "games = 18").success().stdout(left("3 of 3", "5 of 5 matches"));
    changed("games = 12", "games = 6").code(1).stderr(
        "error: runs/grid/full/seed-1 was trained to games = 12, and the experiment's file says games = 6; give another --folder\n",
    );
    changed("games = 12", "steps = 900")
        .code(1)
        .stderr(contains("games = 12, and the experiment's file says steps = 900"));
    changed("reuse = 9.0", "reuse = 8.0").code(1).stderr(contains("much-reuse/seed-1 was trained with another recipe"));
    fs::write(folder.join("grid.toml"), grid.replace("games = 12", "games = 18")).unwrap();
    experiment(folder, "grid.toml").success();
    assert_eq!(metrics(&folder.join("runs/grid/full/seed-1")).len(), 3);
}

/// Too little time is an error, not a table without figures.
#[test]
fn hasty_experiment_is_an_error() {
    let folder = &*folder_with(&GRID.replace("games = 12", "minutes = 0.000001"));
    experiment(folder, "grid.toml").code(1).stderr(contains("is too little for a single iteration"));
}

#[cfg(unix)]
#[test]
fn record_that_cannot_be_written_is_named() {
    let folder = &*folder_with(GRID);
    let cell = folder.join("runs/grid/full");
    fs::create_dir_all(&cell).unwrap();
    std::os::unix::fs::symlink("nowhere/record", cell.join("seed-1.json")).unwrap();
    let named = contains("error: cannot write runs/grid/full/seed-1.json: ");
    experiment(folder, "grid.toml").code(1).stderr(named);
}

#[test]
fn runs_and_experiments_keep_separate_folders() {
    let at = &*folder_with(&one_seed());
    train(at, "--recipe tiny.toml --games 6 --rate 0 --run a").success();
    hexzero_line(at, "report a").success();
    let before = files(&at.join("a"));
    for arguments in ["grid.toml --folder a", "grid.toml --folder a --plan"] {
        experiment(at, arguments)
            .code(1)
            .stderr("error: a holds a training run; give another --folder for the experiment\n");
    }
    assert!(files(&at.join("a")) == before);
    // A plan is only read.
    experiment(at, "grid.toml --plan --folder new").success().stdout(contains(": 3 of 3 runs to train"));
    assert!(!at.join("new").exists());
    experiment(at, "grid.toml").success();
    let refused = hexzero_line(at, "train --recipe tiny.toml --games 6 --run runs/grid").code(1);
    refused.stderr("error: runs/grid holds an experiment; name another folder with --run\n");
    // A file games.jsonl alone does not make a folder an experiment.
    fs::create_dir(at.join("b")).unwrap();
    fs::write(at.join("b/games.jsonl"), "").unwrap();
    train(at, "--recipe tiny.toml --games 6 --rate 0 --run b").success();
}

#[test]
fn two_runs_are_shown_side_by_side() {
    let folder = &*folder_with_recipe();
    train(folder, "--recipe tiny.toml --games 12 --rate 0 --run a").success();
    train(folder, "--recipe tiny.toml --games 18 --seed 7 --rate 0 --run b").success();
    hexzero_line(folder, "report a b").success().stdout("a/comparison.html\n").stderr("");
    let (data, html) = page(&folder.join("a/comparison.html"));
    for chart in data["charts"].as_object().unwrap().values() {
        assert_eq!(each(chart, "name"), ["a", "b"]);
    }
    let points = |side: usize| data["charts"]["curve-0"][side]["points"].as_array().unwrap().len();
    assert_eq!((points(0), points(1)), (2, 3));
    assert!(
        html.contains("<th>seed</th><td>1</td><td>7</td>")
            && html.contains("Parts of the loss, before weighting: ownership")
    );
    assert!(!html.replace("http://www.w3.org/2000/svg", "").contains("http"), "the page needs no other file");
    // If both have ratings, these are shown, too.
    for run in ["a", "b"] {
        let ladder = format!("tournament ladder {run} --size 3 --games 12 --visits 2");
        hexzero_line(folder, &ladder).success();
    }
    hexzero_line(folder, "report a b --output ab.html").success().stdout("ab.html\n");
    let (data, _) = page(&folder.join("ab.html"));
    assert_eq!(data["charts"]["elo-3"].as_array().unwrap().len(), 2);
    hexzero_line(folder, "report a none").code(1).stderr(contains("none holds no run"));
}

/// Ratings at other visits are another chart, and no two have the same name.
#[test]
fn ratings_of_each_limit_have_a_chart() {
    let folder = &*folder_with_recipe();
    train(folder, "--recipe tiny.toml --games 6 --rate 0 --run a").success();
    ["b", "c", "d"].iter().for_each(|run| copy(&folder.join("a"), &folder.join(run)));
    for (run, visits) in [("a", "2"), ("b", "2"), ("c", "3"), ("d", "3")] {
        let ladder = format!("tournament ladder {run} --size 3 --games 24 --visits {visits}");
        hexzero_line(folder, &ladder).success();
    }
    hexzero_line(folder, "report a b c d").success();
    let (data, html) = page(&folder.join("a/comparison.html"));
    for (id, runs) in [("elo-3", ["a", "b"]), ("elo-3-2", ["c", "d"])] {
        assert_eq!(each(&data["charts"][id], "name"), runs);
        assert_eq!(html.matches(&format!("id=\"{id}\"")).count(), 1);
    }
}
