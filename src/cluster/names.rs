//! Streams, buckets and subjects at the broker.
//!
//! A broker's account holds one run at a time; several runs share a broker in accounts of their own.

/// The stream of work to be done: each message goes to one worker, and to another if that one does not acknowledge it.
pub const WORK: &str = "HEXZERO_WORK";
/// The subject of work.
pub(super) const WORK_SUBJECT: &str = "hexzero.work";
/// The consumer that all workers share.
pub(super) const WORK_CONSUMER: &str = "workers";

/// The stream of finished games, kept until the coordinator has them in its journal.
pub const GAMES: &str = "HEXZERO_GAMES";
/// The subjects of finished games.
pub(super) const GAMES_SUBJECTS: &str = "hexzero.games.*";
/// The coordinator's consumer.
pub(super) const GAMES_CONSUMER: &str = "coordinator";

/// The stream of games of matches to be played.
pub const MATCH_WORK: &str = "HEXZERO_MATCHES";
/// Its subjects, one for each match.
pub(super) const MATCHES_SUBJECTS: &str = "hexzero.matches.*";
/// The consumer that all workers share.
pub(super) const MATCH_CONSUMER: &str = "players";

/// The stream of played games of matches.
pub const MATCH_RESULTS: &str = "HEXZERO_RESULTS";
/// Its subjects, by match and worker.
pub(super) const RESULTS_SUBJECTS: &str = "hexzero.results.*.*";

/// The bucket of the matches that go on, each renewed by who wants it played.
pub const MATCHES: &str = "hexzero-matches";

/// The object store of checkpoints and jobs, by their digests.
pub const FILES: &str = "hexzero-files";

/// How the names of files of matches begin, which runs leave alone.
pub(super) const MATCH_FILES: &str = "match.";

/// The bucket that workers watch.
pub const STATE: &str = "hexzero-state";
/// The key of the present [`super::RunState`].
pub(super) const CURRENT: &str = "current";
/// The key of the coordinator's figures.
pub(super) const SUMMARY: &str = "summary";

/// The bucket in which workers report, each under its name; an entry is forgotten after a while.
pub const WORKERS: &str = "hexzero-workers";

/// The bucket of the coordinator's lease.
pub const LEASE: &str = "hexzero-lease";
/// Its only key.
pub(super) const COORDINATOR: &str = "coordinator";

/// The subject under which a worker sends games. Who may send under which one is for the broker's accounts to say.
pub fn games_subject(worker: &str) -> String {
    format!("hexzero.games.{worker}")
}

/// The subject under which the games of a match are dealt out.
pub fn matches_subject(name: &str) -> String {
    format!("hexzero.matches.{name}")
}

/// The subject under which a worker sends played games of a match.
pub fn results_subject(name: &str, worker: &str) -> String {
    format!("hexzero.results.{name}.{worker}")
}

/// How the keys of refused workers begin.
pub(super) const REFUSED: &str = "refused.";

/// The key under which the bucket [`STATE`] says why a worker is refused.
pub fn refused_key(worker: &str) -> String {
    format!("{REFUSED}{worker}")
}
