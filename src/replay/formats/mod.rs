//! Text formats of games: lines of JSON, SGF, HexWorld addresses, and the reader of files of any of them.

mod charset;
pub(in crate::replay) mod hexworld;
mod interchange;
mod json_game;
mod little_golem;
mod sgf;
mod sgf_faults;
mod sgf_points;
mod sgf_reader;
mod sgf_writer;

pub use hexworld::HEXWORLD_SGF;
pub use interchange::{recorded_games, recorded_games_on, replay_line, replays, rewritten};
pub use json_game::{InterchangeGame, Variation};
pub use sgf::SgfGame;
pub use sgf_faults::{SgfError, SgfFileError, SgfProblem};
pub use sgf_reader::SgfGames;
pub(in crate::replay) use {interchange::LONGEST_LINE, sgf_writer::SgfText};
