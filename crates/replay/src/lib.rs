//! Finished games for people and other programs: reads JSON lines, SGF files and HexWorld links, checks them move by
//! move, and writes them. Games as training keeps them are in `hexzero-selfplay`.

pub mod formats;
mod recorded;

pub use formats::{
    HEXWORLD_SGF, InterchangeGame, SgfError, SgfGame, SgfGames, Variation, recorded_games, recorded_games_on, replays,
    rewritten,
};
pub use recorded::{
    Entry, Finding, GameFault, GameForm, InterchangeError, Marks, RecordedGame, ReplayOptions, ReplaySummary,
    position_text, result_name,
};
