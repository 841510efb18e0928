//! How much of the machine a search may take: the options of those who think about one position at a time.

use std::num::NonZeroUsize;

use clap::Args;

use crate::search::{Limits, MOST_THREADS};

/// Most threads where each has a search or a game of its own.
pub(super) const MOST_WORKERS: i64 = 1024;

/// How much of the machine a search may take.
#[derive(Debug, Clone, Copy, Args)]
pub struct MachineArgs {
    /// Think on this many threads (default: one a core; but one for a number of visits, which then gives the same
    /// every time)
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u32).range(1..=MOST_THREADS as i64))]
    threads: Option<u32>,
    /// Let the search tree take this many mebibytes at most
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    memory: u32,
}

impl MachineArgs {
    /// The threads that were asked for, if any were.
    pub fn threads(&self) -> Option<NonZeroUsize> {
        NonZeroUsize::new(self.threads? as usize)
    }

    /// The most bytes of the search tree.
    pub fn memory(&self) -> usize {
        (self.memory as usize) << 20
    }

    /// These limits, with that of the memory.
    pub fn bound(&self, limits: Limits) -> Limits {
        limits.within_memory(self.memory())
    }
}
