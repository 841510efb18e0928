//! Who works, and what has come of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::broker::Broker;
use super::error::ClusterError;
use super::frame::decode;
use super::messages::RunState;
use super::names::{CURRENT, STATE, SUMMARY, WORKERS};
use super::refusals::refused_workers;

/// What a worker reports of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// Its name.
    pub name: String,
    /// Its machine.
    pub host: String,
    /// Its version of the program.
    pub version: String,
    /// Its kernel and precision.
    pub evaluation: String,
    /// Games that it plays at once.
    pub threads: usize,
    /// Games that it has finished.
    pub games: u64,
    /// Games a second of late.
    pub games_per_second: f64,
    /// Whether it has something to play.
    pub playing: bool,
}

/// What has come of the games that were sent to a coordinator since it started.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traffic {
    /// Games in messages that were acknowledged.
    pub acknowledged: u64,
    /// Games that the run learns from.
    pub used: u64,
    /// Games that were there already.
    pub doubled: u64,
    /// Games of an older checkpoint.
    pub stale: u64,
    /// Messages that were refused.
    pub refused: u64,
    /// Games that were played again to check them.
    pub repeated: u64,
    /// Bytes of all messages.
    pub bytes: u64,
}

/// What a coordinator reports.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CoordinatorStatus {
    /// The run's name.
    pub run: String,
    /// Its machine.
    pub host: String,
    /// Its version of the program.
    pub version: String,
    /// `playing`, or `learning` between the games of two iterations.
    pub phase: String,
    /// Games that are still to come for the present iteration.
    pub missing: usize,
    /// Games a second that were used in the present iteration.
    pub games_per_second: f64,
    /// What has come of the games.
    pub traffic: Traffic,
}

/// The state of a cluster.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClusterStatus {
    /// What the coordinator has reported last; none if there never was one.
    pub coordinator: Option<CoordinatorStatus>,
    /// Whether games are wanted.
    pub active: bool,
    /// The workers that have reported of late.
    pub workers: Vec<WorkerStatus>,
    /// The workers from which nothing is taken, and why.
    pub refused: BTreeMap<String, String>,
    /// Ranges of games that wait for a worker or are being played.
    pub ranges_out: u64,
    /// Messages with games that wait for the coordinator.
    pub messages_waiting: u64,
}

/// The workers that have reported of late.
pub(super) fn workers(broker: &Broker) -> Result<Vec<WorkerStatus>, ClusterError> {
    let reports = broker.entries(WORKERS)?;
    // What another version reports may look different.
    Ok(reports.iter().filter_map(|(_, bytes)| serde_json::from_slice(bytes).ok()).collect())
}

impl ClusterStatus {
    /// Asks the broker.
    ///
    /// # Errors
    /// If it does not answer, or was never used.
    pub fn read(broker: &Broker) -> Result<Self, ClusterError> {
        let state = broker.get(STATE, CURRENT)?.and_then(|(bytes, _)| decode::<RunState>(&bytes).ok());
        let summary = broker.get(STATE, SUMMARY)?;
        let workers = workers(broker)?;
        let refused = refused_workers(broker)?;
        let (ranges_out, messages_waiting) = broker.waiting()?;
        Ok(Self {
            coordinator: summary.and_then(|(bytes, _)| serde_json::from_slice(&bytes).ok()),
            active: state.is_some_and(|state| state.job.is_some()),
            workers,
            refused,
            ranges_out,
            messages_waiting,
        })
    }

    /// The status in the text format of Prometheus.
    pub fn to_prometheus(&self) -> String {
        let mut text = String::new();
        let mut metric = |name: &str, kind: &str, help: &str, values: &[(String, f64)]| {
            text += &format!("# HELP hexzero_{name} {help}\n# TYPE hexzero_{name} {kind}\n");
            values.iter().for_each(|(labels, value)| text += &format!("hexzero_{name}{labels} {value}\n"));
        };
        let one = |value: f64| vec![(String::new(), value)];
        metric("workers", "gauge", "Workers that have reported of late.", &one(self.workers.len() as f64));
        metric("ranges_out", "gauge", "Ranges of games dealt out and not played.", &one(self.ranges_out as f64));
        metric(
            "messages_waiting",
            "gauge",
            "Messages that wait for the coordinator.",
            &one(self.messages_waiting as f64),
        );
        if let Some(coordinator) = &self.coordinator {
            let Traffic { acknowledged, used, doubled, stale, refused, repeated, bytes } = coordinator.traffic;
            metric(
                "missing_games",
                "gauge",
                "Games still to come for this iteration.",
                &one(coordinator.missing as f64),
            );
            let counters = [
                ("games_acknowledged_total", "Games in acknowledged messages.", acknowledged),
                ("games_used_total", "Games learnt from.", used),
                ("games_doubled_total", "Games that were there already.", doubled),
                ("games_stale_total", "Games of an older checkpoint.", stale),
                ("games_repeated_total", "Games played again to check them.", repeated),
                ("messages_refused_total", "Messages refused.", refused),
                ("message_bytes_total", "Bytes of messages with games.", bytes),
            ];
            for (name, help, value) in counters {
                metric(name, "counter", help, &one(value as f64));
            }
        }
        let of_workers = |value: &dyn Fn(&WorkerStatus) -> f64| -> Vec<(String, f64)> {
            let labelled = self.workers.iter().map(|worker| {
                // What a worker says of itself must not end the label.
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

#[cfg(test)]
mod tests {
    use super::super::frame::PROGRAM;
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
            version: PROGRAM.to_owned(),
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
    fn figures_for_prometheus() {
        let text = status().to_prometheus();
        for line in text.lines().filter(|line| !line.starts_with("# ")) {
            let (name, value) = line.rsplit_once(' ').unwrap();
            assert!(name.starts_with("hexzero_") && value.parse::<f64>().is_ok(), "{line}");
        }
        assert!(text.contains("\nhexzero_games_used_total 38\n") && text.contains("\nhexzero_missing_games 3\n"));
        // What a worker says of itself stays inside its label.
        let labels = "{worker=\"lab-1\",version=\"0_} 7_\",evaluation=\"avx2 f32\"}";
        assert!(text.contains(&format!("\nhexzero_worker_games_total{labels} 40\n")), "{text}");
    }

    #[test]
    fn the_dashboard_shows_figures_that_there_are() {
        let dashboard: serde_json::Value = serde_json::from_str(include_str!("../../deploy/grafana.json")).unwrap();
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
}
