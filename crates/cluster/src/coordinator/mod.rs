//! Coordinator of a run: assigns ranges of game numbers and gathers the games.
//!
//! Modules import only those below them:
//!
//! ```text
//! coordinator             Coordinator: a GameSource with one gathering loop, in lock step and streaming
//!   ├─ intake             checks a message with games and acknowledges it; banned workers
//!   │    ├─ wanted_games  games to wait for: those of an order (lock step), or those that a sink wants (streaming)
//!   │    └─ acceptance    jobs whose games are accepted, and the checks of these
//!   └─ publisher          job, run state and work at the broker; the lease: one coordinator at a time
//! ```

mod acceptance;
#[expect(clippy::module_inception, reason = "the folder's subject, beside its parts")]
mod coordinator;
mod intake;
mod publisher;
mod wanted_games;

pub use coordinator::{Coordinator, CoordinatorSettings};
