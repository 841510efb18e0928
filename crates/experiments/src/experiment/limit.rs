//! The limit of every run of an experiment.

use std::fmt;

use serde::{Deserialize, Serialize};

use hexzero_train::{Counters, Limit};

/// The limit of every run of an experiment.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunLimit {
    /// Minutes of work.
    Minutes(f64),
    /// Games of self-play.
    Games(u64),
    /// Training steps.
    Steps(u64),
    /// Evaluations in self-play.
    Evaluations(u64),
}

impl fmt::Display for RunLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Minutes(minutes) => write!(f, "minutes = {minutes}"),
            Self::Games(games) => write!(f, "games = {games}"),
            Self::Steps(steps) => write!(f, "steps = {steps}"),
            Self::Evaluations(evaluations) => write!(f, "evaluations = {evaluations}"),
        }
    }
}

impl RunLimit {
    /// Returns the limit up to which to train a run with these counters.
    pub(super) fn left(self, counters: &Counters) -> Limit {
        match self {
            Self::Minutes(minutes) => Limit::Seconds(minutes * 60.0 - counters.seconds),
            Self::Games(games) => Limit::Games(games),
            Self::Steps(steps) => Limit::Steps(steps),
            Self::Evaluations(evaluations) => Limit::Evaluations(evaluations),
        }
    }

    /// Returns true if a run that reached `self` can go on to `other`.
    pub(super) fn leads_to(self, other: Self) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other) && self < other
    }
}
