//! Messages between coordinator, match hosts and workers, independent of any broker.
//!
//! | module | contents |
//! |---|---|
//! | `frame` | message frame: program version, checksum, compression, size limit |
//! | `seal` | signatures of workers: [`WorkerKey`] |
//! | `messages` | self-play messages: [`Job`], [`Work`], [`PlayedRange`], [`RunState`] |
//! | `match_messages` | match messages: [`MatchJob`], [`MatchWork`], [`PlayedFixtures`] |
//! | `reports` | JSON reports: [`WorkerStatus`], [`CoordinatorStatus`], [`BannedWorker`] |
//! | `names` | names of streams, buckets, keys and subjects, of machines and workers |

mod frame;
mod match_messages;
mod messages;
mod names;
mod reports;
mod seal;

pub use frame::{FrameError, PROGRAM_VERSION, decode, encode};
pub use match_messages::{MatchJob, MatchWork, PlayedFixtures, SentGame, SentNetwork, SentPlayer};
pub(super) use messages::digest;
pub use messages::{Job, MAX_GAMES_IN_RANGE, Message, PlayedRange, Provenance, RunState, Work};
pub(super) use names::{
    BAN_KEYS, COORDINATOR_KEY, CURRENT_KEY, GAMES_CONSUMER, GAMES_SUBJECTS, MATCH_CONSUMER, MATCH_FILES,
    MATCHES_SUBJECTS, RESULTS_SUBJECTS, SUMMARY_KEY, WORK_CONSUMER, WORK_SUBJECT, last_token,
};
pub use names::{
    FILES, GAMES, LEASE, MATCH_RESULTS, MATCH_WORK, MATCHES, STATE, WORK, WORKERS, ban_key, games_subject, host_name,
    matches_subject, results_subject, worker_name,
};
pub use reports::{BannedWorker, CoordinatorStatus, Traffic, WorkerStatus};
pub use seal::WorkerKey;
pub(super) use seal::unseal;
