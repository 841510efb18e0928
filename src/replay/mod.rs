//! Games that have been played, as they are kept and handed on. Knows no network, no search.

mod interchange;

pub use interchange::{
    Entry, GameFault, InterchangeError, InterchangeGame, ReplaySummary, known_games, position_text, replay_line,
    replays, result_name,
};
