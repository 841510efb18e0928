//! Players, matches between them, and what a match says about their strength. Knows no training.
//!
//! A match is played in pairs of games from the same opening with the colours exchanged; see
//! [`play_match`]. Adding a built-in player is one file and one line in [`PlayerSpec`].

mod alphabeta;
mod connection;
mod engine;
mod gtp_player;
mod gtp_program;
mod match_play;
mod match_result;
mod mcts;
mod openings;
mod options;
mod player;
mod random;
mod rating;
mod sequential;
mod spec;
mod tally;

pub use alphabeta::AlphaBeta;
pub use connection::connection_score;
pub use engine::EnginePlayer;
pub use gtp_player::GtpPlayer;
pub use gtp_program::ProgramError;
pub use match_play::{MatchError, MatchProgress, MatchSettings, play_match};
pub use match_result::{MatchResult, PlayedGame, PlayerFailure};
pub use mcts::{Mcts, RandomPlayouts};
pub use openings::{Opening, openings};
pub use options::{OptionsError, PlayerOptions};
pub use player::{Player, PlayerError};
pub use random::RandomPlayer;
pub use rating::{ELO_BOUND, EloEstimate, elo_from_score, score_from_elo};
pub use sequential::{SequentialReport, SequentialTest, Verdict};
pub use spec::{PlayerSpec, SpecError};
pub use tally::Tally;
