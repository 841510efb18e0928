//! Work done while the program waits for others.

use std::thread;

use crate::stop::StopSignal;
use crate::threads;

/// Stops the work when dropped, also by a panic.
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
