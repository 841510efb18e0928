//! Plays what is dealt out.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::network::{Computing, NetworkEvaluator, Precision};
use crate::replay::GameRecord;
use crate::selfplay::play_numbered;
use crate::threads;

use super::broker::{Broker, LARGEST_MESSAGE};
use super::delivery::Delivery;
use super::error::ClusterError;
use super::frame::{FrameProblem, PROGRAM, decode, encode};
use super::host::host_name;
use super::loaded::{Loaded, misread};
use super::match_desk::MatchDesk;
use super::messages::{Job, MOST_GAMES_IN_RANGE, PlayedRange, Provenance, RunState, Work, digest, evaluation_name};
use super::mirror::Mirror;
use super::names::{CURRENT, STATE, WORKERS, games_subject, refused_key};
use super::refusals::refusal;
use super::status::WorkerStatus;

/// How long to wait for work before asking again.
const WAIT: Duration = Duration::from_secs(2);
/// How often to look at what the coordinator says.
const GLANCE: Duration = Duration::from_millis(100);
/// How often to report.
const REPORT: Duration = Duration::from_secs(3);
/// The time over which games a second are counted.
const OF_LATE: Duration = Duration::from_secs(60);
/// Between two attempts to find a run.
const PAUSE: Duration = Duration::from_millis(500);

/// How a worker works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerSettings {
    /// Its name (see [`super::worker_name`]).
    pub name: String,
    /// Games that it plays at once.
    pub threads: usize,
}

/// What a worker tells.
#[derive(Debug, Clone, PartialEq)]
pub enum WorkerNews {
    /// The broker knows of no run yet; with what it says.
    Waiting(String),
    /// It plays for this run, or none.
    Run(Option<String>),
    /// It has finished games.
    Progress(WorkerStatus),
}

/// Games with their numbers.
type NumberedGames = Vec<(u64, GameRecord)>;

/// A thread's evaluator, and the job that it is for. To make one costs as much as some moves of a small game.
type Ready = Option<(String, NetworkEvaluator)>;

struct Worker<'a> {
    broker: &'a Broker,
    settings: &'a WorkerSettings,
    state: Mirror,
    /// The user's wish, or that of a thread that failed.
    stop: AtomicBool,
    /// Jobs that are ready; the latest last.
    loaded: Mutex<Vec<Arc<Loaded>>>,
    matches: MatchDesk<'a>,
    games: AtomicU64,
    failed: Mutex<Option<ClusterError>>,
}

/// Works until `stop` is set; the number of games that it has sent.
///
/// # Errors
/// If this program cannot play for the run, or the coordinator or the broker refuses it.
pub fn work(
    broker: &Broker,
    settings: &WorkerSettings,
    stop: &AtomicBool,
    tell: &(dyn Fn(&WorkerNews) + Sync),
) -> Result<u64, ClusterError> {
    let worker = Worker {
        broker,
        settings,
        state: broker.mirror(STATE),
        stop: AtomicBool::new(false),
        loaded: Mutex::new(Vec::new()),
        matches: MatchDesk::new(broker, &settings.name),
        games: AtomicU64::new(0),
        failed: Mutex::new(None),
    };
    worker.greet(stop, tell)?;
    std::thread::scope(|scope| {
        for _ in 0..settings.threads {
            let started = threads::spawn_scoped(scope, || worker.end(worker.play_on()));
            worker.end(started.map(drop).map_err(ClusterError::Threads));
        }
        let ended = worker.look_around(stop, tell);
        worker.end(ended);
        worker.stop.store(true, Ordering::Relaxed);
    });
    broker.flush();
    match worker.failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(worker.games.into_inner()),
    }
}

impl Worker<'_> {
    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Stops all threads if one has failed.
    fn end(&self, ended: Result<(), ClusterError>) {
        if let Err(error) = ended {
            self.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Waits for the broker to know of a run: the first coordinator makes what is needed there.
    fn greet(&self, stop: &AtomicBool, tell: &(dyn Fn(&WorkerNews) + Sync)) -> Result<(), ClusterError> {
        let mut told = false;
        while !stop.load(Ordering::Relaxed) {
            match self.broker.get(STATE, CURRENT) {
                Ok(_) => break,
                Err(ClusterError::Broker { problem, .. }) => {
                    if !std::mem::replace(&mut told, true) {
                        tell(&WorkerNews::Waiting(problem));
                    }
                    std::thread::sleep(PAUSE);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Reports, and heeds what the coordinator says, until `stop`.
    fn look_around(&self, stop: &AtomicBool, tell: &(dyn Fn(&WorkerNews) + Sync)) -> Result<(), ClusterError> {
        let mut finished = VecDeque::from([(Instant::now(), 0)]);
        let (mut reported, mut run) = (None::<Instant>, None);
        while !stop.load(Ordering::Relaxed) && !self.stopped() {
            self.matches.look_around(false);
            let state = self.run_state()?;
            // A thread that loads a job may take long; the report must not wait for it.
            if let Ok(mut loaded) = self.loaded.try_lock() {
                loaded.retain(|loaded| {
                    loaded.compare(state.as_ref());
                    // What is past is loaded anew if it is wanted after all.
                    !loaded.past.load(Ordering::Relaxed)
                });
            }
            let named = state.and_then(|state| state.job.map(|_| state.run));
            if named != run {
                tell(&WorkerNews::Run(named.clone()));
                run = named;
            }
            if reported.is_none_or(|before| before.elapsed() >= REPORT) {
                let games = self.games.load(Ordering::Relaxed);
                finished.push_back((Instant::now(), games));
                while finished.len() > 2 && finished[0].0.elapsed() > OF_LATE {
                    finished.pop_front();
                }
                let (since, before) = finished[0];
                let status = WorkerStatus {
                    name: self.settings.name.clone(),
                    host: host_name(),
                    version: PROGRAM.to_owned(),
                    evaluation: evaluation_name(),
                    threads: self.settings.threads,
                    games,
                    games_per_second: (games - before) as f64 / since.elapsed().as_secs_f64().max(1.0),
                    playing: run.is_some(),
                };
                let bytes = serde_json::to_vec(&status).expect("texts and numbers are JSON");
                match self.broker.put(WORKERS, &self.settings.name, &bytes) {
                    Ok(()) | Err(ClusterError::Broker { .. }) => {}
                    Err(error) => return Err(error),
                }
                tell(&WorkerNews::Progress(status));
                reported = Some(Instant::now());
            }
            std::thread::sleep(GLANCE);
        }
        self.stop.store(true, Ordering::Relaxed);
        self.matches.look_around(true);
        // It is forgotten anyway.
        let _ = self.broker.remove(WORKERS, &self.settings.name);
        Ok(())
    }

    /// What the coordinator says of the run, if it has something to say that this program can do.
    fn run_state(&self) -> Result<Option<RunState>, ClusterError> {
        if let Some(reason) = self.state.get(&refused_key(&self.settings.name)).and_then(|bytes| refusal(&bytes)) {
            return Err(ClusterError::Refused(reason));
        }
        let Some(bytes) = self.state.get(CURRENT) else { return Ok(None) };
        let state: RunState = decode(&bytes).map_err(misread)?;
        match &state.evaluation {
            Some(wanted) if *wanted != evaluation_name() => {
                Err(ClusterError::OtherEvaluation { wanted: wanted.clone(), own: evaluation_name() })
            }
            _ => Ok(Some(state)),
        }
    }

    /// Plays what is dealt out, one range after the other.
    fn play_on(&self) -> Result<(), ClusterError> {
        let mut ready = None;
        while !self.stopped() {
            // Somebody waits for a match, so it goes first.
            if let Some(games) = self.matches.play_piece()? {
                self.games.fetch_add(games, Ordering::Relaxed);
                continue;
            }
            let delivery = match self.broker.next_work(WAIT) {
                Ok(Some(delivery)) => delivery,
                Ok(None) => continue,
                Err(ClusterError::Broker { .. }) => {
                    std::thread::sleep(GLANCE);
                    continue;
                }
                Err(error) => return Err(error),
            };
            let _keeping = delivery.keep();
            let ended = self.play_range(&delivery, &mut ready);
            if ended.is_err() {
                delivery.give_back();
            }
            ended?;
        }
        Ok(())
    }

    fn play_range(&self, delivery: &Delivery, ready: &mut Ready) -> Result<(), ClusterError> {
        let work: Work = match decode(delivery.payload()) {
            Ok(work) => work,
            // What is damaged is dealt out again.
            Err(FrameProblem::Damaged(_)) => {
                delivery.reject();
                return Ok(());
            }
            Err(problem) => return Err(misread(problem)),
        };
        let mut numbers = work.first..work.first.saturating_add(u64::from(work.games.min(MOST_GAMES_IN_RANGE)));
        // In parts, as the run's job may change between two games.
        while !numbers.is_empty() {
            let job = self.present_job()?.unwrap_or_else(|| work.job.clone());
            let found = self.broker.persist(&self.stop, || self.load(&job))?;
            let Some(found) = found else {
                delivery.give_back();
                return Ok(());
            };
            let Some(loaded) = found else {
                // The job is past, and its files are gone.
                delivery.reject();
                return Ok(());
            };
            let Some((games, provenance)) = self.play_for(&loaded, ready, numbers.clone())? else {
                if self.stopped() {
                    delivery.give_back();
                    return Ok(());
                }
                if self.present_job()?.is_none_or(|present| present == job) {
                    delivery.reject();
                    return Ok(());
                }
                continue;
            };
            let played = games.len() as u64;
            numbers.start += played;
            let messages = packed(&PlayedRange { job, provenance, games })?;
            let subject = games_subject(&self.settings.name);
            let messages: Vec<_> = messages.into_iter().map(|(id, bytes)| (subject.clone(), id, bytes)).collect();
            if self.broker.persist(&self.stop, || self.broker.publish(&messages))?.is_none() {
                delivery.give_back();
                return Ok(());
            }
            self.games.fetch_add(played, Ordering::Relaxed);
        }
        delivery.acknowledge();
        Ok(())
    }

    /// The job that every game is played for at present, if the run does not deal each out for a job of its own.
    fn present_job(&self) -> Result<Option<String>, ClusterError> {
        Ok(self.run_state()?.filter(|state| state.continuous).and_then(|state| state.job))
    }

    /// Plays games until the numbers are through, or another job is to be played for. None if they are not wanted any more.
    fn play_for(
        &self,
        loaded: &Loaded,
        ready: &mut Ready,
        numbers: Range<u64>,
    ) -> Result<Option<(NumberedGames, Provenance)>, ClusterError> {
        let (_, evaluator) = match ready {
            Some(ready) if ready.0 == loaded.digest => ready,
            other => other.insert((loaded.digest.clone(), loaded.evaluator.clone())),
        };
        let began = Instant::now();
        let stopped = || self.stopped() || loaded.past.load(Ordering::Relaxed);
        let mut games = Vec::new();
        for number in numbers {
            let Job { settings, run_seed, .. } = &loaded.job;
            let record = play_numbered(loaded.game, evaluator, settings, (*run_seed, number), stopped);
            let Some(record) = record else { return Ok(None) };
            games.push((number, record));
            if self.present_job()?.is_some_and(|job| job != loaded.digest) {
                break;
            }
        }
        // A card that fails leaves the rest to the kernels.
        let has_failed = Computing::card().is_some() && evaluator.card_use().is_none();
        let evaluation = if has_failed { Computing::from(Precision::F32).to_string() } else { evaluation_name() };
        let provenance = Provenance {
            worker: self.settings.name.clone(),
            evaluation,
            seconds: began.elapsed().as_secs_f64(),
            cache_hits: evaluator.cache_use().map(|usage| usage.hit_rate()),
        };
        Ok(Some((games, provenance)))
    }

    /// A job, ready to be played; none if the broker does not know it any more.
    fn load(&self, digest_of_job: &str) -> Result<Option<Arc<Loaded>>, ClusterError> {
        // Held all the time, so that one thread loads for all.
        let mut present = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(loaded) = present.iter().find(|loaded| loaded.digest == digest_of_job) {
            return Ok(Some(loaded.clone()));
        }
        let Some(loaded) = Loaded::fetch(self.broker, digest_of_job)? else { return Ok(None) };
        let loaded = Arc::new(loaded);
        // Who still plays one before is to stop, unless those games are taken.
        let state = self.run_state()?;
        present.retain(|before| {
            let taken = state.as_ref().is_some_and(|state| state.continuous && state.takes(&before.digest));
            before.past.fetch_or(!taken, Ordering::Relaxed);
            taken
        });
        present.push(loaded.clone());
        Ok(Some(loaded))
    }
}

/// Games as messages with their ids, in as many parts as the size of a message demands.
///
/// The ids are digests, so the broker drops repeated messages, and no sender can block another's games with a guessed id.
fn packed(range: &PlayedRange) -> Result<Vec<(String, Vec<u8>)>, ClusterError> {
    let bytes = match encode(range) {
        Ok(bytes) if bytes.len() <= LARGEST_MESSAGE - 1024 => return Ok(vec![(digest(&bytes), bytes)]),
        Ok(bytes) => bytes.len(),
        Err(FrameProblem::TooLarge(bytes)) => bytes,
        Err(problem) => return Err(problem.into()),
    };
    if range.games.len() < 2 {
        return Err(FrameProblem::TooLarge(bytes).into());
    }
    let (first, second): (&[(u64, GameRecord)], _) = range.games.split_at(range.games.len() / 2);
    let part = |games: &[(u64, GameRecord)]| packed(&PlayedRange { games: games.to_vec(), ..range.clone() });
    Ok([part(first)?, part(second)?].concat())
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};

    use super::*;
    use crate::games::{Action, EndReason, Outcome};
    use crate::replay::TurnRecord;

    #[test]
    fn what_is_too_large_goes_in_parts() {
        let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
        let games = (7..12).map(|number| {
            // Nothing that can be compressed.
            let turns = (0..150_000).map(|_| TurnRecord { action: Action(rng.random()), search: None }).collect();
            let outcome = Outcome { winner: None, reason: EndReason(0) };
            (number, GameRecord { size: 19, turns, outcome, evaluations: 0, played_out: true })
        });
        let provenance =
            Provenance { worker: "w".to_owned(), evaluation: "f32".to_owned(), seconds: 0.0, cache_hits: None };
        let mut range = PlayedRange { job: "j".to_owned(), provenance, games: games.collect() };
        let parts = packed(&range).unwrap();
        assert!(parts.iter().all(|(id, bytes)| bytes.len() <= LARGEST_MESSAGE && *id == digest(bytes)));
        let games: Vec<_> = parts.iter().map(|(_, bytes)| decode::<PlayedRange>(bytes).unwrap().games).collect();
        assert_eq!(games.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1, 2]);
        assert!(games.concat() == range.games);

        let long: Vec<TurnRecord> = range.games.iter().flat_map(|(_, game)| game.turns.clone()).collect();
        range.games.truncate(1);
        range.games[0].1.turns = long;
        assert!(matches!(packed(&range), Err(ClusterError::Frame(FrameProblem::TooLarge(_)))));
    }
}
