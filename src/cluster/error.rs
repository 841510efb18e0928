//! What can go wrong between machines.

use crate::games::UnknownGame;
use crate::network::CheckpointError;

use super::frame::FrameProblem;

/// Why a coordinator or a worker cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The address is none.
    #[error("'{address}' is no address of a broker; give for instance nats://host:4222")]
    Address {
        /// What was given.
        address: String,
    },
    /// A file with credentials or certificates.
    #[error("cannot read {path}: {problem}")]
    File {
        /// Which file.
        path: String,
        /// What is wrong.
        problem: String,
    },
    /// The broker cannot be reached.
    #[error("cannot connect to {address}: {problem}; is nats-server running there, with JetStream (-js)?")]
    Connect {
        /// Where it should be.
        address: String,
        /// What is wrong.
        problem: String,
    },
    /// The broker does not do something.
    #[error("{doing}: {problem}")]
    Broker {
        /// What was tried.
        doing: String,
        /// What the broker says.
        problem: String,
    },
    /// The broker's account does not allow something.
    #[error("the broker does not allow it: {0}; the account needs the rights that docs/cluster.md lists")]
    Forbidden(String),
    /// A message that cannot be used.
    #[error("a message cannot be used: {0}")]
    Frame(#[from] FrameProblem),
    /// The run is coordinated by somebody else.
    #[error(
        "run {run} is coordinated by {host} (process {process}) already; stop it first, or use another broker account"
    )]
    Taken {
        /// The other's run.
        run: String,
        /// Its machine.
        host: String,
        /// Its process.
        process: u32,
    },
    /// This worker's version.
    #[error(
        "the run is coordinated by hexzero {theirs}, and this worker is {}; install version {theirs} here",
        super::PROGRAM
    )]
    OtherVersion {
        /// The coordinator's version.
        theirs: String,
    },
    /// This worker's kernel or precision.
    #[error(
        "the run is exactly repeatable and wants games evaluated with {wanted}, but this worker uses {own}; set \
         HEXZERO_KERNEL and HEXZERO_PRECISION, or let the coordinator take all with --mixed"
    )]
    OtherEvaluation {
        /// What the run wants.
        wanted: String,
        /// What there is.
        own: String,
    },
    /// The coordinator does not take this worker's games.
    #[error("the coordinator refuses this worker: {0}")]
    Refused(String),
    /// A player that is a program of this machine.
    #[error("'{name}' is a program of this machine, which workers do not have; play without --cluster")]
    ProgramElsewhere {
        /// The player.
        name: String,
    },
    /// A game that this program does not know.
    #[error("{0}")]
    Game(#[from] UnknownGame),
    /// A checkpoint that cannot be used.
    #[error("{0}")]
    Checkpoint(#[from] CheckpointError),
    /// The threads of the connection or of the worker.
    #[error("{0}")]
    Threads(#[from] std::io::Error),
}

impl ClusterError {
    /// The broker's failure to do something.
    pub(super) fn broker(doing: &str, problem: impl std::fmt::Display) -> Self {
        Self::Broker { doing: doing.to_owned(), problem: problem.to_string() }
    }
}
