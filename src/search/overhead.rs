//! How much longer a move takes than it was allowed.

use std::time::Duration;

/// Expected of a machine of which nothing is known yet.
const AT_FIRST: Duration = Duration::from_millis(20);
/// No machine is trusted to be faster than this.
const LEAST: Duration = Duration::from_millis(5);
/// Whatever takes longer was no overhead: somebody has stopped the program, or set the clock.
const MOST: Duration = Duration::from_secs(2);

/// The worst recent overhead of a move: threads that end late, other programs, the way of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overhead {
    worst: Duration,
}

impl Default for Overhead {
    fn default() -> Self {
        Self { worst: AT_FIRST }
    }
}

impl Overhead {
    /// What must be expected: a quarter more than the worst of late.
    pub fn margin(&self) -> Duration {
        self.worst * 5 / 4
    }

    /// Takes a move's overhead into account. What was worse before fades.
    pub fn learn(&mut self, overhead: Duration) {
        self.worst = overhead.max(self.worst * 19 / 20).clamp(LEAST, MOST);
    }
}
