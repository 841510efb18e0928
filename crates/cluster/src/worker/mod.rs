//! Worker: plays assigned games.
//!
//! | module | contents |
//! |---|---|
//! | `worker` | [`work`]: threads that play, and one that reports and follows the run's state |
//! | `cached_job` | a job with its network, ready to be played |

mod cached_job;
#[expect(clippy::module_inception, reason = "the folder's subject, beside its parts")]
mod worker;

pub use worker::{WorkerNews, WorkerSettings, work};
