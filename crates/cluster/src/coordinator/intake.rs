//! Intake of messages with games: checks, counts, acknowledges; banned workers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::ClusterError;
use crate::broker::{Broker, Delivery};
use crate::wire::{BannedWorker, STATE, Traffic, ban_key, last_token};

use super::acceptance::{AcceptedJobs, Refusal, read_range};
use super::wanted_games::WantedGames;

/// Pause before another attempt to keep games, if the disk is full.
const DISK_FULL_PAUSE: Duration = Duration::from_secs(1);
/// Limit of the number of names reported.
const MAX_TOLD: usize = 1000;

/// Result of a message.
#[derive(Debug, PartialEq, Eq)]
pub enum Received {
    /// The message had this many missing games.
    New(usize),
    /// The games cannot be kept now; the broker delivers them again.
    Deferred,
    /// The message had nothing new.
    Nothing,
    /// The message was refused; it had the games of these numbers.
    Refused(Vec<u64>),
}

/// Intake of messages with games.
pub struct Intake {
    pub banned: BannedWorkers,
    pub traffic: Mutex<Traffic>,
    pub warn: Box<dyn Fn(&str) + Send + Sync>,
    /// Names under which messages without a valid signature came, so that each is reported once.
    pub told: Mutex<BTreeSet<String>>,
}

impl Intake {
    fn count(&self, change: impl FnOnce(&mut Traffic)) {
        change(&mut self.traffic.lock());
    }

    /// Checks a message against `jobs`, has `wanted` keep its games, and acknowledges it.
    pub fn receive(&self, delivery: &Delivery, jobs: &mut AcceptedJobs, wanted: &mut impl WantedGames) -> Received {
        let worker = last_token(delivery.subject());
        self.count(|traffic| traffic.bytes += delivery.payload().len() as u64);
        let (range, key) = match read_range(delivery.subject(), delivery.payload()) {
            Ok(read) => read,
            Err(refusal) => {
                self.drop_message(delivery, worker, &refusal);
                return Received::Refused(Vec::new());
            }
        };
        let standing = self.banned.standing(worker, key);
        if standing == Standing::Banned {
            self.count(|traffic| traffic.refused += 1);
            delivery.reject();
            return Received::Nothing;
        }
        let (repeated, checked) = jobs.check(&range, standing == Standing::Suspect);
        self.count(|traffic| traffic.repeated += repeated);
        if let Err(refusal) = checked {
            self.refuse(delivery, worker, key, &refusal);
            return Received::Refused(range.games.iter().map(|game| game.0).collect());
        }
        let all = range.games.len();
        let Some(used) = wanted.keep(range) else {
            delivery.defer(DISK_FULL_PAUSE);
            std::thread::sleep(DISK_FULL_PAUSE);
            return Received::Deferred;
        };
        // Acknowledged only now that the games are in the journal.
        delivery.acknowledge();
        self.count(|traffic| {
            traffic.acknowledged += all as u64;
            traffic.used += used as u64;
            traffic.doubled += (all - used) as u64;
        });
        if used > 0 { Received::New(used) } else { Received::Nothing }
    }

    /// Drops a message that anybody may have sent in the name of `worker`.
    fn drop_message(&self, delivery: &Delivery, worker: &str, refusal: &Refusal) {
        delivery.reject();
        self.count(|traffic| traffic.refused += 1);
        let mut told = self.told.lock();
        if told.len() < MAX_TOLD && told.insert(worker.to_owned()) {
            (self.warn)(&format!(
                "a message in the name of worker {worker} is dropped, as others like it will be: {refusal}"
            ));
        }
    }

    fn refuse(&self, delivery: &Delivery, worker: &str, key: &str, refusal: &Refusal) {
        if let Refusal::Stale(games) = *refusal {
            delivery.acknowledge();
            return self.count(|traffic| {
                traffic.acknowledged += games as u64;
                traffic.stale += games as u64;
            });
        }
        delivery.reject();
        self.count(|traffic| traffic.refused += 1);
        // Stored before it is reported, in case the coordinator is stopped in between.
        if refusal.bans() {
            self.banned.ban(worker, key, refusal.to_string());
        }
        (self.warn)(&format!("worker {worker} is refused: {refusal}; its games are played again"));
    }
}

/// Limit of the list. Games of further workers are still checked and refused message by message.
const MAX_WORKERS: usize = 1000;
/// Limit of the banned keys of a worker. Games of further keys are all played again.
const MAX_KEYS: usize = 100;
/// Interval of checks whether a worker has been unbanned.
const UNBAN_INTERVAL: Duration = Duration::from_millis(500);

/// Standing of a worker with a coordinator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Nothing is known against the worker.
    Good,
    /// Bad games were sent in the worker's name, with another key.
    Suspect,
    /// The worker has sent bad games and is banned.
    Banned,
}

/// Workers banned from a run, with reasons.
///
/// Workers are identified by the key that signs their messages: without rights by name at the
/// broker, anybody can send in anybody's name. So a bad game bans the key that signed it, and games
/// that other keys sign in the same name are all played again: they may be those of a worker whose
/// name another one has used, or of a banned worker that has restarted.
///
/// The coordinator keeps the list and publishes it at the broker: for the workers, for the next
/// coordinator of the run, and for people, who may unban a worker. If a broker loses its store, the
/// list is published again.
pub struct BannedWorkers {
    broker: Arc<Broker>,
    run: String,
    /// Entries by name, with the time of the latest check at the broker.
    entries: Mutex<BTreeMap<String, (BannedWorker, Instant)>>,
}

impl BannedWorkers {
    /// Starts an empty list of the run `run`.
    pub fn new(broker: Arc<Broker>, run: String) -> Self {
        Self { broker, run, entries: Mutex::default() }
    }

    /// Restores the bans of this run, and lifts those of other runs.
    pub fn restore(&self) -> Result<(), ClusterError> {
        for (worker, entry) in self.broker.banned_workers()? {
            if entry.run == self.run && !entry.unbanned {
                self.entries.lock().insert(worker, (entry, Instant::now()));
            } else {
                self.broker.remove(STATE, &ban_key(&worker))?;
            }
        }
        Ok(())
    }

    /// Bans `worker` from now on, as far as this key signs its games, and tells it.
    pub fn ban(&self, worker: &str, key: &str, reason: String) {
        let mut entries = self.entries.lock();
        if entries.len() >= MAX_WORKERS && !entries.contains_key(worker) {
            return;
        }
        let new = || BannedWorker { run: self.run.clone(), reason: String::new(), unbanned: false, keys: Vec::new() };
        let (entry, _) = entries.entry(worker.to_owned()).or_insert_with(|| (new(), Instant::now()));
        entry.reason = reason;
        if entry.keys.len() < MAX_KEYS && !entry.keys.iter().any(|known| known == key) {
            entry.keys.push(key.to_owned());
        }
        // The run does not depend on its success.
        let _ = self.broker.put_banned_worker(worker, entry);
    }

    /// Returns what is known of `worker` with this key, unless it has been unbanned since.
    pub fn standing(&self, worker: &str, key: &str) -> Standing {
        let mut entries = self.entries.lock();
        let Some((entry, looked)) = entries.get_mut(worker) else { return Standing::Good };
        let standing =
            if entry.keys.iter().any(|refused| refused == key) { Standing::Banned } else { Standing::Suspect };
        if looked.elapsed() < UNBAN_INTERVAL {
            return standing;
        }
        *looked = Instant::now();
        match self.broker.banned_worker(worker) {
            Ok(Some(entry)) if entry.unbanned => {
                entries.remove(worker);
                // An unbanned entry that stays does no harm.
                let _ = self.broker.remove(STATE, &ban_key(worker));
                return Standing::Good;
            }
            // The entry was not published, or has been lost.
            Ok(None) => _ = self.broker.put_banned_worker(worker, entry),
            _ => {}
        }
        standing
    }
}
