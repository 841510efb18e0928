//! What a client is told.

use serde::Serialize;

use crate::engine::analysis::Analysis;
use crate::engine::review::Review;

use super::position_view::PositionView;

/// An answer to a request.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Answer {
    /// Positions.
    States { states: Vec<PositionView> },
    /// The engine's move, and the chances that it gives itself.
    Move {
        #[serde(rename = "move")]
        name: String,
        state: Box<PositionView>,
        win: f32,
        draw: f32,
        visits: u32,
        seconds: f64,
    },
    /// What the engine thinks so far.
    Analysis { analysis: Box<Analysis> },
    /// How much of a review is done.
    Reviewing { reviewing: Reviewing },
    /// A game looked over; nothing if that was stopped.
    Review { review: Option<Box<Review>> },
    /// There is no search any more.
    Stopped { stopped: bool },
    /// It cannot be done.
    Error { error: String },
}

/// How many positions of a game have been looked at.
#[derive(Debug, Serialize)]
pub(super) struct Reviewing {
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
    /// That something cannot be done.
    pub fn error(problem: impl ToString) -> Self {
        Self::Error { error: problem.to_string() }
    }

    /// The answer as a text frame, to the request with this number if it had one.
    pub fn to_frame(&self, id: Option<u64>) -> String {
        serde_json::to_string(&Reply { id, answer: self }).expect("texts and numbers are JSON")
    }
}
