//! Forgers at brokers that let everybody send everything, and brokers that are away.

use std::thread::sleep;
use std::time::Duration;

use hexzero::cluster::{Broker, LEASE, RunState, STATE, WORKERS, Work, WorkerKey, ban_key, encode, games_subject};
use hexzero::games::Action;
use predicates::prelude::*;
use predicates::str::contains;

use super::frauds::{MODES, check_run, of_another_version, play_for};
use super::{Process, asynchronous, connect, play_locally, start_coordinator, wait_for};
use crate::common::hexzero;
use crate::nats::Nats;
use crate::tiny::{Folder, folder_with_recipe};

/// Puts junk into every place that workers read.
fn litter(broker: &Broker, number: u64) {
    let junk = format!("\x1b[2Jjunk {number}").into_bytes();
    let state = |evaluation: Option<&str>| RunState {
        run: "another".to_owned(),
        job: Some("0123".to_owned()),
        evaluation: evaluation.map(str::to_owned),
        earlier_jobs: Vec::new(),
        continuous: number.is_multiple_of(2),
        dealt: 0,
    };
    let work = |job: &str| encode(&Work { job: job.to_owned(), deal: number, first: 900 + number, games: 2 }).unwrap();
    let states = [
        junk.clone(),
        of_another_version(encode(&state(None)).unwrap()).1,
        encode(&state(Some("abacus f64"))).unwrap(),
    ];
    broker.put(STATE, "current", &states[number as usize % 3]).unwrap();
    broker.put(STATE, &ban_key("honest"), &junk).unwrap();
    broker.put(STATE, "summary", &junk).unwrap();
    broker.put(WORKERS, "honest", &junk).unwrap();
    broker.put(LEASE, "coordinator", &junk).unwrap();
    let file = format!("junk{number}");
    broker.store(&file, &junk).unwrap();
    for (at, bytes) in [junk, of_another_version(work("0123")).1, work("0123"), work(&file)].into_iter().enumerate() {
        broker.publish(&[("hexzero.work".to_owned(), format!("junk.{number}.{at}"), bytes)]).unwrap();
    }
}

/// Sends junk, a changed message, an unsigned one, and a bad game that the forger has signed, all in the name of the
/// worker `honest`.
fn forge(broker: &Broker, number: u64) {
    let subject = games_subject("honest");
    let Ok(Some(delivery)) = broker.next_work(Duration::from_millis(500)) else { return };
    let Ok(work) = hexzero::cluster::decode::<Work>(delivery.payload()) else { return delivery.reject() };
    if work.first >= 900 {
        return delivery.reject();
    }
    let mut range = play_for(broker, "honest", &work, &work.job);
    let own = WorkerKey::new();
    let mut changed = own.seal(&subject, encode(&range).unwrap());
    let middle = changed.len() / 3;
    changed[middle] ^= 1;
    let unsigned = encode(&range).unwrap();
    range.games[0].1.turns[0].action = Action(60_000);
    let bad = own.seal(&subject, encode(&range).unwrap());
    for (at, bytes) in [b"junk".to_vec(), changed, unsigned, bad].into_iter().enumerate() {
        broker.publish(&[(subject.clone(), format!("forged.{number}.{at}"), bytes)]).unwrap();
    }
    delivery.give_back();
}

#[test]
fn forger_harms_neither_workers_nor_the_run() {
    for mode in MODES {
        let Some(nats) = Nats::start() else { return };
        let at = &*folder_with_recipe();
        play_locally(at, 18);
        let mut coordinator =
            start_coordinator(at, &nats.address(), &format!("--recipe tiny.toml --games 18 --verify 1 {mode}"));
        wait_for(&at.join("coordinator"), "run a: ");
        let broker = connect(&nats.address(), "forger");
        forge(&broker, 0);
        let complaints = at.join("coordinator.err");
        wait_for(&complaints, "a message in the name of worker honest is dropped, as others like it will be: ");
        wait_for(&complaints, "worker honest is refused: game ");
        let mut honest = Process::worker(at, "honest", &nats.address());
        for number in 1..6 {
            litter(&broker, number);
            forge(&broker, number);
            sleep(Duration::from_millis(200));
        }
        assert!(coordinator.wait().success());
        assert!(honest.is_running(), "{}", std::fs::read_to_string(at.join("honest.err")).unwrap());
        check_run(at, mode);
        let said = std::fs::read_to_string(&complaints).unwrap();
        assert_eq!(said.matches("in the name of worker honest").count(), 1, "{said}");
        honest.stop();
    }
}

#[test]
fn new_coordinator_outlives_a_missing_broker() {
    let Some(nats) = Nats::start() else { return };
    let at = &*folder_with_recipe();
    let mut coordinator = start_coordinator(at, &nats.address(), "--recipe tiny.toml --games 18 --verify 1");
    wait_for(&at.join("coordinator"), "run a: ");
    // Its lease lasts for ten seconds, for which the next one waits.
    coordinator.kill();
    let mut coordinator = start_coordinator(at, &nats.address(), "--resume --games 18 --verify 1");
    sleep(Duration::from_secs(2));
    nats.halt();
    sleep(Duration::from_secs(27));
    nats.go_on();
    let _worker = Process::worker(at, "w", &nats.address());
    assert!(coordinator.wait().success(), "{}", std::fs::read_to_string(at.join("coordinator.err")).unwrap());
    asynchronous::check(&at.join("a"));
}

#[test]
fn repeated_broker_failures_end_nobody() {
    let Some(mut nats) = Nats::start() else { return };
    let at = &*folder_with_recipe();
    let mut coordinator = start_coordinator(at, &nats.address(), "--recipe tiny.toml --games 300 --verify 1");
    wait_for(&at.join("coordinator"), "run a: ");
    let mut worker = Process::worker(at, "w", &nats.address());
    for number in 0..6_u64 {
        sleep(Duration::from_millis(300 + 377 * number % 1000));
        if number.is_multiple_of(2) {
            nats.halt();
            sleep(Duration::from_millis(1500 + 2500 * number));
            nats.go_on();
        } else {
            nats.kill();
            sleep(Duration::from_millis(1000 * number));
            nats.restart();
        }
        assert!(worker.is_running(), "{}", std::fs::read_to_string(at.join("w.err")).unwrap());
    }
    assert!(coordinator.wait().success(), "{}", std::fs::read_to_string(at.join("coordinator.err")).unwrap());
    asynchronous::check(&at.join("a"));
    worker.stop();
}

#[test]
fn status_without_a_run_says_so_within_bounds() {
    let Some(nats) = Nats::start() else { return };
    let at = &*Folder::empty();
    let address = nats.address();
    let status = ["cluster", "status", "--cluster", &*address];
    let nothing = "error: there is no run at this broker; 'hexzero train --cluster ADDRESS' starts one\n";
    hexzero(at, &status).code(1).stderr(nothing);
    let broker = connect(&nats.address(), "somebody");
    broker.set_up_run(Duration::from_secs(5)).unwrap();
    hexzero(at, &status).success().stdout(contains("0 workers, 0 threads, 0.0 games a second"));
    let report = |rate: &str| {
        format!(
            "{{\"name\":\"bob\",\"host\":\"h\",\"version\":\"0\",\"evaluation\":\"\\u001b[31mred\\u009b\\u202e\\nf\",\
             \"threads\":18446744073709551615,\"games\":1,\"games_per_second\":{rate},\"playing\":true}}"
        )
    };
    for (rate, shown) in
        [("-0.0", "0.0 games a second"), ("-7", "0.0 games a second"), ("1e300", "1000000.0 games a second")]
    {
        broker.put(WORKERS, "w", report(rate).as_bytes()).unwrap();
        // A worker has the name under which it may report.
        let name = contains("\nw ").and(contains("bob").not()).and(contains("\\u{1b}[31mred\\u{9b}\\u{202e}\\u{a}f"));
        let clean = contains('\x1b').or(contains('\u{9b}')).or(contains("-0.0")).not();
        hexzero(at, &status).success().stdout(contains(shown).and(name).and(clean));
    }
}
