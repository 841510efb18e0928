//! Matches on workers: the same games and results as on one machine.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use hexzero::arena::{Fixture, PlayerFailure};
use hexzero::cluster::{
    Broker, Delivery, MATCHES, MatchJob, MatchWork, PlayedFixtures, SentGame, decode, encode, matches_subject,
    results_subject,
};
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use super::{asynchronous, connect, counts_at_end, play_locally, start_coordinator, wait_for};
use crate::common::{hexzero, hexzero_line};
use crate::nats::Nats;
use crate::output::{json_file, json_stdout, sorted_games, timeless};
use crate::process::{Process, wait_for_some, wait_until};
use crate::tiny::folder_with_recipe;

/// Returns the result of a command with `--json`, without its times.
fn result(folder: &Path, arguments: &str) -> Value {
    timeless(json_stdout(&hexzero_line(folder, arguments).success()))
}

/// Returns the result that the process `host` printed, without its times.
fn told_by_host(at: &Path) -> Value {
    timeless(json_file(&at.join("host")))
}

#[test]
fn match_is_the_same_on_a_cluster() {
    let Some(nats) = Nats::start() else { return };
    let at = &*folder_with_recipe();
    let address = nats.address();
    play_locally(at, 12);
    let _workers = [Process::worker(at, "one", &address), Process::worker(at, "two", &address)];
    let openings = ["\"a1\",\"c2\"", "\"b1\",\"swap\",\"d4\",\"a3\""];
    let lines = openings.map(|moves| format!("{{\"game\":\"cachex\",\"size\":4,\"moves\":[{moves}]}}\n"));
    fs::write(at.join("openings.jsonl"), lines.concat()).unwrap();
    for players in [
        "local@visits=20 mcts:40 --games 11",
        "random alphabeta:1 --games 30 --sprt=0:200",
        "random alphabeta:1 --games 8 --openings openings.jsonl",
    ] {
        let arena = format!("arena {players} --game cachex --size 4 --seed 3 --json --save");
        let here = result(at, &format!("{arena} here.jsonl"));
        let there = result(at, &format!("{arena} there.jsonl --cluster {address}"));
        assert_eq!(here, there);
        // A game that ended before the sequential test was decided, and does not count, is saved too.
        let counted = |file: &str| {
            let mut games = sorted_games(&at.join(file));
            games.retain(|game| game["number"].as_u64() < here["games"].as_u64());
            games
        };
        assert_eq!(counted("here.jsonl"), counted("there.jsonl"));
        ["here.jsonl", "there.jsonl"].iter().for_each(|file| fs::remove_file(at.join(file)).unwrap());
    }
    let tournament = "tournament random alphabeta:1 local@visits=4 --game cachex --size 3,4 --games 6 --json";
    assert_eq!(result(at, tournament), result(at, &format!("{tournament} --cluster {address}")));
    // The ladder chooses its next games by those before.
    let ladder = |more: &str| result(at, &format!("tournament ladder local --games 40 --visits 4 --json {more}"));
    let there = ladder(&format!("--cluster {address}"));
    let played = sorted_games(&at.join("local/ladder.jsonl"));
    fs::remove_file(at.join("local/ladder.jsonl")).unwrap();
    assert_eq!(ladder(""), there);
    assert_eq!(sorted_games(&at.join("local/ladder.jsonl")), played);
    // The hosts have left nothing behind.
    let broker = connect(&address, "test");
    assert_eq!(broker.entries(MATCHES).unwrap(), []);
    assert!(next_piece(&broker).is_none());
}

#[test]
fn match_survives_its_workers() {
    let Some(nats) = Nats::start() else { return };
    let at = &*folder_with_recipe();
    let address = nats.address();
    let arena = "arena mcts:300 alphabeta:2 --game cachex --size 5 --games 12 --json";
    let here = result(at, arena);
    let mut worker = Process::worker(at, "first", &address);
    let mut host = Process::start(at, "host", &format!("{arena} --cluster {address}"));
    std::thread::sleep(Duration::from_millis(1500));
    worker.kill();
    let second = Process::worker(at, "second", &address);
    assert!(host.wait().success());
    assert_eq!(here, told_by_host(at));
    drop(second);
}

#[test]
fn interrupted_match_frees_its_workers() {
    let Some(nats) = Nats::start() else { return };
    let at = &*folder_with_recipe();
    let address = nats.address();
    let worker = Process::worker(at, "w", &address);
    let endless = "arena mcts:2000 mcts:2000 --game cachex --size 7 --games 1000 --cluster";
    let mut host = Process::start(at, "host", &format!("{endless} {address}"));
    wait_for_matches(&connect(&address, "test"), 1);
    sleep(Duration::from_secs(1));
    host.stop();
    wait_for(&at.join("host"), "Interrupted after");
    // The worker gives up what it has begun, and is there for others.
    let quick = format!("arena random random --game cachex --size 3 --games 4 --cluster {address}");
    hexzero_line(at, &quick).success().stdout(contains("in 4 games"));
    worker.interrupt();
}

/// Waits until the broker has `matches` matches.
fn wait_for_matches(broker: &Broker, matches: usize) {
    wait_until("the matches", || broker.entries(MATCHES).is_ok_and(|all| all.len() == matches));
}

/// Returns the next match work, if there is some. Work that was just published may take a moment.
fn next_piece(broker: &Broker) -> Option<Delivery> {
    (0..10).find_map(|look| {
        sleep(Duration::from_millis(20 * look.min(1)));
        broker.next_match_work().unwrap()
    })
}

/// Returns the number of used games, as the coordinator reports it.
fn used(at: &Path, address: &str) -> u64 {
    let status = result(at, &format!("cluster status --json --cluster {address}"));
    status["coordinator"]["traffic"]["used"].as_u64().unwrap()
}

#[test]
fn workers_return_to_the_run_when_a_host_dies() {
    let Some(nats) = Nats::start() else { return };
    let at = &*folder_with_recipe();
    let address = nats.address();
    play_locally(at, 12);
    let arena = "arena local@visits=20 mcts:100 --game cachex --size 4 --seed 3 --json --games";
    let here = result(at, &format!("{arena} 8"));
    let mut coordinator = start_coordinator(at, &address, "--recipe tiny.toml --games 1000000");
    let _workers = [Process::worker(at, "one", &address), Process::worker(at, "two", &address)];
    wait_for(&at.join("coordinator"), "   1  6 games");
    let broker = connect(&address, "test");
    let mut host = Process::start(at, "host", &format!("{arena} 100000 --cluster {address}"));
    wait_for_matches(&broker, 1);
    let job = String::from_utf8(broker.entries(MATCHES).unwrap().remove(0).1).unwrap();
    sleep(Duration::from_millis(1500));
    assert!(host.is_running() && broker.fetch(&job).unwrap().is_some());
    host.kill();
    // The match is over before its games are, and the run goes on.
    let before = used(at, &address);
    wait_until("games of the run", || used(at, &address) >= before + 24);
    wait_for_matches(&broker, 0);
    assert_eq!(result(at, &format!("{arena} 8 --cluster {address}")), here);
    // Nothing of the dead match is left, nor of the other.
    assert!(next_piece(&broker).is_none());
    assert_eq!((broker.entries(MATCHES).unwrap(), broker.fetch(&job).unwrap()), (vec![], None));
    coordinator.interrupt();
    assert_eq!(counts_at_end(at, &mut coordinator)("messages"), 0);
    asynchronous::check(&at.join("a"));
}

#[test]
fn workers_wait_for_others_when_a_host_dies() {
    let Some(nats) = Nats::start() else { return };
    let at = &*folder_with_recipe();
    let address = nats.address();
    let arena = "arena mcts:100 alphabeta:1 --game cachex --size 4 --json --games";
    let here = result(at, &format!("{arena} 8"));
    let worker = Process::worker(at, "w", &address);
    let mut host = Process::start(at, "host", &format!("{arena} 100000 --cluster {address}"));
    let broker = connect(&address, "test");
    wait_for_matches(&broker, 1);
    sleep(Duration::from_millis(1500));
    assert!(host.is_running());
    host.kill();
    // At once, while the dead one's games are still dealt out.
    let other = result(at, &format!("{arena} 8 --cluster {address}"));
    assert_eq!(other, here);
    assert!(next_piece(&broker).is_none());
    assert_eq!(broker.entries(MATCHES).unwrap(), []);
    drop(worker);

    // Without a worker to skip it, the work of a dead host is removed by the next one.
    let mut host = Process::start(at, "host", &format!("{arena} 1000 --cluster {address}"));
    wait_for_matches(&broker, 1);
    let (delivery, _) = take(&broker);
    host.kill();
    delivery.give_back();
    wait_for_matches(&broker, 0);
    assert!(next_piece(&broker).is_some());
    broker.set_up_matches().unwrap();
    assert!(next_piece(&broker).is_none());
}

/// Takes match work.
fn take(broker: &Broker) -> (Delivery, MatchWork) {
    // Before the match is laid out the broker knows of none.
    let delivery = wait_for_some("a piece", || broker.next_match_work().ok().flatten());
    let work = decode(delivery.payload()).unwrap();
    (delivery, work)
}

/// Missing games of a match are dealt out again although another match waits.
#[test]
fn refused_games_are_replayed_beside_others() {
    let Some(nats) = Nats::start() else { return };
    let at = &*folder_with_recipe();
    let address = nats.address();
    let arena = "arena random alphabeta:1 --game cachex --size 4 --json --games 4";
    let here = result(at, arena);
    let mut host = Process::start(at, "host", &format!("{arena} --cluster {address}"));
    let broker = connect(&address, "test");
    wait_for_matches(&broker, 1);
    let name = broker.entries(MATCHES).unwrap().remove(0).0;
    for (piece, garbage) in ["1", "2"].into_iter().zip([true, false]) {
        let (delivery, work) = take(&broker);
        let game = SentGame { moves: vec!["a1".to_owned()], resigned: None, thinking: Default::default() };
        let games = work.fixtures.iter().map(|&(place, _)| (place, game.clone())).collect();
        // In a game that is not of this match.
        let elsewhere = Fixture { a: 999, b: 1, size: 4, index: 0 };
        let failure = PlayerFailure { player: "nobody".to_owned(), game: 1, turn: 1, reason: "none".to_owned() };
        let played = PlayedFixtures { games, failure: Some((elsewhere, failure)) };
        let bytes = if garbage { vec![7; 100] } else { encode(&played).unwrap() };
        broker.publish(&[(results_subject(&name, "fraud"), piece.to_owned(), bytes)]).unwrap();
        delivery.acknowledge();
    }
    wait_for(&at.join("host.err"), "games of worker fraud are refused and played again: not a hexzero message");
    wait_for(&at.join("host.err"), "a game of worker fraud is refused and played again: ");
    // Another match has work that nobody does.
    broker.publish(&[(matches_subject("other"), "3".to_owned(), b"of another version".to_vec())]).unwrap();
    let (others, again) = (next_piece(&broker).unwrap(), take(&broker).0);
    assert_eq!(others.subject(), "hexzero.matches.other");
    assert_eq!(again.subject(), matches_subject(&name));
    again.give_back();
    let _worker = Process::worker(at, "w", &address);
    assert!(host.wait().success());
    assert_eq!(here, told_by_host(at));
    others.reject();
}

/// A match that a worker cannot play must not end the worker.
#[test]
fn worker_survives_matches_of_other_programs() {
    let Some(nats) = Nats::start() else { return };
    let at = &*folder_with_recipe();
    let address = nats.address();
    let mut worker = Process::worker(at, "w", &address);
    let broker = connect(&address, "test");
    broker.set_up_matches().unwrap();
    broker.put(MATCHES, "foreign", b"match.foreign").unwrap();
    let job =
        MatchJob { game: "a game of another crate".to_owned(), seed: 0, openings: Vec::new(), players: Vec::new() };
    broker.store("match.foreign", &encode(&job).unwrap()).unwrap();
    let fixtures = vec![(0, Fixture { a: 0, b: 1, size: 3, index: 0 })];
    let known = encode(&MatchWork { job: "match.foreign".to_owned(), fixtures }).unwrap();
    let mut later = known.clone();
    // Another format counts as another version, not as damage.
    later[6] = 99;
    for (id, bytes) in [("1", known), ("2", later), ("3", vec![7; 50])] {
        broker.publish(&[(matches_subject("foreign"), id.to_owned(), bytes)]).unwrap();
    }
    let quick = format!("arena random random --game cachex --size 3 --games 4 --cluster {address}");
    hexzero_line(at, &quick).success().stdout(contains("in 4 games"));
    assert!(worker.is_running(), "{}", fs::read_to_string(at.join("w.err")).unwrap());
    worker.stop();
}

/// Like a hundred machines with sixteen threads each.
#[test]
fn many_pieces_of_matches_run_at_once() {
    let Some(nats) = Nats::start() else { return };
    let broker = connect(&nats.address(), "test");
    broker.set_up_matches().unwrap();
    let pieces: Vec<_> =
        (0..1600).map(|number| (matches_subject("m"), number.to_string(), b"a piece".to_vec())).collect();
    broker.publish(&pieces).unwrap();
    let taken: Vec<_> = (0..1600).map_while(|_| next_piece(&broker)).collect();
    assert_eq!(taken.len(), 1600);
}

#[test]
fn programs_play_on_their_own_machine() {
    let Some(nats) = Nats::start() else { return };
    let folder = &*folder_with_recipe();
    let arena = ["arena", "random", "gtp:hexzero gtp", "--cluster", &nats.address()];
    hexzero(folder, &arena).code(1).stderr(contains("is a program of this machine").and(contains("--cluster")));
    hexzero_line(folder, &format!("arena random random --threads 2 --cluster {}", nats.address())).code(2);
}
