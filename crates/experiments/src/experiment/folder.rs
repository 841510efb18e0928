//! The folder of an experiment: `CELL/seed-N/` are its runs, `CELL/seed-N.json` says that a run is finished,
//! `games.jsonl` has the games of the matches, `table.md`, `table.json` and `report.html` the results.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hexzero_system::files::write_whole;

use super::conduct::ExperimentError;
use super::findings::TrainedRun;
use super::plan::Cell;

/// The folder of an experiment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExperimentFolder {
    path: PathBuf,
}

impl ExperimentFolder {
    /// Names a folder, which need not exist.
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// Returns the folder's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the folder of a run.
    pub fn run(&self, cell: &Cell, seed: u64) -> PathBuf {
        self.path.join(&cell.folder).join(format!("seed-{seed}"))
    }

    /// Returns the name of a run's network in the games.
    pub fn player(cell: &Cell, seed: u64) -> String {
        format!("{}/seed-{seed}", cell.folder)
    }

    /// Returns the path of the games of all matches, in the interchange format.
    pub fn games(&self) -> PathBuf {
        self.path.join("games.jsonl")
    }

    /// Returns the path of the page.
    pub fn page(&self) -> PathBuf {
        self.path.join("report.html")
    }

    fn record(&self, cell: &Cell, seed: u64) -> PathBuf {
        self.path.join(&cell.folder).join(format!("seed-{seed}.json"))
    }

    /// Reads the result of a finished run; none if it is not finished.
    ///
    /// # Errors
    /// If the file cannot be read, or holds something else.
    pub fn finished(&self, cell: &Cell, seed: u64) -> Result<Option<TrainedRun>, String> {
        let path = self.record(cell, seed);
        let named = |error: String| format!("{}: {error}", path.display());
        match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(named(error.to_string())),
            Ok(bytes) => serde_json::from_slice(&bytes)
                .map(Some)
                .map_err(|error| named(format!("{error}; remove the file to finish the run again"))),
        }
    }

    /// Records that a run is finished.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(&self, cell: &Cell, run: &TrainedRun) -> Result<(), ExperimentError> {
        write(&self.record(cell, run.seed), &(serde_json::to_string(run)? + "\n"))
    }
}

/// Writes a file of the folder.
pub(super) fn write(path: &Path, text: &str) -> Result<(), ExperimentError> {
    Ok(write_whole(path, text.as_bytes()).map_err(|error| cannot_write(path, error))?)
}

pub(super) fn cannot_write(path: &Path, error: io::Error) -> String {
    format!("cannot write {}: {error}", path.display())
}
