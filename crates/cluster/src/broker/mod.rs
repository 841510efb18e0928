//! Connection to the broker, with a blocking interface: the only place that knows NATS and tokio.
//!
//! | module | contents |
//! |---|---|
//! | `connection` | [`Broker`]: connecting, timeouts, retries |
//! | `layout` | streams, buckets and files of a run |
//! | `streams` | self-play work and finished games |
//! | `matches` | streams, bucket and files of matches |
//! | `delivery` | a message of a stream, and its acknowledgement |
//! | `buckets` | keys with their values (state, reports, lease), a local copy that follows changes, banned workers |
//! | `files` | checkpoints and jobs |

mod buckets;
mod connection;
mod delivery;
mod files;
mod layout;
mod matches;
mod streams;

pub(super) use buckets::FollowedBucket;
pub use buckets::unban;
pub use connection::{Access, Broker};
pub(super) use connection::{LEASE_TTL, MATCH_TTL, MAX_MESSAGE};
pub(super) use delivery::Incoming;
pub use delivery::{Delivery, KeepAlive};
