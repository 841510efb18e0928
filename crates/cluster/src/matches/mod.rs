//! Matches of [`hexzero_arena`] on workers.
//!
//! | module | contents |
//! |---|---|
//! | `match_host` | [`BrokerHost`]: assigns the games of matches and gathers their results |
//! | here | [`MatchWorker`], the worker's part: plays match work |
//! | `cached_match` | a match with its players, ready to be played |

mod cached_match;
mod match_host;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::ClusterError;
use crate::broker::{Broker, Delivery};
use crate::wire::{FrameError, MATCHES, MatchWork, decode, encode, last_token, results_subject};
use hexzero_nn::Backend;
use hexzero_system::stop::StopSignal;

use cached_match::{CachedMatches, failed};

pub use match_host::BrokerHost;

/// Limit of the index of a game. Openings are drawn from the first game on, which takes time.
const MAX_GAMES: usize = 1_000_000;
/// Pause before asking a broker again that has no matches.
const RETRY_PAUSE: Duration = Duration::from_secs(3);
/// Delay of deferred work of another version, times its deliveries: deferred work is delivered
/// before new work, so a fixed delay would hold up everything else.
const OTHER_VERSION_DELAY: Duration = Duration::from_secs(10);
/// Most messages of other versions before the run has its turn.
const MAX_SKIPPED: usize = 32;
/// Interval of checks whether matches go on.
const CHECK_INTERVAL: Duration = Duration::from_secs(2);

/// Plays match work, for all threads of a worker.
pub struct MatchWorker<'a> {
    broker: &'a Broker,
    worker: &'a str,
    /// Earliest time to ask for match work.
    not_before: Mutex<Instant>,
    cached: CachedMatches,
    /// Work under way: name of the match, and its stop signal.
    under_way: Mutex<Vec<(String, StopSignal)>>,
    /// Stops all work.
    stop: StopSignal,
    checked: Mutex<Instant>,
    /// Messages of other versions since the run had its turn.
    skipped: AtomicUsize,
}

impl<'a> MatchWorker<'a> {
    /// Plays at `broker` as the worker named `worker`, and evaluates with `backend`, until `stop` is requested.
    pub fn new(broker: &'a Broker, worker: &'a str, backend: Backend, stop: StopSignal) -> Self {
        let now = || Mutex::new(Instant::now());
        let (under_way, skipped) = Default::default();
        let cached = CachedMatches::new(backend);
        Self { broker, worker, not_before: now(), cached, under_way, stop, checked: now(), skipped }
    }

    /// Stops work of matches that are over. Asks the broker every two seconds at most.
    pub fn stop_finished_matches(&self) {
        let mut checked = self.checked.lock();
        if checked.elapsed() < CHECK_INTERVAL {
            return;
        }
        *checked = Instant::now();
        let under_way = self.under_way.lock().clone();
        let mut active = BTreeMap::new();
        for (name, stop) in under_way {
            let is_active = *active.entry(name).or_insert_with_key(|name| match self.broker.get(MATCHES, name) {
                Ok(entry) => entry.is_some(),
                // Unknown while the broker does not answer.
                Err(_) => true,
            });
            if !is_active {
                stop.request();
            }
        }
    }

    /// Plays the next match work, if there is some, and returns the number of games.
    ///
    /// # Errors
    /// If this worker cannot go on.
    pub fn play_next(&self) -> Result<Option<u64>, ClusterError> {
        if *self.not_before.lock() > Instant::now() {
            return Ok(None);
        }
        if self.skipped.load(Ordering::Relaxed) >= MAX_SKIPPED {
            self.skipped.store(0, Ordering::Relaxed);
            return Ok(None);
        }
        match self
            .broker
            .next_match_work()
            .and_then(|delivery| delivery.map(|delivery| self.take(&delivery)).transpose())
        {
            // The broker is out of reach, or has no matches.
            Err(ClusterError::Broker { .. }) => {
                *self.not_before.lock() = Instant::now() + RETRY_PAUSE;
                Ok(None)
            }
            played => played,
        }
    }

    fn take(&self, delivery: &Delivery) -> Result<u64, ClusterError> {
        let _keep_alive = delivery.keep_alive();
        self.play(delivery).inspect_err(|_| delivery.give_back())
    }

    fn play(&self, delivery: &Delivery) -> Result<u64, ClusterError> {
        let name = last_token(delivery.subject()).to_owned();
        let work = match decode::<MatchWork>(delivery.payload()) {
            Ok(work) if work.fixtures.iter().all(|(_, fixture)| fixture.index <= MAX_GAMES) => work,
            // For workers of the host's version; this one plays for its run.
            Err(FrameError::OtherProgram(_)) => {
                delivery.defer(OTHER_VERSION_DELAY * delivery.deliveries().min(12));
                self.skipped.fetch_add(1, Ordering::Relaxed);
                return Ok(0);
            }
            _ => {
                delivery.reject();
                return Ok(0);
            }
        };
        // The host may have died without removing the work.
        let is_active = self.broker.get(MATCHES, &name)?.is_some();
        let cached = if is_active { self.cached.get(&|name: &str| self.broker.fetch(name), &work.job)? } else { None };
        let Some(cached) = cached else {
            // The match is over.
            delivery.reject();
            return Ok(0);
        };
        let stop = self.stop.child();
        self.under_way.lock().push((name.clone(), stop.clone()));
        let played = match &*cached {
            Ok(cached) => cached.play(&work, &stop),
            Err(problem) => failed(&work, problem.clone()),
        };
        self.under_way.lock().retain(|(_, other)| !other.is_same(&stop));
        if stop.is_requested() && played.failure.is_none() && played.games.len() < work.fixtures.len() {
            delivery.give_back();
            return Ok(0);
        }
        let games = played.games.len() as u64;
        let indices: Vec<String> = work.fixtures.iter().map(|(index, _)| index.to_string()).collect();
        let id = format!("{name}.{}.{}", delivery.sequence(), indices.join("."));
        self.broker.publish(&[(results_subject(&name, self.worker), id, encode(&played)?)])?;
        delivery.acknowledge();
        Ok(games)
    }
}
