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
//! | `status` | [`ClusterStatus`]: workers, counts, for people and for Prometheus; warning that there are no workers |
//! | `broker` | [`Broker`]: the only place that knows NATS and tokio; blocking outside |
//! | `wire` | messages, their frame, and the names of streams, buckets and subjects |

mod broker;
mod coordinator;
mod matches;
mod status;
mod wire;
mod worker;

use hexzero_games::UnknownGame;
use hexzero_nn::CheckpointError;

pub use broker::{Access, Broker, Delivery, KeepAlive, unban};
pub use coordinator::{Coordinator, CoordinatorSettings};
pub use matches::BrokerHost;
pub use status::ClusterStatus;
pub use wire::{
    BannedWorker, CoordinatorStatus, FILES, FrameError, GAMES, Job, LEASE, MATCH_RESULTS, MATCH_WORK, MATCHES,
    MAX_GAMES_IN_RANGE, MatchJob, MatchWork, Message, PROGRAM_VERSION, PlayedFixtures, PlayedRange, Provenance,
    RunState, STATE, SentGame, SentNetwork, SentPlayer, Traffic, WORK, WORKERS, Work, WorkerKey, WorkerStatus, ban_key,
    decode, encode, games_subject, host_name, matches_subject, results_subject, worker_name,
};
pub use worker::{WorkerNews, WorkerSettings, work};

/// Error of a coordinator, match host or worker.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// An invalid address of the broker.
    #[error("'{0}' is not a broker address; give one such as nats://host:4222")]
    Address(String),
    /// A file with credentials or certificates, or a recipe, that cannot be read.
    #[error("cannot read {path}: {problem}")]
    File {
        /// Name of the file.
        path: String,
        /// Cause.
        problem: String,
    },
    /// A broker that cannot be reached, or refuses the credentials.
    #[error("cannot connect to {address}: {problem}; is nats-server running there, with JetStream (-js)?")]
    Connect {
        /// Address of the broker, without password.
        address: String,
        /// Cause.
        problem: String,
    },
    /// A request that the broker did not answer, or refused.
    #[error("{doing}: {problem}")]
    Broker {
        /// Name of the request.
        doing: String,
        /// Cause.
        problem: String,
    },
    /// A broker that stays without JetStream.
    #[error("the broker has no JetStream: {0}; start nats-server with -js, or enable it for this account")]
    NoJetStream(String),
    /// A broker that no run has used.
    #[error("there is no run at this broker; 'hexzero train --cluster ADDRESS' starts one")]
    NoRun,
    /// A request beyond the rights of the broker account.
    #[error("the broker does not allow it: {0}; the account needs the rights that docs/cluster.md lists")]
    Forbidden(String),
    /// A message that cannot be read or sent.
    #[error("a message cannot be used: {0}")]
    Frame(#[from] FrameError),
    /// Another coordinator at this broker account.
    #[error(
        "run {run} is coordinated by {host} (process {process}) already; stop it first, or use another broker account"
    )]
    Taken {
        /// Run of the other coordinator.
        run: String,
        /// Machine of the other coordinator.
        host: String,
        /// Process of the other coordinator.
        process: u32,
    },
    /// The coordinator has this version, the worker another.
    #[error("the run is coordinated by hexzero {0}, and this worker is {PROGRAM_VERSION}; install version {0} here")]
    OtherVersion(String),
    /// A worker with another kernel or precision than the run.
    #[error(
        "the run is exactly repeatable and wants games evaluated with {wanted}, but this worker uses {own}; set \
         HEXZERO_KERNEL and HEXZERO_PRECISION, or let the coordinator accept all with --mixed"
    )]
    OtherEvaluation {
        /// Kernel and precision of the run.
        wanted: String,
        /// Kernel and precision of this worker.
        own: String,
    },
    /// A worker that the coordinator has banned.
    #[error("the coordinator refuses this worker: {0}")]
    Refused(String),
    /// A player of a match that is a program on this machine.
    #[error("'{0}' is a program of this machine, which workers do not have; play without --cluster")]
    ProgramElsewhere(String),
    /// A game that this program does not know.
    #[error("{0}")]
    Game(#[from] UnknownGame),
    /// A checkpoint that cannot be used.
    #[error("{0}")]
    Checkpoint(#[from] CheckpointError),
    /// Threads that cannot be started.
    #[error("{0}")]
    Threads(#[from] std::io::Error),
}

impl ClusterError {
    /// Returns true if a retry may succeed: the broker is out of reach, busy, starting, or has lost
    /// its store. Errors of requests count as temporary unless something else is known.
    fn is_temporary(&self) -> bool {
        matches!(self, Self::Broker { .. })
    }

    /// Returns true if the broker says that it has no JetStream, which may be temporary while it
    /// starts.
    fn lacks_jetstream(&self) -> bool {
        self.says(&["jetstream unavailable", "jetstream not enabled"])
    }

    /// Returns true if the broker lacks what every run sets up.
    fn lacks_run(&self) -> bool {
        self.says(&["stream not found", "jetstream resource does not exist", "consumer not found"])
    }

    /// Returns true if the broker's answer contains one of these texts, which are in lower case.
    fn says(&self, texts: &[&str]) -> bool {
        let Self::Broker { problem, .. } = self else { return false };
        let problem = problem.to_lowercase();
        texts.iter().any(|text| problem.contains(text))
    }

    /// Returns the error of the request named `doing`.
    fn broker(doing: &str, problem: impl std::fmt::Display) -> Self {
        Self::Broker { doing: doing.to_owned(), problem: problem.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use hexzero_games::game_named;
    use hexzero_nn::{Backend, Checkpoint, Metadata};
    use hexzero_train::{Recipe, Trainer};

    use crate::wire::Provenance;

    /// Returns an untrained network for Cachex whose weights are drawn by `seed`.
    pub(crate) fn checkpoint(seed: u64) -> Checkpoint {
        let game = game_named("cachex").unwrap();
        let mut recipe = Recipe { seed, ..Recipe::of(game) };
        (recipe.network.blocks, recipe.network.channels) = (1, 16);
        let metadata = Metadata::untrained(game, recipe.network.clone());
        Checkpoint { metadata, tensors: Trainer::new(game, &recipe).unwrap().averaged().unwrap() }
    }

    /// Returns where games come from that worker `w` plays on this machine.
    pub(crate) fn provenance() -> Provenance {
        let evaluation = Backend::default().to_string();
        Provenance { worker: "w".to_owned(), evaluation, seconds: 1.0, cache_hits: None }
    }
}
