//! Logs of a run's iterations: `metrics.jsonl`, and event files for TensorBoard.

use std::fs;
use std::time::SystemTime;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::training::folder::{Counters, RunFolder, RunFolderError};

use super::event_file::EventFile;
use super::iteration_report::{IterationReport, scalars};

/// Writes the figures of each iteration. Each process that works on a run begins its own event file with its first
/// iteration.
#[derive(Debug, Default)]
pub(in crate::training) struct RunLog {
    events: Option<EventFile>,
}

impl RunLog {
    /// Appends the figures of an iteration; `line` is the result of [`metrics_line`].
    pub fn write(&mut self, folder: &RunFolder, report: &IterationReport, line: &str) -> Result<(), RunFolderError> {
        folder.append_metrics(line)?;
        self.add_event(folder, &report.counters, &report.scalars())
    }

    /// Appends the line of the last iteration, from the run's state, unless it is there: the run was killed in
    /// between.
    pub fn restore(&mut self, folder: &RunFolder, line: &str, iteration: u64) -> Result<(), RunFolderError> {
        let is_last =
            |figures: &Map<String, Value>| figures.get("iteration").and_then(Value::as_u64) == Some(iteration);
        if Metrics::read(folder).iterations.iter().any(is_last) {
            return Ok(());
        }
        folder.append_metrics(line)?;
        // A number that JSON cannot represent makes it unreadable; then TensorBoard lacks the iteration.
        let Ok(figures) = serde_json::from_str::<Value>(line) else { return Ok(()) };
        let Ok(counters) = Counters::deserialize(&figures) else { return Ok(()) };
        self.add_event(folder, &counters, &scalars(&figures))
    }

    fn add_event(
        &mut self,
        folder: &RunFolder,
        counters: &Counters,
        scalars: &[(String, f64)],
    ) -> Result<(), RunFolderError> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        // Another process may have begun one in the same second.
        let mut names = (now.as_secs()..).map(|seconds| folder.events(seconds, counters.iteration));
        let path = names.find(|path| !path.exists()).unwrap_or_default();
        let written = match &mut self.events {
            Some(events) => Ok(events),
            none => EventFile::create(&path, now.as_secs_f64()).map(|events| none.insert(events)),
        };
        let written = written.and_then(|events| events.append(now.as_secs_f64(), counters.step, scalars));
        written.map_err(|error| RunFolderError::File { path, problem: error.to_string() })
    }
}

/// Formats the line of `metrics.jsonl` for an iteration.
pub(in crate::training) fn metrics_line(
    folder: &RunFolder,
    report: &IterationReport,
) -> Result<String, RunFolderError> {
    serde_json::to_string(report)
        .map_err(|error| RunFolderError::File { path: folder.metrics(), problem: error.to_string() })
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
    /// Reads those of a run; empty if it has finished no iteration yet.
    pub fn read(folder: &RunFolder) -> Self {
        let path = folder.metrics();
        let mut metrics = Self::default();
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(_) if !path.exists() => return metrics,
            Err(error) => {
                metrics.problems.push(format!("{}: {error}", path.display()));
                return metrics;
            }
        };
        for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
            match serde_json::from_slice(line) {
                Ok(figures) => metrics.iterations.push(figures),
                Err(_) if line.is_empty() => {}
                Err(error) => {
                    metrics.problems.push(format!("{}, line {number}: {error}; skipped", path.display()));
                }
            }
        }
        metrics
    }

    /// Returns a figure of an iteration by its name; a slash leads into a nested one, as in `losses/policy`.
    pub fn figure<'a>(iteration: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
        let (first, rest) = name.split_once('/').unwrap_or((name, ""));
        let value = iteration.get(first)?;
        if rest.is_empty() { Some(value) } else { Self::figure(value.as_object()?, rest) }
    }
}
