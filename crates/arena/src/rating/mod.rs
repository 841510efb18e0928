//! Ratings: the strength of players from the results of their games.

mod elo;
mod pool;
mod sequential;
mod student;
mod tally;

pub use elo::{ELO_BOUND, EloEstimate, elo_from_score, score_from_elo};
pub use pool::{PRIOR_DRAWS, PairResult, Ratings};
pub use sequential::{SequentialReport, SequentialTest, Verdict};
pub use student::student_quantile;
pub use tally::Tally;
