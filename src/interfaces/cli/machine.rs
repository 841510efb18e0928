//! How much of the machine a search may use: options of the commands that search one position at a time.

use std::num::NonZeroUsize;

use clap::Args;

use crate::search::{Limits, MOST_THREADS};

/// The most threads, if each has a search or a game of its own.
pub(super) const MOST_WORKERS: i64 = 1024;

/// How much of the machine a search may use.
#[derive(Debug, Clone, Copy, Args)]
pub struct MachineArgs {
    /// Search on T threads (default: one a core; with --visits one, so that results repeat)
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u32).range(1..=MOST_THREADS as i64))]
    threads: Option<u32>,
    /// Limit the search tree to MIB mebibytes
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    memory: u32,
}

impl MachineArgs {
    /// Returns the number of threads given, if any.
    pub fn threads(&self) -> Option<NonZeroUsize> {
        NonZeroUsize::new(self.threads? as usize)
    }

    /// The most bytes of the search tree.
    pub fn memory(&self) -> usize {
        (self.memory as usize) << 20
    }

    /// Returns these limits with that of the memory.
    pub fn bound(&self, limits: Limits) -> Limits {
        limits.within_memory(self.memory())
    }
}
