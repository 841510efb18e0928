//! Matches and tournaments: the games of two or more players against each other, kept in a file.

mod game_store;
mod games;
mod match_result;
mod play;
mod standings;
mod stored_game;
mod two_players;

pub use game_store::{GameStore, StoreError};
pub use games::Tournament;
pub use match_result::MatchResult;
pub use play::{Pairings, TournamentError};
pub use standings::{Pairing, Standing, Standings};
pub use stored_game::{Conditions, PlayerId, StoredGame};
pub use two_players::{MatchPlan, MatchProgress, MatchSettings, play_match, play_match_at};
