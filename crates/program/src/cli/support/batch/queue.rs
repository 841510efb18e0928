//! The queue of jobs that wait to be analysed, and those in progress.

use std::collections::BTreeMap;

use parking_lot::{Condvar, Mutex};

use super::work::Job;
use hexzero_system::stop::StopSignal;

/// The state of the queue. Jobs wait by priority, the highest first, then in the order of arrival.
#[derive(Default)]
struct Waiting {
    jobs: BTreeMap<(std::cmp::Reverse<i64>, u64), Job>,
    arrived: u64,
    /// The jobs that threads are working on, by the id of their query and the turn.
    running: Vec<(String, usize, StopSignal)>,
    /// True if no more jobs will come.
    closed: bool,
}

/// The jobs of all queries: a thread reads queries into it, others work through it.
pub struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
    /// Stops all jobs.
    pub stop: StopSignal,
}

impl Queue {
    /// Creates an empty queue, whose jobs all end with `stop`.
    pub fn new(stop: StopSignal) -> Self {
        Self { waiting: Mutex::default(), changed: Condvar::new(), stop }
    }

    pub fn add(&self, jobs: Vec<(i64, Job)>) {
        let mut waiting = self.waiting.lock();
        for (priority, job) in jobs {
            waiting.arrived += 1;
            let key = (std::cmp::Reverse(priority), waiting.arrived);
            waiting.jobs.insert(key, job);
        }
        self.changed.notify_all();
    }

    /// Takes the next job, waiting for one if needed, and the signal that tells that its answer is
    /// no longer wanted; none when the queue is closed and empty.
    pub fn next(&self) -> Option<(Job, StopSignal)> {
        let mut waiting = self.waiting.lock();
        loop {
            if let Some((_, job)) = waiting.jobs.pop_first() {
                let stop = self.stop.child();
                waiting.running.push((job.query.id.clone(), job.turn, stop.clone()));
                return Some((job, stop));
            }
            if waiting.closed {
                return None;
            }
            self.changed.wait(&mut waiting);
        }
    }

    /// Marks the job with this signal as finished.
    pub fn done(&self, stop: &StopSignal) {
        self.waiting.lock().running.retain(|(.., other)| !other.is_same(stop));
    }

    /// Terminates the jobs of a query, or of all queries, at these turns or at all turns; returns
    /// those that had not started.
    pub fn terminate(&self, id: Option<&str>, turns: Option<&[usize]>) -> Vec<Job> {
        let mut waiting = self.waiting.lock();
        let is_meant =
            |of: &str, turn: usize| id.is_none_or(|id| id == of) && turns.is_none_or(|turns| turns.contains(&turn));
        let running = waiting.running.iter().filter(|(of, turn, _)| is_meant(of, *turn));
        running.for_each(|(.., stop)| stop.request());
        let meant = waiting.jobs.iter().filter(|(_, job)| is_meant(&job.query.id, job.turn));
        let keys: Vec<_> = meant.map(|(&key, _)| key).collect();
        keys.iter().filter_map(|key| waiting.jobs.remove(key)).collect()
    }

    /// Announces that no more jobs will come.
    pub fn close(&self) {
        self.waiting.lock().closed = true;
        self.changed.notify_all();
    }
}
