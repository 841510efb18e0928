//! A training run to look at while it goes on.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;
use serde_json::Value;

use crate::interfaces::error::CliError;
use crate::interfaces::run_page::run_page;
use crate::training::{Metrics, RunFolder};

/// A run, its page, and when that was made.
#[derive(Debug)]
pub(super) struct RunView {
    folder: RunFolder,
    name: String,
    /// As it was when the files had changed last at this time.
    made: Mutex<Option<(u64, Arc<Made>)>>,
}

/// What is made of a run's files.
#[derive(Debug)]
struct Made {
    html: String,
    iterations: usize,
    games: u64,
}

/// How far a run has come. docs/web.md describes the JSON.
#[derive(Debug, Serialize)]
pub(super) struct RunStatus {
    name: String,
    iterations: usize,
    games: u64,
    changed: u64,
}

impl RunView {
    /// The run in a folder.
    pub fn open(path: &Path) -> Result<Self, CliError> {
        let folder = RunFolder::open(path).map_err(CliError::failed)?;
        let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let name = whole.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Ok(Self { folder, name, made: Mutex::new(None) })
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// When something in it changed last, in milliseconds since 1970.
    fn changed(&self) -> u64 {
        let modified = |path| fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
        let files = [self.folder.recipe(), self.folder.metrics(), self.folder.ladder()];
        let latest = files.into_iter().filter_map(modified).max().unwrap_or(UNIX_EPOCH);
        latest.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_millis() as u64
    }

    /// The page and the figures of the present state. Takes its time, so not on a thread that others wait for.
    fn made(&self) -> Result<(u64, Arc<Made>), CliError> {
        // Who comes while it is made waits for that.
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = self.changed();
        if let Some((of, made)) = &*made
            && *of == changed
        {
            return Ok((changed, Arc::clone(made)));
        }
        let metrics = Metrics::read(&self.folder);
        let games = metrics.iterations.last().and_then(|last| Metrics::figure(last, "games")).and_then(Value::as_u64);
        let html = run_page(&self.folder)?.html;
        let new = Arc::new(Made { html, iterations: metrics.iterations.len(), games: games.unwrap_or(0) });
        *made = Some((changed, Arc::clone(&new)));
        Ok((changed, new))
    }

    /// The page.
    pub fn html(&self) -> Result<String, CliError> {
        Ok(self.made()?.1.html.clone())
    }

    /// How far the run has come.
    pub fn status(&self) -> Result<RunStatus, CliError> {
        let (changed, made) = self.made()?;
        Ok(RunStatus { name: self.name.clone(), iterations: made.iterations, games: made.games, changed })
    }
}
