//! How long to think: the options that several commands share.

use std::time::Duration;

use clap::Args;

use crate::search::Limits;

/// Visits a move in matches where neither visits nor time were asked for.
pub const DEFAULT_VISITS: u32 = 200;

/// How long to think about a move.
#[derive(Debug, Clone, Copy, Args)]
pub struct SearchArgs {
    /// Look at this many positions for each move (default: 200)
    #[arg(long, value_name = "V", conflicts_with = "time", value_parser = clap::value_parser!(u32).range(1..=i64::from(Limits::MOST_VISITS)))]
    pub visits: Option<u32>,
    /// Think this long about each move, in seconds (such as 0.5)
    #[arg(long, visible_alias = "seconds", value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    pub time: Option<Duration>,
}

impl SearchArgs {
    /// What was asked for, or [`DEFAULT_VISITS`].
    pub fn limits(&self) -> Limits {
        self.asked_for().unwrap_or(Limits::visits(DEFAULT_VISITS))
    }

    /// What was asked for, if anything was.
    pub fn asked_for(&self) -> Option<Limits> {
        match (self.visits, self.time) {
            (None, None) => None,
            (visits, time) => Some(Limits { visits, time, ..Limits::default() }),
        }
    }
}

/// A number of seconds as somebody types it.
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
