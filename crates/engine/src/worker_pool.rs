//! Runs work on threads: long jobs in turns, so that none waits for another to end ([`WorkerPool`]), independent tasks
//! in parallel, and work in the background while this thread waits.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::{io, thread};

use hexzero_system::stop::{StopAtEnd, StopSignal};
use hexzero_system::threads;

/// Work done in short turns.
pub trait Job: Send {
    /// Returns whether the job is due: due jobs get their turn before the others.
    fn is_due(&self) -> bool;

    /// Works for a while on `threads` threads. Returns whether there is more to do.
    fn turn(&mut self, threads: NonZeroUsize) -> bool;
}

/// A fixed number of threads, and the jobs waiting for a turn. The threads end when it is dropped.
pub struct WorkerPool {
    shared: Arc<Shared>,
}

struct Shared {
    threads: usize,
    queue: Mutex<Queue>,
    arrived: Condvar,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Box<dyn Job>>,
    /// The number of jobs having their turn.
    running: usize,
    closed: bool,
}

impl WorkerPool {
    /// Starts `threads` threads.
    ///
    /// # Errors
    /// If the system has no more threads; those that were started end.
    pub fn new(threads: NonZeroUsize) -> io::Result<Self> {
        let threads = threads.get();
        let shared = Shared { threads, queue: Mutex::default(), arrived: Condvar::new() };
        let pool = Self { shared: Arc::new(shared) };
        for _ in 0..threads {
            let shared = Arc::clone(&pool.shared);
            threads::spawn(move || shared.work())?;
        }
        Ok(pool)
    }

    /// Adds a job. It gets its first turn after the jobs already waiting.
    pub fn submit(&self, job: Box<dyn Job>) {
        self.shared.lock().waiting.push_back(job);
        self.shared.arrived.notify_one();
    }
}

impl Drop for WorkerPool {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.arrived.notify_all();
    }
}

impl Shared {
    fn work(&self) {
        let mut queue = self.lock();
        loop {
            if queue.closed {
                return;
            }
            let Some(mut job) = queue.next() else {
                queue = self.arrived.wait(queue).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            queue.running += 1;
            // A single job gets all threads.
            let threads = NonZeroUsize::new(self.threads / (queue.running + queue.waiting.len()));
            drop(queue);
            // A panicking job is dropped, but this thread, which all jobs share, goes on.
            let turn = AssertUnwindSafe(|| job.turn(threads.unwrap_or(NonZeroUsize::MIN)));
            let goes_on = catch_unwind(turn).unwrap_or(false);
            // Dropped before locking, as freeing a large tree takes time.
            let job = goes_on.then_some(job);
            queue = self.lock();
            queue.running -= 1;
            queue.waiting.extend(job);
        }
    }

    /// Locks the queue. No job runs under the lock, so a panic leaves nothing half done.
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    fn next(&mut self) -> Option<Box<dyn Job>> {
        let due = self.waiting.iter().position(|job| job.is_due()).unwrap_or(0);
        self.waiting.remove(due)
    }
}

/// Runs tasks 0 to `count`, the first worker on this thread and the others each on a thread of its
/// own, and returns the results in order; none if `stop` was requested before all were done.
pub(super) fn parallel_map<W: Send, R: Send>(
    workers: Vec<W>,
    count: usize,
    stop: &StopSignal,
    work: impl Fn(&mut W, usize) -> R + Sync,
) -> Option<Vec<R>> {
    parallel_map_until(workers, count, stop, work).into_iter().collect()
}

/// Runs tasks as `parallel_map` does, with none in place of the results of tasks not begun when
/// `stop` was requested.
pub(super) fn parallel_map_until<W: Send, R: Send>(
    workers: Vec<W>,
    count: usize,
    stop: &StopSignal,
    work: impl Fn(&mut W, usize) -> R + Sync,
) -> Vec<Option<R>> {
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<Option<R>>> = Mutex::new((0..count).map(|_| None).collect());
    let go_on = |mut worker: W| {
        while !stop.is_requested() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                break;
            }
            let result = work(&mut worker, index);
            found.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(result);
        }
    };
    threads::run_parallel(workers, go_on);
    found.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `wait`, and meanwhile repeats `work` on another thread until `wait` is over or `work` returns false. Returns
/// when both have ended. Where the system has no more threads, it only waits.
pub(super) fn while_waiting<T>(mut work: impl FnMut() -> bool + Send, wait: impl FnOnce() -> T) -> T {
    let stop = StopSignal::new();
    thread::scope(|scope| {
        let _ = threads::spawn_scoped(scope, || while !stop.is_requested() && work() {});
        let _stop = StopAtEnd(&stop);
        wait()
    })
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    /// A job whose turns are calls of a function.
    struct Turns<F> {
        due: bool,
        turn: F,
    }

    impl<F: FnMut(NonZeroUsize) -> bool + Send> Job for Turns<F> {
        fn is_due(&self) -> bool {
            self.due
        }

        fn turn(&mut self, threads: NonZeroUsize) -> bool {
            (self.turn)(threads)
        }
    }

    fn job(due: bool, turn: impl FnMut(NonZeroUsize) -> bool + Send + 'static) -> Box<dyn Job> {
        Box::new(Turns { due, turn })
    }

    /// Returns the order in which one thread takes jobs of these names and turns; those in capitals are due.
    fn order(jobs: &[(char, usize)]) -> String {
        let pool = WorkerPool::new(NonZeroUsize::MIN).unwrap();
        // The first job occupies the thread until everything is in the queue.
        let (open, gate) = channel::<()>();
        pool.submit(job(true, move |_| gate.recv().is_ok()));
        let (told, heard) = channel();
        for &(name, mut left) in jobs {
            let told = told.clone();
            let turn = move |_: NonZeroUsize| {
                told.send(name).unwrap();
                assert_ne!(name, '!', "a job that panics");
                left -= 1;
                left > 0
            };
            pool.submit(job(name.is_uppercase(), turn));
        }
        drop((open, told));
        heard.iter().collect()
    }

    #[test]
    fn jobs_have_turns_one_after_the_other() {
        assert_eq!(order(&[('a', 3), ('b', 1), ('c', 2)]), "abcaca");
    }

    #[test]
    fn due_jobs_come_first() {
        assert_eq!(order(&[('a', 2), ('b', 1), ('D', 2)]), "DDaba");
    }

    #[test]
    fn panicking_job_leaves_the_others_running() {
        assert_eq!(order(&[('a', 2), ('!', 5), ('b', 1)]), "a!ba");
    }

    #[test]
    fn single_job_gets_all_threads() {
        let pool = WorkerPool::new(NonZeroUsize::new(3).unwrap()).unwrap();
        let (told, heard) = channel();
        let turn = move |threads: NonZeroUsize| {
            told.send(threads.get()).unwrap();
            false
        };
        pool.submit(job(false, turn));
        assert_eq!(heard.recv(), Ok(3));
    }

    #[test]
    fn work_goes_on_until_the_wait_is_over() {
        let (send, receive) = channel();
        let mut pieces = 0;
        let waited = while_waiting(
            || {
                pieces += 1;
                send.send(pieces).is_ok()
            },
            || receive.iter().take(3).last(),
        );
        assert_eq!(waited, Some(3));
        assert!(pieces >= 3);
    }

    #[test]
    fn work_may_end_before_the_wait() {
        let (send, receive) = channel::<()>();
        let mut send = Some(send);
        let mut pieces = 0;
        // The wait ends when the work drops its end of the channel.
        let waited = while_waiting(
            || {
                pieces += 1;
                if pieces == 2 {
                    send = None;
                }
                pieces < 2
            },
            || receive.recv().is_err(),
        );
        assert!(waited);
        assert_eq!(pieces, 2);
    }
}
