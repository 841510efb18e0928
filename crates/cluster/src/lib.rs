//! Self-play and matches on many machines: a coordinator or a match host assigns games over a NATS
//! broker with JetStream, workers play them and send them back.
//!
//! Folders import only those below them:
//!
//! | module | contents |
//! |---|---|
//! | `coordinator` | [`Coordinator`]: a [`hexzero_selfplay::GameSource`] whose games workers play |
//! | `worker` | [`work`]: plays assigned games |
//! | `matches` | [`BrokerHost`]: plays matches of [`hexzero_arena`] on workers; and the worker's part |
//! | `status` | [`ClusterStatus`]: workers, counts, for people and for Prometheus |
//! | `no_workers` | warning that there are no workers |
//! | `broker` | [`Broker`]: the only place that knows NATS and tokio; blocking outside |
//! | `error` | [`ClusterError`] |
//! | `wire` | messages, their frame, and the names of streams, buckets and subjects |

mod broker;
mod coordinator;
mod error;
mod matches;
mod no_workers;
mod status;
#[cfg(test)]
mod tests;
mod wire;
mod worker;

pub use broker::{Access, Broker, Delivery, KeepAlive, unban};
pub use coordinator::{Coordinator, CoordinatorSettings};
pub use error::ClusterError;
pub use matches::BrokerHost;
pub use status::ClusterStatus;
pub use wire::{
    BannedWorker, CoordinatorStatus, FILES, FrameError, GAMES, Job, LEASE, MATCH_RESULTS, MATCH_WORK, MATCHES,
    MAX_GAMES_IN_RANGE, MatchJob, MatchWork, Message, PROGRAM_VERSION, PlayedFixtures, PlayedRange, Provenance,
    RunState, STATE, SentGame, SentNetwork, SentPlayer, Traffic, WORK, WORKERS, Work, WorkerKey, WorkerStatus, ban_key,
    decode, encode, games_subject, host_name, matches_subject, results_subject, worker_name,
};
pub use worker::{WorkerNews, WorkerSettings, work};
