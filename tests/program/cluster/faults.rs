//! Faults of workers, coordinator, broker and network: no game is lost or counted twice, in either mode.
//!
//! Each fault happens a few times at random moments; with `cargo test -- --ignored ten_times`, ten times.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use predicates::prelude::*;
use predicates::str::contains;
use rand::Rng;

use super::{Process, asynchronous, coordinate, figures, play_locally, wait_for};
use crate::nats::{Nats, Wire};
use crate::runs::assert_same_run;
use crate::tiny::folder_with_recipe;

/// Games of a run, enough that the faults happen before its end.
fn games(times: usize) -> u64 {
    360.max(60 * times as u64)
}

/// Mode of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Mode {
    LockStep,
    Asynchronous,
}
use Mode::{Asynchronous, LockStep};

fn train_order(mode: Mode, begin: &str, games: u64, address: &str) -> String {
    let mode = if mode == LockStep { "--lock-step" } else { "" };
    format!("train --no-matches {begin} --run a --rate 0 --games {games} --patience 1 {mode} --cluster {address}")
}

fn moment(most: u64) {
    sleep(Duration::from_millis(rand::rng().random_range(0..most)));
}

/// Plays a run while `fault` happens again and again. In lock step the run is compared with that of one process, otherwise its
/// games are counted. `fault` may replace workers and coordinator.
fn with_faults(mode: Mode, times: usize, fault: impl FnMut(&mut Nats, &mut Vec<Process>, &mut Process, &Path)) {
    let Some(nats) = Nats::start() else { return };
    let address = nats.address();
    with_faults_at(mode, nats, [&address, &address], times, fault);
}

/// As [`with_faults`], with other broker addresses for a third worker and the coordinator.
fn with_faults_at(
    mode: Mode,
    mut nats: Nats,
    [far, coordinators]: [&str; 2],
    times: usize,
    mut fault: impl FnMut(&mut Nats, &mut Vec<Process>, &mut Process, &Path),
) {
    let folder = folder_with_recipe();
    let at = folder.path();
    if mode == LockStep {
        play_locally(at, games(times));
    }
    // All are there when the run begins: one that comes late may find it over.
    let addresses = [&nats.address(), &nats.address(), far];
    let mut workers: Vec<_> =
        (0..).zip(addresses).map(|(n, address)| Process::worker(at, &format!("w{n}"), address)).collect();
    (0..workers.len()).for_each(|n| wait_for(&at.join(format!("w{n}")), "waiting for a run to begin"));
    let order = train_order(mode, "--recipe tiny.toml", games(times), coordinators);
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
        ["coordinator", "coordinator.err", "w0", "w0.err", "w1", "w1.err", "w2", "w2.err"]
            .map(|name| format!("{name}: {}", read(name)))
            .join("\n")
    };
    let ended = coordinator.ended();
    assert!(ended.is_some_and(|status| status.success()), "{ended:?}, {}", said());
    let text = fs::read_to_string(at.join("coordinator")).unwrap();
    // One that died after its last iteration has nothing left to coordinate.
    if !text.contains("reached its limit already") {
        let figure = figures(&text);
        let (acknowledged, used, doubled, stale) =
            (figure("acknowledged"), figure("used"), figure("doubled"), figure("stale"));
        println!(
            "{mode:?}, {happened} faults: {acknowledged} acknowledged, {used} used, {doubled} doubles dropped, {stale} stale"
        );
        assert_eq!(acknowledged, used + doubled + stale);
    }
    match mode {
        LockStep => assert_same_run(&at.join("local"), &at.join("a")),
        Asynchronous => asynchronous::check(&at.join("a")),
    }
}

fn workers_die(mode: Mode, times: usize) {
    let mut next = 0;
    with_faults(mode, times, |nats, workers, _, at| {
        next += 1;
        workers[next % 2].kill();
        workers[next % 2] = Process::worker(at, &format!("v{next}"), &nats.address());
    });
}

fn the_broker_dies(mode: Mode, times: usize) {
    with_faults(mode, times, |nats, _, _, _| {
        nats.kill();
        moment(600);
        nats.restart();
    });
}

fn the_broker_loses_its_store(mode: Mode, times: usize) {
    with_faults(mode, times, |nats, _, _, _| nats.lose_store());
}

fn the_coordinator_dies(mode: Mode, times: usize) {
    with_faults(mode, times, |nats, _, coordinator, at| {
        coordinator.kill();
        let run = at.join("a");
        let kept = if mode == Asynchronous { asynchronous::written_down(&run) } else { Default::default() };
        moment(300);
        *coordinator = Process::start(at, "coordinator", &train_order(mode, "--resume", games(times), &nats.address()));
        // It waits until the lease of the one that died has ended.
        wait_for(&at.join("coordinator"), "run a: ");
        moment(400);
        if mode == Asynchronous {
            coordinator.kill();
            assert!(kept.is_subset(&asynchronous::written_down(&run)));
            *coordinator =
                Process::start(at, "coordinator", &train_order(mode, "--resume", games(times), &nats.address()));
            wait_for(&at.join("coordinator"), "run a: ");
        }
    });
}

fn the_network_is_cut(mode: Mode, times: usize) {
    let Some(nats) = Nats::start() else { return };
    let (wire, address) = (Wire::to(nats.port()), nats.address());
    with_faults_at(mode, nats, [&wire.address(), &address], times, |_, _, _, _| {
        moment(200);
        wire.cut();
        moment(2500);
        wire.mend();
    });
}

/// Cuts a worker and the coordinator off for `seconds`.
fn the_network_is_held_up(mode: Mode, times: usize, seconds: u64) {
    let Some(nats) = Nats::start() else { return };
    let wire = Wire::to(nats.port());
    with_faults_at(mode, nats, [&wire.address(), &wire.address()], times, |_, _, _, _| {
        wire.hold_up();
        sleep(Duration::from_secs(seconds));
        wire.mend();
    });
}

#[test]
fn a_worker_dies() {
    workers_die(LockStep, 3);
    workers_die(Asynchronous, 3);
}

#[test]
fn the_broker_dies_and_comes_back() {
    the_broker_dies(LockStep, 2);
    the_broker_dies(Asynchronous, 2);
}

#[test]
fn the_broker_comes_back_without_its_store() {
    the_broker_loses_its_store(LockStep, 2);
    the_broker_loses_its_store(Asynchronous, 2);
}

#[test]
fn the_coordinator_dies_and_the_run_is_resumed() {
    the_coordinator_dies(LockStep, 1);
    the_coordinator_dies(Asynchronous, 1);
}

#[test]
fn the_network_is_cut_and_mended() {
    the_network_is_cut(LockStep, 2);
    the_network_is_cut(Asynchronous, 2);
}

#[test]
fn the_network_is_held_up_for_longer_than_a_lease_lasts() {
    the_network_is_held_up(LockStep, 1, 12);
    the_network_is_held_up(Asynchronous, 1, 12);
}

#[test]
#[ignore = "takes minutes"]
fn each_fault_ten_times() {
    for mode in [LockStep, Asynchronous] {
        for fault in
            [workers_die, the_broker_dies, the_broker_loses_its_store, the_coordinator_dies, the_network_is_cut]
        {
            fault(mode, 10);
        }
        // So long that everybody hangs up.
        the_network_is_held_up(mode, 10, 25);
    }
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
