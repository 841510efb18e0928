//! Many pieces of work, shared out among some workers.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Does the pieces from 0 to `count`, each worker on a thread of its own one after another, and returns what came of them
/// in their order. None if it was cancelled before the last was done.
pub(super) fn share_out<W: Send, R: Send>(
    workers: Vec<W>,
    count: usize,
    cancelled: &AtomicBool,
    work: impl Fn(&mut W, usize) -> R + Sync,
) -> Option<Vec<R>> {
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<Option<R>>> = Mutex::new((0..count).map(|_| None).collect());
    std::thread::scope(|scope| {
        for mut worker in workers {
            let (work, next, found) = (&work, &next, &found);
            scope.spawn(move || {
                while !cancelled.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        break;
                    }
                    let result = work(&mut worker, index);
                    found.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(result);
                }
            });
        }
    });
    found.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect()
}
