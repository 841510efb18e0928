//! Tasks shared out among workers.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::stop::StopSignal;
use crate::threads;

/// Does tasks 0 to `count`, the first worker on this thread and each other one on a thread of its own, and returns the
/// results in order; none if `stop` was requested before all were done.
pub(super) fn share_out<W: Send, R: Send>(
    workers: Vec<W>,
    count: usize,
    stop: &StopSignal,
    work: impl Fn(&mut W, usize) -> R + Sync,
) -> Option<Vec<R>> {
    share_out_until(workers, count, stop, work).into_iter().collect()
}

/// The same, with none in place of the results of tasks that were not begun when `stop` was requested.
pub(super) fn share_out_until<W: Send, R: Send>(
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
    threads::side_by_side(workers, go_on);
    found.into_inner().unwrap_or_else(PoisonError::into_inner)
}
