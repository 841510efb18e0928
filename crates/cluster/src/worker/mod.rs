//! Worker: threads that play, and one that reports and follows the run's state; `cached_job` has jobs and networks.

mod cached_job;

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use hexzero_nn::{Backend, NetworkEvaluator, Precision};
use hexzero_selfplay::shards::GameRecord;
use hexzero_selfplay::{GameId, play_numbered};
use hexzero_system::stop::StopSignal;
use hexzero_system::threads;

use crate::ClusterError;
use crate::broker::{Broker, Delivery, FollowedBucket, MAX_MESSAGE};
use crate::matches::MatchWorker;
use crate::wire::{
    BannedWorker, CURRENT_KEY, FrameError, Job, MAX_GAMES_IN_RANGE, PROGRAM_VERSION, PlayedRange, Provenance, RunState,
    STATE, WORKERS, Work, WorkerKey, WorkerStatus, ban_key, decode, digest, encode, games_subject, host_name,
};

use cached_job::CachedJob;

/// Timeout of a request for work.
const WORK_TIMEOUT: Duration = Duration::from_secs(2);
/// Interval of checks of the run's state.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// Interval of reports.
const REPORT_INTERVAL: Duration = Duration::from_secs(3);
/// Time over which games a second are averaged.
const RATE_WINDOW: Duration = Duration::from_secs(60);
/// Time after which a worker ends if it cannot use the run's state. The coordinator replaces a
/// foreign state sooner than that.
const STATE_PATIENCE: Duration = Duration::from_secs(8);
/// Pause before looking for a run again.
const RUN_RETRY_PAUSE: Duration = Duration::from_millis(500);

/// Settings of a worker.
#[derive(Debug, Clone)]
pub struct WorkerSettings {
    /// Name, as made by [`crate::worker_name`].
    pub name: String,
    /// Games that the worker plays at once.
    pub threads: usize,
    /// Backend that evaluates.
    pub backend: Backend,
}

/// Progress of a worker.
#[derive(Debug, Clone, PartialEq)]
pub enum WorkerNews {
    /// No run has used the broker yet; with the broker's error.
    Waiting(String),
    /// The run to play for has changed; `None` if no games are wanted.
    Run(Option<String>),
    /// A report to the broker.
    Progress(WorkerStatus),
}

/// Games with their numbers.
type NumberedGames = Vec<(u64, GameRecord)>;

/// Evaluator of a thread, with the digest of its job. Making one costs as much as some moves of a small game.
type ThreadEvaluator = Option<(String, NetworkEvaluator)>;

struct Worker<'a> {
    broker: &'a Broker,
    settings: &'a WorkerSettings,
    key: WorkerKey,
    state: FollowedBucket,
    /// Latest state that the worker could play for, and since when there has been one that it cannot
    /// play for.
    usable: Mutex<(Option<RunState>, Option<Instant>)>,
    /// Requested by the user, or by a thread that failed.
    stop: StopSignal,
    /// Cached jobs, latest last.
    cached_jobs: Mutex<Vec<Arc<CachedJob>>>,
    matches: MatchWorker<'a>,
    games: AtomicU64,
    failed: Mutex<Option<ClusterError>>,
}

/// Plays for the runs and matches at `broker` until `stop` is requested. Returns the number of games sent.
///
/// # Errors
/// If this program cannot play for the run, or the coordinator or the broker refuses it.
pub fn work(
    broker: &Broker,
    settings: &WorkerSettings,
    stop: &StopSignal,
    on_news: &(dyn Fn(&WorkerNews) + Sync),
) -> Result<u64, ClusterError> {
    let stop = stop.child();
    let worker = Worker {
        broker,
        settings,
        key: WorkerKey::new(),
        state: broker.follow(STATE),
        usable: Mutex::default(),
        cached_jobs: Mutex::new(Vec::new()),
        matches: MatchWorker::new(broker, &settings.name, settings.backend.clone(), stop.clone()),
        stop,
        games: AtomicU64::new(0),
        failed: Mutex::new(None),
    };
    worker.wait_for_run(on_news)?;
    std::thread::scope(|scope| {
        for _ in 0..settings.threads {
            let started = threads::spawn_scoped(scope, || worker.end(worker.play()));
            worker.end(started.map(drop).map_err(ClusterError::Threads));
        }
        worker.end(worker.supervise(on_news));
    });
    broker.flush();
    match worker.failed.into_inner() {
        Some(error) => Err(error),
        None => Ok(worker.games.into_inner()),
    }
}

impl Worker<'_> {
    /// Returns the kernel and precision of this process. Equal names give bit for bit equal games.
    fn evaluation(&self) -> String {
        self.settings.backend.to_string()
    }

    /// Stops all threads if `ended` is an error.
    fn end(&self, ended: Result<(), ClusterError>) {
        if let Err(error) = ended {
            self.failed.lock().get_or_insert(error);
            self.stop.request();
        }
    }

    /// Waits until a coordinator has set up the broker.
    fn wait_for_run(&self, on_news: &(dyn Fn(&WorkerNews) + Sync)) -> Result<(), ClusterError> {
        let mut told = false;
        while !self.stop.is_requested() {
            match self.broker.get(STATE, CURRENT_KEY) {
                Ok(_) => break,
                Err(ClusterError::Broker { problem, .. }) => {
                    if !std::mem::replace(&mut told, true) {
                        on_news(&WorkerNews::Waiting(problem));
                    }
                    self.stop.sleep(RUN_RETRY_PAUSE);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Reports, and follows the run's state, until the worker is to stop.
    fn supervise(&self, on_news: &(dyn Fn(&WorkerNews) + Sync)) -> Result<(), ClusterError> {
        let mut finished = VecDeque::from([(Instant::now(), 0)]);
        let (mut reported, mut run) = (None::<Instant>, None);
        while !self.stop.is_requested() {
            self.matches.stop_finished_matches();
            let state = self.run_state()?;
            // A thread may hold the lock for long while it fetches a job; reports must not wait for it.
            if let Some(mut cached) = self.cached_jobs.try_lock() {
                cached.retain(|cached| {
                    cached.compare(state.as_ref());
                    // If a stopped job is wanted after all, it is fetched again.
                    !cached.stop.is_requested()
                });
            }
            let named = state.and_then(|state| state.job.map(|_| state.run));
            if named != run {
                on_news(&WorkerNews::Run(named.clone()));
                run = named;
            }
            if reported.is_none_or(|before| before.elapsed() >= REPORT_INTERVAL) {
                let status = self.report(&mut finished, run.is_some())?;
                on_news(&WorkerNews::Progress(status));
                reported = Some(Instant::now());
            }
            self.stop.sleep(POLL_INTERVAL);
        }
        // If this fails, the report expires.
        let _ = self.broker.remove(WORKERS, &self.settings.name);
        Ok(())
    }

    /// Publishes the worker's status. `finished` holds the counts of games of late, with their times.
    fn report(&self, finished: &mut VecDeque<(Instant, u64)>, playing: bool) -> Result<WorkerStatus, ClusterError> {
        let games = self.games.load(Ordering::Relaxed);
        finished.push_back((Instant::now(), games));
        while finished.len() > 2 && finished[0].0.elapsed() > RATE_WINDOW {
            finished.pop_front();
        }
        let (since, before) = finished[0];
        let status = WorkerStatus {
            name: self.settings.name.clone(),
            host: host_name(),
            version: PROGRAM_VERSION.to_owned(),
            evaluation: self.evaluation(),
            threads: self.settings.threads,
            games,
            games_per_second: (games - before) as f64 / since.elapsed().as_secs_f64().max(1.0),
            playing,
        };
        let bytes = serde_json::to_vec(&status).expect("texts and numbers are JSON");
        match self.broker.put(WORKERS, &self.settings.name, &bytes) {
            Ok(()) | Err(ClusterError::Broker { .. }) => Ok(status),
            Err(error) => Err(error),
        }
    }

    /// Returns the state of the run, if there is one. Returns the previous state instead if the
    /// present one cannot be read or, for a while, if this worker cannot play for it.
    ///
    /// # Errors
    /// If this worker is banned, or cannot play for the run.
    fn run_state(&self) -> Result<Option<RunState>, ClusterError> {
        let refused = self.state.get(&ban_key(&self.settings.name));
        let refused = refused.and_then(|bytes| BannedWorker::from_bytes(&bytes)).filter(|entry| !entry.unbanned);
        if let Some(entry) = refused.filter(|entry| entry.keys.contains(&self.key.public())) {
            return Err(ClusterError::Refused(entry.reason));
        }
        let Some(bytes) = self.state.get(CURRENT_KEY) else { return Ok(None) };
        let mut usable = self.usable.lock();
        let problem = match decode::<RunState>(&bytes) {
            Err(FrameError::OtherProgram(theirs)) => ClusterError::OtherVersion(theirs),
            // Junk: no coordinator wrote it.
            Err(_) => return Ok(usable.0.clone()),
            Ok(state) => match &state.evaluation {
                Some(wanted) if *wanted != self.evaluation() => {
                    ClusterError::OtherEvaluation { wanted: wanted.clone(), own: self.evaluation() }
                }
                _ => {
                    *usable = (Some(state), None);
                    return Ok(usable.0.clone());
                }
            },
        };
        match usable.1.get_or_insert_with(Instant::now).elapsed() > STATE_PATIENCE {
            true => Err(problem),
            false => Ok(usable.0.clone()),
        }
    }

    /// Plays assigned games on this thread, until the worker stops.
    fn play(&self) -> Result<(), ClusterError> {
        let mut evaluator = None;
        while !self.stop.is_requested() {
            // Matches go first: a person is waiting for them.
            if let Some(games) = self.matches.play_next()? {
                self.games.fetch_add(games, Ordering::Relaxed);
                continue;
            }
            let delivery = match self.broker.next_work(WORK_TIMEOUT) {
                Ok(Some(delivery)) => delivery,
                Ok(None) => continue,
                Err(ClusterError::Broker { .. }) => {
                    self.stop.sleep(POLL_INTERVAL);
                    continue;
                }
                Err(error) => return Err(error),
            };
            let _keep_alive = delivery.keep_alive();
            let answer = self.play_range(delivery.payload(), &mut evaluator).inspect_err(|_| delivery.give_back())?;
            answer(&delivery);
        }
        Ok(())
    }

    /// Plays assigned games. Returns what is to be done with their message.
    fn play_range(&self, work: &[u8], evaluator: &mut ThreadEvaluator) -> Result<fn(&Delivery), ClusterError> {
        // The coordinator reassigns damaged work. If it is of another version, its state says so too.
        let Ok(work) = decode::<Work>(work) else { return Ok(Delivery::reject) };
        let mut numbers = work.first..work.first.saturating_add(u64::from(work.games.min(MAX_GAMES_IN_RANGE)));
        // In parts, as the present job may change between two games.
        while !numbers.is_empty() {
            let job = self.present_job()?.unwrap_or_else(|| work.job.clone());
            let found = match self.broker.retry_until(&self.stop, || self.cached_job(&job)) {
                Err(error) if !self.must_end(&error, &job)? => return Ok(Delivery::reject),
                found => found?,
            };
            let Some(found) = found else { return Ok(Delivery::give_back) };
            // A job without files is outdated.
            let Some(cached) = found else { return Ok(Delivery::reject) };
            let Some((games, provenance)) = self.play_job(&cached, evaluator, numbers.clone())? else {
                if self.stop.is_requested() {
                    return Ok(Delivery::give_back);
                }
                if self.present_job()?.is_none_or(|present| present == job) {
                    return Ok(Delivery::reject);
                }
                continue;
            };
            let played = games.len() as u64;
            numbers.start += played;
            let subject = games_subject(&self.settings.name);
            let messages = split_to_fit(&PlayedRange { job, provenance, games })?.into_iter().map(|bytes| {
                let sealed = self.key.seal(&subject, bytes);
                // The ids are digests, so the broker drops repeated messages, and no sender can block another's games with a
                // guessed id.
                (subject.clone(), digest(&sealed), sealed)
            });
            let messages: Vec<_> = messages.collect();
            if self.broker.retry_until(&self.stop, || self.broker.publish(&messages))?.is_none() {
                return Ok(Delivery::give_back);
            }
            self.games.fetch_add(played, Ordering::Relaxed);
        }
        Ok(Delivery::acknowledge)
    }

    /// Returns true if this worker cannot go on after an error with the work of `job`: forged work may be unplayable.
    fn must_end(&self, error: &ClusterError, job: &str) -> Result<bool, ClusterError> {
        let is_of_run = self.run_state()?.is_some_and(|state| state.accepts(job));
        Ok(is_of_run || matches!(error, ClusterError::Forbidden(_)))
    }

    /// Returns the present job, if the run is continuous: every game is then played for it,
    /// whichever job it was assigned for.
    fn present_job(&self) -> Result<Option<String>, ClusterError> {
        Ok(self.run_state()?.filter(|state| state.continuous).and_then(|state| state.job))
    }

    /// Plays the games of a job until all are played, or the present job changes. Returns `None` if games of the job are not
    /// wanted any more.
    fn play_job(
        &self,
        cached: &CachedJob,
        evaluator: &mut ThreadEvaluator,
        numbers: Range<u64>,
    ) -> Result<Option<(NumberedGames, Provenance)>, ClusterError> {
        let (_, evaluator) = match evaluator {
            Some(evaluator) if evaluator.0 == cached.digest => evaluator,
            other => other.insert((cached.digest.clone(), cached.evaluator.clone())),
        };
        let began = Instant::now();
        let mut games = Vec::new();
        for number in numbers {
            let Job { settings, run_seed, .. } = &cached.job;
            let record =
                play_numbered(cached.game, evaluator, settings, GameId { run_seed: *run_seed, number }, &cached.stop);
            let Some(record) = record else { return Ok(None) };
            games.push((number, record));
            if self.present_job()?.is_some_and(|job| job != cached.digest) {
                break;
            }
        }
        // After the failure of a device, kernels go on in its place.
        let has_failed = self.settings.backend.device_batch().is_some() && evaluator.device_stats().is_none();
        let evaluation = if has_failed { Backend::from(Precision::F32).to_string() } else { self.evaluation() };
        let provenance = Provenance {
            worker: self.settings.name.clone(),
            evaluation,
            seconds: began.elapsed().as_secs_f64(),
            cache_hits: evaluator.cache_use().map(|usage| usage.hit_rate()),
        };
        Ok(Some((games, provenance)))
    }

    /// Returns the job with this digest, or `None` if the broker does not have it any more.
    fn cached_job(&self, digest: &str) -> Result<Option<Arc<CachedJob>>, ClusterError> {
        // Locked during the fetch, so that one thread fetches for all.
        let mut cached_jobs = self.cached_jobs.lock();
        if let Some(cached) = cached_jobs.iter().find(|cached| cached.digest == digest) {
            return Ok(Some(cached.clone()));
        }
        let Some(cached) = CachedJob::fetch(self.broker, digest, &self.settings.backend, &self.stop)? else {
            return Ok(None);
        };
        let cached = Arc::new(cached);
        // Stop threads that play an earlier job, unless its games are still accepted.
        let state = self.run_state()?;
        cached_jobs.retain(|earlier| {
            let accepted = state.as_ref().is_some_and(|state| state.continuous && state.accepts(&earlier.digest));
            if !accepted {
                earlier.stop.request();
            }
            accepted
        });
        cached_jobs.push(cached.clone());
        Ok(Some(cached))
    }
}

/// Packs games into messages that are not too large, with room for signatures.
fn split_to_fit(range: &PlayedRange) -> Result<Vec<Vec<u8>>, ClusterError> {
    let bytes = match encode(range) {
        Ok(bytes) if bytes.len() <= MAX_MESSAGE - 1024 => return Ok(vec![bytes]),
        Ok(bytes) => bytes.len(),
        Err(FrameError::TooLarge(bytes)) => bytes,
        Err(problem) => return Err(problem.into()),
    };
    if range.games.len() < 2 {
        return Err(FrameError::TooLarge(bytes).into());
    }
    let (first, second): (&[(u64, GameRecord)], _) = range.games.split_at(range.games.len() / 2);
    let part = |games: &[(u64, GameRecord)]| split_to_fit(&PlayedRange { games: games.to_vec(), ..range.clone() });
    Ok([part(first)?, part(second)?].concat())
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};

    use super::*;
    use crate::tests::provenance;
    use hexzero_games::{Action, EndReason, Outcome};
    use hexzero_selfplay::shards::{GameStart, TurnRecord};

    #[test]
    fn large_ranges_are_split() {
        let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
        let games = (7..12).map(|number| {
            // Random actions cannot be compressed.
            let turns = (0..150_000).map(|_| TurnRecord { action: Action(rng.random()), search: None }).collect();
            let outcome = Outcome { winner: None, reason: EndReason(0) };
            let start = GameStart::Random;
            (number, GameRecord { size: 19, turns, outcome, evaluations: 0, played_out: true, start })
        });
        let mut range = PlayedRange { job: "j".to_owned(), provenance: provenance(), games: games.collect() };
        let parts = split_to_fit(&range).unwrap();
        assert!(parts.iter().all(|bytes| bytes.len() <= MAX_MESSAGE));
        let games: Vec<_> = parts.iter().map(|bytes| decode::<PlayedRange>(bytes).unwrap().games).collect();
        assert_eq!(games.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1, 2]);
        assert!(games.concat() == range.games);

        let long: Vec<TurnRecord> = range.games.iter().flat_map(|(_, game)| game.turns.clone()).collect();
        range.games.truncate(1);
        range.games[0].1.turns = long;
        assert!(matches!(split_to_fit(&range), Err(ClusterError::Frame(FrameError::TooLarge(_)))));
    }
}
