//! Finished games: the record, shards and the journal on disk, the window that training samples from, and the JSON
//! lines, SGF files and HexWorld addresses by which games are exchanged with people and other programs.
//!
//! Games are stored, positions are derived: a record outlives every change of the network's inputs.

mod formats;
mod recorded;
#[cfg(feature = "learn")]
mod shards;

pub use formats::{
    HEXWORLD_SGF, InterchangeGame, SgfError, SgfFileError, SgfGame, SgfGames, SgfProblem, Variation, recorded_games,
    recorded_games_on, replay_line, replays, rewritten,
};
pub use recorded::{
    Entry, GameFault, GameForm, GameWarning, InterchangeError, Labels, Marks, MoveNode, MoveTree, NotResigned,
    RecordedGame, ReplayOptions, ReplaySummary, position_text, result_name,
};
#[cfg(feature = "cluster")]
pub(crate) use shards::codec;
#[cfg(feature = "learn")]
pub use shards::{
    GameRecord, JOURNAL_FORMAT, Journal, JournalOwner, JournalProblem, OpenedJournal, SHARD_FORMAT, SampledPosition,
    SearchRecord, Shard, ShardError, ShardProblem, TurnRecord, Window,
};
