//! Messages between coordinator, match hosts and workers, independent of any broker.
//!
//! | module | contents |
//! |---|---|
//! | `frame` | message frame: program version, checksum, compression, size limit; signatures: [`WorkerKey`] |
//! | `messages` | of self-play: [`Job`], [`Work`], [`PlayedRange`], [`RunState`]; of matches: [`MatchJob`], [`MatchWork`], [`PlayedFixtures`]; JSON reports: [`WorkerStatus`], [`CoordinatorStatus`], [`BannedWorker`] |
//! | here | names of streams, buckets, keys and subjects, of machines and workers |

mod frame;
mod messages;

use std::fs;

pub(super) use frame::unseal;
pub use frame::{FrameError, PROGRAM_VERSION, WorkerKey, decode, encode};
pub(super) use messages::digest;
pub use messages::{
    BannedWorker, CoordinatorStatus, Job, MAX_GAMES_IN_RANGE, MatchJob, MatchWork, Message, PlayedFixtures,
    PlayedRange, Provenance, RunState, SentGame, SentNetwork, SentPlayer, Traffic, Work, WorkerStatus,
};

/// Stream of self-play work. Each message goes to one worker, and to another if the first does not acknowledge it.
pub const WORK: &str = "HEXZERO_WORK";
/// Subject of self-play work.
pub(crate) const WORK_SUBJECT: &str = "hexzero.work";
/// Consumer of self-play work, shared by all workers.
pub(crate) const WORK_CONSUMER: &str = "workers";

/// Stream of finished games, kept until the coordinator has them in its journal.
pub const GAMES: &str = "HEXZERO_GAMES";
/// Subjects of finished games, one per worker.
pub(crate) const GAMES_SUBJECTS: &str = "hexzero.games.*";
/// Consumer of finished games, used by the coordinator.
pub(crate) const GAMES_CONSUMER: &str = "coordinator";

/// Stream of match work.
pub const MATCH_WORK: &str = "HEXZERO_MATCHES";
/// Subjects of match work, one per match.
pub(crate) const MATCHES_SUBJECTS: &str = "hexzero.matches.*";
/// Consumer of match work, shared by all workers.
pub(crate) const MATCH_CONSUMER: &str = "players";

/// Stream of finished match games.
pub const MATCH_RESULTS: &str = "HEXZERO_RESULTS";
/// Subjects of finished match games, by match and worker.
pub(crate) const RESULTS_SUBJECTS: &str = "hexzero.results.*.*";

/// Bucket of the matches under way. Hosts renew their entries; an entry that is not renewed expires.
pub const MATCHES: &str = "hexzero-matches";

/// Object store of checkpoints and jobs, by digest.
pub const FILES: &str = "hexzero-files";
/// Prefix of the files of matches, which runs leave alone.
pub(crate) const MATCH_FILES: &str = "match.";

/// Bucket of the run's state, followed by workers.
pub const STATE: &str = "hexzero-state";
/// Key of the present [`super::RunState`] in [`STATE`].
pub(crate) const CURRENT_KEY: &str = "current";
/// Key of the [`super::CoordinatorStatus`] in [`STATE`].
pub(crate) const SUMMARY_KEY: &str = "summary";
/// Prefix of the keys of banned workers in [`STATE`].
pub(crate) const BAN_KEYS: &str = "refused.";

/// Bucket of worker reports, by worker name. Entries expire.
pub const WORKERS: &str = "hexzero-workers";

/// Bucket of the coordinator's lease.
pub const LEASE: &str = "hexzero-lease";
/// The only key in [`LEASE`].
pub(crate) const COORDINATOR_KEY: &str = "coordinator";

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

/// Returns the key in [`STATE`] of the ban of `worker`.
pub fn ban_key(worker: &str) -> String {
    format!("{BAN_KEYS}{worker}")
}

/// Returns the last token of a subject: the worker of finished games, the match of match work.
pub(crate) fn last_token(subject: &str) -> &str {
    subject.rsplit('.').next().unwrap_or_default()
}

/// Longest name of a worker, in bytes.
const MAX_LENGTH: usize = 64;

/// Returns the name of this machine, or `unknown`.
pub fn host_name() -> String {
    let file = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let variable = || ["HOSTNAME", "COMPUTERNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    let name = file.map(|text| text.trim().to_owned()).filter(|name| !name.is_empty()).or_else(variable);
    name.unwrap_or_else(|| "unknown".to_owned())
}

/// Returns the name of a worker: `requested`, or by default the names of machine and process.
///
/// # Errors
/// If `requested` cannot be part of a subject; the message says which names can.
pub fn worker_name(requested: Option<&str>) -> Result<String, String> {
    let fits = |char: char| char.is_ascii_alphanumeric() || char == '-' || char == '_';
    match requested {
        Some(name) if !name.is_empty() && name.len() <= MAX_LENGTH && name.chars().all(fits) => Ok(name.to_owned()),
        Some(name) => Err(format!("invalid worker name '{name}'; give 1 to {MAX_LENGTH} letters, digits, '-' or '_'")),
        None => {
            let host: String = host_name().chars().map(|char| if fits(char) { char } else { '-' }).take(48).collect();
            Ok(format!("{host}-{}", std::process::id()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parts_of_subjects() {
        assert_eq!(worker_name(Some("lab-7_b")), Ok("lab-7_b".to_owned()));
        for wrong in ["", "a.b", "a b", ">", "*", "ä", &"x".repeat(65)] {
            assert!(worker_name(Some(wrong)).unwrap_err().contains("letters, digits"), "{wrong}");
        }
        let own = worker_name(None).unwrap();
        assert_eq!(worker_name(Some(&own)), Ok(own));
    }
}
