//! The folder of a run.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use hexzero_system::files::{self, sync_folder};
use serde_json::Value;

use super::RunLock;
use super::TrainingState;

/// A run's folder: `recipe.toml`, `state.safetensors`, `metrics.jsonl`, event files, `checkpoints/`, `games/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFolder {
    path: PathBuf,
}

/// A folder that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RunFolderError {
    /// There is a run already.
    #[error("{} already holds a run; continue it with --resume, or name another folder with --run", .0.display())]
    Taken(PathBuf),
    /// There are parts of a run without a recipe.
    #[error(
        "{} holds games, figures or checkpoints of a run whose recipe.toml is gone; name another folder with --run, or move them away",
        .0.display()
    )]
    Leftovers(PathBuf),
    /// An experiment is kept there.
    #[error("{} holds an experiment; name another folder with --run", .0.display())]
    Experiment(PathBuf),
    /// Another process trains there.
    #[error("another process is training in {}; stop it first, or name another folder with --run", .0.display())]
    Busy(PathBuf),
    /// The folder is not the one that was locked.
    #[error(
        "{} was removed or replaced, or the file 'lock' in it, while this process was training there; it stops before it writes to \
         the run of another",
        .0.display()
    )]
    Replaced(PathBuf),
    /// There is no run.
    #[error("{} holds no run: there is no recipe.toml in it; 'hexzero train --run DIR' begins one", .0.display())]
    Missing(PathBuf),
    /// A file of the folder cannot be read or written.
    #[error("{}: {problem}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// The problem.
        problem: String,
    },
}

impl RunFolder {
    /// Creates the folder of a new run.
    ///
    /// # Errors
    /// If it holds a run already, or cannot be created.
    pub fn create(path: &Path) -> Result<Self, RunFolderError> {
        let folder = Self { path: path.to_owned() };
        if folder.recipe().exists() {
            return Err(RunFolderError::Taken(path.to_owned()));
        }
        if path.join("games.jsonl").exists() && path.join("table.json").exists() {
            return Err(RunFolderError::Experiment(path.to_owned()));
        }
        let is_begun = folder.metrics().exists()
            || folder.journal().exists()
            || !folder.shard_numbers().is_empty()
            || folder.latest_checkpoint().is_some();
        // A state without an iteration is of a run that was killed before its recipe was written.
        let state = folder.state();
        let is_empty = |state: TrainingState| state.counters.iteration == 0;
        if is_begun || state.exists() && !TrainingState::read(&state).is_ok_and(is_empty) {
            return Err(RunFolderError::Leftovers(path.to_owned()));
        }
        folder.make_folders()?;
        path.ancestors().for_each(sync_folder);
        Ok(folder)
    }

    /// Removes partial files of writes that were killed. The caller must hold the run's lock.
    pub(crate) fn sweep(&self) {
        let in_folder =
            |folder: PathBuf| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let of_run = |path: &PathBuf| {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            ["state.safetensors.", "journal.", "recipe.toml.", "starts-"].iter().any(|start| name.starts_with(start))
        };
        let written = [self.checkpoints(), self.games()].into_iter().flat_map(in_folder);
        let left = written.chain(in_folder(self.path.clone()).filter(of_run));
        for path in left.filter(|path| path.extension().is_some_and(|ending| ending == "partial")) {
            // Best effort: the file only takes space.
            let _ = fs::remove_file(path);
        }
    }

    /// Creates the subfolders that are missing.
    pub(crate) fn make_folders(&self) -> Result<(), RunFolderError> {
        let parts = [self.checkpoints(), self.games()];
        parts.iter().try_for_each(|part| fs::create_dir_all(part).map_err(|error| file_error(part, error)))
    }

    /// Opens the folder of an existing run.
    ///
    /// # Errors
    /// If there is none.
    pub fn open(path: &Path) -> Result<Self, RunFolderError> {
        let folder = Self { path: path.to_owned() };
        if folder.recipe().is_file() { Ok(folder) } else { Err(RunFolderError::Missing(path.to_owned())) }
    }

    /// Keeps other processes from training in this folder as long as the lock is held.
    ///
    /// # Errors
    /// If another process holds it.
    pub fn lock(&self) -> Result<RunLock, RunFolderError> {
        RunLock::take(&self.path)
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of the recipe.
    pub fn recipe(&self) -> PathBuf {
        self.path.join("recipe.toml")
    }

    /// Returns the path of the state to resume from.
    pub fn state(&self) -> PathBuf {
        self.path.join("state.safetensors")
    }

    /// Returns the path of the metrics: the figures of each iteration, a JSON object a line.
    pub fn metrics(&self) -> PathBuf {
        self.path.join("metrics.jsonl")
    }

    /// Returns the path of a file for TensorBoard, by the time at which it is begun, in seconds since 1970, and its
    /// first iteration. Sorted by name the files are in order of time.
    pub fn events(&self, seconds: u64, iteration: u64) -> PathBuf {
        self.path.join(format!("events.out.tfevents.{seconds:010}.{iteration:06}"))
    }

    /// Returns the folder of the checkpoints.
    pub fn checkpoints(&self) -> PathBuf {
        self.path.join("checkpoints")
    }

    /// Returns the folder of the games.
    pub fn games(&self) -> PathBuf {
        self.path.join("games")
    }

    /// Returns the path of the checkpoint after a step.
    pub fn checkpoint(&self, step: u64) -> PathBuf {
        self.checkpoints().join(format!("step-{step:08}.safetensors"))
    }

    /// Returns the path of the latest checkpoint, if there is one: the one that the last line of the metrics names, or
    /// if that one is gone, the one with the highest step.
    pub fn latest_checkpoint(&self) -> Option<PathBuf> {
        let lines = files::open(&self.metrics()).into_iter().flat_map(files::lines).map_while(Result::ok);
        let last: Option<Value> = lines.last().and_then(|line| serde_json::from_slice(&line).ok());
        let named = last.as_ref().and_then(|figures| figures.get("checkpoint")?.as_str());
        let is_named = |path: &&PathBuf| path.file_name().and_then(|name| name.to_str()) == named;
        let checkpoints: Vec<PathBuf> = self.checkpoint_steps().iter().map(|&step| self.checkpoint(step)).collect();
        checkpoints.iter().find(is_named).or(checkpoints.last()).cloned()
    }

    /// Returns the steps after which there are checkpoints, in ascending order.
    pub fn checkpoint_steps(&self) -> Vec<u64> {
        let entries = fs::read_dir(self.checkpoints()).into_iter().flatten();
        let files = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let step = |name: String| {
            let step: u64 = name.strip_prefix("step-")?.strip_suffix(".safetensors")?.parse().ok()?;
            // `step-9.safetensors` is not the run's.
            self.checkpoint(step).ends_with(name).then_some(step)
        };
        let mut steps: Vec<u64> = files.filter_map(step).collect();
        steps.sort_unstable();
        steps
    }

    /// Returns the path of the games that rate the checkpoints.
    pub fn ladder(&self) -> PathBuf {
        self.path.join("ladder.jsonl")
    }

    /// Returns the path of an iteration's games.
    pub fn shard(&self, iteration: u64) -> PathBuf {
        self.games().join(format!("{iteration:06}.games"))
    }

    /// Returns the numbers of the iterations that have a shard, in ascending order.
    pub fn shard_numbers(&self) -> Vec<u64> {
        let stem = |path: PathBuf| path.file_stem()?.to_str()?.parse().ok();
        self.latest_shards().into_iter().rev().filter_map(stem).collect()
    }

    /// Returns the paths of all shards of games, the latest first.
    pub fn latest_shards(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.games()).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
        let is_shard = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "games");
        let mut shards: Vec<PathBuf> = entries.filter(is_shard).collect();
        shards.sort_unstable_by(|a, b| b.cmp(a));
        shards
    }

    /// Returns the path of the journal: the finished games of the iteration under way.
    pub fn journal(&self) -> PathBuf {
        self.path.join("journal")
    }

    /// Renames a file to a name that is never read: `NAME.ending` or, if there is one, `NAME.ending-2` and so on.
    ///
    /// # Errors
    /// If it cannot be renamed.
    pub fn set_aside(&self, path: &Path, ending: &str) -> Result<PathBuf, RunFolderError> {
        let named = |added: String| {
            let mut name = path.as_os_str().to_owned();
            name.push(added);
            PathBuf::from(name)
        };
        let endings = std::iter::once(format!(".{ending}")).chain((2..).map(|number| format!(".{ending}-{number}")));
        let aside = endings.map(named).find(|aside| !aside.exists()).unwrap_or_default();
        files::rename(path, &aside).map_err(|error| file_error(path, error))?;
        Ok(aside)
    }

    /// Appends a line to the metrics.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append_metrics(&self, line: &str) -> Result<(), RunFolderError> {
        let path = self.metrics();
        let append = || {
            let mut file = File::options().create(true).read(true).append(true).open(&path)?;
            // A crash of the machine may have left half a line.
            let mut last = [b'\n'];
            if file.seek(SeekFrom::End(-1)).is_ok() {
                file.read_exact(&mut last)?;
            }
            let end = if last == *b"\n" { "" } else { "\n" };
            // Written in one piece, so that a killed run leaves no half line.
            file.write_all(format!("{end}{line}\n").as_bytes())?;
            // The state can restore only the last line.
            file.sync_data()
        };
        append().map_err(|error| file_error(&path, error))
    }
}

pub(crate) fn file_error(path: &Path, problem: impl ToString) -> RunFolderError {
    RunFolderError::File { path: path.to_owned(), problem: problem.to_string() }
}
