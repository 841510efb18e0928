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

/// The object store of checkpoints and jobs, by their digests.
pub const FILES: &str = "hexzero-files";

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

/// The key under which the bucket [`STATE`] says why a worker is refused.
pub fn refused_key(worker: &str) -> String {
    format!("refused.{worker}")
}
