//! Results that are certain.

use crate::games::{Seat, WinDrawLoss};

/// What is known for certain of a position, or of the position after a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Proof {
    Unknown,
    Win(Seat),
    Draw,
}

impl Proof {
    /// The proof that a winner, or none, amounts to.
    pub fn of(winner: Option<Seat>) -> Self {
        winner.map_or(Self::Draw, Self::Win)
    }

    /// How good it is to a player: 2 for a win, 0 for a loss, 1 for anything else.
    pub fn rank(self, player: Seat) -> u8 {
        match self {
            Self::Win(winner) if winner == player => 2,
            Self::Win(_) => 0,
            Self::Draw | Self::Unknown => 1,
        }
    }

    /// The certain chances of the first player, if anything is certain.
    pub fn outcome(self) -> Option<WinDrawLoss> {
        match self {
            Self::Unknown => None,
            Self::Draw => Some(WinDrawLoss::DRAW),
            Self::Win(winner) => Some(WinDrawLoss::certain(winner.sign())),
        }
    }
}
