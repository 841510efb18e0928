//! Limits of a search, and its thinking time under a clock.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use hexzero_system::memory;
use serde::{Deserialize, Serialize};

use super::clock::Allowance;
use super::findings::RootMove;
use super::tree_search::Search;

/// The most threads of one search: a node counts the leaves in flight in a byte.
pub const MAX_THREADS: usize = 255;

/// The default memory of a tree: enough for a million visits on 11×11.
const DEFAULT_MEMORY: usize = 512 << 20;

/// The most memory that a tree has by default: enough for [`Limits::MAX_VISITS`] on 13×13.
const MAX_DEFAULT_MEMORY: u64 = 8 << 30;

/// Limits of a search, which stops at the first limit reached. Without visits and time it continues until
/// the root is decided or has [`Limits::MAX_VISITS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Visits of the root, including those kept from an earlier search.
    pub visits: Option<u32>,
    /// Time since the start of the search.
    pub time: Option<Duration>,
    /// Maximum size of the tree in bytes. When the tree is full, the search frees the least visited
    /// branches and goes on; it stops only if there is no room beside the root, or no time to free
    /// it.
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
    /// The search was asked to stop.
    Stopped,
    /// The limit of visits was reached.
    Visits,
    /// The time limit was reached.
    Time,
    /// The memory of the tree was full, with nothing to free or no time to do it.
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

/// When a search stops before its limits because its move is settled. Each rule stops earlier than
/// the previous one. A decided root ends every search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum EarlyStop {
    /// Never. For searches whose visits themselves are used: analyses, training targets, levels
    /// that draw their move.
    #[default]
    Never,
    /// When no other move can be played any more, wherever the remaining visits go: the move is the
    /// only one, or the others will stay below the share of visits that
    /// [`FinalChoice`](super::FinalChoice) requires. Only a proof could still change the move. For
    /// a fixed time per move, where unused time is lost.
    Certain,
    /// When no other move can get more visits. The move is nearly always the same, but another
    /// move's confidence bound might still have overtaken it. For game clocks, where unused time
    /// carries over to later moves.
    Likely,
}

/// An error: the text is not a rule for stopping early.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("choose {}", EarlyStop::names())]
pub struct ParseEarlyStopError;

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
    type Err = ParseEarlyStopError;

    fn from_str(text: &str) -> Result<Self, ParseEarlyStopError> {
        Self::ALL.into_iter().find(|&(_, name)| name == text).map(|(rule, _)| rule).ok_or(ParseEarlyStopError)
    }
}

impl Default for Limits {
    /// Returns limits that bound only the memory.
    fn default() -> Self {
        Self { visits: None, time: None, memory: DEFAULT_MEMORY, early_stop: EarlyStop::Never }
    }
}

impl Limits {
    /// Maximum accepted number of visits, and the limit of a search without any other.
    pub const MAX_VISITS: u32 = 10_000_000;

    /// Maximum accepted time.
    pub const MAX_TIME: Duration = Duration::from_secs(86_400);

    /// Parses a number of seconds, or returns `None` if it is not an accepted time.
    pub fn seconds(text: &str) -> Option<Duration> {
        let time = Duration::try_from_secs_f64(text.parse().ok()?).ok()?;
        // Very short times round to zero.
        (time > Duration::ZERO && time <= Self::MAX_TIME).then_some(time)
    }

    /// Describes the times that [`Limits::seconds`] accepts.
    pub fn accepted_seconds() -> String {
        format!("a number of seconds greater than 0 and at most {}", Self::MAX_TIME.as_secs())
    }

    /// Returns limits that bound the visits of the root.
    pub fn visits(visits: u32) -> Self {
        Self { visits: Some(visits), ..Self::default() }
    }

    /// Returns limits that bound the time.
    pub fn time(time: Duration) -> Self {
        Self { time: Some(time), ..Self::default() }
    }

    /// Returns the memory for the tree of a program that has only one: a quarter of the machine's, at
    /// least 512 MiB (or half of the machine's, if that is less) and at most 8 GiB. It is 512 MiB, as in
    /// [`Limits::default`], where the machine's memory is not known. It is taken as the tree grows.
    pub fn memory_of_machine() -> usize {
        let by_machine = |bytes: u64| (bytes / 4).max((DEFAULT_MEMORY as u64).min(bytes / 2));
        let bytes = memory::available().map_or(DEFAULT_MEMORY as u64, by_machine);
        usize::try_from(bytes.min(MAX_DEFAULT_MEMORY)).unwrap_or(DEFAULT_MEMORY)
    }

    /// Returns these limits with a tree of at most `bytes`.
    pub fn within_memory(self, bytes: usize) -> Self {
        Self { memory: bytes, ..self }
    }

    /// Returns these limits with another rule for stopping early.
    pub fn stopping(self, early_stop: EarlyStop) -> Self {
        Self { early_stop, ..self }
    }
}

/// Another move needs this share of the chosen move's visits to compete with it.
const RIVAL_SHARE: f32 = 0.25;

/// The thinking time of a search under a clock: as planned, or longer while the search hesitates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockPlan {
    /// The time of one extension.
    soft: Duration,
    longest: Duration,
    allowed: Duration,
}

impl ClockPlan {
    /// Creates the plan for an allowance, capped by a limit if there is one.
    pub fn new(allowance: Allowance, limit: Option<Duration>) -> Self {
        let longest = allowance.hard.min(limit.unwrap_or(Duration::MAX));
        Self { soft: allowance.soft, longest, allowed: allowance.soft.min(longest) }
    }

    /// Returns the time planned at first.
    pub fn planned(&self) -> Duration {
        self.soft
    }

    /// Returns the time allowed so far.
    pub fn allowed(&self) -> Duration {
        self.allowed
    }

    /// Grants more time if the search hesitates and the allowance has some left. Returns whether it
    /// did.
    pub fn extend(&mut self, search: &Search) -> bool {
        let extends = self.allowed < self.longest && search.hesitates();
        if extends {
            self.allowed = (self.allowed + self.soft).min(self.longest);
        }
        extends
    }
}

impl Search {
    /// Returns whether another move has more visits than the chosen one, or enough visits and a
    /// better value.
    pub fn hesitates(&self) -> bool {
        let moves = self.root_moves();
        let Some((best, rivals)) = moves.split_first() else { return false };
        let is_open = |found: &RootMove| found.proven_in.is_none() || self.proven_loss.is_some();
        is_open(best)
            && rivals.iter().filter(|rival| is_open(rival)).any(|rival| {
                let competes = rival.visits as f32 >= RIVAL_SHARE * best.visits.max(1) as f32;
                rival.visits > best.visits || competes && rival.lower_bound > best.lower_bound
            })
    }
}
