//! Workers that forge games.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use hexzero::cluster::{
    Broker, Delivery, Job, PROGRAM_VERSION, PlayedRange, Provenance, RunState, STATE, Work, WorkerKey, decode, encode,
    games_subject,
};
use hexzero::games::{Action, game_named};
use hexzero::network::kernels::{Kernel, Precision};
use hexzero::network::{Checkpoint, NetworkEvaluator};
use hexzero::selfplay::{GameId, play_numbered};
use hexzero::stop::StopSignal;
use predicates::prelude::*;
use predicates::str::contains;

use super::{asynchronous, connect, counts_at_end, play_locally, start_coordinator, wait_for};
use crate::common::hexzero;
use crate::nats::Nats;
use crate::process::{Process, wait_for_some};
use crate::runs::assert_same_run;
use crate::tiny::folder_with_recipe;

/// Takes a range of games.
pub(super) fn take(broker: &Broker) -> (Delivery, Work) {
    let delivery = wait_for_some("work", || broker.next_work(Duration::from_secs(2)).ok().flatten());
    let work = decode(delivery.payload()).unwrap();
    (delivery, work)
}

/// Takes a range of games and plays it honestly.
fn play(broker: &Broker, worker: &str) -> (Delivery, PlayedRange) {
    let (delivery, work) = take(broker);
    let range = play_for(broker, worker, &work, &work.job);
    (delivery, range)
}

/// Plays a range of games honestly for the job with this digest.
pub(super) fn play_for(broker: &Broker, worker: &str, work: &Work, digest: &str) -> PlayedRange {
    play_with(broker, worker, work, digest, |_| ()).unwrap()
}

/// Plays a range of games with the job's network after a `change`. Returns `None` if the broker has its files no more.
pub(super) fn play_with(
    broker: &Broker,
    worker: &str,
    work: &Work,
    digest: &str,
    change: impl FnOnce(&mut Checkpoint),
) -> Option<PlayedRange> {
    let job = decode::<Job>(&broker.fetch(digest).ok()??).unwrap().unpacked();
    let mut checkpoint = Checkpoint::from_bytes(&broker.fetch(&job.checkpoint).ok()??, "of a test").unwrap();
    change(&mut checkpoint);
    let game = game_named(&job.game).unwrap();
    let mut evaluator = NetworkEvaluator::new(game, &checkpoint, "of a test", Precision::best()).unwrap();
    let never = StopSignal::new();
    let games = (work.first..work.first + u64::from(work.games)).map(|number| {
        let id = GameId { run_seed: job.run_seed, number };
        (number, play_numbered(game, &mut evaluator, &job.settings, id, &never).unwrap())
    });
    let provenance = Provenance {
        worker: worker.to_owned(),
        evaluation: format!("{} {}", Kernel::best().name(), Precision::best().name()),
        seconds: 0.1,
        cache_hits: None,
    };
    Some(PlayedRange { job: digest.to_owned(), provenance, games: games.collect() })
}

/// Makes a message what another version of the program would have sent.
pub(super) fn of_another_version(mut bytes: Vec<u8>) -> (String, Vec<u8>) {
    let theirs = "9.".repeat(PROGRAM_VERSION.len())[..PROGRAM_VERSION.len()].to_owned();
    bytes[9..9 + PROGRAM_VERSION.len()].copy_from_slice(theirs.as_bytes());
    let sum = 9 + PROGRAM_VERSION.len() + 5;
    let found = crc32fast::hash(&[&bytes[..sum], &bytes[sum + 4..]].concat());
    bytes[sum..sum + 4].copy_from_slice(&found.to_le_bytes());
    (theirs, bytes)
}

pub(super) fn send(broker: &Broker, worker: &str, id: &str, bytes: Vec<u8>) {
    broker.publish(&[(games_subject(worker), id.to_owned(), sealed(worker, bytes))]).unwrap();
}

/// Signs a message with a key that each worker of these tests has.
pub(super) fn sealed(worker: &str, bytes: Vec<u8>) -> Vec<u8> {
    static KEYS: Mutex<BTreeMap<String, WorkerKey>> = Mutex::new(BTreeMap::new());
    let mut keys = KEYS.lock().unwrap();
    keys.entry(worker.to_owned()).or_insert_with(WorkerKey::new).seal(&games_subject(worker), bytes)
}

/// Starts a broker with the sample configuration.
pub(super) fn guarded_broker() -> Option<Nats> {
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/nats/hexzero.conf");
    Nats::start_with(Some(&config))
}

pub(super) fn address(nats: &Nats, user: &str) -> String {
    format!("nats://{user}@127.0.0.1:{}", nats.port())
}

pub(super) const WORKER: &str = "worker:for-workers";
pub(super) const COORDINATOR: &str = "coordinator:for-the-coordinator";

/// Plays a range of games for `worker` and sends it, changed.
fn play_and_send(broker: &Broker, worker: &str, id: &str, change: impl FnOnce(&mut PlayedRange)) {
    let (delivery, mut range) = play(broker, worker);
    change(&mut range);
    send(broker, worker, id, encode(&range).unwrap());
    delivery.acknowledge();
}

/// Plays a range of games for `worker` and sends it with a game that breaks the rules.
fn cheat(broker: &Broker, worker: &str, id: &str) {
    play_and_send(broker, worker, id, |range| range.games[0].1.turns[0].action = Action(60_000));
}

/// Modes of a coordinator: lock step, and learning while games arrive.
pub(super) const MODES: [&str; 2] = ["--lock-step", ""];

/// Starts a coordinator that plays every range again, until the run has twelve games.
fn start_verifier(at: &Path, nats: &Nats, more: &str) -> Process {
    start_coordinator(at, &address(nats, COORDINATOR), &format!("--games 12 --verify 1 {more}"))
}

/// Asserts that the run was not harmed.
pub(super) fn check_run(at: &Path, mode: &str) {
    if mode.is_empty() {
        asynchronous::check(&at.join("a"));
    } else {
        assert_same_run(&at.join("local"), &at.join("a"));
    }
}

/// Sends what no coordinator may accept, each time under another name, and waits until it complains. Returns the games
/// that `masked` has played and only `somebody` has sent.
fn defraud(broker: &Broker, complaints: &Path) -> (Delivery, PlayedRange) {
    let refused =
        |worker: &str, why: &str| wait_for(complaints, &format!("warning: worker {worker} is refused: {why}"));
    let dropped = |worker: &str, why: &str| {
        let warning =
            format!("warning: a message in the name of worker {worker} is dropped, as others like it will be");
        wait_for(complaints, &format!("{warning}: {why}"));
    };

    cheat(broker, "illegal", "1");
    refused("illegal", "game ");

    play_and_send(broker, "invented", "2", |range| {
        let outcome = &mut range.games[0].1.turns.iter_mut().find_map(|turn| turn.search.as_mut()).unwrap().outcome;
        std::mem::swap(&mut outcome.win, &mut outcome.loss);
    });
    refused("invented", "game ");

    // As many visits as the recipe wants, on other moves.
    play_and_send(broker, "shifted", "2b", |range| {
        let mut searches = range.games[0].1.turns.iter_mut().filter_map(|turn| turn.search.as_mut());
        let policy = &mut searches.find(|search| search.policy.len() > 1).unwrap().policy;
        let (more, less) = if policy[0].1 > 1 { (1, 0) } else { (0, 1) };
        policy[more].1 += 1;
        policy[less].1 -= 1;
    });
    refused("shifted", "game ");

    let (delivery, range) = play(broker, "flipped");
    let mut bytes = encode(&range).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    send(broker, "flipped", "3", bytes);
    delivery.acknowledge();
    dropped("flipped", "its message cannot be used: not a hexzero message, or damaged");

    let (delivery, range) = play(broker, "masked");
    send(broker, "somebody", "4", encode(&range).unwrap());
    dropped("somebody", "it sends games under the name of masked");
    (delivery, range)
}

#[test]
fn frauds_are_refused_and_the_run_goes_on() {
    for mode in MODES {
        let Some(nats) = guarded_broker() else { return };
        let at = &*folder_with_recipe();
        play_locally(at, 12);
        let mut coordinator = start_verifier(at, &nats, &format!("--recipe tiny.toml {mode}"));
        wait_for(&at.join("coordinator"), "run a: ");
        let broker = connect(&address(&nats, WORKER), "fraud");
        let (again, range) = defraud(&broker, &at.join("coordinator.err"));
        // Honest games, sent again and again under the same id and others: used once.
        let provenance = Provenance { worker: "eager".to_owned(), ..range.provenance.clone() };
        let bytes = encode(&PlayedRange { provenance, ..range }).unwrap();
        for id in ["5", "5", "6", "7"] {
            send(&broker, "eager", id, bytes.clone());
        }
        again.acknowledge();

        // More than a message may hold never reaches the coordinator.
        let huge = broker.publish(&[(games_subject("huge"), "8".to_owned(), vec![0; 3 << 20])]);
        assert!(huge.unwrap_err().to_string().contains("3145728 bytes are too many"));
        let large = broker.publish(&[(games_subject("large"), "9".to_owned(), vec![0; 950 * 1024])]);
        assert!(large.unwrap_err().to_string().contains("maximum"));

        let _honest = Process::worker(at, "honest", &address(&nats, WORKER));
        let figure = counts_at_end(at, &mut coordinator);
        assert_eq!(figure("messages"), 5);
        // Where games come in any order, some of the next iteration have come too.
        assert!(figure("used") == 12 || mode.is_empty() && figure("used") > 12);
        assert!(figure("doubled") + figure("stale") >= 2);
        assert!(figure("played") >= 12);
        check_run(at, mode);

        // Workers in whose names anybody could have sent the messages are not.
        let address = address(&nats, COORDINATOR);
        let status = hexzero(at, &["cluster", "status", "--cluster", &address]).success();
        let names = ["illegal", "invented", "shifted"].map(|name| contains(format!("refused: {name}: game ")));
        let [illegal, invented, shifted] = names;
        let only = contains("refused: flipped").not().and(contains("refused: somebody").not());
        status.stdout(illegal.and(invented).and(shifted).and(only));
    }
}

#[test]
fn repeated_messages_do_not_block_the_run() {
    for mode in MODES {
        let Some(nats) = guarded_broker() else { return };
        let at = &*folder_with_recipe();
        play_locally(at, 12);
        let mut coordinator = start_verifier(at, &nats, &format!("--recipe tiny.toml {mode}"));
        wait_for(&at.join("coordinator"), "run a: ");
        let broker = connect(&address(&nats, WORKER), "fraud");
        let (delivery, range) = play(&broker, "again");
        let bytes = encode(&range).unwrap();
        send(&broker, "again", "0", bytes.clone());
        delivery.acknowledge();
        // All else that was dealt out is taken and never played: an iteration, or two.
        let dealt = if mode.is_empty() { 12 } else { 6 };
        (1..dealt).for_each(|_| take(&broker).0.acknowledge());
        let _honest = Process::worker(at, "honest", &address(&nats, WORKER));
        let mut sent = 0;
        while coordinator.is_running() {
            sent += 1;
            assert!(sent < 600, "the run does not go on");
            send(&broker, "again", &format!("{sent}"), bytes.clone());
            std::thread::sleep(Duration::from_millis(300));
        }
        assert!(coordinator.wait().success());
        check_run(at, mode);
    }
}

#[test]
fn refusals_last_until_pardon_or_another_run() {
    let Some(nats) = guarded_broker() else { return };
    let at = &*folder_with_recipe();
    let cluster = address(&nats, COORDINATOR);
    let mut coordinator = start_verifier(at, &nats, "--recipe tiny.toml");
    let broker = connect(&address(&nats, WORKER), "fraud");
    for (worker, id) in [("one", "1"), ("two", "2")] {
        cheat(&broker, worker, id);
        wait_for(&at.join("coordinator.err"), &format!("warning: worker {worker} is refused: game "));
    }
    // Another process of the same run takes nothing from them either.
    coordinator.kill();
    coordinator = start_verifier(at, &nats, "--resume");
    wait_for(&at.join("coordinator"), "run a: ");
    let status = ["cluster", "status", "--cluster", &cluster];
    hexzero(at, &status).success().stdout(contains("refused: one: game ").and(contains("refused: two: game ")));
    play_and_send(&broker, "two", "3", |_| ());
    let pardon = ["cluster", "unban", "one", "--cluster", &cluster];
    hexzero(at, &pardon).success().stdout("worker one may play again\n");
    hexzero(at, &pardon).code(1).stderr(contains("worker one is not refused; 'hexzero cluster status'"));
    let _one = Process::worker(at, "one", &address(&nats, WORKER));
    assert_eq!(counts_at_end(at, &mut coordinator)("messages"), 1);
    hexzero(at, &status).success().stdout(contains("refused: two: game ").and(contains("refused: one").not()));
    // Another run has nothing against either.
    let order =
        format!("train --no-matches --recipe tiny.toml --run b --rate 0 --games 12 --verify 1 --cluster {cluster}");
    assert!(Process::start(at, "other", &order).wait().success());
    hexzero(at, &status).success().stdout(contains("run b: ").and(contains("refused: ").not()));
}

#[test]
fn refusals_survive_a_lost_store() {
    let Some(mut nats) = guarded_broker() else { return };
    let at = &*folder_with_recipe();
    let mut coordinator = start_verifier(at, &nats, "--recipe tiny.toml");
    let broker = connect(&address(&nats, WORKER), "fraud");
    cheat(&broker, "one", "1");
    wait_for(&at.join("coordinator.err"), "warning: worker one is refused: game ");
    nats.lose_store();
    let broker = connect(&address(&nats, WORKER), "again");
    play_and_send(&broker, "one", "2", |_| ());
    let _honest = Process::worker(at, "honest", &address(&nats, WORKER));
    assert_eq!(counts_at_end(at, &mut coordinator)("messages"), 2);
    let status = ["cluster", "status", "--cluster", &address(&nats, COORDINATOR)];
    hexzero(at, &status).success().stdout(contains("refused: one: game "));
}

#[test]
fn mismatched_worker_is_told_why() {
    let Some(nats) = Nats::start() else { return };
    let at = &*folder_with_recipe();
    let broker = connect(&nats.address(), "other");
    broker.set_up_run(Duration::from_secs(1)).unwrap();
    let state = |evaluation: Option<&str>| {
        let evaluation = evaluation.map(str::to_owned);
        let (run, job) = ("a".to_owned(), Some("0123".to_owned()));
        encode(&RunState { run, job, evaluation, earlier_jobs: Vec::new(), continuous: false, dealt: 0 }).unwrap()
    };
    broker.put(STATE, "current", &state(Some("abacus f64"))).unwrap();
    let mut worker = Process::worker(at, "w", &nats.address());
    assert_eq!(worker.wait().code(), Some(1));
    let complaint = std::fs::read_to_string(at.join("w.err")).unwrap();
    assert!(
        complaint.contains("wants games evaluated with abacus f64") && complaint.contains("HEXZERO_KERNEL"),
        "{complaint}"
    );

    // The same message as another version would write it.
    let (theirs, bytes) = of_another_version(state(None));
    broker.put(STATE, "current", &bytes).unwrap();
    let mut worker = Process::worker(at, "w", &nats.address());
    assert_eq!(worker.wait().code(), Some(1));
    let complaint = std::fs::read_to_string(at.join("w.err")).unwrap();
    let wanted = format!(
        "error: the run is coordinated by hexzero {theirs}, and this worker is {PROGRAM_VERSION}; install version"
    );
    assert!(complaint.starts_with(&wanted), "{complaint}");
}
