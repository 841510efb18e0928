//! What a position is worth.

use std::cmp::Ordering;

use serde::Serialize;

/// The value of a position to a player if both play as well as possible: the winner as fast, the loser
/// as long as he can. The better value is the greater one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "value", content = "plies", rename_all = "lowercase")]
pub enum Value {
    /// He wins in this many plies.
    #[serde(rename = "won")]
    Win(u8),
    /// Neither can be forced to lose.
    #[serde(rename = "drawn")]
    Draw,
    /// He loses in this many plies.
    #[serde(rename = "lost")]
    Loss(u8),
}

impl Value {
    /// The value of a move to the player who makes it, from that of the position after it to the other.
    pub fn before(self) -> Self {
        match self {
            Self::Win(plies) => Self::Loss(plies + 1),
            Self::Draw => Self::Draw,
            Self::Loss(plies) => Self::Win(plies + 1),
        }
    }

    /// Wins above zero, the faster the higher; losses below, the slower the higher.
    fn rank(self) -> i32 {
        match self {
            Self::Win(plies) => 256 - i32::from(plies),
            Self::Draw => 0,
            Self::Loss(plies) => i32::from(plies) - 256,
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (word, plies) = match self {
            Self::Win(plies) => ("won", plies),
            Self::Draw => return f.pad("drawn"),
            Self::Loss(plies) => ("lost", plies),
        };
        f.pad(&format!("{word} in {plies} {}", if *plies == 1 { "ply" } else { "plies" }))
    }
}
