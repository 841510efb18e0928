//! Stops long work: on Ctrl-C, at a deadline, or when its result is no longer wanted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use crate::time::Instant;

/// The interval between two checks while sleeping.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A request to stop, shared by those who make it and the work that obeys it.
///
/// Clones share the request. A [child](Self::child) is also stopped by its parent, but does not stop it:
///
/// ```
/// use hexzero::stop::StopSignal;
///
/// let program = StopSignal::new();
/// let game = program.child();
/// game.request();
/// assert!(game.is_requested() && !program.is_requested());
/// let next_game = program.child();
/// program.request();
/// assert!(next_game.is_requested());
/// ```
#[derive(Debug, Clone, Default)]
pub struct StopSignal(Arc<State>);

#[derive(Debug, Default)]
struct State {
    requested: AtomicBool,
    deadline: Option<Instant>,
    parent: Option<StopSignal>,
}

impl StopSignal {
    /// Creates a signal that is not requested.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a signal that is also requested while this one is.
    pub fn child(&self) -> Self {
        self.child_until(None)
    }

    /// Creates a child that is also requested from `deadline` on, if there is one.
    pub fn child_until(&self, deadline: Option<Instant>) -> Self {
        Self(Arc::new(State { requested: AtomicBool::new(false), deadline, parent: Some(self.clone()) }))
    }

    /// Requests a stop.
    pub fn request(&self) {
        self.0.requested.store(true, Ordering::SeqCst);
    }

    /// Withdraws a request. Requests of parents and a passed deadline remain.
    pub fn withdraw(&self) {
        self.0.requested.store(false, Ordering::SeqCst);
    }

    /// Returns true if a stop is requested here or by a parent, or a deadline has passed. Takes
    /// about a nanosecond, and slightly longer with a deadline.
    pub fn is_requested(&self) -> bool {
        let State { requested, deadline, parent } = &*self.0;
        requested.load(Ordering::Relaxed)
            || deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || parent.as_ref().is_some_and(Self::is_requested)
    }

    /// Sleeps for `time`, or until a stop is requested. Returns true if a stop is requested.
    pub fn sleep(&self, time: Duration) -> bool {
        let began = Instant::now();
        loop {
            let left = time.saturating_sub(began.elapsed());
            if self.is_requested() || left.is_zero() {
                return self.is_requested();
            }
            sleep(left.min(POLL_INTERVAL));
        }
    }

    /// Returns true if `other` is a clone of this signal.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Requests a stop when it is dropped, even by a panic.
#[derive(Debug)]
pub struct StopAtEnd<'a>(pub &'a StopSignal);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.request();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_a_request() {
        let signal = StopSignal::new();
        let clone = signal.clone();
        assert!(clone.is_same(&signal) && !clone.is_same(&signal.child()));
        assert!(!clone.is_requested());
        signal.request();
        assert!(clone.is_requested());
        clone.withdraw();
        assert!(!signal.is_requested());
    }

    #[test]
    fn requests_pass_from_parents_to_children_only() {
        let parent = StopSignal::new();
        let (child, sibling) = (parent.child(), parent.child());
        let grandchild = child.child();
        child.request();
        assert!(grandchild.is_requested() && !sibling.is_requested() && !parent.is_requested());
        parent.request();
        child.withdraw();
        assert!(child.is_requested() && sibling.is_requested(), "a child cannot take back its parent's request");
    }

    #[test]
    fn deadlines_request_a_stop() {
        let signal = StopSignal::new();
        let now = Instant::now();
        assert!(signal.child_until(Some(now)).is_requested());
        assert!(!signal.child_until(Some(now + Duration::from_secs(3600))).is_requested());
        assert!(!signal.child_until(None).is_requested() && !signal.is_requested());
    }

    #[test]
    fn sleep_ends_at_its_time_or_at_a_request() {
        let signal = StopSignal::new();
        let began = Instant::now();
        assert!(!signal.sleep(Duration::from_millis(30)));
        assert!(began.elapsed() >= Duration::from_millis(30));
        std::thread::scope(|scope| {
            let sleeper = scope.spawn(|| signal.child().sleep(Duration::from_secs(3600)));
            signal.request();
            assert!(sleeper.join().unwrap());
        });
    }
}
