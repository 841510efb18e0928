//! Figures of an iteration, and the logs that keep them.

mod event_file;
mod game_statistics;
mod prediction_quality;

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::folder::{Counters, RunFolder, RunFolderError, file_error};
use crate::loss::Losses;
use hexzero_selfplay::{ResignationCheck, RestartBuffer};
use hexzero_system::checked_lines::{check, with_checksum};
use hexzero_system::files::{self, bounded_lines, lines};

pub use event_file::EventFile;
pub use game_statistics::{GameStatistics, Lengths};
pub use prediction_quality::{CALIBRATION_BINS, CalibrationBin, PredictionQuality, SearchAndNetwork};

/// Writes the figures of each iteration. Each process that works on a run begins its own event file with its first
/// iteration.
#[derive(Debug, Default)]
pub(crate) struct RunLog {
    /// The event file and its path, once it is begun.
    events: Option<(PathBuf, EventFile)>,
}

impl RunLog {
    /// Appends the figures of an iteration, a [`metrics_line`].
    pub fn write(&mut self, folder: &RunFolder, line: &str) -> Result<(), RunFolderError> {
        folder.append_metrics(line)?;
        // A number that JSON cannot represent makes it unreadable; then TensorBoard lacks the iteration.
        let Ok(figures) = serde_json::from_str::<Value>(line) else { return Ok(()) };
        let Ok(counters) = Counters::deserialize(&figures) else { return Ok(()) };
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let (path, events) = match &mut self.events {
            Some(begun) => begun,
            none => {
                // Another process may have begun one in the same second.
                let mut names = (now.as_secs()..).map(|seconds| folder.events(seconds, counters.iteration));
                let path = names.find(|path| !path.exists()).unwrap_or_default();
                let events = EventFile::create(&path, now.as_secs_f64()).map_err(|error| file_error(&path, error))?;
                none.insert((path, events))
            }
        };
        let scalars = scalars(&figures);
        events.append(now.as_secs_f64(), counters.step, &scalars).map_err(|error| file_error(path, error))
    }
}

/// Formats the line of `metrics.jsonl` for an iteration.
pub(crate) fn metrics_line(folder: &RunFolder, report: &IterationReport) -> Result<String, RunFolderError> {
    serde_json::to_string(report)
        .map(|object| with_checksum(&object))
        .map_err(|error| file_error(&folder.metrics(), error))
}

/// Opens a file, if there is one.
fn opened(path: &Path) -> io::Result<Option<File>> {
    match files::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads the figures of a line of `metrics.jsonl`.
fn figures(line: &[u8]) -> Result<Map<String, Value>, String> {
    check(line)?;
    serde_json::from_slice(line).map_err(|error| error.to_string())
}

/// The contents of a run's `metrics.jsonl`. Figures are kept by name, so that those of runs begun by other versions
/// of the program can be read too.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Metrics {
    /// The figures of each iteration.
    pub iterations: Vec<Map<String, Value>>,
    /// Messages about unreadable lines.
    pub problems: Vec<String>,
}

impl Metrics {
    /// Reads the metrics of a run; empty if it has finished no iteration yet.
    pub fn read(folder: &RunFolder) -> Self {
        let path = folder.metrics();
        let mut metrics = Self::default();
        if let Err(error) = metrics.add(&path) {
            metrics.problems.push(format!("{}: {error}", path.display()));
        }
        metrics
    }

    fn add(&mut self, path: &Path) -> io::Result<()> {
        let Some(file) = opened(path)? else { return Ok(()) };
        for (number, line) in (1..).zip(bounded_lines(&file)?) {
            let line = line?;
            match figures(&line) {
                Ok(figures) => self.iterations.push(figures),
                Err(_) if line == b"\n" => {}
                Err(error) => self.problems.push(format!("{}, line {number}: {error}; skipped", path.display())),
            }
        }
        Ok(())
    }

    /// Returns the number of the last iteration of a run, if there is one; skips unreadable lines. The file may have any length.
    ///
    /// # Errors
    /// If it cannot be read, or has a line that is too long.
    pub fn last_iteration(folder: &RunFolder) -> Result<Option<u64>, RunFolderError> {
        let path = folder.metrics();
        let read = || {
            let mut last = None;
            for line in opened(&path)?.into_iter().flat_map(lines) {
                let figures = figures(&line?).unwrap_or_default();
                last = figures.get("iteration").and_then(Value::as_u64).or(last);
            }
            Ok(last)
        };
        read().map_err(|error: io::Error| file_error(&path, format!("{error}; set the file aside")))
    }

    /// Returns a figure of an iteration by its name; a slash leads into a nested one, as in `losses/policy`.
    pub fn figure<'a>(iteration: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
        let (first, rest) = name.split_once('/').unwrap_or((name, ""));
        let value = iteration.get(first)?;
        if rest.is_empty() { Some(value) } else { Self::figure(value.as_object()?, rest) }
    }
}

/// The figures of an iteration, as written to `metrics.jsonl`. [`crate::Metrics`] reads them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IterationReport {
    /// The progress of the run.
    #[serde(flatten)]
    pub counters: Counters,
    /// Statistics of this iteration's games.
    #[serde(flatten)]
    pub games: GameStatistics,
    /// Statistics of this iteration's games on each board size.
    pub by_size: BTreeMap<u8, GameStatistics>,
    /// Resignations, and how often they are wrong, if the recipe allows them.
    pub resignation: Option<ResignationCheck>,
    /// The positions in which the search was wrong, if there are any.
    pub restarts: Option<RestartReport>,
    /// Entropy and calibration of network and search.
    #[serde(flatten)]
    pub predictions: PredictionQuality,
    /// The kernel and the precision of self-play, on which its games depend beside recipe and seed.
    pub evaluation: String,
    /// The hit rate of the evaluation cache in self-play, if there is one.
    pub cache_hits: Option<f64>,
    /// Seconds of self-play, including games kept from an interruption; 0 if the games are another run's.
    pub selfplay_seconds: f64,
    /// Seconds of training.
    pub training_seconds: f64,
    /// Positions in the replay window.
    pub window: usize,
    /// Mean losses over the iteration's steps.
    pub losses: Losses,
    /// The step size of the last step.
    pub learning_rate: f64,
    /// The mean gradient norm over the iteration's steps, before clipping.
    #[serde(rename = "gradient_length")]
    pub gradient_norm: f64,
    /// The share of the steps whose gradients were clipped.
    pub clipped: f64,
    /// The name of the checkpoint that the iteration ended with, in the run's `checkpoints/`. All
    /// but every `keep_every`-th are removed once the next one is written.
    pub checkpoint: String,
}

/// The positions in which the search was wrong, after an iteration.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RestartReport {
    /// The number of positions.
    pub positions: usize,
    /// Their mean regret.
    pub regret: f64,
}

impl RestartReport {
    pub(crate) fn of(restarts: &RestartBuffer) -> Option<Self> {
        let ranked = restarts.ranked();
        let regret = ranked.iter().map(|restart| f64::from(restart.regret())).sum::<f64>();
        let positions = ranked.len();
        (positions > 0).then(|| Self { positions, regret: regret / positions as f64 })
    }
}

/// Lists all scalars in the figures of an iteration with their names: nested figures after the name of their parent, as in
/// `losses/policy`, all others after `run`. Lists are left out.
fn scalars(figures: &Value) -> Vec<(String, f64)> {
    let mut scalars = Vec::new();
    for (name, value) in figures.as_object().into_iter().flatten() {
        let name = if value.is_object() { name.clone() } else { format!("run/{name}") };
        collect_scalars(name, value, &mut scalars);
    }
    scalars
}

fn collect_scalars(name: String, value: &Value, scalars: &mut Vec<(String, f64)>) {
    match value {
        Value::Number(number) => scalars.extend(number.as_f64().map(|number| (name, number))),
        Value::Object(parts) => {
            for (part, value) in parts {
                collect_scalars(format!("{name}/{part}"), value, scalars);
            }
        }
        _ => {}
    }
}
