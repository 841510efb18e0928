//! Limits of a search.

use std::time::Duration;

/// The most threads of one search: an edge counts the leaves in flight in a byte.
pub const MOST_THREADS: usize = 255;

/// The default memory of a tree: enough for some 200,000 positions of 9×9.
const DEFAULT_MEMORY: usize = 512 << 20;

/// Limits of a search, which stops at the first limit reached. Without visits and time it continues until
/// the root is decided or the memory is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Visits of the root, including those kept from an earlier search.
    pub visits: Option<u32>,
    /// Time from the start of the search.
    pub time: Option<Duration>,
    /// Bytes of the tree.
    pub memory: usize,
    /// Whether to stop as soon as the most visited move cannot be overtaken within the remaining visits and
    /// time. The move played is then nearly always the same: a proof might still have been found, or another
    /// move's confidence bound have passed its own. Moves get fewer visits, so not for searches whose visits
    /// are training targets.
    pub early_stop: bool,
}

impl Default for Limits {
    /// No limit but that of the memory.
    fn default() -> Self {
        Self { visits: None, time: None, memory: DEFAULT_MEMORY, early_stop: false }
    }
}

impl Limits {
    /// The most visits accepted.
    pub const MOST_VISITS: u32 = 10_000_000;

    /// The longest time accepted.
    pub const LONGEST: Duration = Duration::from_secs(86_400);

    /// Parses a number of seconds; none if it is not an accepted time.
    pub fn seconds(text: &str) -> Option<Duration> {
        let seconds = text.parse().ok().filter(|&seconds| seconds > 0.0 && seconds <= Self::LONGEST.as_secs_f64());
        seconds.map(Duration::from_secs_f64)
    }

    /// Describes what [`Limits::seconds`] accepts.
    pub fn accepted_seconds() -> String {
        format!("a number of seconds greater than 0 and at most {}", Self::LONGEST.as_secs())
    }

    /// Stops when the root has this many visits.
    pub fn visits(visits: u32) -> Self {
        Self { visits: Some(visits), ..Self::default() }
    }

    /// Stops after this long.
    pub fn time(time: Duration) -> Self {
        Self { time: Some(time), ..Self::default() }
    }

    /// Returns the same limits with a tree of at most `bytes`.
    pub fn within_memory(self, bytes: usize) -> Self {
        Self { memory: bytes, ..self }
    }

    /// Returns the same limits, but stops as soon as the result can be foreseen.
    pub fn stopping_early(self) -> Self {
        Self { early_stop: true, ..self }
    }
}
