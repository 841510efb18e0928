//! Warning that there are no workers.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::broker::Broker;
use super::error::ClusterError;
use super::wire::{PROGRAM_VERSION, WORKERS, WorkerStatus};

/// Silence after which the user is warned.
const SILENCE: Duration = Duration::from_secs(10);

/// Watch over the silence of all workers.
#[derive(Debug)]
pub(super) struct NoWorkers {
    heard: Instant,
    warned: bool,
}

impl NoWorkers {
    /// Starts the watch now.
    pub fn new() -> Self {
        Self { heard: Instant::now(), warned: false }
    }

    /// Starts the watch again, as a message has arrived.
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
        let Ok(versions) = versions(broker) else { return };
        if let Some(warning) = warning(&versions) {
            warn(&warning);
            self.warned = true;
        }
    }
}

/// Returns the version of each worker, `None` where its report cannot be read.
fn versions(broker: &Broker) -> Result<Vec<Option<String>>, ClusterError> {
    let reports = broker.entries(WORKERS)?;
    // Another version may report in another form.
    let version = |bytes: &[u8]| Some(serde_json::from_slice::<WorkerStatus>(bytes).ok()?.version);
    Ok(reports.iter().map(|(_, bytes)| version(bytes)).collect())
}

/// Returns the warning for workers of these versions, or `None` if one of them can play.
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
