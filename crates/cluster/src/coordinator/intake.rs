//! Intake of messages with games: checks, counts, acknowledges.

use std::collections::BTreeSet;
use std::time::Duration;

use parking_lot::Mutex;

use super::super::broker::Delivery;
use super::super::wire::{Traffic, last_token};
use super::acceptance::{Refusal, read_range};
use super::accepted_jobs::AcceptedJobs;
use super::banned_workers::{BannedWorkers, Standing};
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
        if let Refusal::Stale { games } = *refusal {
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
