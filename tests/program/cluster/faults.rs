//! Faults of workers, coordinator, broker and network: no game is lost or counted twice, in either mode.
//!
//! Each fault happens a few times at random moments; with `cargo test -- --ignored ten_times`, ten times.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use predicates::prelude::*;
use predicates::str::contains;
use rand::Rng;

use hexzero::cluster::{Work, decode, encode, games_subject};
use hexzero::network::Checkpoint;

#[cfg(target_os = "linux")]
use super::disk_full::SmallDisk;
use super::frauds::{COORDINATOR, WORKER, address, guarded_broker, of_another_version, play_with, sealed};
use super::tls::tls_broker;
use super::{Process, asynchronous, connect, coordinate, figures, play_locally, wait_for};
use crate::nats::{Nats, Wire};
use crate::runs::assert_same_run;
use crate::tiny::{Folder, folder_with_recipe};

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

/// How the processes of a run reach the broker.
struct Ways {
    /// Address for two of the three workers.
    near: String,
    /// Address for the third.
    far: String,
    /// Address for the coordinator.
    coordinator: String,
    /// Further options of all.
    access: String,
    /// Further options of the coordinator.
    more: &'static str,
}

impl Ways {
    fn to(address: &str) -> Self {
        let [near, far, coordinator] = [address; 3].map(str::to_owned);
        Self { near, far, coordinator, access: String::new(), more: "" }
    }

    fn train_order(&self, mode: Mode, begin: &str, games: u64) -> String {
        let Self { coordinator, access, more, .. } = self;
        let mode = if mode == LockStep { "--lock-step" } else { "" };
        format!(
            "train --no-matches {begin} --run a --rate 0 --games {games} --patience 1 {mode} {more} \
             --cluster {coordinator} {access}"
        )
    }
}

/// Counts of a run with faults.
struct Tally {
    faults: usize,
    acknowledged: u64,
    used: u64,
    doubled: u64,
    stale: u64,
}

fn moment(most: u64) {
    sleep(Duration::from_millis(rand::rng().random_range(0..most)));
}

/// Plays a run while `fault`, which may replace workers and coordinator, happens again and again. In lock step the run
/// is compared with that of one process, otherwise its games are counted: none may be lost or counted twice.
fn with_faults(
    mode: Mode,
    times: usize,
    fault: impl FnMut(&mut Nats, &mut Vec<Process>, &mut Process, &Path),
) -> Option<Tally> {
    let nats = Nats::start()?;
    let ways = Ways::to(&nats.address());
    Some(with_faults_at(mode, nats, &ways, times, fault))
}

/// As [`with_faults`], where the broker is reached in other ways.
fn with_faults_at(
    mode: Mode,
    mut nats: Nats,
    ways: &Ways,
    times: usize,
    mut fault: impl FnMut(&mut Nats, &mut Vec<Process>, &mut Process, &Path),
) -> Tally {
    let at = &*folder_with_recipe();
    if mode == LockStep {
        play_locally(at, games(times));
    }
    // All are there when the run begins: one that comes late may find it over.
    let addresses = [&ways.near, &ways.near, &ways.far];
    let mut workers: Vec<_> = (0..)
        .zip(addresses)
        .map(|(n, address)| Process::worker(at, &format!("w{n}"), &format!("{address} {}", ways.access)))
        .collect();
    (0..workers.len()).for_each(|n| wait_for(&at.join(format!("w{n}")), "waiting for a run to begin"));
    let order = ways.train_order(mode, "--recipe tiny.toml", games(times));
    let mut coordinator = Process::start(at, "coordinator", &order);
    wait_for(&at.join("w0"), "playing for the run a");
    let mut faults = 0;
    for _ in 0..times {
        moment(400);
        if !coordinator.is_running() {
            break;
        }
        faults += 1;
        fault(&mut nats, &mut workers, &mut coordinator, at);
    }
    assert!(faults > 0, "the run was over before anything happened");
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
    let figure = |name: &str| if text.contains("reached its limit already") { 0 } else { figures(&text)(name) };
    let [acknowledged, used, doubled, stale] = ["acknowledged", "used", "doubled", "stale"].map(figure);
    assert_eq!(acknowledged, used + doubled + stale);
    match mode {
        LockStep => assert_same_run(&at.join("local"), &at.join("a")),
        Asynchronous => asynchronous::check(&at.join("a")),
    }
    Tally { faults, acknowledged, used, doubled, stale }
}

fn workers_die(mode: Mode, times: usize) -> Option<Tally> {
    let mut next = 0;
    with_faults(mode, times, |nats, workers, _, at| {
        next += 1;
        workers[next % 2].kill();
        workers[next % 2] = Process::worker(at, &format!("v{next}"), &nats.address());
    })
}

/// Halts workers for longer than the coordinator waits for them, and lets them go on.
fn workers_are_halted(mode: Mode, times: usize) -> Option<Tally> {
    let mut next = 0;
    with_faults(mode, times, |_, workers, _, _| {
        next += 1;
        workers[next % 3].halt();
        sleep(Duration::from_millis(1200));
        moment(1000);
        workers[next % 3].go_on();
    })
}

/// Halts the coordinator for longer than its lease lasts, and lets it go on.
fn the_coordinator_is_halted(mode: Mode, times: usize) -> Option<Tally> {
    with_faults(mode, times, |_, _, coordinator, _| {
        coordinator.halt();
        sleep(Duration::from_secs(11));
        coordinator.go_on();
    })
}

fn the_broker_dies(mode: Mode, times: usize) -> Option<Tally> {
    with_faults(mode, times, |nats, _, _, _| {
        nats.kill();
        moment(600);
        nats.restart();
    })
}

fn the_broker_dies_over_tls(mode: Mode, times: usize) -> Option<Tally> {
    let certificates = &*Folder::empty();
    let nats = tls_broker(certificates)?;
    let access = format!("--ca {}", certificates.join("ca.pem").display());
    let ways = Ways { access, ..Ways::to(&format!("tls://127.0.0.1:{}", nats.port())) };
    Some(with_faults_at(mode, nats, &ways, times, |nats, _, _, _| {
        nats.kill();
        moment(600);
        nats.restart();
    }))
}

fn the_broker_loses_its_store(mode: Mode, times: usize) -> Option<Tally> {
    with_faults(mode, times, |nats, _, _, _| nats.lose_store())
}

/// Fills the disk of the broker, which is started again when there is room: until then it keeps its streams shut.
#[cfg(target_os = "linux")]
fn the_brokers_disk_is_full(mode: Mode, times: usize) -> Option<Tally> {
    let folder = &*Folder::empty();
    let disk = SmallDisk::mount(&folder.join("disk"))?;
    let nats = Nats::start_on(Some(&folder.join("disk")), None)?;
    let ways = Ways::to(&nats.address());
    let (mut happened, mut noticed) = (0, 0);
    let tally = with_faults_at(mode, nats, &ways, times, |nats, _, _, _| {
        let before = nats.log().len();
        disk.fill();
        // A message larger than what is left of the pages of its files.
        let filler = connect(&nats.address(), "filler");
        let _ = filler.publish(&[(games_subject("filler"), format!("filler.{happened}"), vec![0; 900_000])]);
        let began = Instant::now();
        let is_noticed = |nats: &Nats| nats.log()[before..].contains("no space left on device");
        while !is_noticed(nats) && began.elapsed() < Duration::from_secs(10) {
            sleep(Duration::from_millis(20));
        }
        noticed += usize::from(is_noticed(nats));
        moment(1000);
        happened += 1;
        nats.kill();
        disk.empty();
        nats.restart();
    });
    println!("the broker noticed {noticed} of {happened} full disks");
    Some(tally)
}

fn the_coordinator_dies(mode: Mode, times: usize) -> Option<Tally> {
    with_faults(mode, times, |nats, _, coordinator, at| {
        let order = Ways::to(&nats.address()).train_order(mode, "--resume", games(times));
        coordinator.kill();
        let run = at.join("a");
        let kept = if mode == Asynchronous { asynchronous::written_down(&run) } else { Default::default() };
        moment(300);
        *coordinator = Process::start(at, "coordinator", &order);
        // It waits until the lease of the one that died has ended.
        wait_for(&at.join("coordinator"), "run a: ");
        moment(400);
        if mode == Asynchronous {
            coordinator.kill();
            assert!(kept.is_subset(&asynchronous::written_down(&run)));
            *coordinator = Process::start(at, "coordinator", &order);
            wait_for(&at.join("coordinator"), "run a: ");
        }
    })
}

fn the_network_is_cut(mode: Mode, times: usize) -> Option<Tally> {
    let nats = Nats::start()?;
    let wire = Wire::to(nats.port());
    let ways = Ways { far: wire.address(), ..Ways::to(&nats.address()) };
    Some(with_faults_at(mode, nats, &ways, times, |_, _, _, _| {
        moment(200);
        wire.cut();
        moment(2500);
        wire.mend();
    }))
}

/// Cuts a worker and the coordinator off for `seconds`.
fn the_network_is_held_up(mode: Mode, times: usize, seconds: u64) -> Option<Tally> {
    let nats = Nats::start()?;
    let wire = Wire::to(nats.port());
    let ways = Ways { far: wire.address(), coordinator: wire.address(), ..Ways::to(&nats.address()) };
    Some(with_faults_at(mode, nats, &ways, times, |_, _, _, _| {
        wire.hold_up();
        sleep(Duration::from_secs(seconds));
        wire.mend();
    }))
}

/// A client takes work and sends its games again and again: damaged, too large, as another version would, and played
/// with another model.
fn games_are_forged(mode: Mode, times: usize) -> Option<Tally> {
    let nats = Nats::start()?;
    let ways = Ways { more: "--verify 1", ..Ways::to(&nats.address()) };
    let mut next = 0;
    let broker = connect(&nats.address(), "forger");
    Some(with_faults_at(mode, nats, &ways, times, move |_, _, _, _| {
        // There is none while the coordinator learns in lock step.
        let taken = (0..20).find_map(|_| broker.next_work(Duration::from_millis(200)).ok().flatten());
        let Some(taken) = taken else { return };
        let work = decode::<Work>(taken.payload()).unwrap();
        next += 1;
        let played = |worker: &str, change: fn(&mut Checkpoint)| {
            play_with(&broker, &format!("{worker}{next}"), &work, &work.job, change)
                .map(|range| encode(&range).unwrap())
        };
        let send = |worker: &str, id: &str, bytes: Vec<u8>| {
            let worker = format!("{worker}{next}");
            broker.publish(&[(games_subject(&worker), format!("{worker}.{id}"), sealed(&worker, bytes))])
        };
        let Some(foreign) = played("foreign", |checkpoint| {
            let weights = checkpoint.tensors.values_mut().flat_map(|tensor| &mut tensor.data);
            weights.enumerate().for_each(|(index, weight)| *weight += 0.3 * ((index % 7) as f32 - 3.0));
        }) else {
            return;
        };
        send("foreign", "0", foreign).unwrap();
        let Some(honest) = played("honest", |_| ()) else { return };
        let mut damaged = honest.clone();
        let middle = damaged.len() / 2;
        damaged[middle] ^= 1 << (next % 8);
        send("damaged", "0", damaged).unwrap();
        send("version", "0", of_another_version(honest.clone()).1).unwrap();
        assert!(send("large", "0", vec![0; 2 << 20]).is_err());
        send("empty", "0", vec![0; 900_000]).unwrap();
        for id in ["0", "0", "1", "2"] {
            send("honest", id, honest.clone()).unwrap();
        }
        taken.acknowledge();
    }))
}

/// Workers and coordinators with a wrong password come.
fn strangers_come(mode: Mode, times: usize) -> Option<Tally> {
    let nats = guarded_broker()?;
    let [near, coordinator] = [WORKER, COORDINATOR].map(|user| address(&nats, user));
    let ways = Ways { coordinator, ..Ways::to(&near) };
    let mut next = 0;
    Some(with_faults_at(mode, nats, &ways, times, |nats, _, _, at| {
        next += 1;
        let order = Ways::to(&address(nats, "coordinator:guessed")).train_order(mode, "--recipe tiny.toml", 1);
        let mut strangers = [
            Process::worker(at, "stranger", &address(nats, "worker:guessed")),
            Process::start(at, "usurper", &order.replace("--run a", &format!("--run b{next}"))),
        ];
        strangers.iter_mut().for_each(|stranger| assert_eq!(stranger.wait().code(), Some(1)));
        for name in ["stranger.err", "usurper.err"] {
            wait_for(&at.join(name), "error: cannot connect to");
        }
    }))
}

/// Writes a test of each fault, in either mode.
macro_rules! survived {
    ($($(#[$attribute:meta])* $name:ident: $fault:ident($($argument:expr),*);)*) => {
        $($(#[$attribute])*
        #[test]
        fn $name() {
            for mode in [LockStep, Asynchronous] {
                $fault(mode, $($argument),*);
            }
        })*
    };
}

survived! {
    run_survives_killed_workers: workers_die(3);
    run_survives_a_restart_of_the_broker: the_broker_dies(2);
    run_survives_a_broker_without_its_store: the_broker_loses_its_store(2);
    run_is_resumed_after_the_coordinator_dies: the_coordinator_dies(1);
    run_survives_a_cut_network: the_network_is_cut(2);
    run_survives_delays_beyond_the_lease: the_network_is_held_up(1, 12);
    run_survives_a_halted_worker: workers_are_halted(1);
    #[cfg(target_os = "linux")]
    run_survives_a_full_disk_of_the_broker: the_brokers_disk_is_full(1);
    forged_games_do_no_harm: games_are_forged(2);
}

/// Prints a table. A fault that is named in the variable `FAULT` happens alone.
#[test]
#[ignore = "takes half an hour"]
fn each_fault_ten_times() {
    type Fault = fn(Mode, usize) -> Option<Tally>;
    let faults: &[(&str, Fault)] = &[
        ("worker killed", workers_die),
        ("worker halted for 1.2 to 2.2 s", workers_are_halted),
        ("coordinator killed", the_coordinator_dies),
        ("coordinator halted for 11 s", the_coordinator_is_halted),
        ("broker killed", the_broker_dies),
        ("broker killed, over TLS", the_broker_dies_over_tls),
        ("broker's store lost", the_broker_loses_its_store),
        #[cfg(target_os = "linux")]
        ("broker's disk full", the_brokers_disk_is_full),
        ("network cut", the_network_is_cut),
        // So long that everybody hangs up.
        ("network held up for 25 s", |mode, times| the_network_is_held_up(mode, times, 25)),
        ("games forged", games_are_forged),
        ("wrong passwords", strangers_come),
    ];
    let wanted = std::env::var("FAULT").unwrap_or_default();
    for (name, fault) in faults.iter().filter(|(name, _)| name.contains(&wanted)) {
        for mode in [LockStep, Asynchronous] {
            let Some(Tally { faults, acknowledged, used, doubled, stale }) = fault(mode, 10) else { continue };
            println!(
                "{name}, {mode:?}: {faults} times; {acknowledged} games acknowledged, {used} used, {doubled} doubles and \
                 {stale} stale ones dropped; 0 lost, 0 counted twice"
            );
        }
    }
}

#[test]
fn second_coordinator_is_refused() {
    let Some(nats) = Nats::start() else { return };
    let at = &*folder_with_recipe();
    let order =
        format!("train --no-matches --recipe tiny.toml --run a --rate 0 --games 1000000 --cluster {}", nats.address());
    let mut first = Process::start(at, "first", &order);
    wait_for(&at.join("first"), "run a: ");
    let taken = contains("run a is coordinated by ").and(contains("already; stop it first"));
    coordinate(at, "b", &nats.address(), 6, "--recipe tiny.toml").code(1).stderr(taken);
    // The first goes on, and its lease ends with it.
    let _worker = Process::worker(at, "w", &nats.address());
    wait_for(&at.join("first"), "   1  6 games");
    first.stop();
    coordinate(at, "c", &nats.address(), 6, "--recipe tiny.toml").success();
}
