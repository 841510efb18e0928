//! The two seats, and the outcome of a game.

use serde::{Deserialize, Serialize};

/// One of the two sides of a game; the first one moves first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Seat {
    /// Moves first.
    First,
    /// Moves second.
    Second,
}

impl Seat {
    /// Both, in order.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// The other seat.
    #[inline]
    pub fn opponent(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// 1 for the first seat, -1 for the second: turns a value to the first seat into one to this.
    #[inline]
    pub fn sign(self) -> f32 {
        match self {
            Self::First => 1.0,
            Self::Second => -1.0,
        }
    }

    /// 0 for the first seat, 1 for the second.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }
}

/// The outcome of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Outcome {
    /// The winner; none after a draw.
    pub winner: Option<Seat>,
    /// The reason of its end.
    pub reason: EndReason,
}

impl Outcome {
    /// Returns the value to a seat: 1 for a win, 0 for a draw, -1 for a loss.
    pub fn value_for(self, seat: Seat) -> f32 {
        match self.winner {
            None => 0.0,
            Some(winner) if winner == seat => 1.0,
            Some(_) => -1.0,
        }
    }
}

/// The reason of a game's end, as a number among the game's own [`super::Ending`]s, or a resignation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EndReason(pub u8);

impl EndReason {
    /// A chain joined its owner's sides: the number in every connection game.
    pub const CONNECTION: Self = Self(0);
    /// A player resigned. Rules never end a game so: its last position is unfinished. Games number their own
    /// endings around it, because stored games hold this number.
    pub const RESIGNATION: Self = Self(3);
}
