//! Messages of self-play and of matches, between coordinator or host and workers; the numbers of all messages; the
//! reports that they leave at the broker, as JSON.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use hexzero_arena::{Finished, Fixture, NamedBoard, PlayerFailure, Thinking};
use hexzero_games::Seat;
use hexzero_search::EarlyStop;
use hexzero_selfplay::shards::GameRecord;
use hexzero_selfplay::{SelfPlaySettings, Starts};

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
    /// Settings of self-play, without the positions that games may begin from.
    pub settings: SelfPlaySettings,
    /// These positions.
    pub starts: Starts,
    /// Seed of the run.
    pub run_seed: u64,
    /// Kernel and precision that every worker must use, such as `avx512 int8`; `None` accepts any.
    pub evaluation: Option<String>,
}

impl Job {
    /// Moves the positions that games may begin from into the settings, where self-play looks for them.
    pub fn unpacked(mut self) -> Self {
        self.settings.starts = Arc::new(std::mem::take(&mut self.starts));
        self
    }
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

/// Players of a match; workers fetch it as a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MatchJob {
    /// Name of the game.
    pub game: String,
    /// Seed of the openings, and of every player in every game.
    pub seed: u64,
    /// Openings; random plies where there is none.
    pub openings: Vec<NamedBoard>,
    /// Players with their numbers.
    pub players: Vec<(usize, SentPlayer)>,
}

/// Description of a player, from which a worker makes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum SentPlayer {
    /// A built-in player, by its name.
    BuiltIn(String),
    /// The engine with a network.
    Network(SentNetwork),
}

/// Engine with a network, and its limits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SentNetwork {
    /// Name in results.
    pub name: String,
    /// File of the checkpoint at the broker.
    pub checkpoint: String,
    /// Search options, as [`hexzero_arena::players::PlayerOptions`] are written.
    pub options: String,
    /// Visits a move.
    pub visits: Option<u32>,
    /// Seconds a move.
    pub seconds: Option<f64>,
    /// Bytes of the search tree.
    pub memory: u64,
    /// See [`hexzero_search::Limits::early_stop`].
    pub early_stop: EarlyStop,
}

/// Games of a match for a worker to play.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchWork {
    /// File of the [`MatchJob`] at the broker.
    pub job: String,
    /// Games with their indices in the host's list.
    pub fixtures: Vec<(usize, Fixture)>,
}

/// Games of a match that a worker has played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlayedFixtures {
    /// Finished games with their indices in the host's list.
    pub games: Vec<(usize, SentGame)>,
    /// Game in which a player failed, and how.
    pub failure: Option<(Fixture, PlayerFailure)>,
}

/// Finished game of a match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SentGame {
    /// Names of all moves.
    pub moves: Vec<String>,
    /// Side that resigned after them.
    pub resigned: Option<Seat>,
    /// Moves and thinking time of A and of B.
    pub thinking: [Thinking; 2],
}

impl From<Finished> for SentGame {
    fn from(Finished { game, thinking }: Finished) -> Self {
        let resigned = game.winner.filter(|_| game.resigned.is_some()).map(Seat::opponent);
        Self { moves: game.moves, resigned, thinking }
    }
}

/// Status of a worker, as it reports it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// Name of the worker.
    pub name: String,
    /// Name of the worker's machine.
    pub host: String,
    /// Version of the worker's program.
    pub version: String,
    /// Kernel and precision of the worker.
    pub evaluation: String,
    /// Games that the worker plays at once.
    pub threads: usize,
    /// Games finished since the worker started.
    pub games: u64,
    /// Games a second during the last minute.
    pub games_per_second: f64,
    /// True while there is a run to play for.
    pub playing: bool,
}

/// Counts of the games that a coordinator has received since it started.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traffic {
    /// Games in acknowledged messages.
    pub acknowledged: u64,
    /// Games that the run learns from.
    pub used: u64,
    /// Duplicates of games received before.
    pub doubled: u64,
    /// Games of an outdated checkpoint.
    pub stale: u64,
    /// Refused messages.
    pub refused: u64,
    /// Games played again to check them.
    pub repeated: u64,
    /// Bytes of all messages.
    pub bytes: u64,
}

/// Status of a coordinator, as it reports it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CoordinatorStatus {
    /// Name of the run.
    pub run: String,
    /// Name of the coordinator's machine.
    pub host: String,
    /// Version of the coordinator's program.
    pub version: String,
    /// `playing`, `learning` (in lock step, between the games of two iterations) or `playing and learning`.
    pub phase: String,
    /// Games still missing in this iteration.
    pub missing: usize,
    /// Games a second that were used.
    pub games_per_second: f64,
    /// Counts of received games.
    pub traffic: Traffic,
}

/// Entry of a worker that a run has banned, perhaps unbanned since.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BannedWorker {
    /// Name of the run that banned the worker.
    pub run: String,
    /// Reason of the ban.
    pub reason: String,
    /// True if the worker may play again.
    #[serde(rename = "pardoned")]
    pub unbanned: bool,
    /// Public keys that signed refused games. Games that another key signs in the worker's name are all played again.
    #[serde(default)]
    pub keys: Vec<String>,
}

impl BannedWorker {
    /// Reads an entry; none if the bytes are no entry.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }
}
