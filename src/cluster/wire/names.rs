//! Names of streams, buckets, keys and subjects at the broker.
//!
//! A broker account holds one run at a time; runs that share a broker need an account each.

/// Stream of self-play work. Each message goes to one worker, and to another if the first does not acknowledge it.
pub const WORK: &str = "HEXZERO_WORK";
/// Subject of self-play work.
pub(in crate::cluster) const WORK_SUBJECT: &str = "hexzero.work";
/// Consumer of self-play work, shared by all workers.
pub(in crate::cluster) const WORK_CONSUMER: &str = "workers";

/// Stream of finished games, kept until the coordinator has them in its journal.
pub const GAMES: &str = "HEXZERO_GAMES";
/// Subjects of finished games, one per worker.
pub(in crate::cluster) const GAMES_SUBJECTS: &str = "hexzero.games.*";
/// Consumer of finished games, used by the coordinator.
pub(in crate::cluster) const GAMES_CONSUMER: &str = "coordinator";

/// Stream of match work.
pub const MATCH_WORK: &str = "HEXZERO_MATCHES";
/// Subjects of match work, one per match.
pub(in crate::cluster) const MATCHES_SUBJECTS: &str = "hexzero.matches.*";
/// Consumer of match work, shared by all workers.
pub(in crate::cluster) const MATCH_CONSUMER: &str = "players";

/// Stream of finished match games.
pub const MATCH_RESULTS: &str = "HEXZERO_RESULTS";
/// Subjects of finished match games, by match and worker.
pub(in crate::cluster) const RESULTS_SUBJECTS: &str = "hexzero.results.*.*";

/// Bucket of the matches under way. Hosts renew their entries; an entry that is not renewed expires.
pub const MATCHES: &str = "hexzero-matches";

/// Object store of checkpoints and jobs, by digest.
pub const FILES: &str = "hexzero-files";
/// Prefix of the files of matches, which runs leave alone.
pub(in crate::cluster) const MATCH_FILES: &str = "match.";

/// Bucket of the run's state, followed by workers.
pub const STATE: &str = "hexzero-state";
/// Key of the present [`super::RunState`] in [`STATE`].
pub(in crate::cluster) const CURRENT_KEY: &str = "current";
/// Key of the [`super::CoordinatorStatus`] in [`STATE`].
pub(in crate::cluster) const SUMMARY_KEY: &str = "summary";
/// Prefix of the keys of refused workers in [`STATE`].
pub(in crate::cluster) const REFUSED_KEYS: &str = "refused.";

/// Bucket of worker reports, by worker name. Entries expire.
pub const WORKERS: &str = "hexzero-workers";

/// Bucket of the coordinator's lease.
pub const LEASE: &str = "hexzero-lease";
/// The only key in [`LEASE`].
pub(in crate::cluster) const COORDINATOR_KEY: &str = "coordinator";

/// Returns the subject under which `worker` sends games. Broker accounts can restrict who sends under which.
pub fn games_subject(worker: &str) -> String {
    format!("hexzero.games.{worker}")
}

/// Returns the subject of the work of match `name`.
pub fn matches_subject(name: &str) -> String {
    format!("hexzero.matches.{name}")
}

/// Returns the subject under which `worker` sends finished games of match `name`; `*` stands for any worker.
pub fn results_subject(name: &str, worker: &str) -> String {
    format!("hexzero.results.{name}.{worker}")
}

/// Returns the key in [`STATE`] of the refusal of `worker`.
pub fn refused_key(worker: &str) -> String {
    format!("{REFUSED_KEYS}{worker}")
}

/// Returns the last token of a subject: the worker of finished games, the match of match work.
pub(in crate::cluster) fn last_token(subject: &str) -> &str {
    subject.rsplit('.').next().unwrap_or_default()
}
