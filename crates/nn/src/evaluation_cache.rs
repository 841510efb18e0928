//! A cache of evaluations, since self-play often reaches the same positions.

use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{OptionsBuilder, Weighter};
use xxhash_rust::xxh3::xxh3_128_with_seed;

use hexzero_board::Topology;

use crate::inference::Workspace;

/// The size of an entry besides its logits, in bytes: key, pointer, counts, and its share of the
/// table. Measured as the growth of the resident set with entries of 5×5 and 7×7.
const OVERHEAD: u64 = 96;

/// Initial capacity of the table, which grows as it fills.
const FIRST_ENTRIES: usize = 1024;

/// The usage of a cache: lookups, hits, and memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheUse {
    /// Number of positions looked up.
    pub lookups: u64,
    /// Number of positions found.
    pub hits: u64,
    /// The memory of the stored answers in bytes, including the table.
    pub bytes: u64,
}

impl CacheUse {
    /// Returns the share of lookups that were hits, or 0 without lookups.
    pub fn hit_rate(&self) -> f64 {
        self.hits as f64 / self.lookups.max(1) as f64
    }
}

/// The logits of a position: those of win, draw and loss, then those of all actions.
type Answer = Arc<[f32]>;

/// Weighs answers by their memory use.
#[derive(Debug, Clone)]
struct ByBytes;

impl Weighter<u128, Answer> for ByBytes {
    fn weight(&self, _: &u128, answer: &Answer) -> u64 {
        OVERHEAD + size_of_val::<[f32]>(answer) as u64
    }
}

/// Uses a part of the key, which is a hash already.
#[derive(Debug, Clone, Copy, Default)]
struct PartOfKey(u64);

impl Hasher for PartOfKey {
    fn write(&mut self, _: &[u8]) {
        unreachable!("a key is one number")
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Stores the evaluations of one network by their inputs, up to a given amount of memory; beyond
/// it, entries that were not looked up recently are evicted. Threads share the cache.
///
/// The key is a 128-bit hash of the board's topology and all inputs, so a cached answer is the one
/// that the network would give, bit for bit, whatever the game and its history.
#[derive(Debug)]
pub struct EvaluationCache {
    answers: Cache<u128, Answer, ByBytes, BuildHasherDefault<PartOfKey>>,
}

impl EvaluationCache {
    /// Creates an empty cache of at most this many mebibytes.
    pub fn new(mebibytes: u32) -> Self {
        let options = OptionsBuilder::new()
            .weight_capacity(u64::from(mebibytes) << 20)
            .estimated_items_capacity(FIRST_ENTRIES)
            .build()
            .expect("both capacities are given");
        Self {
            answers: Cache::with_options(options, ByBytes, BuildHasherDefault::default(), DefaultLifecycle::default()),
        }
    }

    /// Returns the key of a workspace's inputs on a board. The board is included because two boards
    /// may have equally many cells and the same inputs.
    pub(crate) fn key(workspace: &Workspace, topology: &Topology) -> u128 {
        let globals = xxh3_128_with_seed(bytemuck::cast_slice(&workspace.globals), topology.key());
        // Use different seeds, so that equal cells and globals do not cancel out.
        globals ^ xxh3_128_with_seed(bytemuck::cast_slice(&workspace.cells), globals as u64)
    }

    /// Copies the answer of a position into the workspace and returns true, or returns false if it
    /// is not cached.
    pub(crate) fn recall(&self, key: u128, workspace: &mut Workspace) -> bool {
        let Some(answer) = self.answers.get(&key) else { return false };
        let (outcome, policy) = answer.split_at(workspace.outcome.len());
        workspace.outcome.copy_from_slice(outcome);
        workspace.policy.copy_from_slice(policy);
        true
    }

    /// Stores the answer from the workspace.
    pub(crate) fn remember(&self, key: u128, workspace: &Workspace) {
        self.answers.insert(key, workspace.outcome.iter().chain(&workspace.policy).copied().collect());
    }

    /// Returns the usage so far.
    pub fn usage(&self) -> CacheUse {
        let hits = self.answers.hits();
        CacheUse { lookups: hits + self.answers.misses(), hits, bytes: self.answers.weight() }
    }
}
