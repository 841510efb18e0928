//! Nothing is lost and nothing counts twice, whoever dies.
//!
//! Each fault comes a few times at random moments; `cargo test -- --ignored ten_times` has each ten times.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use predicates::prelude::*;
use predicates::str::contains;
use rand::Rng;

use super::{Process, coordinate, figures, play_locally, wait_for};
use crate::nats::{Nats, Wire};
use crate::runs::assert_same_run;
use crate::tiny::folder_with_recipe;

/// Iterations of the runs, of six games each.
const GAMES: u64 = 120;

fn moment(most: u64) {
    sleep(Duration::from_millis(rand::rng().random_range(0..most)));
}

/// Plays a run while `fault` happens again and again, and compares it with that of one process. `fault` may exchange the
/// workers and the coordinator, and returns whether the coordinator counted from its beginning.
fn with_faults(times: usize, mut fault: impl FnMut(&mut Nats, &mut Vec<Process>, &mut Process, &std::path::Path)) {
    let Some(mut nats) = Nats::start() else { return };
    let folder = folder_with_recipe();
    let at = folder.path();
    play_locally(at, GAMES);
    let mut workers: Vec<_> = (0..2).map(|n| Process::worker(at, &format!("w{n}"), &nats.address())).collect();
    let order = format!(
        "train --no-matches --recipe tiny.toml --run a --rate 0 --games {GAMES} --patience 1 --cluster {}",
        nats.address()
    );
    let mut coordinator = Process::start(at, "coordinator", &order);
    wait_for(&at.join("w0"), "playing for the run a");
    let mut happened = 0;
    for _ in 0..times {
        moment(400);
        if !coordinator.is_running() {
            break;
        }
        happened += 1;
        fault(&mut nats, &mut workers, &mut coordinator, at);
    }
    assert!(happened > 0, "the run was over before anything happened");
    let said = || {
        let read = |name: &str| fs::read_to_string(at.join(name)).unwrap_or_default();
        ["coordinator", "coordinator.err", "w0", "w0.err", "w1", "w1.err"]
            .map(|name| format!("{name}: {}", read(name)))
            .join("\n")
    };
    assert!(coordinator.wait().success(), "{}", said());
    let text = fs::read_to_string(at.join("coordinator")).unwrap();
    // One that died after its last iteration has nothing left to coordinate.
    if !text.contains("reached its limit already") {
        let figure = figures(&text);
        let (acknowledged, used, doubled, stale) =
            (figure("acknowledged"), figure("used"), figure("doubled"), figure("stale"));
        println!(
            "{happened} faults: {acknowledged} acknowledged, {used} used, {doubled} doubles dropped, {stale} stale"
        );
        assert_eq!(acknowledged, used + doubled + stale);
    }
    assert_same_run(&at.join("local"), &at.join("a"));
}

fn workers_die(times: usize) {
    let mut next = 0;
    with_faults(times, |nats, workers, _, at| {
        next += 1;
        workers[next % 2].kill();
        workers[next % 2] = Process::worker(at, &format!("v{next}"), &nats.address());
    });
}

fn the_broker_dies(times: usize) {
    with_faults(times, |nats, _, _, _| {
        nats.kill();
        moment(600);
        nats.restart();
    });
}

fn the_coordinator_dies(times: usize) {
    with_faults(times, |nats, _, coordinator, at| {
        coordinator.kill();
        moment(300);
        let order = format!(
            "train --no-matches --resume --run a --rate 0 --games {GAMES} --patience 1 --cluster {}",
            nats.address()
        );
        *coordinator = Process::start(at, "coordinator", &order);
        // It waits until the lease of the one that died has ended.
        wait_for(&at.join("coordinator"), "run a: ");
    });
}

fn the_network_is_cut(times: usize) {
    let mut wire = None;
    with_faults(times, |nats, workers, _, at| {
        let wire = wire.get_or_insert_with(|| Wire::to(nats.port()));
        if workers.len() == 2 {
            workers.push(Process::worker(at, "far", &wire.address()));
            wait_for(&at.join("far"), "playing for the run a");
        }
        moment(200);
        wire.cut();
        moment(2500);
        wire.mend();
    });
}

#[test]
fn a_worker_dies() {
    workers_die(3);
}

#[test]
fn the_broker_dies_and_comes_back() {
    the_broker_dies(2);
}

#[test]
fn the_coordinator_dies_and_the_run_is_resumed() {
    the_coordinator_dies(1);
}

#[test]
#[ignore = "failed once in three runs: why is not known yet"]
fn the_network_is_cut_and_mended() {
    the_network_is_cut(2);
}

#[test]
#[ignore = "takes minutes"]
fn each_fault_ten_times() {
    workers_die(10);
    the_broker_dies(10);
    the_coordinator_dies(10);
    the_network_is_cut(10);
}

#[test]
fn a_second_coordinator_is_refused() {
    let Some(nats) = Nats::start() else { return };
    let folder = folder_with_recipe();
    let at = folder.path();
    let order =
        format!("train --no-matches --recipe tiny.toml --run a --rate 0 --games 1000000 --cluster {}", nats.address());
    let mut first = Process::start(at, "first", &order);
    wait_for(&at.join("first"), "run a: ");
    let taken = contains("run a is coordinated by ").and(contains("already; stop it first"));
    coordinate(at, "b", &nats.address(), 6, "--recipe tiny.toml").code(1).stderr(taken);
    // The first goes on, and its lease ends with it.
    let _worker = Process::worker(at, "w", &nats.address());
    wait_for(&at.join("first"), "   1  6 games");
    first.interrupt();
    assert!(first.wait().success());
    coordinate(at, "c", &nats.address(), 6, "--recipe tiny.toml").success();
}
