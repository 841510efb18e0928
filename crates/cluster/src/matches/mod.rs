//! Matches of [`hexzero_arena`] on workers.
//!
//! | module | contents |
//! |---|---|
//! | `match_host` | [`BrokerHost`]: assigns the games of matches and gathers their results |
//! | `match_worker` | the worker's part: plays match work |
//! | `cached_match` | a match with its players, ready to be played |

mod cached_match;
mod match_host;
mod match_worker;

pub use match_host::BrokerHost;
pub(super) use match_worker::MatchWorker;
