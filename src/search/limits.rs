//! When a search stops.

use std::time::Duration;

/// The most threads of one search: an edge counts the leaves on their way in a byte.
pub const MOST_THREADS: usize = 255;

/// The memory of a tree where nobody asked for another: enough for some 200,000 positions of 9×9.
const DEFAULT_MEMORY: usize = 512 << 20;

/// When a search stops: at whichever limit is met first. Without visits and without time it goes on until
/// the root is decided or the memory is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Visits of the root, those kept from an earlier search counted.
    pub visits: Option<u32>,
    /// Time from the start of the search.
    pub time: Option<Duration>,
    /// Bytes of the tree.
    pub memory: usize,
    /// Whether to stop as soon as the most visited move cannot be overtaken within the visits and the time
    /// that are left. The move that is played is then nearly always the same: something might still have been
    /// proven, or another move's confidence bound have passed its own. Moves have fewer visits: not for searches
    /// whose visits are to be learnt from.
    pub early_stop: bool,
}

impl Default for Limits {
    /// No limit but that of the memory.
    fn default() -> Self {
        Self { visits: None, time: None, memory: DEFAULT_MEMORY, early_stop: false }
    }
}

impl Limits {
    /// Most visits that can be asked for.
    pub const MOST_VISITS: u32 = 10_000_000;

    /// The longest time that can be asked for.
    pub const LONGEST: Duration = Duration::from_secs(86_400);

    /// A number of seconds as somebody types it, if a search can take so long.
    pub fn seconds(text: &str) -> Option<Duration> {
        let seconds = text.parse().ok().filter(|&seconds| seconds > 0.0 && seconds <= Self::LONGEST.as_secs_f64());
        seconds.map(Duration::from_secs_f64)
    }

    /// What [`Limits::seconds`] takes, in words.
    pub fn accepted_seconds() -> String {
        format!("a number of seconds greater than 0 and at most {}", Self::LONGEST.as_secs())
    }

    /// Stop when the root has this many visits.
    pub fn visits(visits: u32) -> Self {
        Self { visits: Some(visits), ..Self::default() }
    }

    /// Stop after this long.
    pub fn time(time: Duration) -> Self {
        Self { time: Some(time), ..Self::default() }
    }

    /// The same limits, but with a tree of at most so many bytes.
    pub fn within_memory(self, bytes: usize) -> Self {
        Self { memory: bytes, ..self }
    }

    /// The same limits, but the search stops as soon as its result can be foreseen.
    pub fn stopping_early(self) -> Self {
        Self { early_stop: true, ..self }
    }
}
