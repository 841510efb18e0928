//! Finished games: the record, shards on disk, the window that training samples from, and the JSON
//! lines by which games are exchanged with people and other programs.
//!
//! Games are stored, positions are derived: a record outlives every change of the network's inputs.

mod codec;
mod interchange;
mod record;
mod shard;
mod window;

pub use interchange::{
    Entry, GameFault, InterchangeError, InterchangeGame, ReplaySummary, position_text, replay_line, replays,
    result_name,
};
pub use record::{GameRecord, SearchRecord, TurnRecord};
pub use shard::{SHARD_FORMAT, Shard, ShardError, ShardProblem};
pub use window::{Position, Window};
