//! Workers that send what nobody has played.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use hexzero::cluster::{
    Access, Broker, Delivery, Job, PROGRAM, PlayedRange, Provenance, RunState, STATE, Work, decode, encode,
    games_subject,
};
use hexzero::games::{Action, game_named};
use hexzero::network::kernels::{Kernel, Precision};
use hexzero::network::{Checkpoint, NetworkEvaluator};
use hexzero::selfplay::play_numbered;

use super::{Process, figures, play_locally, wait_for};
use crate::nats::Nats;
use crate::runs::assert_same_run;
use crate::tiny::folder_with_recipe;

pub(super) fn connect(nats: &Nats, name: &str) -> Broker {
    Broker::connect(&Access { address: nats.address(), ..Access::default() }, name).unwrap()
}

/// Takes a piece of work.
pub(super) fn take(broker: &Broker) -> (Delivery, Work) {
    let delivery = loop {
        if let Ok(Some(delivery)) = broker.next_work(Duration::from_secs(2)) {
            break delivery;
        }
    };
    let work = decode(delivery.payload()).unwrap();
    (delivery, work)
}

/// Takes a piece of work and plays it honestly.
fn play(broker: &Broker, worker: &str) -> (Delivery, Work, PlayedRange) {
    let (delivery, work) = take(broker);
    let range = play_for(broker, worker, &work, &work.job);
    (delivery, work, range)
}

/// Plays a piece of work honestly for a job.
pub(super) fn play_for(broker: &Broker, worker: &str, work: &Work, digest: &str) -> PlayedRange {
    let job: Job = decode(&broker.fetch(digest).unwrap().unwrap()).unwrap();
    let checkpoint = Checkpoint::from_bytes(&broker.fetch(&job.checkpoint).unwrap().unwrap(), "of a test").unwrap();
    let game = game_named(&job.game).unwrap();
    let mut evaluator = NetworkEvaluator::new(game, &checkpoint, "of a test", Precision::best()).unwrap();
    let never = AtomicBool::new(false);
    let games = (work.first..work.first + u64::from(work.games)).map(|number| {
        let stopped = || never.load(std::sync::atomic::Ordering::Relaxed);
        (number, play_numbered(game, &mut evaluator, &job.settings, (job.run_seed, number), stopped).unwrap())
    });
    let provenance = Provenance {
        worker: worker.to_owned(),
        evaluation: format!("{} {}", Kernel::best().name(), Precision::best().name()),
        seconds: 0.1,
        cache_hits: None,
    };
    PlayedRange { job: digest.to_owned(), provenance, games: games.collect() }
}

pub(super) fn send(broker: &Broker, worker: &str, id: &str, bytes: Vec<u8>) {
    broker.publish(&[(games_subject(worker), id.to_owned(), bytes)]).unwrap();
}

#[test]
fn frauds_are_refused_and_named_and_the_run_goes_on() {
    let Some(nats) = Nats::start() else { return };
    let folder = folder_with_recipe();
    let at = folder.path();
    play_locally(at, 12);
    let order = format!(
        "train --no-matches --recipe tiny.toml --run a --rate 0 --games 12 --verify 1 --lock-step --cluster {}",
        nats.address()
    );
    let mut coordinator = Process::start(at, "coordinator", &order);
    wait_for(&at.join("coordinator"), "run a: ");
    let broker = connect(&nats, "fraud");
    let complaints = at.join("coordinator.err");
    let refused =
        |worker: &str, why: &str| wait_for(&complaints, &format!("warning: worker {worker} is refused: {why}"));

    let (delivery, _, mut range) = play(&broker, "illegal");
    range.games[0].1.turns[0].action = Action(60_000);
    send(&broker, "illegal", "1", encode(&range).unwrap());
    delivery.acknowledge();
    refused("illegal", "game ");

    let (delivery, _, mut range) = play(&broker, "invented");
    let turn = range.games[0].1.turns.iter_mut().find(|turn| turn.search.is_some()).unwrap();
    let outcome = &mut turn.search.as_mut().unwrap().outcome;
    std::mem::swap(&mut outcome.win, &mut outcome.loss);
    send(&broker, "invented", "2", encode(&range).unwrap());
    delivery.acknowledge();
    refused("invented", "game ");

    let (delivery, _, range) = play(&broker, "flipped");
    let mut bytes = encode(&range).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    send(&broker, "flipped", "3", bytes);
    delivery.acknowledge();
    refused("flipped", "its message cannot be used: no message of hexzero, or damaged");

    let (delivery, _, range) = play(&broker, "masked");
    send(&broker, "somebody", "4", encode(&range).unwrap());
    refused("somebody", "it sends games under the name of masked");

    // Honest games, sent again and again under the same id and others: used once.
    let (again, honest) = (
        delivery,
        PlayedRange { provenance: Provenance { worker: "eager".to_owned(), ..range.provenance.clone() }, ..range },
    );
    let bytes = encode(&honest).unwrap();
    for id in ["5", "5", "6", "7"] {
        send(&broker, "eager", id, bytes.clone());
    }
    again.acknowledge();

    // More than a message may hold never reaches the coordinator.
    let huge = broker.publish(&[(games_subject("huge"), "8".to_owned(), vec![0; 3 << 20])]);
    assert!(huge.unwrap_err().to_string().contains("3145728 bytes are too many"));
    let large = broker.publish(&[(games_subject("large"), "9".to_owned(), vec![0; 950 * 1024])]);
    assert!(large.unwrap_err().to_string().contains("maximum"));

    let _honest = Process::worker(at, "honest", &nats.address());
    assert!(coordinator.wait().success());
    let said = std::fs::read_to_string(at.join("coordinator")).unwrap();
    let figure = figures(&said);
    assert_eq!((figure("used"), figure("messages")), (12, 4), "{said}");
    assert!(figure("doubled") + figure("stale") >= 2, "{said}");
    assert!(figure("played") >= 12, "{said}");
    assert_same_run(&at.join("local"), &at.join("a"));

    // Who was refused is told so.
    let mut banned = Process::worker(at, "illegal", &nats.address());
    assert_eq!(banned.wait().code(), Some(1));
    let complaint = std::fs::read_to_string(at.join("illegal.err")).unwrap();
    assert!(complaint.starts_with("error: the coordinator refuses this worker: game "), "{complaint}");
}

#[test]
fn a_worker_of_another_version_or_kernel_is_told() {
    let Some(nats) = Nats::start() else { return };
    let folder = folder_with_recipe();
    let at = folder.path();
    let broker = connect(&nats, "other");
    broker.lay_out(Duration::from_secs(1)).unwrap();
    let state = |evaluation: Option<&str>| {
        let evaluation = evaluation.map(str::to_owned);
        let (run, job) = ("a".to_owned(), Some("0123".to_owned()));
        encode(&RunState { run, job, evaluation, before: Vec::new(), continuous: false, dealt: 0 }).unwrap()
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
    let mut bytes = state(None);
    let theirs = "9.".repeat(PROGRAM.len())[..PROGRAM.len()].to_owned();
    bytes[9..9 + PROGRAM.len()].copy_from_slice(theirs.as_bytes());
    let sum = 9 + PROGRAM.len() + 5;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[..sum]);
    hasher.update(&bytes[sum + 4..]);
    bytes[sum..sum + 4].copy_from_slice(&hasher.finalize().to_le_bytes());
    broker.put(STATE, "current", &bytes).unwrap();
    let mut worker = Process::worker(at, "w", &nats.address());
    assert_eq!(worker.wait().code(), Some(1));
    let complaint = std::fs::read_to_string(at.join("w.err")).unwrap();
    let wanted =
        format!("error: the run is coordinated by hexzero {theirs}, and this worker is {PROGRAM}; install version");
    assert!(complaint.starts_with(&wanted), "{complaint}");
}
