//! Finished games: the record, shards and the journal on disk, the window that training samples from, and the JSON
//! lines and SGF files by which games are exchanged with people and other programs.
//!
//! Games are stored, positions are derived: a record outlives every change of the network's inputs.

mod codec;
mod faults;
mod interchange;
mod journal;
mod json_game;
mod record;
mod replaying;
mod sgf;
mod shard;
mod text;
mod window;

pub use faults::{Entry, GameFault, InterchangeError, NotResigned};
pub use interchange::{recorded_games, replay_line, replays, rewritten};
pub use journal::{JOURNAL_FORMAT, Journal, JournalOwner, JournalProblem, OpenedJournal};
pub use json_game::InterchangeGame;
pub use record::{GameRecord, SearchRecord, TurnRecord};
pub use replaying::{GameForm, RecordedGame, ReplayOptions, ReplaySummary};
pub use sgf::{SgfError, SgfFileError, SgfGame, SgfProblem, write_sgf};
pub use shard::{SHARD_FORMAT, Shard, ShardError, ShardProblem};
pub use text::{position_text, result_name};
pub use window::{Position, Window};
