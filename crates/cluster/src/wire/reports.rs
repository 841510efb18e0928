//! Reports that coordinator and workers leave at the broker, as JSON.

use serde::{Deserialize, Serialize};

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
