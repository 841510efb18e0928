//! Limits of a search.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The most threads of one search: an edge counts the leaves in flight in a byte.
pub const MOST_THREADS: usize = 255;

/// The default memory of a tree: enough for some 200,000 positions of 9×9.
const DEFAULT_MEMORY: usize = 512 << 20;

/// Limits of a search, which stops at the first limit reached. Without visits and time it continues until
/// the root is decided or has [`Limits::UNLIMITED_VISITS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Visits of the root, including those kept from an earlier search.
    pub visits: Option<u32>,
    /// Time from the start of the search.
    pub time: Option<Duration>,
    /// Bytes of the tree. When they are full, the search frees the least visited branches and goes on; it stops only if there
    /// is no room beside the root, or no time to free it.
    pub memory: usize,
    /// When to stop before the other limits.
    pub early_stop: EarlyStop,
}

/// Why a search has stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StopReason {
    /// The result of the position is certain.
    Proven,
    /// It was asked to stop.
    Stopped,
    /// Its visits were used up.
    Visits,
    /// Its time was used up.
    Time,
    /// The memory of its tree was full, and there was nothing to free or no time to do it.
    Memory,
    /// The move is settled, see [`EarlyStop`].
    Settled,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Proven => "result proven",
            Self::Stopped => "stopped on request",
            Self::Visits => "visit limit reached",
            Self::Time => "time limit reached",
            Self::Memory => "memory limit reached",
            Self::Settled => "move settled",
        })
    }
}

/// When a search stops before its limits because its move is settled; each rule stops earlier than the one before it.
/// A decided root ends every search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum EarlyStop {
    /// Never. For searches whose visits are used themselves: analyses, training targets, levels that draw their move.
    #[default]
    Never,
    /// When no other move can be played any more, wherever the remaining visits go: it is the only one, or the others
    /// will stay below the share of visits that [`FinalChoice`](super::FinalChoice) asks for. Only a proof could still
    /// have changed the move. For a time per move, where unused time is lost.
    Certain,
    /// When no other move can get more visits. The move is nearly always the same, but another move's confidence bound
    /// might still have passed its own. For game clocks, where unused time serves later moves.
    Likely,
}

/// A text that is not a rule for stopping early.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("choose {}", EarlyStop::names())]
pub struct NoSuchEarlyStop;

impl EarlyStop {
    const ALL: [(Self, &str); 3] = [(Self::Never, "never"), (Self::Certain, "certain"), (Self::Likely, "likely")];

    /// Lists the names of all rules, for messages.
    pub fn names() -> String {
        let [others @ .., last] = Self::ALL.map(|(_, name)| name);
        format!("{} or {last}", others.join(", "))
    }
}

impl fmt::Display for EarlyStop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(Self::ALL[*self as usize].1)
    }
}

impl FromStr for EarlyStop {
    type Err = NoSuchEarlyStop;

    fn from_str(text: &str) -> Result<Self, NoSuchEarlyStop> {
        Self::ALL.into_iter().find(|&(_, name)| name == text).map(|(rule, _)| rule).ok_or(NoSuchEarlyStop)
    }
}

impl Default for Limits {
    /// Returns no limit but that of the memory.
    fn default() -> Self {
        Self { visits: None, time: None, memory: DEFAULT_MEMORY, early_stop: EarlyStop::Never }
    }
}

impl Limits {
    /// The most visits accepted.
    pub const MOST_VISITS: u32 = 10_000_000;

    /// The visits of a search without a limit of visits: sums of values in single precision lose more from there on.
    pub const UNLIMITED_VISITS: u32 = 1 << 22;

    /// The longest time accepted.
    pub const LONGEST: Duration = Duration::from_secs(86_400);

    /// Parses a number of seconds; returns none if it is not an accepted time.
    pub fn seconds(text: &str) -> Option<Duration> {
        let time = Duration::try_from_secs_f64(text.parse().ok()?).ok()?;
        // Very short times round to zero.
        (time > Duration::ZERO && time <= Self::LONGEST).then_some(time)
    }

    /// Describes the times that [`Limits::seconds`] accepts.
    pub fn accepted_seconds() -> String {
        format!("a number of seconds greater than 0 and at most {}", Self::LONGEST.as_secs())
    }

    /// Limits the visits of the root.
    pub fn visits(visits: u32) -> Self {
        Self { visits: Some(visits), ..Self::default() }
    }

    /// Limits the time.
    pub fn time(time: Duration) -> Self {
        Self { time: Some(time), ..Self::default() }
    }

    /// Returns the same limits with a tree of at most `bytes`.
    pub fn within_memory(self, bytes: usize) -> Self {
        Self { memory: bytes, ..self }
    }

    /// Returns the same limits with this rule for stopping early.
    pub fn stopping(self, early_stop: EarlyStop) -> Self {
        Self { early_stop, ..self }
    }
}
