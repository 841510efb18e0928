//! Matches and tournaments between [`players`], and ratings from their results. Independent of training.
//!
//! | folder | subject |
//! |---|---|
//! | `matches/` | games in pairs from the same [opening](openings) with the colours exchanged, at a [`Venue`] |
//! | [`players`] | the search as a player, players without a network, other programs over GTP |
//! | `rating/` | Elo differences and their intervals, the sequential test, ratings of many players |
//! | `tournament/` | [`Tournament`]: games of two or more players, kept in a [file](GameStore); [`Standings`]; [`play_match`] |

mod matches;
mod played_game;
pub mod players;
mod rating;
mod tournament;

pub use matches::{
    BookError, Finished, Fixture, Fixtures, Host, MAX_FAULTS, MatchError, NamedBoard, Opening, OpeningBook,
    OpeningSuite, OpeningUse, PlayerFailure, PointsEstimate, ThisMachine, Threads, Venue, openings,
};
pub use played_game::{PlayedGame, Thinking};
pub use rating::{
    ELO_BOUND, EloEstimate, PRIOR_DRAWS, PairResult, Ratings, SequentialReport, SequentialTest, Tally, Verdict,
    elo_from_score, score_from_elo, student_quantile,
};
pub use tournament::{
    Conditions, GameStore, MatchPlan, MatchProgress, MatchResult, MatchSettings, Pairing, Pairings, PlayerId, Standing,
    Standings, StoreError, StoredGame, Tournament, TournamentError, play_match, play_match_at,
};
