//! Matches and tournaments between [`players`], and ratings from their results. Independent of training.
//!
//! | folder | subject |
//! |---|---|
//! | `matches/` | [`play_match`]: pairs of games from the same opening with the colours exchanged, at a [`Venue`] |
//! | [`players`] | the search as a player, players without a network, other programs over GTP |
//! | `rating/` | Elo differences and their intervals, the sequential test, ratings of many players |
//! | `tournament/` | [`play_missing`]: the games of many players, kept in a file, and their [`Standings`] |

mod matches;
mod played_game;
pub mod players;
mod rating;
mod tournament;

pub use matches::{
    Finished, Fixture, Fixtures, Host, ImpossibleFixture, KeptGames, MAX_FAULTS, MatchError, MatchProgress,
    MatchResult, MatchSettings, Opening, OpeningSuite, PlayerFailure, ThisMachine, Threads, Venue, openings,
    play_match, play_match_at,
};
pub use played_game::{PlayedGame, Thinking};
pub use rating::{
    ELO_BOUND, EloEstimate, PRIOR_DRAWS, PairResult, Ratings, SequentialReport, SequentialTest, Tally, Verdict,
    elo_from_score, score_from_elo,
};
pub use tournament::{
    Conditions, GameStore, MatchStore, Pairing, Pairings, PlayerId, Results, Standing, Standings, StoreError,
    StoredGame, TournamentError, play_missing,
};
