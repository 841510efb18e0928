//! Finished games: the record, shards and the journal on disk, the window that training samples from, and the JSON
//! lines and SGF files by which games are exchanged with people and other programs.
//!
//! Games are stored, positions are derived: a record outlives every change of the network's inputs.

pub(crate) mod codec;
mod faults;
mod hexworld;
mod interchange;
mod journal;
mod json_game;
mod move_tree;
mod record;
mod recorded_game;
mod replaying;
mod sgf;
mod sgf_faults;
mod sgf_writer;
mod shard;
mod text;
mod tree_walk;
mod window;

pub use faults::{Entry, GameFault, InterchangeError, NotResigned};
pub use hexworld::HEXWORLD_SGF;
pub use interchange::{recorded_games, replay_line, replays, rewritten};
pub use journal::{JOURNAL_FORMAT, Journal, JournalOwner, JournalProblem, OpenedJournal};
pub use json_game::{InterchangeGame, Variation};
pub use move_tree::{MoveNode, MoveTree};
pub use record::{GameRecord, SearchRecord, TurnRecord};
pub use recorded_game::{GameForm, Labels, RecordedGame};
pub use replaying::{ReplayOptions, ReplaySummary};
pub use sgf::SgfGame;
pub use sgf_faults::{SgfError, SgfFileError, SgfProblem};
pub use shard::{SHARD_FORMAT, Shard, ShardError, ShardProblem};
pub use text::{position_text, result_name};
pub use window::{Position, Window};
