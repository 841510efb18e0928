//! Text formats of games: lines of JSON, SGF and HexWorld links, and a reader for files in any of
//! them.

mod charset;
pub(crate) mod hexworld;
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
pub(crate) use {interchange::MAX_LINE_BYTES, sgf_writer::SgfText};
