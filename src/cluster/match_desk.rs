//! A worker's part in matches.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::broker::Broker;
use super::delivery::Delivery;
use super::error::ClusterError;
use super::frame::{FrameProblem, decode, encode};
use super::loaded_match::{LoadedMatches, failed};
use super::match_messages::MatchWork;
use super::names::{MATCHES, results_subject};

/// No match has more games; openings are drawn from the first one on.
const MOST_GAMES: usize = 1_000_000;
/// How long not to ask a broker that knows of no matches.
const ASK_AGAIN: Duration = Duration::from_secs(3);
/// A piece for another version waits so long for the next worker, and longer each time: what was put off comes before
/// anything else, so that others must be done with meanwhile.
const FOR_OTHERS: Duration = Duration::from_secs(10);
/// So many pieces for other versions are passed over in a row.
const MANY: usize = 32;
/// How often to look whether a match goes on.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// Plays pieces of matches, for all threads of a worker.
pub(super) struct MatchDesk<'a> {
    broker: &'a Broker,
    worker: &'a str,
    /// When there may be matches again.
    not_before: Mutex<Instant>,
    loaded: LoadedMatches,
    /// The pieces under way: the name of the match, and what stops it.
    pieces: Mutex<Vec<(String, Arc<AtomicBool>)>>,
    stopped: AtomicBool,
    looked: Mutex<Instant>,
    /// Pieces for other versions since the run had its turn.
    passed_over: AtomicUsize,
}

impl<'a> MatchDesk<'a> {
    pub fn new(broker: &'a Broker, worker: &'a str) -> Self {
        let now = || Mutex::new(Instant::now());
        let (loaded, pieces) = Default::default();
        let (stopped, passed_over) = Default::default();
        Self { broker, worker, not_before: now(), loaded, pieces, stopped, looked: now(), passed_over }
    }

    /// Stops what no longer matters: all of it if the worker stops, and pieces of matches that are over.
    pub fn look_around(&self, stopped: bool) {
        let mut looked = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        if !stopped && looked.elapsed() < LOOK_AGAIN {
            return;
        }
        *looked = Instant::now();
        self.stopped.store(stopped, Ordering::SeqCst);
        let pieces = self.pieces.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut goes_on = BTreeMap::new();
        for (name, stop) in pieces {
            let known = goes_on.get(&name).copied();
            let on = !stopped
                && known.unwrap_or_else(|| match self.broker.get(MATCHES, &name) {
                    Ok(entry) => entry.is_some(),
                    // Out of reach: another time.
                    Err(_) => true,
                });
            goes_on.insert(name, on);
            if !on {
                stop.store(true, Ordering::SeqCst);
            }
        }
    }

    /// Plays a piece of a match, if one waits; the number of games, none if there was nothing to do.
    ///
    /// # Errors
    /// If this program cannot play it.
    pub fn play_piece(&self) -> Result<Option<u64>, ClusterError> {
        if *self.not_before.lock().unwrap_or_else(PoisonError::into_inner) > Instant::now() {
            return Ok(None);
        }
        // The run has its turn between many pieces that are for others.
        if self.passed_over.load(Ordering::Relaxed) >= MANY {
            self.passed_over.store(0, Ordering::Relaxed);
            return Ok(None);
        }
        match self
            .broker
            .next_match_work()
            .and_then(|delivery| delivery.map(|delivery| self.take(&delivery)).transpose())
        {
            // The broker is out of reach, or knows of no matches.
            Err(ClusterError::Broker { .. }) => {
                *self.not_before.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now() + ASK_AGAIN;
                Ok(None)
            }
            played => played,
        }
    }

    fn take(&self, delivery: &Delivery) -> Result<u64, ClusterError> {
        let _keeping = delivery.keep();
        let played = self.play(delivery);
        if played.is_err() {
            delivery.give_back();
        }
        played
    }

    fn play(&self, delivery: &Delivery) -> Result<u64, ClusterError> {
        let name = delivery.subject().rsplit('.').next().unwrap_or_default().to_owned();
        let work: MatchWork = match decode(delivery.payload()) {
            Ok(work) => work,
            // For workers of its host's version. This one is there for its run.
            Err(FrameProblem::OtherProgram { .. }) => {
                delivery.put_off(FOR_OTHERS * delivery.times().min(12));
                self.passed_over.fetch_add(1, Ordering::Relaxed);
                return Ok(0);
            }
            Err(_) => {
                delivery.reject();
                return Ok(0);
            }
        };
        if work.fixtures.iter().any(|(_, fixture)| fixture.index > MOST_GAMES) {
            delivery.reject();
            return Ok(0);
        }
        // Who wanted it may have died without taking it back.
        let goes_on = self.broker.get(MATCHES, &name)?.is_some();
        let loaded = if goes_on { self.loaded.load(self.broker, &work.job)? } else { None };
        let Some(loaded) = loaded else {
            // The match is over.
            delivery.reject();
            return Ok(0);
        };
        let stop = Arc::new(AtomicBool::new(false));
        let piece = (name.clone(), stop.clone());
        self.pieces.lock().unwrap_or_else(PoisonError::into_inner).push(piece);
        // Looked at after it has become known, so that a stop finds one of the two.
        stop.store(self.stopped.load(Ordering::SeqCst), Ordering::SeqCst);
        let played = match &*loaded {
            Ok(loaded) => loaded.play(&work, &stop),
            Err(problem) => failed(&work, problem.clone()),
        };
        self.pieces.lock().unwrap_or_else(PoisonError::into_inner).retain(|(_, other)| !Arc::ptr_eq(other, &stop));
        if stop.load(Ordering::Relaxed) && played.failure.is_none() && played.games.len() < work.fixtures.len() {
            delivery.give_back();
            return Ok(0);
        }
        let games = played.games.len() as u64;
        let places: Vec<String> = work.fixtures.iter().map(|(place, _)| place.to_string()).collect();
        let id = format!("{name}.{}.{}", delivery.sequence(), places.join("."));
        self.broker.publish(&[(results_subject(&name, self.worker), id, encode(&played)?)])?;
        delivery.acknowledge();
        Ok(games)
    }
}
