//! A cache of evaluations: self-play meets the same positions again and again.

use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{OptionsBuilder, Weighter};
use xxhash_rust::xxh3::xxh3_128_with_seed;

use crate::board::Topology;

use super::inference::Workspace;

/// Bytes in a mebibyte.
const MEBIBYTE: u64 = 1 << 20;

/// The bytes of an entry besides its logits: key, pointer, counts, and its share of the table. Measured as
/// the growth of the resident set, with entries of 5×5 and 7×7.
const OVERHEAD: u64 = 96;

/// Entries that the table is made for at the start; it grows as it fills.
const FIRST_ENTRIES: usize = 1024;

/// The usage of a cache: lookups, hits, and memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheUse {
    /// Positions that were looked up.
    pub lookups: u64,
    /// Those that were found.
    pub hits: u64,
    /// The memory of the answers that it holds, in bytes, the table included.
    pub bytes: u64,
}

impl CacheUse {
    /// Returns the share of lookups that were found; 0 if there were none.
    pub fn hit_rate(&self) -> f64 {
        self.hits as f64 / self.lookups.max(1) as f64
    }
}

/// The logits of a position: those of win, draw and loss, then those of all actions.
type Answer = Arc<[f32]>;

/// Weighs answers by their memory.
#[derive(Debug, Clone)]
struct ByBytes;

impl Weighter<u128, Answer> for ByBytes {
    fn weight(&self, _: &u128, answer: &Answer) -> u64 {
        OVERHEAD + size_of_val::<[f32]>(answer) as u64
    }
}

/// Takes a part of the key, which is a hash already.
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

/// Keeps the evaluations of one network by their inputs, up to a given amount of memory; then those not looked up recently
/// are evicted. Threads share it.
///
/// The key is a hash of the board's topology and of all inputs, of 128 bits: so an answer that is found is the one that the
/// network would give, bit for bit, whatever the game and its history.
#[derive(Debug)]
pub struct EvaluationCache {
    answers: Cache<u128, Answer, ByBytes, BuildHasherDefault<PartOfKey>>,
}

impl EvaluationCache {
    /// Creates an empty cache of at most this many mebibytes.
    pub fn new(mebibytes: u32) -> Self {
        let options = OptionsBuilder::new()
            .weight_capacity(u64::from(mebibytes) * MEBIBYTE)
            .estimated_items_capacity(FIRST_ENTRIES)
            .build()
            .expect("both capacities are given");
        Self {
            answers: Cache::with_options(options, ByBytes, BuildHasherDefault::default(), DefaultLifecycle::default()),
        }
    }

    /// Returns the key of a workspace's inputs on a board: two boards may have as many cells and the same inputs.
    pub(in crate::network) fn key(workspace: &Workspace, topology: &Topology) -> u128 {
        let globals = xxh3_128_with_seed(bytemuck::cast_slice(&workspace.globals), topology.key());
        // Seeded, so that equal parts of the two do not cancel out.
        globals ^ xxh3_128_with_seed(bytemuck::cast_slice(&workspace.cells), globals as u64)
    }

    /// Copies the answer of a position into the workspace, if it is known; returns false otherwise.
    pub(in crate::network) fn recall(&self, key: u128, workspace: &mut Workspace) -> bool {
        let Some(answer) = self.answers.get(&key) else { return false };
        let (outcome, policy) = answer.split_at(workspace.outcome.len());
        workspace.outcome.copy_from_slice(outcome);
        workspace.policy.copy_from_slice(policy);
        true
    }

    /// Stores the answer that is in the workspace.
    pub(in crate::network) fn remember(&self, key: u128, workspace: &Workspace) {
        self.answers.insert(key, workspace.outcome.iter().chain(&workspace.policy).copied().collect());
    }

    /// Returns the usage so far.
    pub fn usage(&self) -> CacheUse {
        let hits = self.answers.hits();
        CacheUse { lookups: hits + self.answers.misses(), hits, bytes: self.answers.weight() }
    }
}
