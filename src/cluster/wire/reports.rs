//! Reports that coordinator and workers leave at the broker, as JSON.

use serde::{Deserialize, Serialize};

/// Status of a worker, as it reports it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// Name of the worker.
    pub name: String,
    /// Name of its machine.
    pub host: String,
    /// Version of its program.
    pub version: String,
    /// Its kernel and precision.
    pub evaluation: String,
    /// Games that it plays at once.
    pub threads: usize,
    /// Games finished since it started.
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
    /// Name of its machine.
    pub host: String,
    /// Version of its program.
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

/// Entry of a worker that a run has refused, perhaps pardoned since.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedWorker {
    /// Name of the run that refused it.
    pub run: String,
    /// Reason of the refusal.
    pub reason: String,
    /// True if the worker may play again.
    pub pardoned: bool,
    /// Public keys that signed refused games. Games that another key signs in the worker's name are all played again.
    #[serde(default)]
    pub keys: Vec<String>,
}

impl RefusedWorker {
    /// Reads an entry; none if the bytes are no entry.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }
}
