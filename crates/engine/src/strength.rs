//! The engine's strength: its level and the limits of a move.

use std::fmt;
use std::time::Duration;

use hexzero_search::{EarlyStop, Level, Limits, TimeControl};

/// The default seconds per move at full strength.
pub const DEFAULT_SECONDS: u32 = 1;

/// The time or visits of the engine's moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// About this long for each move; less only if the move is certain.
    Time(Duration),
    /// This many visits for each move.
    Visits(u32),
    /// A clock for the whole game.
    Clock(TimeControl),
}

/// The engine's strength. The default is the same in every interface: full strength, [`DEFAULT_SECONDS`] a move.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Strength {
    /// The level; those below full have their own visits.
    pub level: Level,
    /// The time or visits of a move at full strength.
    pub effort: Effort,
}

impl Default for Effort {
    fn default() -> Self {
        Self::Time(Duration::from_secs(u64::from(DEFAULT_SECONDS)))
    }
}

impl Effort {
    /// Returns the limits of one move, besides those of a clock, with the rule for stopping early that suits them.
    pub fn limits(self) -> Limits {
        match self {
            Self::Time(time) => Limits::time(time).stopping(EarlyStop::Certain),
            Self::Visits(visits) => Limits::visits(visits),
            Self::Clock(_) => Limits::default().stopping(EarlyStop::Likely),
        }
    }

    /// Returns the clock, if there is one.
    pub fn clock(self) -> Option<TimeControl> {
        match self {
            Self::Clock(control) => Some(control),
            _ => None,
        }
    }
}

/// Writes, for example, `1 second a move`.
impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(time) => write!(f, "{} a move", seconds(*time)),
            Self::Visits(1) => write!(f, "1 visit a move"),
            Self::Visits(visits) => write!(f, "{visits} visits a move"),
            Self::Clock(TimeControl { main, increment, .. }) => {
                write!(f, "{} for all its moves", seconds(*main))?;
                if increment.is_zero() { Ok(()) } else { write!(f, " and {} more after each", seconds(*increment)) }
            }
        }
    }
}

/// Writes, for example, `level casual` or `full strength, 1 second a move`.
impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.level.is_full() {
            true => write!(f, "full strength, {}", self.effort),
            false => write!(f, "level {}", self.level),
        }
    }
}

fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    format!("{seconds} {}", if seconds == 1.0 { "second" } else { "seconds" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_effort_by_time_stops_early() {
        assert_eq!(Strength::default().effort.limits().early_stop, EarlyStop::Certain);
        assert_eq!(Effort::Visits(9).limits(), Limits::visits(9));
    }
}
