//! Coordinator of a run: assigns ranges of game numbers and gathers the games.
//!
//! Modules import only those below them:
//!
//! ```text
//! coordinator             Coordinator: a GameSource with one gathering loop, in lock step and streaming
//!   ├─ intake             checks a message with games and acknowledges it
//!   │    ├─ wanted_games  games to wait for: those of an order (lock step), or those that a sink wants (streaming)
//!   │    │    └─ ranges   game numbers as ranges
//!   │    ├─ accepted_jobs jobs whose games are accepted
//!   │    │    └─ acceptance   checks of a job's games
//!   │    └─ banned_workers   banned workers
//!   ├─ publisher          job, run state and work at the broker
//!   └─ lease              one coordinator at a time
//! ```

mod acceptance;
mod accepted_jobs;
mod banned_workers;
#[expect(clippy::module_inception, reason = "the folder's subject, beside its parts")]
mod coordinator;
mod intake;
mod lease;
mod publisher;
mod ranges;
mod wanted_games;

pub use coordinator::{Coordinator, CoordinatorSettings};
