//! Players, matches and tournaments between them, and ratings from their results. Independent of training.
//!
//! A match is played in pairs of games from the same opening with the colours exchanged; see [`play_match`], and
//! [`play_missing`] for tournaments. A [`Venue`] plays the games. A built-in player is one file that implements [`Player`], and a variant of
//! [`PlayerSpec`] with its name, its numbers and how it is made.

mod alphabeta;
mod connection;
mod engine;
mod fixtures;
mod game_store;
mod gtp_player;
mod gtp_program;
mod match_play;
mod match_result;
mod mcts;
mod mirror;
mod openings;
mod options;
mod played_game;
mod player;
mod pool_rating;
mod process_group;
mod random;
mod rating;
mod results;
mod sequential;
mod source;
mod spec;
mod standings;
mod starts;
mod swap_style;
mod tally;
mod tournament;
mod venue;

pub use alphabeta::AlphaBeta;
pub use connection::connection_score;
pub use engine::EnginePlayer;
pub use fixtures::{Finished, Fixture};
pub use game_store::{Conditions, GameStore, PlayerId, StoreError, StoredGame};
pub use gtp_player::GtpPlayer;
pub use gtp_program::ProgramError;
pub use match_play::{MatchProgress, MatchSettings, play_match, play_match_at};
pub use match_result::{MatchResult, PlayerFailure};
pub use mcts::{Mcts, PLAYOUT_PUCT, RandomPlayouts};
pub use openings::{Opening, openings};
pub use options::{OptionsError, PlayerOptions};
pub use played_game::{PlayedGame, Thinking};
pub use player::{Player, PlayerError};
pub use pool_rating::{PRIOR_DRAWS, PairResult, Ratings};
pub use process_group::end_programs;
pub use random::RandomPlayer;
pub use rating::{ELO_BOUND, EloEstimate, elo_from_score, score_from_elo};
pub use results::Results;
pub use sequential::{SequentialReport, SequentialTest, Verdict};
pub use source::{PlayerParts, PlayerSource};
pub use spec::{PlayerSpec, SpecError};
pub use standings::{Pairing, Standing, Standings};
pub use starts::{ImpossibleFixture, Starts};
pub use swap_style::{NoSuchSwapStyle, SwapStyle};
pub use tally::Tally;
pub use tournament::{Pairings, TournamentError, play_missing};
pub use venue::{Fixtures, Host, MatchError, ThisMachine, Threads, Venue};
