//! Self-play games: the record, its files (shards and the journal), and the window that training samples from.

pub mod codec;
mod journal;
mod record;
mod shard;
mod window;

pub use journal::{JOURNAL_FORMAT, Journal, JournalOwner, JournalProblem, OpenedJournal};
pub use record::{GameRecord, SearchRecord, TurnRecord};
pub use shard::{SHARD_FORMAT, Shard, ShardError, ShardProblem};
pub use window::{SampledPosition, Window};
