//! Many workers of a cluster that sleep instead of computing, to measure how many games broker and coordinator can take.
//! `scale.py` starts it; by itself: `cargo bench --bench sleeping_workers -- ADDRESS WORKERS SECONDS`, where a game takes
//! SECONDS. It ends when its standard input closes.
//!
//! The games are real, played once at the beginning and sent repeatedly under the numbers that are dealt out. They differ when
//! played again, so the coordinator needs `--verify 0`; it still checks rules and settings.

use std::io::Read;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hexzero::cluster::{
    Access, Broker, Job, PlayedRange, Provenance, RunState, STATE, Work, WorkerKey, decode, encode, games_subject,
};
use hexzero::games::game_named;
use hexzero::network::kernels::{Kernel, Precision};
use hexzero::network::{Checkpoint, NetworkEvaluator};
use hexzero::replay::GameRecord;
use hexzero::selfplay::{GameId, play_numbered};
use hexzero::stop::StopSignal;

/// Number of real games, which are sent repeatedly.
const GAMES: u64 = 64;

struct Crew {
    access: Access,
    seconds: f64,
    games: Vec<GameRecord>,
    job: Mutex<String>,
    stop: StopSignal,
}

fn main() {
    // Cargo adds options of its own.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let [address, workers, seconds] = &words[..] else {
        println!("sleeping_workers: give ADDRESS WORKERS SECONDS; skipped");
        return;
    };
    let access = Access { address: address.clone(), ..Access::default() };
    let broker = Broker::connect(&access, "watch").expect("a broker");
    let job = present_job(&broker);
    let crew = Arc::new(Crew {
        access,
        seconds: seconds.parse().expect("seconds of a game"),
        games: play(&broker, &job),
        job: Mutex::new(job),
        stop: StopSignal::new(),
    });
    let threads: Vec<_> = (0..workers.parse().expect("a number of workers"))
        .map(|number: usize| {
            let crew = crew.clone();
            std::thread::Builder::new()
                .stack_size(1 << 18)
                .spawn(move || work(&crew, &format!("sleeper-{number}")))
                .unwrap()
        })
        .collect();
    let watched = crew.clone();
    std::thread::spawn(move || {
        while !watched.stop.sleep(Duration::from_millis(200)) {
            *watched.job.lock().unwrap() = present_job(&broker);
        }
    });
    println!("ready");
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
    crew.stop.request();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

/// Waits for the present job and returns its digest.
fn present_job(broker: &Broker) -> String {
    loop {
        let bytes = broker.get(STATE, "current").ok().flatten();
        if let Some(job) = bytes.and_then(|(bytes, _)| decode::<RunState>(&bytes).ok()?.job) {
            return job;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}

fn play(broker: &Broker, job: &str) -> Vec<GameRecord> {
    let job = decode::<Job>(&broker.fetch(job).unwrap().unwrap()).unwrap().unpacked();
    let checkpoint = Checkpoint::from_bytes(&broker.fetch(&job.checkpoint).unwrap().unwrap(), "of the run").unwrap();
    let game = game_named(&job.game).unwrap();
    let mut evaluator = NetworkEvaluator::new(game, &checkpoint, "of the run", Precision::best()).unwrap();
    let never = StopSignal::new();
    let played = (0..GAMES)
        .map(|number| play_numbered(game, &mut evaluator, &job.settings, GameId { run_seed: 7, number }, &never));
    played.map(Option::unwrap).collect()
}

/// Takes ranges of games, sleeps as long as they take, and sends games.
fn work(crew: &Crew, name: &str) {
    let broker = Broker::connect(&crew.access, name).expect("a broker");
    let evaluation = format!("{} {}", Kernel::best().name(), Precision::best().name());
    let key = WorkerKey::new();
    while !crew.stop.is_requested() {
        let Ok(Some(delivery)) = broker.next_work(Duration::from_secs(2)) else { continue };
        let Ok(work) = decode::<Work>(delivery.payload()) else { continue };
        std::thread::sleep(Duration::from_secs_f64(crew.seconds * f64::from(work.games)));
        let numbers = work.first..work.first + u64::from(work.games);
        let games = numbers.map(|number| (number, crew.games[(number % GAMES) as usize].clone())).collect();
        let provenance = Provenance {
            worker: name.to_owned(),
            evaluation: evaluation.clone(),
            seconds: crew.seconds * f64::from(work.games),
            cache_hits: None,
        };
        let range = PlayedRange { job: crew.job.lock().unwrap().clone(), provenance, games };
        let sealed = key.seal(&games_subject(name), encode(&range).unwrap());
        let message = (games_subject(name), format!("{}.{}", work.deal, work.first), sealed);
        while broker.publish(std::slice::from_ref(&message)).is_err() && !crew.stop.is_requested() {}
        delivery.acknowledge();
    }
}
