//! Finished games: the record, shards on disk, the window that training samples from.
//!
//! Games are stored, positions are derived: a record outlives every change of the network's inputs.

mod codec;
mod record;
mod shard;
mod window;

pub use record::{GameRecord, SearchRecord, TurnRecord};
pub use shard::{SHARD_FORMAT, Shard, ShardError};
pub use window::{Position, Window};
