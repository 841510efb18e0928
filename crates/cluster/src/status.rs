//! Status of a cluster, for people and for Prometheus, and the warning that it has no workers.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::ClusterError;
use crate::broker::Broker;
use crate::wire::{
    CURRENT_KEY, CoordinatorStatus, PROGRAM_VERSION, RunState, STATE, SUMMARY_KEY, Traffic, WORKERS, WorkerStatus,
    decode,
};

/// Limits of what a worker may report: games a second, and games at once.
const MAX_RATE: f64 = 1e6;
const MAX_THREADS: usize = 1_000_000;

/// Status of a cluster.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClusterStatus {
    /// Latest report of the coordinator; `None` if there never was one.
    pub coordinator: Option<CoordinatorStatus>,
    /// True if games are wanted.
    pub active: bool,
    /// Workers that have reported within the last 20 seconds.
    pub workers: Vec<WorkerStatus>,
    /// Banned workers, with reasons.
    pub refused: BTreeMap<String, String>,
    /// Ranges of games that are not played yet.
    pub ranges_out: u64,
    /// Messages with games that the coordinator has not acknowledged.
    pub messages_waiting: u64,
}

/// Returns the reports of all workers.
pub(super) fn workers(broker: &Broker) -> Result<Vec<WorkerStatus>, ClusterError> {
    // Another version may report in another form, and reports are not trusted.
    let report = |(key, bytes): (String, Vec<u8>)| {
        let report = serde_json::from_slice::<WorkerStatus>(&bytes).ok()?;
        // Adding 0 removes the sign of -0.
        let games_per_second = report.games_per_second.clamp(0.0, MAX_RATE) + 0.0;
        // Broker accounts can restrict the key, but not the name in the report.
        Some(WorkerStatus { name: key, games_per_second, threads: report.threads.min(MAX_THREADS), ..report })
    };
    Ok(broker.entries(WORKERS)?.into_iter().filter_map(report).collect())
}

impl ClusterStatus {
    /// Reads the status at the broker.
    ///
    /// # Errors
    /// If the broker does not answer, or no run has used it.
    pub fn read(broker: &Broker) -> Result<Self, ClusterError> {
        Self::read_run(broker).map_err(|error| if error.lacks_run() { ClusterError::NoRun } else { error })
    }

    fn read_run(broker: &Broker) -> Result<Self, ClusterError> {
        let state = broker.get(STATE, CURRENT_KEY)?.and_then(|(bytes, _)| decode::<RunState>(&bytes).ok());
        let summary = broker.get(STATE, SUMMARY_KEY)?;
        let workers = workers(broker)?;
        let refused = broker.banned_workers()?.into_iter().filter(|(_, entry)| !entry.unbanned);
        let (ranges_out, messages_waiting) = broker.pending()?;
        Ok(Self {
            coordinator: summary.and_then(|(bytes, _)| serde_json::from_slice(&bytes).ok()),
            active: state.is_some_and(|state| state.job.is_some()),
            workers,
            refused: refused.map(|(worker, entry)| (worker, entry.reason)).collect(),
            ranges_out,
            messages_waiting,
        })
    }

    /// Returns the status in the text format of Prometheus.
    pub fn to_prometheus(&self) -> String {
        let mut text = String::new();
        let mut metric = |name: &str, kind: &str, help: &str, values: &[(String, f64)]| {
            text += &format!("# HELP hexzero_{name} {help}\n# TYPE hexzero_{name} {kind}\n");
            values.iter().for_each(|(labels, value)| text += &format!("hexzero_{name}{labels} {value}\n"));
        };
        let mut single = vec![
            ("workers", "gauge", "Workers that have reported of late.", self.workers.len() as u64),
            ("ranges_out", "gauge", "Ranges of games dealt out and not played.", self.ranges_out),
            ("messages_waiting", "gauge", "Messages that wait for the coordinator.", self.messages_waiting),
        ];
        if let Some(coordinator) = &self.coordinator {
            let Traffic { acknowledged, used, doubled, stale, refused, repeated, bytes } = coordinator.traffic;
            single.extend([
                ("missing_games", "gauge", "Games still to come for this iteration.", coordinator.missing as u64),
                ("games_acknowledged_total", "counter", "Games in acknowledged messages.", acknowledged),
                ("games_used_total", "counter", "Games learnt from.", used),
                ("games_doubled_total", "counter", "Games that were there already.", doubled),
                ("games_stale_total", "counter", "Games of an older checkpoint.", stale),
                ("games_repeated_total", "counter", "Games played again to check them.", repeated),
                ("messages_refused_total", "counter", "Messages refused.", refused),
                ("message_bytes_total", "counter", "Bytes of messages with games.", bytes),
            ]);
        }
        for (name, kind, help, value) in single {
            metric(name, kind, help, &[(String::new(), value as f64)]);
        }
        let of_workers = |value: &dyn Fn(&WorkerStatus) -> f64| -> Vec<(String, f64)> {
            let labelled = self.workers.iter().map(|worker| {
                // Text that a worker reports must not end the label.
                let plain = |text: &str| text.replace(['"', '\\', '\n'], "_");
                let (name, version) = (plain(&worker.name), plain(&worker.version));
                let evaluation = plain(&worker.evaluation);
                (format!("{{worker=\"{name}\",version=\"{version}\",evaluation=\"{evaluation}\"}}"), value(worker))
            });
            labelled.collect()
        };
        metric("worker_games_total", "counter", "Games of a worker.", &of_workers(&|worker| worker.games as f64));
        metric("worker_games_per_second", "gauge", "Games a second.", &of_workers(&|worker| worker.games_per_second));
        text
    }
}

/// Silence after which the user is warned.
const SILENCE: Duration = Duration::from_secs(10);

/// Notices that no worker is heard from.
#[derive(Debug)]
pub(super) struct NoWorkers {
    heard: Instant,
    warned: bool,
}

impl NoWorkers {
    /// Starts to wait for a message.
    pub fn new() -> Self {
        Self { heard: Instant::now(), warned: false }
    }

    /// Starts to wait again, as a message has arrived.
    pub fn reset(&mut self) {
        self.heard = Instant::now();
    }

    /// Returns true if no message has arrived for long.
    pub fn is_silent(&self) -> bool {
        self.heard.elapsed() >= SILENCE
    }

    /// Warns the user, once, if no message has arrived for long and no worker at the broker can play.
    pub fn warn(&mut self, broker: &Broker, warn: &dyn Fn(&str)) {
        if self.warned || !self.is_silent() {
            return;
        }
        // If the broker does not answer, the next call asks again.
        let Ok(reports) = broker.entries(WORKERS) else { return };
        // Another version may report in another form.
        let version =
            |(_, bytes): &(String, Vec<u8>)| Some(serde_json::from_slice::<WorkerStatus>(bytes).ok()?.version);
        let versions: Vec<Option<String>> = reports.iter().map(version).collect();
        if let Some(warning) = warning(&versions) {
            warn(&warning);
            self.warned = true;
        }
    }
}

/// Returns the warning for workers of these versions (`None` where a report cannot be read), or `None` if one can play.
fn warning(versions: &[Option<String>]) -> Option<String> {
    if versions.is_empty() {
        return Some("no workers; start some with: hexzero cluster worker --cluster ADDRESS".to_owned());
    }
    if versions.iter().any(|version| version.as_deref() == Some(PROGRAM_VERSION)) {
        return None;
    }
    let versions: BTreeSet<&str> =
        versions.iter().map(|version| version.as_deref().unwrap_or("another version")).collect();
    let versions = Vec::from_iter(versions).join(", ");
    Some(format!("no workers of hexzero {PROGRAM_VERSION}, this version, only of {versions}; use the same version"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status() -> ClusterStatus {
        let worker = WorkerStatus {
            name: "lab-1".to_owned(),
            host: "lab".to_owned(),
            version: "0\"} 7\n".to_owned(),
            evaluation: "avx2 f32".to_owned(),
            threads: 8,
            games: 40,
            games_per_second: 2.5,
            playing: true,
        };
        let coordinator = CoordinatorStatus {
            run: "a".to_owned(),
            host: "learner".to_owned(),
            version: PROGRAM_VERSION.to_owned(),
            phase: "playing".to_owned(),
            missing: 3,
            games_per_second: 2.0,
            traffic: Traffic { acknowledged: 40, used: 38, doubled: 2, ..Traffic::default() },
        };
        ClusterStatus {
            coordinator: Some(coordinator),
            active: true,
            workers: vec![worker],
            refused: BTreeMap::new(),
            ranges_out: 4,
            messages_waiting: 1,
        }
    }

    #[test]
    fn prometheus_metrics() {
        let text = status().to_prometheus();
        for line in text.lines().filter(|line| !line.starts_with("# ")) {
            let (name, value) = line.rsplit_once(' ').unwrap();
            assert!(name.starts_with("hexzero_") && value.parse::<f64>().is_ok(), "{line}");
        }
        assert!(text.contains("\nhexzero_games_used_total 38\n") && text.contains("\nhexzero_missing_games 3\n"));
        // Text that a worker reports stays inside its label.
        let labels = "{worker=\"lab-1\",version=\"0_} 7_\",evaluation=\"avx2 f32\"}";
        assert!(text.contains(&format!("\nhexzero_worker_games_total{labels} 40\n")), "{text}");
    }

    #[test]
    fn dashboard_uses_existing_metrics() {
        let dashboard: serde_json::Value = serde_json::from_str(include_str!("../../../deploy/grafana.json")).unwrap();
        let text = status().to_prometheus();
        let panels = dashboard["panels"].as_array().unwrap();
        let targets = panels.iter().flat_map(|panel| panel["targets"].as_array().unwrap());
        let mut shown = 0;
        for target in targets {
            let expression = target["expr"].as_str().unwrap();
            let name = expression.split(['(', ')', '[']).find(|part| part.starts_with("hexzero_")).unwrap();
            assert!(text.contains(&format!("# TYPE {name} ")), "{expression}");
            shown += 1;
        }
        assert_eq!(shown, 11);
    }

    #[test]
    fn workers_of_other_versions_cannot_play() {
        let warning = |versions: &[&str]| {
            let versions: Vec<_> = versions.iter().map(|version| Some((*version).to_owned())).collect();
            super::warning(&versions)
        };
        assert!(warning(&[]).unwrap().starts_with("no workers; start some"));
        assert_eq!(warning(&["9.1", PROGRAM_VERSION]), None);
        let others = warning(&["9.2", "9.1", "9.2"]).unwrap();
        assert!(others.contains("only of 9.1, 9.2; use the same version"), "{others}");
        assert!(super::warning(&[None]).unwrap().contains("only of another version"));
    }
}
