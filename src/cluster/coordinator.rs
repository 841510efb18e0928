//! Games that are played elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use crate::replay::GameRecord;
use crate::selfplay::{GameOrder, GameSource, GameSourceError, PlayedGames};

use super::acceptance::{Acceptance, Refusal};
use super::broker::Broker;
use super::delivery::Delivery;
use super::error::ClusterError;
use super::frame::{PROGRAM, decode, encode};
use super::host::host_name;
use super::lease::Lease;
use super::messages::{Job, MOST_GAMES_IN_RANGE, RunState, Work, digest, evaluation_name};
use super::names::{CURRENT, STATE, SUMMARY, WORK_SUBJECT, WORKERS, refused_key};
use super::status::{CoordinatorStatus, Traffic};

/// How long to wait for a message before looking around.
const GLANCE: Duration = Duration::from_millis(100);
/// How often to look whether all work has been done and games are missing nevertheless.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// How often the coordinator's figures are published.
const REPORT: Duration = Duration::from_secs(2);
/// Nobody works for so long before the user is told.
const LONELY: Duration = Duration::from_secs(10);
/// Ranges are so small that about this many are out while half of the games are: then nobody waits long for the last.
const RANGES: u64 = 64;
/// Most games of a range. A thread plays one after the other, and sends them together.
const LARGEST_RANGE: u64 = 8;

/// How a coordinator works.
#[derive(Debug, Clone, PartialEq)]
pub struct CoordinatorSettings {
    /// The run's name.
    pub run: String,
    /// The share of the coordinator's time that may be spent on playing games again to check them.
    pub verify: f64,
    /// Work that its worker has not spoken of for so long is dealt out to another.
    pub patience: Duration,
    /// Whether to take games of other kernels and precisions; the run is then not exactly repeatable.
    pub mixed: bool,
}

/// Has games played by the workers at a broker.
pub struct BrokerGames {
    broker: Arc<Broker>,
    settings: CoordinatorSettings,
    lease: Lease,
    traffic: Arc<Mutex<Traffic>>,
    banned: Mutex<BTreeSet<String>>,
    tell: Box<dyn Fn(&str) + Send + Sync>,
}

impl fmt::Debug for BrokerGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BrokerGames").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// The games of an order as they come in.
struct Order<'a> {
    order: &'a GameOrder<'a>,
    job: String,
    began: Instant,
    missing: BTreeSet<u64>,
    games: BTreeMap<u64, GameRecord>,
    /// The latest share of each worker's cache.
    cache_hits: BTreeMap<String, f64>,
}

impl BrokerGames {
    /// Becomes the coordinator at a broker. `tell` is called with what the user should know. None if `stop` was set
    /// before.
    ///
    /// # Errors
    /// If another process coordinates, or the broker does not allow it.
    pub fn new(
        broker: Arc<Broker>,
        settings: CoordinatorSettings,
        stop: &AtomicBool,
        tell: impl Fn(&str) + Send + Sync + 'static,
    ) -> Result<Option<Self>, ClusterError> {
        broker.lay_out(settings.patience)?;
        let Some(lease) = Lease::take(&broker, &settings.run, stop)? else { return Ok(None) };
        let (traffic, banned) = Default::default();
        Ok(Some(Self { broker, settings, lease, traffic, banned, tell: Box::new(tell) }))
    }

    /// The figures of all games so far, which outlive this.
    pub fn traffic(&self) -> Arc<Mutex<Traffic>> {
        self.traffic.clone()
    }

    fn count(&self, change: impl FnOnce(&mut Traffic)) {
        change(&mut self.traffic.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Publishes what is needed to play an order; the digest of its job, and whether games have been dealt out for it
    /// before.
    fn announce(&self, order: &GameOrder<'_>) -> Result<(String, bool), ClusterError> {
        let checkpoint = order.checkpoint.to_bytes()?;
        let job = Job {
            game: order.game.name().to_owned(),
            checkpoint: digest(&checkpoint),
            settings: order.settings.clone(),
            run_seed: order.run_seed,
            evaluation: (!self.settings.mixed).then(evaluation_name),
        };
        let bytes = encode(&job)?;
        let name = digest(&bytes);
        self.broker.store(&job.checkpoint, &checkpoint)?;
        self.broker.store(&name, &bytes)?;
        let before = self.broker.get(STATE, CURRENT)?.and_then(|(bytes, _)| decode::<RunState>(&bytes).ok());
        let known = before.is_some_and(|state| state.job.as_ref() == Some(&name));
        if !known {
            self.broker.take_work_back()?;
        }
        let state =
            RunState { run: self.settings.run.clone(), job: Some(name.clone()), evaluation: job.evaluation.clone() };
        self.broker.put(STATE, CURRENT, &encode(&state)?)?;
        // The files of jobs that are past.
        self.broker.keep_files(&[name.clone(), job.checkpoint])?;
        Ok((name, known))
    }

    /// Deals out numbers of games.
    fn deal(&self, job: &str, numbers: &BTreeSet<u64>) -> Result<(), ClusterError> {
        let deal = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos() as u64;
        let messages = ranges(numbers).into_iter().map(|(first, games)| {
            let work = Work { job: job.to_owned(), deal, first, games };
            Ok((WORK_SUBJECT.to_owned(), format!("{deal}.{first}"), encode(&work)?))
        });
        self.broker.publish(&messages.collect::<Result<Vec<_>, ClusterError>>()?)
    }

    /// Takes a message with games.
    fn take(
        &self,
        delivery: &Delivery,
        order: &mut Order<'_>,
        acceptance: &mut Acceptance<'_>,
        on_game: &(dyn Fn(u64, &GameRecord) + Sync),
    ) {
        let worker = delivery.subject().rsplit('.').next().unwrap_or_default().to_owned();
        self.count(|traffic| traffic.bytes += delivery.payload().len() as u64);
        if self.is_banned(&worker) {
            self.count(|traffic| traffic.refused += 1);
            return delivery.reject();
        }
        match acceptance.judge(delivery.subject(), delivery.payload()) {
            Ok(range) => {
                let all = range.games.len() as u64;
                let mut used = 0;
                for (number, record) in range.games {
                    if order.missing.remove(&number) {
                        on_game(number, &record);
                        order.games.insert(number, record);
                        used += 1;
                    }
                }
                order.cache_hits.extend(range.provenance.cache_hits.map(|hits| (worker, hits)));
                // Now they are in the journal.
                delivery.acknowledge();
                self.count(|traffic| {
                    traffic.acknowledged += all;
                    traffic.used += used;
                    traffic.doubled += all - used;
                });
            }
            Err(Refusal::Stale { games }) => {
                delivery.acknowledge();
                self.count(|traffic| {
                    traffic.acknowledged += games as u64;
                    traffic.stale += games as u64;
                });
            }
            Err(refusal) => {
                delivery.reject();
                self.count(|traffic| traffic.refused += 1);
                (self.tell)(&format!("worker {worker} is refused: {refusal}; its games are played again"));
                if refusal.bans() {
                    self.ban(&worker, &refusal);
                }
            }
        }
    }

    fn is_banned(&self, worker: &str) -> bool {
        self.banned.lock().unwrap_or_else(PoisonError::into_inner).contains(worker)
    }

    /// Takes nothing from a worker any more, and tells it.
    fn ban(&self, worker: &str, refusal: &Refusal) {
        self.banned.lock().unwrap_or_else(PoisonError::into_inner).insert(worker.to_owned());
        // Whether it hears of it makes no difference to the run.
        let _ = self.broker.put(STATE, &refused_key(worker), refusal.to_string().as_bytes());
    }

    fn report(&self, phase: &str, order: &Order<'_>) {
        let used = order.games.len() as f64;
        let status = CoordinatorStatus {
            run: self.settings.run.clone(),
            host: host_name(),
            version: PROGRAM.to_owned(),
            phase: phase.to_owned(),
            missing: order.missing.len(),
            games_per_second: used / order.began.elapsed().as_secs_f64().max(1e-3),
            traffic: *self.traffic.lock().unwrap_or_else(PoisonError::into_inner),
        };
        let bytes = serde_json::to_vec(&status).expect("texts and numbers are JSON");
        // The next one may get through.
        let _ = self.broker.put(STATE, SUMMARY, &bytes);
    }

    /// Gathers the games of an order; whether all came before `stop`.
    fn gather(
        &self,
        order: &mut Order<'_>,
        stop: &AtomicBool,
        on_game: &(dyn Fn(u64, &GameRecord) + Sync),
    ) -> Result<bool, ClusterError> {
        let GameOrder { game, checkpoint, settings, run_seed, .. } = *order.order;
        let Some((job, dealt)) = self.broker.persist(stop, || self.announce(order.order))? else { return Ok(false) };
        order.job = job;
        let share = (self.settings.verify, self.settings.mixed);
        let mut acceptance = Acceptance::new(game, checkpoint, (settings, run_seed), order.job.clone(), share)?;
        if !dealt && self.broker.persist(stop, || self.deal(&order.job, &order.missing))?.is_none() {
            return Ok(false);
        }
        let arriving = self.broker.games();
        let (mut looked, mut reported, mut heard) = (Instant::now(), Instant::now(), Instant::now());
        let (mut repeated, mut lonely) = (0, false);
        self.report("playing", order);
        while !order.missing.is_empty() {
            self.lease.held()?;
            if stop.load(Ordering::Relaxed) {
                return Ok(false);
            }
            if let Some(delivery) = arriving.next(GLANCE) {
                self.take(&delivery, order, &mut acceptance, on_game);
                (looked, heard) = (Instant::now(), Instant::now());
                let before = std::mem::replace(&mut repeated, acceptance.repeated());
                self.count(|traffic| traffic.repeated += repeated - before);
            } else if looked.elapsed() >= LOOK_AGAIN {
                match self.broker.waiting() {
                    // All that was dealt out is done, and yet games are missing: refused, or a broker lost its store.
                    Ok((0, 0)) => _ = self.deal(&order.job, &order.missing),
                    Ok(_) => {}
                    // A broker that lost its store has no consumers.
                    Err(_) => {
                        _ = self
                            .broker
                            .lay_out(self.settings.patience)
                            .and_then(|()| self.announce(order.order).map(|_| ()))
                    }
                }
                if heard.elapsed() >= LONELY && !lonely && self.broker.entries(WORKERS).is_ok_and(|all| all.is_empty())
                {
                    (self.tell)("no worker is there; start some with: hexzero worker --cluster ADDRESS");
                    lonely = true;
                }
                looked = Instant::now();
            }
            if reported.elapsed() >= REPORT {
                self.report("playing", order);
                reported = Instant::now();
            }
        }
        self.report("learning", order);
        Ok(true)
    }
}

impl GameSource for BrokerGames {
    fn play(
        &self,
        order: &GameOrder<'_>,
        stop: &AtomicBool,
        on_game: &(dyn Fn(u64, &GameRecord) + Sync),
    ) -> Result<Option<PlayedGames>, GameSourceError> {
        let mut gathered = Order {
            order,
            job: String::new(),
            began: Instant::now(),
            missing: order.numbers.iter().copied().collect(),
            games: BTreeMap::new(),
            cache_hits: BTreeMap::new(),
        };
        let complete = self.gather(&mut gathered, stop, on_game);
        let complete = complete.map_err(|error| GameSourceError::Elsewhere(Box::new(error)))?;
        let hits = (!gathered.cache_hits.is_empty())
            .then(|| gathered.cache_hits.values().sum::<f64>() / gathered.cache_hits.len() as f64);
        Ok(complete.then(|| PlayedGames { records: gathered.games.into_values().collect(), cache_hits: hits }))
    }
}

impl Drop for BrokerGames {
    /// Lets the workers rest.
    fn drop(&mut self) {
        let state = RunState { run: self.settings.run.clone(), job: None, evaluation: None };
        // If the broker is out of reach, workers play on until the work is done; the games wait for the run.
        let resting =
            encode(&state).map_err(ClusterError::from).and_then(|bytes| self.broker.put(STATE, CURRENT, &bytes));
        if resting.is_ok() {
            let _ = self.broker.take_work_back();
        }
        self.broker.flush();
    }
}

/// Numbers as ranges: the first number of each and how many there are; ever smaller ones towards the end.
fn ranges(numbers: &BTreeSet<u64>) -> Vec<(u64, u32)> {
    let mut ranges: Vec<(u64, u32)> = Vec::new();
    let (mut left, mut room) = (numbers.len() as u64, 0);
    for &number in numbers {
        match ranges.last_mut() {
            Some((first, games)) if room > 0 && *first + u64::from(*games) == number => *games += 1,
            _ => {
                room = (left / (2 * RANGES)).clamp(1, LARGEST_RANGE.min(u64::from(MOST_GAMES_IN_RANGE)));
                ranges.push((number, 1));
            }
        }
        room -= 1;
        left -= 1;
    }
    ranges
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ranges_grow_smaller() {
        let all = ranges(&(100..2100).collect());
        assert_eq!((all[0], *all.last().unwrap()), ((100, 8), (2099, 1)));
        assert!(all.windows(2).all(|pair| pair[0].1 >= pair[1].1));
        assert_eq!(ranges(&[5, 6, 9].into()), [(5, 1), (6, 1), (9, 1)]);
        assert_eq!(ranges(&BTreeSet::new()), []);
    }

    proptest! {
        #[test]
        fn every_number_is_in_one_range(numbers in prop::collection::btree_set(0u64..3000, 0..1500)) {
            let ranges = ranges(&numbers);
            let dealt: Vec<u64> = ranges.iter().flat_map(|&(first, games)| first..first + u64::from(games)).collect();
            prop_assert!(dealt.iter().copied().eq(numbers.iter().copied()));
            prop_assert!(ranges.iter().all(|&(_, games)| (1..=LARGEST_RANGE as u32).contains(&games)));
        }
    }
}
