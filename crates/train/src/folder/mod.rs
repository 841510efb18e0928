//! The folder of a run: where its files are, its lock, the saved state, the games of finished iterations.

mod games;
mod run_folder;

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::recipe::MAX_GAMES;
use hexzero_nn::{
    MAX_CHECKPOINT_BYTES, NamedTensors, check_safetensors, read_safetensors, read_safetensors_text, write_safetensors,
};
use hexzero_selfplay::RestartBuffer;
use hexzero_selfplay::shards::GameRecord;
use hexzero_system::files::{read_at_most, write_whole};

use games::MAX_IN_FLIGHT;

pub use games::GameNumbers;
pub(crate) use games::{games_of_iteration, latest_games};
pub(crate) use run_folder::file_error;
pub use run_folder::{RunFolder, RunFolderError};

/// The lock held during a run, which refuses other processes.
#[derive(Debug)]
pub struct RunLock {
    /// The file `lock`.
    file: File,
    /// The folder, where the system can lock one: removing the file then lets no second process in.
    folder: Option<File>,
    path: PathBuf,
}

impl RunLock {
    /// Locks a folder.
    fn take(folder: &Path) -> Result<Self, RunFolderError> {
        let path = folder.join("lock");
        let open = File::options().create(true).write(true).truncate(false).open(&path);
        let file = open.map_err(|error| file_error(&path, error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(RunFolderError::Busy(folder.to_owned())),
            // A browser's tab has its files for itself.
            Err(TryLockError::Error(_)) if cfg!(target_family = "wasm") => {}
            Err(TryLockError::Error(error)) => return Err(file_error(&path, error)),
        }
        let path = folder.to_owned();
        let folder = match File::open(&path).map(|folder| (folder.try_lock(), folder)) {
            Ok((Err(TryLockError::WouldBlock), _)) => return Err(RunFolderError::Busy(path)),
            Ok((Ok(()), folder)) => Some(folder),
            Ok((Err(TryLockError::Error(_)), _)) | Err(_) => None,
        };
        Ok(Self { file, folder, path })
    }

    /// Checks that the folder is still the one that was locked.
    pub(crate) fn check(&self) -> Result<(), RunFolderError> {
        let held = match &self.folder {
            Some(folder) => is_at(folder, &self.path),
            None => is_at(&self.file, &self.path.join("lock")),
        };
        if held { Ok(()) } else { Err(RunFolderError::Replaced(self.path.clone())) }
    }
}

/// Returns true if an open file or folder is still the one at its path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |found: std::fs::Metadata| (found.dev(), found.ino());
    let (held, found) = (file.metadata().map(identity), path.metadata().map(identity));
    held.is_ok_and(|held| found.is_ok_and(|found| found == held))
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

const KEY: &str = "hexzero-run";

/// The limit on a state: weights, their average and two moments of the largest network.
const MAX_STATE_BYTES: u64 = 4 * MAX_CHECKPOINT_BYTES;

/// The progress of a run. The random generators of its games and steps are seeded from the run's seed
/// and these numbers, so there is no other random state to save.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Counters {
    /// Finished rounds of self-play and training.
    pub iteration: u64,
    /// Optimiser steps.
    pub step: u64,
    /// Games played.
    pub games: u64,
    /// Plies of those games.
    pub plies: u64,
    /// Positions with a policy target.
    pub positions: u64,
    /// Visits of their searches.
    pub visits: u64,
    /// The positions that those searches asked to evaluate, including cache hits.
    #[serde(default)]
    pub evaluations: u64,
    /// Seconds of work, over all resumptions.
    pub seconds: f64,
}

impl Counters {
    /// Adds games that were played.
    pub(crate) fn count(&mut self, records: &[GameRecord]) {
        for record in records {
            self.games += 1;
            self.plies += record.turns.len() as u64;
            self.positions += record.policy_turns().count() as u64;
            self.visits +=
                record.turns.iter().filter_map(|turn| Some(u64::from(turn.search.as_ref()?.visits))).sum::<u64>();
            self.evaluations += u64::from(record.evaluations);
        }
    }
}

/// A run's progress, weights and moments. All but the tensors are JSON in the file's header.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TrainingState {
    /// The run's progress.
    #[serde(flatten)]
    pub counters: Counters,
    /// The checkpoint that the run began with, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The line of `metrics.jsonl` for the last iteration, which is missing in that file if the run
    /// ends right after writing its state; none before the first iteration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metrics: Option<String>,
    /// The numbers of the run's games, if they have ever arrived out of order; otherwise they are
    /// those below the count of its games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numbers: Option<GameNumbers>,
    /// The recipe that the run was trained with, as TOML.
    pub recipe: String,
    /// The step after which the optimiser began with moments of zero; 0 unless the run went on from a checkpoint.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub optimiser_start: u64,
    /// The positions in which the search was wrong, that games may begin from.
    #[serde(default, skip_serializing_if = "RestartBuffer::is_empty")]
    pub restarts: RestartBuffer,
    /// See [`crate::Trainer::state`].
    #[serde(skip)]
    pub tensors: NamedTensors,
}

fn is_zero(step: &u64) -> bool {
    *step == 0
}

impl TrainingState {
    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// Says what went wrong.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let text = serde_json::to_string(self).map_err(|error| error.to_string())?;
        let bytes = write_safetensors(&self.tensors, KEY, text)?;
        write_whole(path, &bytes).map_err(|error| error.to_string())
    }

    /// Reads the file.
    ///
    /// # Errors
    /// Says what went wrong.
    pub fn read(path: &Path) -> Result<Self, String> {
        Self::from_bytes(&read_at_most(path, MAX_STATE_BYTES).map_err(|error| error.to_string())?)
    }

    /// Compares the progress with the run's folder, whose metrics end with the iteration `last`.
    pub(crate) fn check(&self, folder: &RunFolder, last: Option<u64>) -> Result<(), String> {
        let Counters { iteration, seconds, games, .. } = self.counters;
        if !(seconds.is_finite() && seconds >= 0.0) {
            return Err(format!("it says that the run has taken {seconds} seconds"));
        }
        let figures: Option<Counters> = self.metrics.as_deref().and_then(|line| serde_json::from_str(line).ok());
        if figures.is_some_and(|figures| Counters { seconds, ..figures } != self.counters) {
            return Err(format!("it says that {iteration} iterations are finished, but its figures are of others"));
        }
        let later = folder.shard_numbers().into_iter().rev().find(|&number| number > iteration);
        if let Some(later) = later {
            let path = folder.shard(later);
            return Err(format!("it says that {iteration} iterations are finished, but there is {}", path.display()));
        }
        if let Some(last) = last.filter(|&last| last > iteration) {
            let path = folder.metrics();
            let path = path.display();
            return Err(format!(
                "it says that {iteration} iterations are finished, but the last one in {path} is {last}"
            ));
        }
        let most = iteration.saturating_mul(MAX_GAMES);
        if games > most {
            return Err(format!("it says that {games} games were played in {iteration} iterations"));
        }
        let assigned = self.numbers.as_ref().map_or(0, GameNumbers::next);
        if assigned > most.saturating_add(MAX_IN_FLIGHT) {
            return Err(format!("it says that {assigned} games were assigned in {iteration} iterations"));
        }
        Ok(())
    }

    /// Returns true if a file has the header of a state.
    pub fn is_state(bytes: &[u8]) -> bool {
        read_safetensors_text(bytes, KEY).is_ok()
    }

    /// Reads the file from memory.
    ///
    /// # Errors
    /// Says what went wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let text = read_safetensors_text(bytes, KEY)?;
        check_safetensors(bytes, KEY)?;
        let state: Self = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        Ok(Self { tensors: read_safetensors(bytes)?, ..state })
    }
}
