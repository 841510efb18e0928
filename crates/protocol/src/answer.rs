//! Answers to clients.

use serde::Serialize;

use hexzero_engine::analysis::Analysis;
use hexzero_engine::review::Review;
use hexzero_games::SeatNumber;
use hexzero_search::StopReason;

use super::position_view::PositionView;
use super::shared_board::{SharedView, Tokens};

/// An answer to a request.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// Positions.
    States { states: Vec<PositionView> },
    /// The engine's move, and its chances.
    Move {
        #[serde(rename = "move")]
        name: String,
        state: Box<PositionView>,
        win: f32,
        draw: f32,
        visits: u32,
        seconds: f64,
        /// Why the search ended.
        stop_reason: StopReason,
    },
    /// The analysis so far.
    Analysis { analysis: Box<Analysis> },
    /// The progress of a review.
    Reviewing { reviewing: Reviewing },
    /// A reviewed game; none if the review was stopped.
    Review { review: Option<Box<Review>> },
    /// The tokens of a board that is shared now.
    Tokens { tokens: Tokens },
    /// A shared board as it is, and the seat of the client.
    Shared { shared: SharedView, seat: Option<SeatNumber> },
    /// The command was carried out.
    Done { done: bool },
    /// The search has stopped.
    Stopped { stopped: bool },
    /// An error.
    Error { error: String },
}

/// The number of positions reviewed so far.
#[derive(Debug, Serialize)]
pub struct Reviewing {
    pub done: usize,
    pub of: usize,
}

#[derive(Serialize)]
struct Reply<'a> {
    id: Option<u64>,
    #[serde(flatten)]
    answer: &'a Answer,
}

impl Answer {
    /// Creates an error.
    pub fn error(problem: impl ToString) -> Self {
        Self::Error { error: problem.to_string() }
    }

    /// Formats the answer as a text frame, for the request with this number if it had one.
    pub fn to_frame(&self, id: Option<u64>) -> String {
        serde_json::to_string(&Reply { id, answer: self }).expect("texts and numbers are JSON")
    }
}
