//! `hexzero tournament`.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::common::hexzero_line;
use crate::output::{each, json_file, json_stdout, sorted_games, stdout, timeless};
use crate::process::{Process, wait_until};
use crate::tiny::Folder;

fn tournament(folder: &Path, arguments: &str) -> assert_cmd::assert::Assert {
    hexzero_line(folder, &format!("tournament {arguments}"))
}

fn json(folder: &Path, arguments: &str) -> Value {
    json_stdout(&tournament(folder, &format!("{arguments} --json")).success())
}

fn lines(file: &Path) -> Vec<String> {
    fs::read_to_string(file).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn everybody_meets_everybody_on_every_board() {
    let folder = &*Folder::empty();
    let result = json(folder, "random alphabeta:1 mcts:20 --size 3,4 --games 6 --picture elo.svg");
    assert_eq!((&result["game"], &result["limits"]), (&"cachex".into(), &"visits=200".into()));
    assert_eq!(result["sizes"].as_array().unwrap().len(), 2);
    for (standings, size, games) in [(0, Some(3), 6), (1, Some(4), 6)]
        .map(|(number, size, games)| (&result["sizes"][number], size, games))
        .into_iter()
        .chain([(&result["overall"], None, 12)])
    {
        assert_eq!(standings["size"].as_u64(), size);
        let players = standings["players"].as_array().unwrap();
        assert_eq!(each(&standings["players"], "name"), ["random", "alphabeta:1", "mcts:20"]);
        for player in players {
            let count = |field: &str| player[field].as_u64().unwrap();
            assert_eq!(count("games"), 2 * games);
            assert_eq!(count("wins") + count("draws") + count("losses"), 2 * games);
            assert!(player["seconds_per_move"].as_f64().unwrap() > 0.0);
            let [low, elo, high] = ["elo_low", "elo", "elo_high"].map(|field| player[field].as_f64().unwrap());
            assert!(low <= elo && elo <= high && (low < high) == (player["name"] != "random"), "{player}");
        }
        assert_eq!(players[0]["elo"], 0.0);
        let pairings = standings["pairings"].as_array().unwrap();
        let pairs: Vec<_> = pairings.iter().map(|pairing| (pairing["a"].as_u64(), pairing["b"].as_u64())).collect();
        assert_eq!(pairs, [(0, 1), (0, 2), (1, 2)].map(|(a, b)| (Some(a), Some(b))));
        assert!(pairings.iter().all(|pairing| pairing["games"] == games), "{pairings:?}");
    }
    assert!(result["overall"]["players"][1]["elo"].as_f64().unwrap() > 100.0, "{result}");
    let picture = fs::read_to_string(folder.join("elo.svg")).unwrap();
    assert!(picture.starts_with("<svg ") && picture.matches("<circle").count() == 9, "{picture}");
    // A picture that cannot be written costs nobody the result.
    if Path::new("/dev/full").exists() {
        tournament(folder, "random alphabeta:1 --size 3 --games 2 --picture /dev/full")
            .code(1)
            .stdout(predicate::str::starts_with("cachex 3×3, visits=200, 2 games, random = 0:\n\n"))
            .stderr(predicate::str::starts_with("error: cannot write /dev/full"));
    }
}

#[test]
fn result_tables() {
    let here = Path::new(".");
    tournament(here, "random alphabeta:1 mcts:20 --size 3,4 --games 4 --anchor mcts:20").success().stdout(
        predicate::str::starts_with("cachex 3×3, visits=200, 12 games, mcts:20 = 0:\n\n")
            .and(contains("\ncachex 4×4, visits=200, 12 games, mcts:20 = 0:\n\n"))
            .and(contains("\ncachex on all boards, visits=200, 24 games, mcts:20 = 0:\n\n"))
            .and(contains("player").count(3))
            .and(contains("95 % interval").count(3))
            .and(contains("anchor").count(3))
            .and(contains("Points of games:\n\n").count(3)),
    );
    // Of one board there is one table; in a gauntlet the others do not meet.
    let said = stdout(&tournament(here, "random alphabeta:1 mcts:20 --size 3 --games 4 --gauntlet").success());
    assert_eq!(said.matches("Points of games").count(), 1, "{said}");
    let cross = said.split("Points of games:").nth(1).unwrap();
    assert_eq!((cross.matches("/4").count(), cross.matches("  -").count()), (4, 5), "{said}");
}

#[test]
fn threads_and_interruptions_change_nothing() {
    let folder = &*Folder::empty();
    let players = "random alphabeta:1 mcts:20 --size 3,4 --games 6";
    let whole = timeless(json(folder, &format!("{players} --threads 1 --save one.jsonl")));
    assert_eq!(whole, timeless(json(folder, &format!("{players} --threads 3 --save three.jsonl"))));
    let games = |name: &str| sorted_games(&folder.join(name));
    assert_eq!(games("one.jsonl").len(), 36);
    assert_eq!(games("one.jsonl"), games("three.jsonl"));
    // The games are in the interchange format.
    hexzero_line(folder, "replay one.jsonl").success().stderr("").stdout(contains("\n").count(36));

    // After a crash: some games are missing, and the last line is torn.
    let text = fs::read_to_string(folder.join("three.jsonl")).unwrap();
    let some: Vec<&str> = text.split_inclusive('\n').collect();
    fs::write(folder.join("crashed.jsonl"), some[..20].concat() + &some[20][..some[20].len() / 2]).unwrap();
    let resumed = tournament(folder, &format!("{players} --json --save crashed.jsonl"))
        .success()
        .stderr(contains("warning: crashed.jsonl: cut off ").and(contains("20 of 36 games have been played already")));
    assert_eq!(timeless(json_stdout(&resumed)), whole);
    assert_eq!(games("crashed.jsonl"), games("one.jsonl"));
    assert!(fs::read_to_string(folder.join("crashed.jsonl")).unwrap().starts_with(&some[..20].concat()));

    // Nothing is played twice, even if the players are in another order; further games and players are added.
    tournament(folder, "mcts:20 alphabeta:1 random --size 3,4 --games 6 --save one.jsonl").success();
    assert_eq!(games("one.jsonl").len(), 36);
    tournament(folder, "mcts:2 random alphabeta:1 mcts:20 --size 3,4 --games 8 --save one.jsonl").success();
    assert_eq!(games("one.jsonl").len(), 6 * 2 * 8);
    fs::create_dir(folder.join("kept")).unwrap();
    tournament(folder, "random alphabeta:1 --size 3 --games 2 --save kept").success();
    assert_eq!(lines(&folder.join("kept/games.jsonl")).len(), 2);
}

/// Earlier versions wrote no checksums.
#[test]
fn file_of_an_earlier_version_is_continued() {
    let folder = &*Folder::empty();
    let line = "{\"game\":\"cachex\",\"seed\":0,\"limits\":\"visits=200\",\"size\":3,\"moves\":[\"c1\",\"a1\",\"b2\",\"a2\",\"a3\"],\
                \"result\":\"red\",\"a\":{\"name\":\"random\"},\"b\":{\"name\":\"alphabeta:1\"},\"number\":0,\"a_is_first\":true,\
                \"opening\":1,\"thinking\":[{\"moves\":2,\"seconds\":0.5},{\"moves\":2,\"seconds\":0.25}]}\n";
    fs::write(folder.join("games.jsonl"), line).unwrap();
    tournament(folder, "random alphabeta:1 --size 3 --games 2 --save games.jsonl")
        .success()
        .stderr(contains("1 of 2 games have been played already"));
    let games = lines(&folder.join("games.jsonl"));
    assert!(games.len() == 2 && games[0] == line.trim_end() && games[1].contains("\"crc\""), "{games:?}");
}

#[cfg(unix)]
#[test]
fn killed_or_stopped_tournament_is_resumed() {
    let folder = &*Folder::empty();
    let path = folder.join("games.jsonl");
    let order = "tournament random mcts:300 mcts:200 --size 5 --save games.jsonl --json --games 100000";
    let mut before = 0;
    for signal in ["-KILL", "-INT", "-INT"] {
        let mut child = Process::start(folder, "said", order);
        wait_until("games", || fs::read_to_string(&path).map_or(0, |text| text.lines().count()) >= before + 5);
        child.signal(signal);
        assert_eq!(child.wait().code(), (signal == "-INT").then_some(0));
        before = lines(&path).len();
        if signal == "-INT" {
            let result = json_file(&folder.join("said"));
            let games = result["sizes"][0]["pairings"].as_array().unwrap().iter();
            assert_eq!(games.map(|pairing| pairing["games"].as_u64().unwrap()).sum::<u64>(), before as u64);
        }
        // As if it had been killed while it wrote.
        OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"game\":\"cach").unwrap();
    }
}
