//! Self-play and matches on many machines: a coordinator deals ranges of game numbers out over a NATS broker with JetStream, workers
//! play them and send the games back.
//!
//! | module | what lives there |
//! |---|---|
//! | `frame` | how a message is packed: program version, checksum, compression, bounds |
//! | `messages` | what is said: [`Job`], [`Work`], [`PlayedRange`], [`RunState`] |
//! | `names` | streams, buckets and subjects at the broker |
//! | `broker` | the only place that knows NATS and tokio; synchronous outside |
//! | `delivery` | messages and their acknowledgement |
//! | `mirror` | a bucket as it is followed here |
//! | `lease` | who coordinates: one at a time |
//! | `acceptance` | which games are taken: checked, and played again now and then |
//! | `coordinator` | [`BrokerGames`], a [`crate::selfplay::GameSource`] whose games are played elsewhere |
//! | `intake` | what a coordinator does with a message, and what it tells |
//! | `flow` | the same where games come in any order while the network learns |
//! | `refusals` | the workers from which nothing is taken any more |
//! | `lonely` | what the user is told if nobody plays |
//! | `loaded` | a job as a worker has it ready |
//! | `worker` | [`work`]: plays what is dealt out |
//! | `match_host` | [`BrokerHost`], where the matches of [`crate::arena`] are played by workers |
//! | `match_desk` | a worker's part in them |
//! | `loaded_match` | a match as a worker has it ready |
//! | `match_messages` | what is said of matches |
//! | `status` | who works, and what has come of it |

mod acceptance;
mod broker;
mod coordinator;
mod delivery;
mod error;
mod flow;
mod frame;
mod host;
mod intake;
mod lease;
mod loaded;
mod loaded_match;
mod lonely;
mod match_desk;
mod match_host;
mod match_messages;
mod messages;
mod mirror;
mod names;
mod refusals;
mod status;
mod worker;

pub use acceptance::{Acceptance, Refusal};
pub use broker::{Access, Broker};
pub use coordinator::{BrokerGames, CoordinatorSettings};
pub use delivery::Delivery;
pub use error::ClusterError;
pub use frame::{FrameProblem, PROGRAM, decode, encode};
pub use host::{host_name, worker_name};
pub use match_host::BrokerHost;
pub use match_messages::{MatchJob, MatchWork, PlayedFixtures, SentGame, SentNetwork, SentPlayer};
pub use messages::{Job, MOST_GAMES_IN_RANGE, Message, PlayedRange, Provenance, RunState, Work};
pub use names::{
    FILES, GAMES, LEASE, MATCH_RESULTS, MATCH_WORK, MATCHES, STATE, WORK, WORKERS, games_subject, matches_subject,
    refused_key, results_subject,
};
pub use refusals::pardon;
pub use status::{ClusterStatus, CoordinatorStatus, Traffic, WorkerStatus};
pub use worker::{WorkerNews, WorkerSettings, work};
