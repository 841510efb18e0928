//! Connection to the broker, with a blocking interface: the only place that knows NATS and tokio.
//!
//! | module | contents |
//! |---|---|
//! | `connection` | [`Broker`]: connecting, timeouts, retries |
//! | `layout` | streams, buckets and files of a run |
//! | `streams` | self-play work and finished games |
//! | `matches` | streams, bucket and files of matches |
//! | `delivery` | a message of a stream, and its acknowledgement |
//! | `buckets` | keys with their values: state, reports, lease |
//! | `followed_bucket` | a local copy of a bucket that follows its changes |
//! | `files` | checkpoints and jobs |
//! | `refusals` | the list of refused workers |

mod buckets;
mod connection;
mod delivery;
mod files;
mod followed_bucket;
mod layout;
mod matches;
mod refusals;
mod streams;

pub use connection::{Access, Broker};
pub(super) use connection::{LEASE_TTL, MATCH_TTL, MAX_MESSAGE};
pub(super) use delivery::Incoming;
pub use delivery::{Delivery, KeepAlive};
pub(super) use followed_bucket::FollowedBucket;
pub use refusals::pardon;
