//! Overhead of a move: by how much it takes longer than allowed.

use std::time::Duration;

/// Expected before anything is measured.
const AT_FIRST: Duration = Duration::from_millis(20);
/// The least overhead assumed of any machine.
const LEAST: Duration = Duration::from_millis(5);
/// Longer delays are not overhead: the program was stopped, or the clock set.
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
    /// Returns the expected overhead: a quarter more than the worst recent one.
    pub fn margin(&self) -> Duration {
        self.worst * 5 / 4
    }

    /// Records a move's overhead. Earlier, worse ones fade.
    pub fn learn(&mut self, overhead: Duration) {
        self.worst = overhead.max(self.worst * 19 / 20).clamp(LEAST, MOST);
    }
}
