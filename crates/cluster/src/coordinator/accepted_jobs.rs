//! Jobs whose games are accepted.

use std::collections::VecDeque;

use super::acceptance::{Acceptance, Refusal};
use crate::wire::PlayedRange;

/// Jobs whose games are accepted, latest first.
#[derive(Debug, Default)]
pub struct AcceptedJobs(pub VecDeque<Acceptance>);

impl AcceptedJobs {
    /// Returns the digest of the present job, if there is one.
    pub fn present(&self) -> Option<&str> {
        self.0.front().map(Acceptance::job)
    }

    /// Makes `job` the present one, and drops the oldest so that at most `limit` jobs are left.
    pub fn push(&mut self, job: Acceptance, limit: usize) {
        self.0.push_front(job);
        self.0.truncate(limit);
    }

    /// Returns the digests of all jobs but `present`.
    pub fn except(&self, present: Option<&str>) -> Vec<String> {
        let digests = self.0.iter().map(Acceptance::job);
        digests.filter(|&digest| Some(digest) != present).map(str::to_owned).collect()
    }

    /// Returns the names of the files of all jobs.
    pub fn files(&self) -> Vec<String> {
        self.0.iter().flat_map(|job| job.files.clone()).collect()
    }

    /// Checks the games of `range` and returns how many were played again for that; of a suspect's
    /// games, all are.
    pub fn check(&mut self, range: &PlayedRange, is_suspect: bool) -> (u64, Result<(), Refusal>) {
        let Some(job) = self.0.iter_mut().find(|job| job.job() == range.job) else {
            return (0, Err(Refusal::Stale(range.games.len())));
        };
        let before = job.repeated;
        let checked = job.check(range, is_suspect);
        (job.repeated - before, checked)
    }
}

#[cfg(test)]
mod tests {
    use hexzero_nn::Backend;

    use super::*;
    use crate::tests::{checkpoint, provenance};
    use hexzero_games::game_named;
    use hexzero_selfplay::{SelfPlayJob, SelfPlaySettings};

    fn job(digest: &str) -> Acceptance {
        let (game, settings, network) = (game_named("cachex").unwrap(), SelfPlaySettings::default(), checkpoint(1));
        let parts = SelfPlayJob { game, checkpoint: &network, settings: &settings, run_seed: 3 };
        let files = [digest.to_owned(), format!("checkpoint of {digest}")];
        Acceptance::new(parts, files, 0.0, false, &Backend::default()).unwrap()
    }

    #[test]
    fn games_of_dropped_jobs_are_stale() {
        let of = |job: &str| PlayedRange { job: job.to_owned(), provenance: provenance(), games: Vec::new() };
        let mut jobs = AcceptedJobs::default();
        assert!(jobs.present().is_none());
        ["a", "b", "c"].into_iter().for_each(|digest| jobs.push(job(digest), 2));
        assert_eq!(
            (jobs.present(), jobs.except(Some("c")), jobs.except(None).len()),
            (Some("c"), vec!["b".to_owned()], 2)
        );
        assert_eq!(jobs.files(), ["c", "checkpoint of c", "b", "checkpoint of b"]);
        assert_eq!(["c", "b"].map(|job| jobs.check(&of(job), false)), [(0, Ok(())), (0, Ok(()))]);
        let stale = Refusal::Stale(0);
        assert!(!stale.bans());
        assert_eq!(jobs.check(&of("a"), false), (0, Err(stale)));
    }
}
