//! What a coordinator does with a message, whichever games it waits for, and what it tells of them.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use super::acceptance::Refusal;
use super::coordinator::BrokerGames;
use super::delivery::Delivery;
use super::frame::PROGRAM;
use super::host::host_name;
use super::names::{STATE, SUMMARY};
use super::status::CoordinatorStatus;

/// How long to wait for room on the disk before trying again.
const NO_ROOM: Duration = Duration::from_secs(1);

impl BrokerGames {
    /// The worker that sent a message, unless nothing is taken from it: then the message is dealt with.
    pub(super) fn sender(&self, delivery: &Delivery) -> Option<String> {
        let worker = delivery.subject().rsplit('.').next().unwrap_or_default().to_owned();
        self.count(|traffic| traffic.bytes += delivery.payload().len() as u64);
        if self.is_refused(&worker) {
            self.count(|traffic| traffic.refused += 1);
            delivery.reject();
            return None;
        }
        Some(worker)
    }

    /// Games were written down, `used` of them for the first time.
    pub(super) fn taken(&self, delivery: &Delivery, all: usize, used: usize) {
        delivery.acknowledge();
        self.count(|traffic| {
            traffic.acknowledged += all as u64;
            traffic.used += used as u64;
            traffic.doubled += (all - used) as u64;
        });
    }

    /// Games are not taken.
    pub(super) fn not_taken(&self, delivery: &Delivery, worker: &str, refusal: &Refusal) {
        if let Refusal::Stale { games } = *refusal {
            delivery.acknowledge();
            return self.count(|traffic| {
                traffic.acknowledged += games as u64;
                traffic.stale += games as u64;
            });
        }
        delivery.reject();
        self.count(|traffic| traffic.refused += 1);
        // Store the refusal before reporting it, in case the coordinator is stopped in between.
        if refusal.bans() {
            self.refuse(worker, refusal);
        }
        (self.tell)(&format!("worker {worker} is refused: {refusal}; its games are played again"));
    }

    /// Games cannot be written down: the broker keeps them meanwhile.
    pub(super) fn put_off(&self, delivery: &Delivery) {
        delivery.put_off(NO_ROOM);
        std::thread::sleep(NO_ROOM);
    }

    /// Publishes the coordinator's figures.
    pub(super) fn report(&self, phase: &str, missing: usize, (used, began): (u64, Instant)) {
        let status = CoordinatorStatus {
            run: self.settings.run.clone(),
            host: host_name(),
            version: PROGRAM.to_owned(),
            phase: phase.to_owned(),
            missing,
            games_per_second: used as f64 / began.elapsed().as_secs_f64().max(1e-3),
            traffic: *self.traffic.lock().unwrap_or_else(PoisonError::into_inner),
        };
        let bytes = serde_json::to_vec(&status).expect("texts and numbers are JSON");
        // The next one may get through.
        let _ = self.broker.put(STATE, SUMMARY, &bytes);
    }
}
