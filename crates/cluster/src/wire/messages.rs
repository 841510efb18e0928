//! Messages of self-play, between coordinator and workers; the numbers of all messages.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use hexzero_selfplay::SelfPlaySettings;
use hexzero_selfplay::shards::GameRecord;

use super::match_messages::{MatchJob, MatchWork, PlayedFixtures};

/// Most games that a range may have.
pub const MAX_GAMES_IN_RANGE: u32 = 64;

/// Content of a message frame.
pub trait Message: Serialize + DeserializeOwned {
    /// Number of the message type in the frame.
    const KIND: u8;
}

macro_rules! kinds {
    ($($message:ty = $kind:literal),*) => {
        $(impl Message for $message {
            const KIND: u8 = $kind;
        })*
    };
}

kinds!(Job = 1, Work = 2, PlayedRange = 3, RunState = 4, MatchJob = 5, MatchWork = 6, PlayedFixtures = 7);

/// Checkpoint and settings of self-play games. A game depends on its job and its number only.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Name of the game.
    pub game: String,
    /// Digest of the checkpoint.
    pub checkpoint: String,
    /// Settings of self-play.
    pub settings: SelfPlaySettings,
    /// Seed of the run.
    pub run_seed: u64,
    /// Kernel and precision that every worker must use, such as `avx512 int8`; `None` accepts any.
    pub evaluation: Option<String>,
}

/// Range of game numbers for a worker to play.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// Digest of the [`Job`].
    pub job: String,
    /// Id of the deal; differs when the same numbers are assigned again.
    pub deal: u64,
    /// First number.
    pub first: u64,
    /// Number of games.
    pub games: u32,
}

/// Finished games of a range.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlayedRange {
    /// Digest of the [`Job`].
    pub job: String,
    /// Origin of the games.
    pub provenance: Provenance,
    /// Games with their numbers.
    pub games: Vec<(u64, GameRecord)>,
}

/// Origin of games. The program version is part of every message frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// Name of the worker.
    pub worker: String,
    /// Kernel and precision of its evaluations.
    pub evaluation: String,
    /// Seconds that one thread took for the games.
    pub seconds: f64,
    /// Hit rate of the worker's evaluation cache so far, if it has one.
    pub cache_hits: Option<f64>,
}

/// State of the run, published by the coordinator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunState {
    /// Name of the run.
    pub run: String,
    /// Digest of the present job; `None` while no games are wanted.
    pub job: Option<String>,
    /// See [`Job::evaluation`].
    pub evaluation: Option<String>,
    /// Earlier jobs whose games are still accepted, latest first.
    pub earlier_jobs: Vec<String>,
    /// True if every game is played for the present job, whichever job it was assigned for.
    pub continuous: bool,
    /// All numbers below this one are assigned; 0 if not `continuous`.
    pub dealt: u64,
}

impl RunState {
    /// Returns true if games of `job` are accepted.
    pub fn accepts(&self, job: &str) -> bool {
        self.job.as_deref() == Some(job) || self.earlier_jobs.iter().any(|earlier| earlier == job)
    }
}

/// Returns the digest of `bytes`: 32 hexadecimal digits.
pub(crate) fn digest(bytes: &[u8]) -> String {
    format!("{:032x}", xxhash_rust::xxh3::xxh3_128(bytes))
}
