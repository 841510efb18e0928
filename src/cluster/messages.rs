//! What coordinator and workers say to each other.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::network::Computing;
use crate::replay::GameRecord;
use crate::selfplay::SelfPlaySettings;

/// Most games of a range.
pub const MOST_GAMES_IN_RANGE: u32 = 64;

/// Something that is sent.
pub trait Message: Serialize + DeserializeOwned {
    /// Tells it from other messages.
    const KIND: u8;
}

/// What a range of games is played with. Games of equal jobs are the same if they have the same number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// The game's name.
    pub game: String,
    /// The digest of the checkpoint.
    pub checkpoint: String,
    /// How to play.
    pub settings: SelfPlaySettings,
    /// The run's seed.
    pub run_seed: u64,
    /// The kernel and precision that all have to evaluate with, such as `avx512 int8`; none if any will do.
    pub evaluation: Option<String>,
}

/// Numbers of games to be played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// The digest of the job.
    pub job: String,
    /// Tells apart when the same numbers are dealt out again.
    pub deal: u64,
    /// The first number.
    pub first: u64,
    /// How many there are.
    pub games: u32,
}

/// Games of a range, and where they come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlayedRange {
    /// The digest of the job.
    pub job: String,
    /// Who played.
    pub provenance: Provenance,
    /// Games with their numbers.
    pub games: Vec<(u64, GameRecord)>,
}

/// Where games come from. The version of the program stands in the frame of every message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// The worker's name.
    pub worker: String,
    /// The kernel and precision that it was played with.
    pub evaluation: String,
    /// Seconds that one thread took for the games.
    pub seconds: f64,
    /// The share of positions that the worker's evaluation cache has known so far, if it has one.
    pub cache_hits: Option<f64>,
}

/// What the broker tells everybody of the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunState {
    /// The run's name.
    pub run: String,
    /// The digest of the job that games are played for; none while the run rests.
    pub job: Option<String>,
    /// See [`Job::evaluation`].
    pub evaluation: Option<String>,
    /// Jobs whose games are taken too, the latest first.
    pub before: Vec<String>,
    /// Whether each game is to be played for the present job, whichever one it was dealt out for.
    pub continuous: bool,
    /// All numbers below this one have been dealt out.
    pub dealt: u64,
}

impl RunState {
    /// Whether games of a job are taken.
    pub fn takes(&self, job: &str) -> bool {
        self.job.as_deref() == Some(job) || self.before.iter().any(|before| before == job)
    }
}

impl Message for Job {
    const KIND: u8 = 1;
}

impl Message for Work {
    const KIND: u8 = 2;
}

impl Message for PlayedRange {
    const KIND: u8 = 3;
}

impl Message for RunState {
    const KIND: u8 = 4;
}

/// The digest by which bytes are known: 32 hexadecimal digits.
pub(super) fn digest(bytes: &[u8]) -> String {
    format!("{:032x}", xxhash_rust::xxh3::xxh3_128(bytes))
}

/// What this process evaluates with. Games are bit for bit the same where it is.
pub(super) fn evaluation_name() -> String {
    Computing::best().to_string()
}
