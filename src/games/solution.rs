//! Exact values of positions on boards small enough to solve.

use std::cmp::Ordering;
use std::ops::RangeInclusive;

use serde::Serialize;

use super::action::Action;
use super::position::Position;

/// Solves a game's small boards.
#[derive(Debug)]
pub struct Solver {
    /// The sizes of the boards that it solves.
    pub sizes: RangeInclusive<usize>,
    /// Solves a board of one of these sizes. Takes seconds, and perhaps tens of megabytes.
    pub solve: fn(usize) -> Box<dyn Solution>,
}

/// The values of all positions of a game on one board.
pub trait Solution: Send + Sync {
    /// The value of a position to the player to move; none if the game is over, and perhaps for positions that no game
    /// comes to.
    fn value(&self, position: &Position) -> Option<Value>;

    /// All moves with their values to the player who makes them, the best ones first.
    fn moves(&self, position: &Position) -> Vec<(Action, Value)>;

    /// The value to the player to move as if no swap were possible; none if the game is over.
    fn value_without_swap(&self, position: &Position) -> Option<Value> {
        self.value(position)
    }
}

/// The value of a position to a player if both play as well as possible: the winner as fast, the loser
/// as late as they can. The better value is the greater one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "value", content = "plies", rename_all = "lowercase")]
pub enum Value {
    /// A win in this many plies, if they are counted.
    #[serde(rename = "won")]
    Win(Option<u8>),
    /// Neither can be forced to lose.
    #[serde(rename = "drawn")]
    Draw,
    /// A loss in this many plies, if they are counted.
    #[serde(rename = "lost")]
    Loss(Option<u8>),
}

impl Value {
    /// The value of a move to the player who makes it, from that of the position after it to the other.
    pub fn before(self) -> Self {
        match self {
            Self::Win(plies) => Self::Loss(plies.map(|plies| plies + 1)),
            Self::Draw => Self::Draw,
            Self::Loss(plies) => Self::Win(plies.map(|plies| plies + 1)),
        }
    }

    /// Wins above zero, the faster the higher; losses below, the slower the higher.
    fn rank(self) -> i32 {
        match self {
            Self::Win(plies) => 256 - i32::from(plies.unwrap_or(u8::MAX)),
            Self::Draw => 0,
            Self::Loss(plies) => i32::from(plies.unwrap_or(u8::MAX)) - 256,
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
        match plies {
            None => f.pad(word),
            Some(1) => f.pad(&format!("{word} in 1 ply")),
            Some(plies) => f.pad(&format!("{word} in {plies} plies")),
        }
    }
}
