//! Matches that workers play are those that one machine plays.

use std::fs;
use std::path::Path;
use std::time::Duration;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use super::{Process, play_locally, wait_for};
use crate::common::hexzero;
use crate::nats::Nats;
use crate::tiny::folder_with_recipe;

/// The result of a command with `--json`, without its times.
fn result(folder: &Path, arguments: &str) -> Value {
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    let ended = hexzero(folder, &arguments).success();
    let mut result: Value = serde_json::from_slice(&ended.get_output().stdout).unwrap();
    without_times(&mut result);
    result
}

/// Removes what differs between two machines, or two times.
fn without_times(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(without_times),
        Value::Object(object) => {
            ["seconds_per_move", "cache_hits", "thinking"].iter().for_each(|&time| _ = object.remove(time));
            object.values_mut().for_each(without_times);
        }
        _ => {}
    }
}

/// The games in a file, in an order that does not depend on who was first.
fn games(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap();
    let mut games: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    games.iter_mut().for_each(without_times);
    games.sort_by_key(Value::to_string);
    games
}

#[test]
fn the_same_match_here_and_there() {
    let Some(nats) = Nats::start() else { return };
    let folder = folder_with_recipe();
    let (at, address) = (folder.path(), nats.address());
    play_locally(at, 12);
    let _workers = [Process::worker(at, "one", &address), Process::worker(at, "two", &address)];
    for players in ["local@visits=20 mcts:40 --games 11", "random alphabeta:1 --games 30 --sprt=0:200"] {
        let arena = format!("arena {players} --game cachex --size 4 --seed 3 --json --save");
        let here = result(at, &format!("{arena} here.jsonl"));
        let there = result(at, &format!("{arena} there.jsonl --cluster {address}"));
        assert_eq!(here, there);
        assert_eq!(games(&at.join("here.jsonl")), games(&at.join("there.jsonl")));
    }
    let tournament = "tournament random alphabeta:1 local@visits=4 --game cachex --size 3,4 --games 6 --json";
    assert_eq!(result(at, tournament), result(at, &format!("{tournament} --cluster {address}")));
    // The ladder chooses its next games by those before.
    let ladder = |more: &str| result(at, &format!("ladder local --games 40 --visits 4 --json {more}"));
    let there = ladder(&format!("--cluster {address}"));
    let played = games(&at.join("local/ladder.jsonl"));
    fs::remove_file(at.join("local/ladder.jsonl")).unwrap();
    assert_eq!(ladder(""), there);
    assert_eq!(games(&at.join("local/ladder.jsonl")), played);
    // Who wants a match leaves nothing behind.
    let broker = hexzero::cluster::Broker::connect(&hexzero::cluster::Access { address, ..Default::default() }, "test");
    let broker = broker.unwrap();
    assert_eq!(broker.entries(hexzero::cluster::MATCHES).unwrap(), []);
    assert!(broker.next_match_work().unwrap().is_none());
}

#[test]
fn a_match_survives_its_workers() {
    let Some(nats) = Nats::start() else { return };
    let folder = folder_with_recipe();
    let (at, address) = (folder.path(), nats.address());
    let arena = "arena mcts:300 alphabeta:2 --game cachex --size 5 --games 12 --json";
    let here = result(at, arena);
    let mut worker = Process::worker(at, "first", &address);
    let mut host = Process::start(at, "host", &format!("{arena} --cluster {address}"));
    std::thread::sleep(Duration::from_millis(1500));
    worker.kill();
    let second = Process::worker(at, "second", &address);
    assert!(host.wait().success());
    let mut there: Value = serde_json::from_str(&fs::read_to_string(at.join("host")).unwrap()).unwrap();
    without_times(&mut there);
    assert_eq!(here, there);
    drop(second);
}

#[test]
fn an_interrupted_match_says_what_was_played_and_frees_its_workers() {
    let Some(nats) = Nats::start() else { return };
    let folder = folder_with_recipe();
    let (at, address) = (folder.path(), nats.address());
    let worker = Process::worker(at, "w", &address);
    let endless = "arena mcts:2000 mcts:2000 --game cachex --size 7 --games 1000 --cluster";
    let mut host = Process::start(at, "host", &format!("{endless} {address}"));
    std::thread::sleep(Duration::from_secs(2));
    host.interrupt();
    assert!(host.wait().success());
    wait_for(&at.join("host"), "Interrupted after");
    // The worker gives up what it has begun, and is there for others.
    let quick = format!("arena random random --game cachex --size 3 --games 4 --cluster {address}");
    hexzero(at, &quick.split_whitespace().collect::<Vec<_>>()).success().stdout(contains("in 4 games"));
    worker.interrupt();
}

#[test]
fn programs_play_on_their_own_machine() {
    let Some(nats) = Nats::start() else { return };
    let folder = folder_with_recipe();
    let arena = ["arena", "random", "gtp:hexzero gtp", "--cluster", &nats.address()];
    hexzero(folder.path(), &arena).code(1).stderr(contains("is a program of this machine").and(contains("--cluster")));
    let both = ["arena", "random", "random", "--threads", "2", "--cluster", &nats.address()];
    hexzero(folder.path(), &both).code(2);
}
