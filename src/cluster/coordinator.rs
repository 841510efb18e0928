//! Games that are played elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use crate::games::Game;
use crate::network::Checkpoint;
use crate::replay::GameRecord;
use crate::selfplay::{
    GameOrder, GameSink, GameSource, GameSourceError, KeepGames, PlayedGames, SelfPlaySettings, StreamOrder,
};

use super::acceptance::Acceptance;
use super::broker::Broker;
use super::delivery::Delivery;
use super::error::ClusterError;
use super::flow::Flow;
use super::frame::{decode, encode};
use super::lease::Lease;
use super::lonely::Loneliness;
use super::messages::{Job, MOST_GAMES_IN_RANGE, RunState, Work, digest, evaluation_name};
use super::names::{CURRENT, STATE, WORK_SUBJECT};
use super::status::{Traffic, workers};

/// How long to wait for a message before looking around.
const GLANCE: Duration = Duration::from_millis(100);
/// How often to look whether all work has been done and games are missing nevertheless.
pub(super) const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// Nothing has come for so long: it may be lost on its way, or workers may wait for what the broker has no more.
pub(super) const QUIET: Duration = Duration::from_secs(15);
/// How often the coordinator's figures are published.
pub(super) const REPORT: Duration = Duration::from_secs(2);
/// Ranges to deal out to each thread for half of the missing games. More and smaller ones shorten the wait for the last game.
const RANGES_OF_THREAD: u64 = 4;
/// Ranges for half of the missing games if the number of threads is unknown.
const RANGES: u64 = 64;
/// Most games of a range. A thread plays one after the other, and sends them together.
pub(super) const LARGEST_RANGE: u64 = 8;

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
    pub(super) broker: Arc<Broker>,
    pub(super) settings: CoordinatorSettings,
    pub(super) lease: Lease,
    pub(super) traffic: Arc<Mutex<Traffic>>,
    /// The workers from which nothing is taken, and why.
    pub(super) refused: Mutex<BTreeMap<String, String>>,
    pub(super) tell: Box<dyn Fn(&str) + Send + Sync>,
    /// What lasts from one iteration to the next where games come in any order.
    pub(super) flow: Mutex<Option<Flow>>,
}

/// The names of a job's file and of its checkpoint's.
pub(super) type JobFiles = [String; 2];

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
        let (traffic, refused) = Default::default();
        let games = Self { broker, settings, lease, traffic, refused, tell: Box::new(tell), flow: Mutex::new(None) };
        if games.broker.persist(stop, || games.recall_refusals())?.is_none() {
            return Ok(None);
        }
        Ok(Some(games))
    }

    /// The figures of all games so far, which outlive this.
    pub fn traffic(&self) -> Arc<Mutex<Traffic>> {
        self.traffic.clone()
    }

    pub(super) fn count(&self, change: impl FnOnce(&mut Traffic)) {
        change(&mut self.traffic.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Stores what is needed to play an order; the digest of its job, and the files that belong to it.
    pub(super) fn store(
        &self,
        game: Game,
        checkpoint: &Checkpoint,
        settings: &SelfPlaySettings,
        run_seed: u64,
    ) -> Result<(String, JobFiles), ClusterError> {
        let bytes = checkpoint.to_bytes()?;
        let job = Job {
            game: game.name().to_owned(),
            checkpoint: digest(&bytes),
            settings: settings.clone(),
            run_seed,
            evaluation: self.evaluation(),
        };
        self.broker.store(&job.checkpoint, &bytes)?;
        let bytes = encode(&job)?;
        let name = digest(&bytes);
        self.broker.store(&name, &bytes)?;
        Ok((name.clone(), [name, job.checkpoint]))
    }

    /// See [`Job::evaluation`].
    pub(super) fn evaluation(&self) -> Option<String> {
        (!self.settings.mixed).then(evaluation_name)
    }

    /// What the broker tells of a run.
    pub(super) fn known(&self) -> Result<Option<RunState>, ClusterError> {
        Ok(self.broker.get(STATE, CURRENT)?.and_then(|(bytes, _)| decode(&bytes).ok()))
    }

    /// Publishes what is needed to play an order; the digest of its job, and whether games have been dealt out for it
    /// before.
    fn announce(&self, order: &GameOrder<'_>) -> Result<(String, bool), ClusterError> {
        let (name, files) = self.store(order.game, order.checkpoint, order.settings, order.run_seed)?;
        let known = self.known()?.is_some_and(|state| !state.continuous && state.job.as_ref() == Some(&name));
        if !known {
            self.broker.take_work_back()?;
        }
        self.tell_workers(Some(name.clone()), Vec::new(), None)?;
        // The files of jobs that are past.
        self.broker.keep_files(&files)?;
        Ok((name, known))
    }

    /// Tells workers what to play, `dealt` being how far numbers are dealt out where games come in any order.
    pub(super) fn tell_workers(
        &self,
        job: Option<String>,
        before: Vec<String>,
        dealt: Option<u64>,
    ) -> Result<(), ClusterError> {
        let state = RunState {
            run: self.settings.run.clone(),
            evaluation: job.as_ref().and_then(|_| self.evaluation()),
            job,
            before,
            continuous: dealt.is_some(),
            dealt: dealt.unwrap_or_default(),
        };
        self.broker.put(STATE, CURRENT, &encode(&state)?)
    }

    /// Makes what a broker that lost its store has no more, where an attempt failed.
    pub(super) fn laid_out<T>(&self, attempt: impl FnOnce() -> Result<T, ClusterError>) -> Result<T, ClusterError> {
        let done = attempt();
        if matches!(done, Err(ClusterError::Broker { .. })) {
            let _ = self.broker.lay_out(self.settings.patience);
        }
        done
    }

    /// Deals ranges of games out.
    pub(super) fn deal(&self, job: &str, ranges: &[(u64, u32)]) -> Result<(), ClusterError> {
        self.deal_as(new_deal(), job, ranges)
    }

    /// Deals ranges of games out; what the broker has of this deal it does not take twice.
    pub(super) fn deal_as(&self, deal: u64, job: &str, ranges: &[(u64, u32)]) -> Result<(), ClusterError> {
        let messages = ranges.iter().map(|&(first, games)| {
            let work = Work { job: job.to_owned(), deal, first, games };
            Ok((WORK_SUBJECT.to_owned(), format!("{deal}.{first}"), encode(&work)?))
        });
        self.broker.publish(&messages.collect::<Result<Vec<_>, ClusterError>>()?)
    }

    /// How many ranges to deal out for half of the games.
    fn ranges_out(&self) -> u64 {
        let reported = workers(&self.broker).unwrap_or_default();
        // They may say anything.
        let threads = reported.iter().fold(0u64, |sum, worker| sum.saturating_add(worker.threads as u64));
        if threads == 0 { RANGES } else { RANGES_OF_THREAD.saturating_mul(threads) }
    }

    /// Takes a message with games; whether it brought any that were missing, now or for later.
    fn take(
        &self,
        delivery: &Delivery,
        order: &mut Order<'_>,
        acceptance: &mut Acceptance,
        keep: &KeepGames<'_>,
    ) -> bool {
        let Some(worker) = self.sender(delivery) else { return false };
        let range = match acceptance.judge(delivery.subject(), delivery.payload()) {
            Ok(range) => range,
            Err(refusal) => {
                self.not_taken(delivery, &worker, &refusal);
                return false;
            }
        };
        let all = range.games.len();
        let missing = |number: &u64| order.missing.contains(number);
        let new: BTreeMap<u64, GameRecord> = range.games.into_iter().filter(|(number, _)| missing(number)).collect();
        let games: Vec<_> = new.iter().map(|(&number, record)| (number, record)).collect();
        if !keep(&games) {
            self.put_off(delivery);
            return true;
        }
        order.cache_hits.extend(range.provenance.cache_hits.map(|hits| (worker, hits)));
        let used = new.len();
        order.missing.retain(|number| !new.contains_key(number));
        order.games.extend(new);
        // Now they are in the journal.
        self.taken(delivery, all, used);
        used > 0
    }

    /// Gathers the games of an order; whether all came before `stop`.
    fn gather(&self, order: &mut Order<'_>, stop: &AtomicBool, keep: &KeepGames<'_>) -> Result<bool, ClusterError> {
        let GameOrder { game, checkpoint, settings, run_seed, .. } = *order.order;
        let announced = self.broker.persist(stop, || self.laid_out(|| self.announce(order.order)))?;
        let Some((job, dealt)) = announced else { return Ok(false) };
        order.job = job;
        let share = (self.settings.verify, self.settings.mixed);
        let mut acceptance = Acceptance::new(game, checkpoint, (settings, run_seed), order.job.clone(), share)?;
        let (deal, missing) = (new_deal(), ranges(&order.missing, self.ranges_out()));
        let deal_out = || self.laid_out(|| self.deal_as(deal, &order.job, &missing));
        if !dealt && self.broker.persist(stop, deal_out)?.is_none() {
            return Ok(false);
        }
        let arriving = self.broker.games();
        let [mut looked, mut heard, mut reported] = [Instant::now(); 3];
        let (mut repeated, mut lonely) = (0, Loneliness::new());
        let report = |phase: &str, order: &Order<'_>| {
            self.report(phase, order.missing.len(), (order.games.len() as u64, order.began));
        };
        report("playing", order);
        while !order.missing.is_empty() {
            self.lease.held()?;
            if stop.load(Ordering::Relaxed) {
                return Ok(false);
            }
            if let Some(delivery) = arriving.next(GLANCE) {
                heard = Instant::now();
                // What brings nothing must not put off the search for what is missing.
                if self.take(&delivery, order, &mut acceptance, keep) {
                    looked = Instant::now();
                }
                lonely.ends();
                let before = std::mem::replace(&mut repeated, acceptance.repeated());
                self.count(|traffic| traffic.repeated += repeated - before);
            }
            if looked.elapsed() >= LOOK_AGAIN {
                let quiet = heard.elapsed() >= QUIET;
                match self.broker.waiting() {
                    // All that was dealt out is done, and yet games are missing: refused, or a broker lost its store. Then it may have
                    // been laid out again without what workers need to know. Or they are on their way to a connection that is gone.
                    Ok((0, games)) if games == 0 || quiet => {
                        let announced = self.laid_out(|| self.announce(order.order));
                        _ = announced.and_then(|_| self.deal(&order.job, &ranges(&order.missing, RANGES)));
                        heard = Instant::now();
                    }
                    // Workers may wait for what is gone.
                    Ok(_) if quiet => {
                        _ = self.laid_out(|| self.announce(order.order));
                        heard = Instant::now();
                    }
                    Ok(_) => {}
                    // A broker that lost its store has no consumers.
                    Err(_) => {
                        _ = self
                            .broker
                            .lay_out(self.settings.patience)
                            .and_then(|()| self.announce(order.order).map(|_| ()))
                    }
                }
                lonely.tell(&self.broker, &*self.tell);
                looked = Instant::now();
            }
            if reported.elapsed() >= REPORT {
                report("playing", order);
                reported = Instant::now();
            }
        }
        report("learning", order);
        Ok(true)
    }
}

impl GameSource for BrokerGames {
    fn play(
        &self,
        order: &GameOrder<'_>,
        stop: &AtomicBool,
        keep: &KeepGames<'_>,
    ) -> Result<Option<PlayedGames>, GameSourceError> {
        let mut gathered = Order {
            order,
            job: String::new(),
            began: Instant::now(),
            missing: order.numbers.iter().copied().collect(),
            games: BTreeMap::new(),
            cache_hits: BTreeMap::new(),
        };
        let complete = self.gather(&mut gathered, stop, keep);
        let complete = complete.map_err(|error| GameSourceError::Elsewhere(Box::new(error)))?;
        let hits = (!gathered.cache_hits.is_empty())
            .then(|| gathered.cache_hits.values().sum::<f64>() / gathered.cache_hits.len() as f64);
        Ok(complete.then(|| PlayedGames { records: gathered.games.into_values().collect(), cache_hits: hits }))
    }

    fn stream(&self, order: &StreamOrder<'_>, done: &AtomicBool, sink: &dyn GameSink) -> Result<(), GameSourceError> {
        self.keep_flowing(order, done, sink).map_err(|error| GameSourceError::Elsewhere(Box::new(error)))
    }
}

/// A number that no deal of this run has had.
pub(super) fn new_deal() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos() as u64
}

impl Drop for BrokerGames {
    /// Lets the workers rest.
    fn drop(&mut self) {
        let dealt = self.flow.get_mut().unwrap_or_else(PoisonError::into_inner).take().map(|flow| flow.dealt);
        if self.lease.held().is_err() {
            // The workers are another's.
            return;
        }
        // If the broker is out of reach, workers play on until the work is done; the games wait for the run.
        let resting = self.tell_workers(None, Vec::new(), dealt);
        if resting.is_ok() {
            let _ = self.broker.take_work_back();
        }
        self.broker.flush();
    }
}

/// Numbers as ranges: the first number of each and how many there are; ever smaller ones towards the end, so that half of the
/// numbers that are left are `out` ranges.
fn ranges(numbers: &BTreeSet<u64>, out: u64) -> Vec<(u64, u32)> {
    let mut ranges: Vec<(u64, u32)> = Vec::new();
    let (mut left, mut room) = (numbers.len() as u64, 0);
    for &number in numbers {
        match ranges.last_mut() {
            Some((first, games)) if room > 0 && *first + u64::from(*games) == number => *games += 1,
            _ => {
                room = (left / out.saturating_mul(2)).clamp(1, LARGEST_RANGE.min(u64::from(MOST_GAMES_IN_RANGE)));
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
        let all = ranges(&(100..2100).collect(), 64);
        assert_eq!((all[0], *all.last().unwrap()), ((100, 8), (2099, 1)));
        assert!(all.windows(2).all(|pair| pair[0].1 >= pair[1].1));
        assert_eq!(ranges(&[5, 6, 9].into(), 64), [(5, 1), (6, 1), (9, 1)]);
        assert_eq!(ranges(&BTreeSet::new(), 64), []);
        let few = |out| ranges(&(0..400).collect(), out).len();
        assert_eq!(ranges(&[5, 6].into(), u64::MAX), [(5, 1), (6, 1)]);
        assert!(few(8) < 100 && few(64) > 300, "{} {}", few(8), few(64));
    }

    proptest! {
        #[test]
        fn every_number_is_in_one_range(
            numbers in prop::collection::btree_set(0u64..3000, 0..1500),
            out in 1u64..3000,
        ) {
            let ranges = ranges(&numbers, out);
            let dealt: Vec<u64> = ranges.iter().flat_map(|&(first, games)| first..first + u64::from(games)).collect();
            prop_assert!(dealt.iter().copied().eq(numbers.iter().copied()));
            prop_assert!(ranges.iter().all(|&(_, games)| (1..=LARGEST_RANGE as u32).contains(&games)));
        }
    }
}
