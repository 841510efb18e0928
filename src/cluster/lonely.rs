//! Telling the user that nobody plays.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::broker::Broker;
use super::frame::PROGRAM;
use super::names::WORKERS;
use super::status::WorkerStatus;

/// Nothing comes for so long before the user is told why.
const LONELY: Duration = Duration::from_secs(10);

/// How long nothing has come from any worker.
#[derive(Debug)]
pub(super) struct Loneliness {
    heard: Instant,
    told: bool,
}

impl Loneliness {
    /// Waits from now on.
    pub fn new() -> Self {
        Self { heard: Instant::now(), told: false }
    }

    /// Something has come.
    pub fn ends(&mut self) {
        self.heard = Instant::now();
    }

    /// Whether nothing has come for long.
    pub fn lasts(&self) -> bool {
        self.heard.elapsed() >= LONELY
    }

    /// Tells the user once if this lasts and nobody is there who could play.
    pub fn tell(&mut self, broker: &Broker, tell: &dyn Fn(&str)) {
        if self.told || !self.lasts() {
            return;
        }
        // A broker that does not answer now may do so next time.
        let Ok(entries) = broker.entries(WORKERS) else { return };
        // What another version reports may look different.
        let version = |bytes: &Vec<u8>| Some(serde_json::from_slice::<WorkerStatus>(bytes).ok()?.version);
        let versions: Vec<_> = entries.iter().map(|(_, bytes)| version(bytes)).collect();
        if let Some(complaint) = complaint(&versions) {
            tell(&complaint);
            self.told = true;
        }
    }
}

/// What is wrong with workers of these versions; none means that it is not known.
fn complaint(versions: &[Option<String>]) -> Option<String> {
    if versions.is_empty() {
        return Some("no worker is there; start some with: hexzero worker --cluster ADDRESS".to_owned());
    }
    if versions.iter().any(|version| version.as_deref() == Some(PROGRAM)) {
        return None;
    }
    let versions: BTreeSet<&str> =
        versions.iter().map(|version| version.as_deref().unwrap_or("another version")).collect();
    let versions = Vec::from_iter(versions).join(", ");
    Some(format!("no worker is there of hexzero {PROGRAM}, which this is, only of {versions}; use the same version"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_could_play_is_told_from_who_could_not() {
        let complaint = |versions: &[&str]| {
            let versions: Vec<_> = versions.iter().map(|version| Some((*version).to_owned())).collect();
            super::complaint(&versions)
        };
        assert!(complaint(&[]).unwrap().starts_with("no worker is there; start some"));
        assert_eq!(complaint(&["9.1", PROGRAM]), None);
        let others = complaint(&["9.2", "9.1", "9.2"]).unwrap();
        assert!(others.contains("only of 9.1, 9.2; use the same version"), "{others}");
        assert!(super::complaint(&[None]).unwrap().contains("only of another version"));
    }
}
