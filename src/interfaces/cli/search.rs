//! Limits of a search: options that several commands share.

use std::time::Duration;

use clap::Args;

use crate::search::Limits;

/// Default visits a move in matches, if neither visits nor time are given.
pub const DEFAULT_VISITS: u32 = 200;

/// Limits of the search for a move.
#[derive(Debug, Clone, Copy, Args)]
pub struct SearchArgs {
    /// Search V visits for each move (default: 200)
    #[arg(long, value_name = "V", conflicts_with = "time", value_parser = clap::value_parser!(u32).range(1..=i64::from(Limits::MOST_VISITS)))]
    pub visits: Option<u32>,
    /// Think about each move for SECONDS (such as 0.5)
    #[arg(long, visible_alias = "seconds", value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    pub time: Option<Duration>,
}

impl SearchArgs {
    /// Returns the limits given, or [`DEFAULT_VISITS`].
    pub fn limits(&self) -> Limits {
        self.asked_for().unwrap_or(Limits::visits(DEFAULT_VISITS))
    }

    /// Returns the limits given, if any.
    pub fn asked_for(&self) -> Option<Limits> {
        match (self.visits, self.time) {
            (None, None) => None,
            (visits, time) => Some(Limits { visits, time, ..Limits::default() }),
        }
    }
}

/// Parses a number of seconds.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    Limits::seconds(text).ok_or_else(|| format!("give {}", Limits::accepted_seconds()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_that_are_none() {
        for text in ["0", "-1", "nan", "inf", "1e300", "", "x", "86401"] {
            assert!(seconds(text).is_err(), "{text}");
        }
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
    }
}
