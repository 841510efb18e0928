//! Messages between coordinator, match hosts and workers, independent of any broker.
//!
//! | module | contents |
//! |---|---|
//! | `frame` | message frame: program version, checksum, compression, size limit |
//! | `seal` | signatures of workers: [`WorkerKey`] |
//! | `messages` | self-play messages: [`Job`], [`Work`], [`PlayedRange`], [`RunState`] |
//! | `match_messages` | match messages: [`MatchJob`], [`MatchWork`], [`PlayedFixtures`] |
//! | `reports` | JSON reports: [`WorkerStatus`], [`CoordinatorStatus`], [`RefusedWorker`] |
//! | `names` | streams, buckets, keys and subjects |
//! | `worker_name` | names of machines and workers |

mod frame;
mod match_messages;
mod messages;
mod names;
mod reports;
mod seal;
mod worker_name;

pub use frame::{FrameError, PROGRAM_VERSION, decode, encode};
pub use match_messages::{MatchJob, MatchWork, PlayedFixtures, SentGame, SentNetwork, SentPlayer};
pub use messages::{Job, MAX_GAMES_IN_RANGE, Message, PlayedRange, Provenance, RunState, Work};
pub(super) use messages::{digest, evaluation_name};
pub(super) use names::{
    COORDINATOR_KEY, CURRENT_KEY, GAMES_CONSUMER, GAMES_SUBJECTS, MATCH_CONSUMER, MATCH_FILES, MATCHES_SUBJECTS,
    REFUSED_KEYS, RESULTS_SUBJECTS, SUMMARY_KEY, WORK_CONSUMER, WORK_SUBJECT, last_token,
};
pub use names::{
    FILES, GAMES, LEASE, MATCH_RESULTS, MATCH_WORK, MATCHES, STATE, WORK, WORKERS, games_subject, matches_subject,
    refused_key, results_subject,
};
pub use reports::{CoordinatorStatus, RefusedWorker, Traffic, WorkerStatus};
pub use seal::WorkerKey;
pub(super) use seal::unseal;
pub use worker_name::{host_name, worker_name};
