//! Tournaments and matches: the games of many players against each other, kept in a file.

mod game_store;
mod match_store;
mod play;
mod results;
mod standings;

pub use game_store::{Conditions, GameStore, PlayerId, StoreError, StoredGame};
pub use match_store::MatchStore;
pub use play::{Pairings, TournamentError, play_missing};
pub use results::Results;
pub use standings::{Pairing, Standing, Standings};
