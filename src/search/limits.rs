//! When a search stops.

use std::time::{Duration, Instant};

/// When a search stops: at whichever limit is met first. One of them must be given, or it goes on
/// until the tree is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Visits of the root, those kept from an earlier search counted.
    pub visits: Option<u32>,
    /// Time on the clock.
    pub time: Option<Duration>,
}

impl Limits {
    /// Stop when the root has this many visits.
    pub fn visits(visits: u32) -> Self {
        Self { visits: Some(visits), time: None }
    }

    /// Stop after this long.
    pub fn time(time: Duration) -> Self {
        Self { visits: None, time: Some(time) }
    }

    /// Whether a search begun at `start` whose root has `visits` visits should stop.
    pub(super) fn reached(&self, visits: u32, start: Instant) -> bool {
        self.visits.is_some_and(|limit| visits >= limit) || self.time.is_some_and(|limit| start.elapsed() >= limit)
    }
}
