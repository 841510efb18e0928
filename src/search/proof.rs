//! Proven results.

use crate::games::{Seat, WinDrawLoss};

/// The proven result of a position, or of the position after a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Proof {
    Unknown,
    Win(Seat),
    Draw,
}

impl Proof {
    /// Converts a winner, or none, to a proof.
    pub fn of(winner: Option<Seat>) -> Self {
        winner.map_or(Self::Draw, Self::Win)
    }

    /// Ranks it for a player: 2 for a win, 0 for a loss, 1 otherwise.
    pub fn rank(self, player: Seat) -> u8 {
        match self {
            Self::Win(winner) if winner == player => 2,
            Self::Win(_) => 0,
            Self::Draw | Self::Unknown => 1,
        }
    }

    /// Returns the certain chances of the first player, if proven.
    pub fn outcome(self) -> Option<WinDrawLoss> {
        match self {
            Self::Unknown => None,
            Self::Draw => Some(WinDrawLoss::DRAW),
            Self::Win(winner) => Some(WinDrawLoss::certain(winner.sign())),
        }
    }
}
