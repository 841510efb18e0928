//! Tasks shared out among threads, and work done while the program waits for others.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use hexzero_system::stop::StopSignal;
use hexzero_system::threads;

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

/// Stops the work when dropped, even by a panic.
struct StopAtEnd<'a>(&'a StopSignal);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.request();
    }
}

/// Runs `wait`, and meanwhile repeats `work` on another thread until `wait` is over or `work` returns false. Returns
/// when both have ended. Where the system has no more threads, it only waits.
pub(super) fn while_waiting<T>(mut work: impl FnMut() -> bool + Send, wait: impl FnOnce() -> T) -> T {
    let stop = StopSignal::new();
    thread::scope(|scope| {
        let _ = threads::spawn_scoped(scope, || {
            loop {
                if stop.is_requested() || !work() {
                    return;
                }
            }
        });
        let _stop = StopAtEnd(&stop);
        wait()
    })
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

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
