//! Search limits of players in matches.

use std::time::Duration;

use clap::Args;
use clap::builder::TypedValueParser;

use hexzero_search::Limits;

/// The visits per move in matches if neither visits nor time are given.
pub const DEFAULT_VISITS: u32 = 200;

/// Search limits of players in matches.
#[derive(Debug, Clone, Copy, Args)]
pub struct SearchArgs {
    /// Search V visits a move (default: 200)
    #[arg(long, value_name = "V", conflicts_with = "time", value_parser = visit_count())]
    visits: Option<u32>,
    /// Think for SECONDS a move, such as 0.5
    #[arg(long, visible_alias = "seconds", value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    time: Option<Duration>,
}

impl SearchArgs {
    /// Returns the limits given, or [`DEFAULT_VISITS`].
    pub fn limits(&self) -> Limits {
        match (self.visits, self.time) {
            (None, None) => Limits::visits(DEFAULT_VISITS),
            (visits, time) => Limits { visits, time, ..Limits::default() },
        }
    }
}

/// Returns a parser of a number of visits.
pub fn visit_count() -> impl TypedValueParser<Value = u32> {
    clap::value_parser!(u32).range(1..=i64::from(Limits::MAX_VISITS))
}

/// Parses a number of seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    Limits::seconds(text).ok_or_else(|| format!("give {}", Limits::accepted_seconds()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_seconds() {
        for text in ["0", "-1", "nan", "inf", "1e300", "", "x", "86401"] {
            assert!(seconds(text).is_err(), "{text}");
        }
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
    }
}
